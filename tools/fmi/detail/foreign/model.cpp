// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/foreign_model.h"

#include "tools/fmi/detail/foreign/marked.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <tinyxml2.h>

namespace hilda::fmi {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t most_variables = 100'000, most_elements = 1'000'000, most_items = 10'000;
constexpr int largest_power = 12;

std::string text_of(const XMLElement& element, const char* name) {
  const char* const text = element.Attribute(name);
  return text == nullptr ? "" : text;
}

bool is_true(const XMLElement& element, const char* name) {
  const std::string text = text_of(element, name);
  return text == "true" || text == "1";
}

const XMLElement* next_element(const XMLElement* element) { return element->NextSiblingElement(); }

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  const char* const spaces = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(spaces, end);
  }
  return words;
}

template <class Number> std::optional<Number> number_of(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() != 1) return std::nullopt;
  std::string word = words.front();
  if (word.starts_with('+')) word.erase(0, 1);
  if (word == "INF") word = "inf";
  if (word == "-INF") word = "-inf";
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Throws the first Fault.
class Reader {
public:
  explicit Reader(ForeignModel& model) : model_(model) {}

  void read(const XMLElement& root) {
    if (std::strcmp(root.Name(), "fmiModelDescription") != 0)
      refuse(root, "the root element is <" + std::string(root.Name()) + ">",
             "give an FMU; its modelDescription.xml begins with <fmiModelDescription>");
    head(root);
    for (const XMLElement* each = root.FirstChildElement(); each != nullptr; each = next_element(each)) {
      const std::string tag = each->Name();
      if (tag == "CoSimulation") co_simulation(*each);
      if (tag == "ModelExchange") model_.model_exchange = true;
      if (tag == "ScheduledExecution") model_.scheduled = true;
      if (tag == "UnitDefinitions") units(*each);
      if (tag == "TypeDefinitions") types(*each);
      if (tag == "DefaultExperiment") model_.default_step = step(*each, "stepSize");
    }
    const XMLElement* const variables = root.FirstChildElement("ModelVariables");
    if (variables == nullptr)
      refuse(root, "there is no <ModelVariables>", "export the FMU again: the standard requires it");
    for (const XMLElement* each = variables->FirstChildElement(); each != nullptr; each = next_element(each))
      variable(*each);
    resolve_dimensions();
    check_references();
    if (const XMLElement* structure = root.FirstChildElement("ModelStructure")) dependencies(*structure);
  }

private:
  [[noreturn]] static void refuse(const XMLElement& at, std::string what, std::string help) {
    throw Fault{std::move(what), std::move(help), at.GetLineNum()};
  }

  static std::string required(const XMLElement& element, const char* name) {
    const char* const text = element.Attribute(name);
    if (text == nullptr || *text == 0)
      refuse(element, std::string("<") + element.Name() + "> has no attribute " + name,
             "export the FMU again: the standard requires it");
    return text;
  }

  void head(const XMLElement& root) {
    const std::string version = required(root, "fmiVersion");
    if (version == "2.0" || version.starts_with("2.0."))
      model_.version = 2;
    else if (version == "3.0" || version.starts_with("3.0."))
      model_.version = 3;
    else
      refuse(root, "the FMU is of FMI " + marked(version) + ", and hilda reads 2.0 and 3.0",
             "export the FMU for FMI 2.0 or 3.0");
    model_.name = required(root, "modelName");
    model_.token = required(root, model_.version == 2 ? "guid" : "instantiationToken");
    model_.doc = text_of(root, "description");
    model_.tool = text_of(root, "generationTool");
  }

  std::optional<double> step(const XMLElement& element, const char* name) const {
    if (element.Attribute(name) == nullptr) return std::nullopt;
    const std::optional<double> value = number_of<double>(element.Attribute(name));
    if (!value || !std::isfinite(*value) || *value < 0)
      refuse(element, std::string(name) + " is " + marked(element.Attribute(name)) + ", which is not a time in s",
             "export the FMU again with a step of more than 0 s");
    return *value > 0 ? value : std::nullopt;
  }

  void co_simulation(const XMLElement& element) {
    if (model_.co_simulation) refuse(element, "there is a second <CoSimulation>", "export the FMU again");
    model_.co_simulation = true;
    model_.identifier = required(element, "modelIdentifier");
    const bool named = std::all_of(model_.identifier.begin(), model_.identifier.end(),
                                   [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; });
    if (!named)
      refuse(element, "modelIdentifier is " + marked(model_.identifier) + ", which is not a name in C",
             "export the FMU again: its library has this name");
    const bool two = model_.version == 2;
    model_.saves_state = is_true(element, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState") &&
                         is_true(element, two ? "canSerializeFMUstate" : "canSerializeFMUState");
    model_.variable_step = is_true(element, "canHandleVariableCommunicationStepSize");
    model_.needs_tool = is_true(element, "needsExecutionTool");
    model_.fixed_step = step(element, "fixedInternalStepSize");
  }

  void units(const XMLElement& list) {
    for (const XMLElement* each = list.FirstChildElement("Unit"); each != nullptr;
         each = each->NextSiblingElement("Unit")) {
      ForeignUnit unit;
      if (const XMLElement* base = each->FirstChildElement("BaseUnit")) {
        unit.has_base = true;
        static constexpr std::array<const char*, 8> letters = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
        for (std::size_t i = 0; i < letters.size(); ++i) unit.powers[i] = power(*base, letters[i]);
        unit.factor = factor(*base, "factor", 1);
        unit.offset = factor(*base, "offset", 0);
        if (unit.factor == 0) refuse(*base, "the unit's factor is 0", "give the unit a factor other than 0");
      }
      if (!model_.units.emplace(required(*each, "name"), unit).second)
        refuse(*each, "the unit " + marked(each->Attribute("name")) + " is defined twice", "export the FMU again");
    }
  }

  int power(const XMLElement& base, const char* letter) const {
    const char* const text = base.Attribute(letter);
    if (text == nullptr) return 0;
    const std::optional<int> value = number_of<int>(text);
    if (!value || std::abs(*value) > largest_power)
      refuse(base, std::string(letter) + " is " + marked(text) + ", which is not a power from -12 to 12",
             "export the FMU again with another unit");
    return *value;
  }

  double factor(const XMLElement& base, const char* name, double otherwise) const {
    const char* const text = base.Attribute(name);
    if (text == nullptr) return otherwise;
    const std::optional<double> value = number_of<double>(text);
    if (!value || !std::isfinite(*value))
      refuse(base, std::string(name) + " is " + marked(text) + ", which is not a number", "export the FMU again");
    return *value;
  }

  using Items = std::vector<std::pair<std::string, std::int64_t>>;
  struct Type {
    Items items;
    std::string unit;
    bool relative = false;
  };

  void types(const XMLElement& list) {
    for (const XMLElement* each = list.FirstChildElement(); each != nullptr; each = next_element(each)) {
      const XMLElement* const inner = model_.version == 2 ? each->FirstChildElement() : each;
      if (inner == nullptr) continue;
      Type type{{}, text_of(*inner, "unit"), is_true(*inner, "relativeQuantity")};
      for (const XMLElement* item = inner->FirstChildElement("Item"); item != nullptr;
           item = item->NextSiblingElement("Item")) {
        const std::optional<std::int64_t> value = number_of<std::int64_t>(text_of(*item, "value"));
        if (!value) refuse(*item, "<Item> has no whole number as value", "export the FMU again");
        if (type.items.size() == most_items)
          refuse(*item, "an enumeration has more than 10000 items", "export the FMU with fewer");
        type.items.emplace_back(text_of(*item, "name"), *value);
      }
      types_[text_of(*each, "name")] = std::move(type);
    }
  }

  void variable(const XMLElement& element) {
    const bool two = model_.version == 2;
    if (two && std::strcmp(element.Name(), "ScalarVariable") != 0)
      refuse(element, "<" + std::string(element.Name()) + "> is in <ModelVariables>",
             "FMI 2.0 has <ScalarVariable> there; export the FMU again");
    if (model_.variables.size() == most_variables)
      refuse(element, "there are more than 100000 variables",
             "export the FMU with fewer: only inputs, outputs and parameters");
    const XMLElement* const inner = two ? type_element(element) : &element;
    ForeignVariable made;
    made.line = element.GetLineNum();
    made.name = required(element, "name");
    if (!names_.insert(made.name).second)
      refuse(element, "the name " + marked(made.name) + " occurs twice", "export the FMU again: names are unique");
    const std::string reference = required(element, "valueReference");
    const std::optional<std::uint32_t> number = number_of<std::uint32_t>(reference);
    if (!number)
      refuse(element, "valueReference is " + marked(reference) + ", which is not a number from 0 to 4294967295",
             "export the FMU again");
    made.reference = *number;
    made.doc = text_of(element, "description");
    made.causality = element.Attribute("causality") == nullptr ? "local" : element.Attribute("causality");
    made.variability = text_of(element, "variability");
    kind(made, *inner);
    start(made, *inner);
    for (const XMLElement* each = inner->FirstChildElement("Dimension"); each != nullptr;
         each = each->NextSiblingElement("Dimension"))
      dimension(made, *each);
    model_.variables.push_back(std::move(made));
  }

  static const XMLElement* type_element(const XMLElement& scalar) {
    for (const char* name : {"Real", "Integer", "Boolean", "String", "Enumeration"})
      if (const XMLElement* found = scalar.FirstChildElement(name)) return found;
    refuse(scalar, "the variable " + marked(scalar.Attribute("name")) + " has no type",
           "it needs <Real>, <Integer>, <Boolean>, <String> or <Enumeration>; export the FMU again");
  }

  void kind(ForeignVariable& made, const XMLElement& element) const {
    static const std::map<std::string, Cell> two = {{"Real", Cell::f64},
                                                    {"Integer", Cell::i32},
                                                    {"Boolean", Cell::boolean},
                                                    {"String", Cell::text},
                                                    {"Enumeration", Cell::i32}};
    static const std::map<std::string, Cell> three = {
        {"Float64", Cell::f64},     {"Float32", Cell::f32},   {"Int8", Cell::i8},         {"UInt8", Cell::u8},
        {"Int16", Cell::i16},       {"UInt16", Cell::u16},    {"Int32", Cell::i32},       {"UInt32", Cell::u32},
        {"Int64", Cell::i64},       {"UInt64", Cell::u64},    {"Boolean", Cell::boolean}, {"String", Cell::text},
        {"Enumeration", Cell::i64}, {"Binary", Cell::binary}, {"Clock", Cell::clock}};
    const auto& kinds = model_.version == 2 ? two : three;
    const auto found = kinds.find(element.Name());
    if (found == kinds.end())
      refuse(element, "<" + std::string(element.Name()) + "> is not a type of FMI 3.0", "export the FMU again");
    made.cell = found->second;
    made.enumeration = std::strcmp(element.Name(), "Enumeration") == 0;
    made.unit = text_of(element, "unit");
    made.relative = is_true(element, "relativeQuantity");
    const auto type = types_.find(text_of(element, "declaredType"));
    if (type == types_.end()) return;
    if (made.enumeration) made.items = type->second.items;
    if (made.unit.empty()) made.unit = type->second.unit;
    made.relative = made.relative || type->second.relative;
  }

  void start(ForeignVariable& made, const XMLElement& element) const {
    if (made.cell == Cell::text && model_.version == 3) {
      for (const XMLElement* each = element.FirstChildElement("Start"); each != nullptr;
           each = each->NextSiblingElement("Start"))
        made.start.push_back(text_of(*each, "value"));
      made.has_start = !made.start.empty();
      return;
    }
    const char* const text = element.Attribute("start");
    if (text == nullptr) return;
    made.has_start = true;
    if (made.cell == Cell::text || made.cell == Cell::binary || made.cell == Cell::clock) {
      made.start = {text};
      return;
    }
    made.start = words_of(text);
    for (const std::string& each : made.start)
      if (!fits(made.cell, each))
        refuse(element,
               "the start value " + marked(each) + " of " + marked(made.name) + " is not of its type, " +
                   element.Name(),
               "export the FMU again");
  }

  static bool fits(Cell cell, const std::string& text) {
    if (cell == Cell::boolean) return text == "true" || text == "false" || text == "0" || text == "1";
    if (cell == Cell::f64 || cell == Cell::f32) return number_of<double>(text).has_value();
    return cell == Cell::u64 ? number_of<std::uint64_t>(text).has_value() : number_of<std::int64_t>(text).has_value();
  }

  void dimension(ForeignVariable& made, const XMLElement& element) {
    if (made.dimensions.size() == 8)
      refuse(element, "an array has more than 8 dimensions", "export the FMU with fewer");
    const char* const start = element.Attribute("start");
    const char* const from = element.Attribute("valueReference");
    if (start == nullptr && from == nullptr)
      refuse(element, "<Dimension> has neither start nor valueReference", "export the FMU again");
    const std::optional<std::uint64_t> value = number_of<std::uint64_t>(start != nullptr ? start : from);
    if (!value)
      refuse(element, "a dimension is " + marked(start != nullptr ? start : from) + ", which is not a whole number",
             "export the FMU again");
    if (start == nullptr) sized_by_.push_back({model_.variables.size(), made.dimensions.size(), *value});
    made.dimensions.push_back(start != nullptr ? static_cast<std::size_t>(*value) : 1);
    if (start != nullptr) check_size(made);
  }

  static void check_size(const ForeignVariable& variable) {
    std::size_t size = 1;
    for (const std::size_t each : variable.dimensions) {
      if (each > most_elements || size * std::max<std::size_t>(each, 1) > most_elements)
        throw Fault{"the array " + marked(variable.name) + " has more than 1000000 elements",
                    "export the FMU with smaller arrays", variable.line};
      size *= std::max<std::size_t>(each, 1);
    }
  }

  /// Sides that a structural parameter gives have its start value.
  void resolve_dimensions() {
    for (const auto& [variable, side, reference] : sized_by_) {
      ForeignVariable& of = model_.variables[variable];
      const ForeignVariable* by = nullptr;
      for (const ForeignVariable& each : model_.variables)
        if (each.reference == reference && each.is("structuralParameter")) by = &each;
      const std::optional<std::uint64_t> value =
          by != nullptr && by->start.size() == 1 ? number_of<std::uint64_t>(by->start.front()) : std::nullopt;
      if (!value)
        throw Fault{"a dimension of " + marked(of.name) + " is that of reference " + std::to_string(reference) +
                        ", which is not a structural parameter with a start value",
                    "export the FMU again", of.line};
      of.dimensions[side] = static_cast<std::size_t>(*value);
      check_size(of);
    }
    for (const ForeignVariable& each : model_.variables) {
      const bool fits = each.start.size() <= 1 || each.start.size() == each.size();
      if (!fits)
        throw Fault{marked(each.name) + " has " + std::to_string(each.start.size()) + " start values for " +
                        std::to_string(each.size()) + " elements",
                    "export the FMU again", each.line};
    }
  }

  /// FMI 2.0 allows several variables of one type with one reference, which are one; but not two that are set.
  void check_references() const {
    std::map<std::pair<std::uint32_t, int>, const ForeignVariable*> seen;
    for (const ForeignVariable& each : model_.variables) {
      const bool two = model_.version == 2, set = each.is("input") || each.is("parameter");
      if (two && !set) continue;
      const int space = two ? static_cast<int>(each.cell) : 0;
      const auto [found, fresh] = seen.emplace(std::pair{each.reference, space}, &each);
      if (!fresh)
        throw Fault{marked(each.name) + " and " + marked(found->second->name) + " have the same valueReference, " +
                        std::to_string(each.reference),
                    "export the FMU again: each needs its own", each.line};
    }
  }

  void dependencies(const XMLElement& structure) {
    if (model_.version == 3) {
      for (const XMLElement* each = structure.FirstChildElement("Output"); each != nullptr;
           each = each->NextSiblingElement("Output"))
        dependencies_of(*each, "valueReference");
      return;
    }
    const XMLElement* const outputs = structure.FirstChildElement("Outputs");
    if (outputs == nullptr) return;
    for (const XMLElement* each = outputs->FirstChildElement("Unknown"); each != nullptr;
         each = each->NextSiblingElement("Unknown"))
      dependencies_of(*each, "index");
  }

  void dependencies_of(const XMLElement& element, const char* name) {
    const auto read = [&](const std::string& text) {
      const std::optional<std::uint32_t> value = number_of<std::uint32_t>(text);
      const bool known =
          value && (model_.version == 2 ? *value >= 1 && *value <= model_.variables.size()
                                        : std::any_of(model_.variables.begin(), model_.variables.end(),
                                                      [&](const auto& each) { return each.reference == *value; }));
      if (!known)
        refuse(element, "<ModelStructure> names the variable " + marked(text) + ", which there is not",
               "export the FMU again");
      return *value;
    };
    const std::uint32_t output = read(required(element, name));
    if (element.Attribute("dependencies") == nullptr) return;
    std::vector<std::uint32_t>& list = model_.dependencies[output];
    list.clear();
    for (const std::string& each : words_of(element.Attribute("dependencies"))) list.push_back(read(each));
  }

  ForeignModel& model_;
  std::map<std::string, Type> types_;
  std::set<std::string> names_;
  struct SizedBy {
    std::size_t variable, side;
    std::uint64_t reference;
  };
  std::vector<SizedBy> sized_by_;
};

} // namespace

std::size_t ForeignVariable::size() const {
  std::size_t size = 1;
  for (const std::size_t each : dimensions) size *= each;
  return size;
}

const ForeignVariable* ForeignModel::find(const std::string& variable) const {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const ForeignVariable& each) { return each.name == variable; });
  return found == variables.end() ? nullptr : &*found;
}

bool ForeignModel::feeds_through(const ForeignVariable& input, const ForeignVariable& output) const {
  const auto id = [this](const ForeignVariable& of) {
    return version == 3 ? of.reference : static_cast<std::uint32_t>(&of - variables.data()) + 1;
  };
  const auto found = dependencies.find(id(output));
  if (found == dependencies.end()) return true;
  return std::find(found->second.begin(), found->second.end(), id(input)) != found->second.end();
}

std::optional<ForeignModel> read_foreign_model(const std::string& text, Fault& fault) {
  constexpr std::size_t most_bytes = 64 << 20;
  if (text.size() > most_bytes) {
    fault = {"modelDescription.xml has more than 64 MB", "export the FMU with fewer variables"};
    return std::nullopt;
  }
  if (text.find('\0') != std::string::npos) {
    fault = {"modelDescription.xml contains a zero byte", "export the FMU again"};
    return std::nullopt;
  }
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || document.RootElement() == nullptr) {
    fault = {std::string("modelDescription.xml is not XML (") + document.ErrorName() + ")", "export the FMU again",
             document.ErrorLineNum()};
    return std::nullopt;
  }
  ForeignModel model;
  try {
    Reader(model).read(*document.RootElement());
  } catch (const Fault& thrown) {
    fault = thrown;
    return std::nullopt;
  }
  return model;
}

std::string why_not_shown(const ForeignVariable& variable) {
  if (variable.cell == Cell::binary) return "is binary";
  if (variable.cell == Cell::clock) return "is a clock";
  if (variable.dimensions.size() > 2) return "has more than two dimensions";
  if (variable.size() == 0) return "has no elements";
  const bool parameter = variable.is("parameter");
  if (variable.cell == Cell::text && !parameter) return "is a text, and wires carry numbers";
  if (variable.cell == Cell::text && variable.size() > 1) return "is an array of texts";
  if (parameter && !variable.has_start) return "has no start value";
  return {};
}

} // namespace hilda::fmi
