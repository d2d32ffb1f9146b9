// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/detail/model/variables.h"

#include "engine/base/error.h"
#include "engine/base/fnv.h"
#include "engine/catalogue/signal_parts.h"
#include "engine/diagram/parameter_dependencies.h"
#include "tools/fmi/detail/model/dependencies.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tinyxml2.h>

namespace hilda::fmi {
namespace {

Kind kind_of(hilda_element element) {
  switch (element) {
  case HILDA_I64: return Kind::integer;
  case HILDA_U64: return Kind::whole;
  case HILDA_U8: return Kind::boolean;
  default: return Kind::real;
  }
}

/// Of a wrench, twist, pose or quaternion.
std::vector<NamedElement> named_elements(const SignalType& type) {
  std::vector<NamedElement> all(type.elements());
  std::size_t found = 0;
  const auto look = [&](const std::vector<std::string>& part) {
    std::string why, help;
    const std::optional<PartType> leaf = find_part(type, part, why, help);
    if (!leaf || leaf->type.elements() != 1) return;
    NamedElement& element = all.at(static_cast<std::size_t>(leaf->offset));
    for (const std::string& each : part) element.name += "." + each;
    if (leaf->type.unit && !leaf->type.unit->dimensionless()) element.unit = leaf->type.unit->text();
    ++found;
  };
  for (const char* axis : {"w", "x", "y", "z"}) {
    if (type.kind == HILDA_QUATERNION) look({axis});
    for (const char* part : {"force", "torque", "linear", "angular", "position", "orientation"}) look({part, axis});
  }
  return found == all.size() ? all : std::vector<NamedElement>();
}

class Listing {
public:
  Listing(const Runtime& runtime, Tuning& tuning) : runtime_(runtime), tuning_(tuning) {
    Variable time;
    time.name = "time";
    time.unit = "s";
    time.causality = Causality::independent;
    add(std::move(time));
  }

  /// Parameters and inputs of the diagram itself.
  void parameters() {
    const System& system = runtime_.system();
    const ParameterDependencies dependencies(system);
    for (const ParameterIndex index : system.parameters.indices()) {
      const NamedParameter& named = system.parameters[index];
      if (index == ParameterTable::period || system.parameters.find(ParameterTable::diagram, named.given.name) != index)
        continue;
      parameter(named, dependencies.of({index}));
    }
  }

  bool outputs(const Sources::File& file, std::string& error) {
    tinyxml2::XMLDocument document;
    document.Parse(file.text.c_str(), file.text.size());
    const tinyxml2::XMLElement* root = document.RootElement();
    if (root == nullptr) return true;
    for (const auto* at = root->FirstChildElement("output"); at != nullptr; at = at->NextSiblingElement("output"))
      if (here(*at) && !output(*root, *at, file.name, error)) return false;
    return true;
  }

  void signals() {
    for (const SystemSignal& signal : runtime_.signals()) {
      if (signal.type.rows <= 0 || signal.type.cols <= 0 || signal.span.element > HILDA_U8) continue;
      if (runtime_.system().blocks[signal.block].type->slots[signal.slot].is(HILDA_UNRECORDED)) continue;
      Diagnostics unheard;
      std::optional<Output> found = find_output(runtime_, signal.path, unheard);
      if (found) shown(signal.path, Causality::local, "", std::move(*found));
    }
  }

  std::vector<Variable> take() { return std::move(all_); }

private:
  bool here(const tinyxml2::XMLElement& element) const {
    const char* mode = element.Attribute("mode");
    return mode == nullptr || runtime_.system().mode == mode;
  }

  void add(Variable variable) {
    while (!names_.insert(variable.name).second) variable.name += "_";
    variable.reference = next_;
    next_ += static_cast<std::uint32_t>(variable.size());
    all_.push_back(std::move(variable));
  }

  void shown(std::string name, Causality causality, std::string doc, Output output) {
    Variable variable;
    variable.name = std::move(name);
    variable.causality = causality;
    variable.doc = std::move(doc);
    variable.unit = output.unit();
    variable.kind = kind_of(output.element());
    variable.rows = output.type().rows, variable.cols = output.type().cols;
    if (variable.size() > 1) variable.elements = named_elements(output.type());
    variable.output = std::move(output);
    add(std::move(variable));
  }

  bool output(const tinyxml2::XMLElement& root, const tinyxml2::XMLElement& element, const std::string& file,
              std::string& error) {
    const auto text = [](const char* t) { return std::string(t != nullptr ? t : ""); };
    const std::string name = text(element.Attribute("name"));
    std::string from;
    for (const auto* at = root.FirstChildElement("connect"); at != nullptr; at = at->NextSiblingElement("connect"))
      if (here(*at) && text(at->Attribute("to")) == name) from = text(at->Attribute("from"));
    if (from.empty()) return true; // nothing drives it: it has no value
    Diagnostics diagnostics;
    std::optional<Output> found = find_output(runtime_, from, diagnostics);
    if (!found) found = find_output(runtime_, from + ".y", diagnostics); // an input of the diagram
    if (!found) {
      error = fmt::format("{}:{}: the output {} comes from {}, which is not the output of a block or a subsystem", file,
                          element.GetLineNum(), in_quotes(name), in_quotes(from));
      return false;
    }
    shown(name, Causality::output, text(element.Attribute("doc")), std::move(*found));
    return true;
  }

  bool is_input(const NamedParameter& named) const {
    return std::any_of(runtime_.system().blocks.begin(), runtime_.system().blocks.end(), [&](const SystemBlock& block) {
      return block.path == named.path && block.type->name == "sources/Constant" && block.parameters.size() == 1 &&
             *block.parameters.front().text == "${" + named.path + "}" && block.where.line > 0;
    });
  }

  void parameter(const NamedParameter& named, const Dependents& used) {
    Variable variable;
    variable.name = named.path;
    variable.doc = named.doc;
    Diagnostics unheard;
    variable.causality = Causality::parameter;
    variable.input = tuning_.input(named.path, unheard);
    if (variable.input != nullptr) {
      const Input& input = *variable.input;
      if (is_input(named)) variable.causality = Causality::input;
      if (of_others(named)) variable.causality = Causality::calculated;
      variable.tunable = true;
      variable.unit = input.unit();
      variable.kind = kind_of(input.element());
      variable.rows = input.rows(), variable.cols = input.cols();
      const InputTarget& target = input.targets().front();
      const ParameterValue& value = runtime_.system().blocks[target.parameter.block].parameters[target.parameter.index];
      variable.start.assign(value.value.numbers.begin(), value.value.numbers.end());
    } else {
      fixed(named, used, variable);
    }
    add(std::move(variable));
  }

  /// Its value is a formula of other parameters. It cannot be set: an importer that sets all start values would cut it
  /// off from those.
  static bool of_others(const NamedParameter& named) { return named.given.text.find("${") != std::string::npos; }

  /// A number whose unit is known, or that has none; numbers of several units are texts.
  void fixed(const NamedParameter& named, const Dependents& used, Variable& variable) const {
    const Value& value = named.value;
    const bool formula = of_others(named);
    if (formula) variable.causality = Causality::calculated;
    if (value.kind == Value::Kind::text ||
        (!formula && (!value.bases().empty() || value.basis == Value::Basis::computed))) {
      variable.kind = Kind::text;
      variable.text = formula ? value.text : named.given.text;
      choices(used, variable);
      return;
    }
    variable.kind = value.kind == Value::Kind::boolean ? Kind::boolean : Kind::real;
    variable.rows = value.extent.rows, variable.cols = value.extent.cols;
    variable.start.assign(value.numbers.begin(), value.numbers.end());
    if (!value.bases().empty()) return;
    if (const std::optional<Unit> unit = value.unit(); unit && !unit->dimensionless()) variable.unit = unit->text();
  }

  void choices(const Dependents& used, Variable& variable) const {
    for (const BlockParameter& each : used.blocks) {
      const SystemBlock& block = runtime_.system().blocks[each.block];
      const Slot& slot = block.type->slots[block.parameters[each.index].slot];
      if (slot.element != HILDA_CHOICE) continue;
      const auto found = std::find(slot.choices.begin(), slot.choices.end(), variable.text);
      if (found == slot.choices.end()) continue;
      variable.kind = Kind::choice;
      variable.choices = slot.choices;
      variable.start = {static_cast<double>(found - slot.choices.begin()) + 1};
      return;
    }
  }

  const Runtime& runtime_;
  Tuning& tuning_;
  std::vector<Variable> all_;
  std::set<std::string> names_;
  std::uint32_t next_ = 0;
};

} // namespace

std::vector<Variable> list_variables(const Runtime& runtime, Tuning& tuning, const Sources::File& diagram,
                                     std::string& error) {
  Listing listing(runtime, tuning);
  listing.parameters();
  if (!listing.outputs(diagram, error)) return {};
  listing.signals();
  std::vector<Variable> variables = listing.take();
  find_dependencies(runtime, variables);
  return variables;
}

std::string token_of(const std::vector<Variable>& variables) {
  Fnv hash;
  for (const Variable& each : variables)
    hash.text(fmt::format("{} {} {} {} {} {}\n", each.name, static_cast<int>(each.kind),
                          static_cast<int>(each.causality), each.rows, each.cols, each.reference));
  return fmt::format("{{hilda-{:016x}}}", hash.value());
}

std::size_t column_order(const Variable& variable, std::size_t i) {
  const auto rows = static_cast<std::size_t>(variable.rows), cols = static_cast<std::size_t>(variable.cols);
  return i % cols * rows + i / cols;
}

std::string element_name(const Variable& variable, std::size_t element) {
  if (!variable.elements.empty()) return variable.elements.at(element).name;
  const auto rows = static_cast<std::size_t>(variable.rows);
  return rows == 1 || variable.cols == 1 ? fmt::format("[{}]", element)
                                         : fmt::format("[{}][{}]", element % rows, element / rows);
}

} // namespace hilda::fmi
