// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/description.h"

#include "engine/quantity/value.h"
#include "tools/fmi/detail/model/xml_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace hilda::fmi {
namespace {

std::string type_name(const Variable& variable) { return variable.name + ".choices"; }

class DescriptionWriter {
public:
  DescriptionWriter(const Description& description, const std::vector<Variable>& variables)
      : about_(description), variables_(variables), two_(description.version == 2) {}

  std::string text() {
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    head();
    units();
    types();
    text_ += "  <LogCategories>\n"
             "    <Category name=\"logStatusError\" description=\"Why the diagram or a call is refused\"/>\n"
             "    <Category name=\"logStatusWarning\" description=\"Warnings of the diagram\"/>\n"
             "    <Category name=\"logEvents\" description=\"The end of the run\"/>\n"
             "  </LogCategories>\n";
    text_ += fmt::format("  <DefaultExperiment startTime=\"0\" stopTime={} stepSize={}/>\n",
                         xml_quotes(decimal(about_.stop)), xml_quotes(decimal(about_.step)));
    text_ += "  <ModelVariables>\n";
    for (const Variable& each : variables_) two_ ? scalars(each) : variable(each);
    text_ += "  </ModelVariables>\n";
    structure();
    return text_ + "</fmiModelDescription>\n";
  }

private:
  void head() {
    const std::string state = two_ ? "canGetAndSetFMUstate" : "canGetAndSetFMUState";
    const std::string serial = two_ ? "canSerializeFMUstate" : "canSerializeFMUState";
    text_ +=
        fmt::format("<fmiModelDescription fmiVersion=\"{}\" modelName={} {}={}{} generationTool={}{}>\n",
                    two_ ? "2.0" : "3.0", xml_quotes(about_.name), two_ ? "guid" : "instantiationToken",
                    xml_quotes(about_.token), xml_attribute("description", about_.doc), xml_quotes(about_.generator),
                    two_ ? " variableNamingConvention=\"flat\" numberOfEventIndicators=\"0\"" : "");
    text_ +=
        fmt::format("  <CoSimulation modelIdentifier={} canHandleVariableCommunicationStepSize=\"false\" {}=\"{}\" "
                    "{}=\"{}\"{}/>\n",
                    xml_quotes(about_.identifier), state, about_.saves_state, serial, about_.saves_state,
                    two_ ? "" : fmt::format(" fixedInternalStepSize={}", xml_quotes(decimal(about_.step))));
  }

  void units() {
    std::set<std::string> names;
    for (const Variable& each : variables_)
      for (const std::string& unit : units_of(each))
        if (!unit.empty()) names.insert(unit);
    if (names.empty()) return;
    text_ += "  <UnitDefinitions>\n";
    for (const std::string& name : names) unit(name);
    text_ += "  </UnitDefinitions>\n";
  }

  static std::vector<std::string> units_of(const Variable& variable) {
    std::vector<std::string> all = {variable.unit};
    for (const NamedElement& each : variable.elements) all.push_back(each.unit);
    return all;
  }

  /// A wire's unit is SI: its factor is 1.
  void unit(const std::string& name) {
    constexpr std::array<std::pair<Unit::Base, const char*>, 8> bases = {{{Unit::Base::mass, "kg"},
                                                                          {Unit::Base::length, "m"},
                                                                          {Unit::Base::time, "s"},
                                                                          {Unit::Base::current, "A"},
                                                                          {Unit::Base::temperature, "K"},
                                                                          {Unit::Base::amount, "mol"},
                                                                          {Unit::Base::luminosity, "cd"},
                                                                          {Unit::Base::angle, "rad"}}};
    std::string powers;
    const auto read = parse_unit(name);
    if (read) {
      for (const auto& [base, letter] : bases) {
        const std::string power = whole_power(read->unit.power(base));
        if (power.empty()) return text_ += fmt::format("    <Unit name={}/>\n", xml_quotes(name)), void();
        if (power != "0") powers += fmt::format(" {}=\"{}\"", letter, power);
      }
      if (read->factor() != 1) powers += fmt::format(" factor={}", xml_quotes(decimal(read->factor())));
    }
    text_ += fmt::format("    <Unit name={}>\n      <BaseUnit{}/>\n    </Unit>\n", xml_quotes(name), powers);
  }

  static std::string whole_power(const Exponent& power) {
    for (int whole = -12; whole <= 12; ++whole)
      if (power == Exponent(whole)) return std::to_string(whole);
    return {};
  }

  void types() {
    std::string text;
    for (const Variable& each : variables_) {
      if (each.kind != Kind::choice) continue;
      std::string items;
      for (std::size_t i = 0; i < each.choices.size(); ++i)
        items += fmt::format("{}<Item name={} value=\"{}\"/>\n", two_ ? "        " : "      ",
                             xml_quotes(each.choices[i]), i + 1);
      text += two_ ? fmt::format("    <SimpleType name={}>\n      <Enumeration>\n{}      </Enumeration>\n    "
                                 "</SimpleType>\n",
                                 xml_quotes(type_name(each)), items)
                   : fmt::format("    <EnumerationType name={}>\n{}    </EnumerationType>\n",
                                 xml_quotes(type_name(each)), items);
    }
    if (!text.empty()) text_ += "  <TypeDefinitions>\n" + text + "  </TypeDefinitions>\n";
  }

  std::string role(const Variable& variable) const {
    const bool real = variable.kind == Kind::real;
    switch (variable.causality) {
    case Causality::independent: return " causality=\"independent\" variability=\"continuous\"";
    case Causality::input:
      return fmt::format(" causality=\"input\" variability=\"{}\"", real ? "continuous" : "discrete");
    case Causality::output:
      return fmt::format(" causality=\"output\" variability=\"{}\"", real ? "continuous" : "discrete");
    case Causality::parameter:
      return fmt::format(" causality=\"parameter\" variability=\"{}\"", variable.tunable ? "tunable" : "fixed");
    case Causality::calculated:
      return fmt::format(" causality=\"calculatedParameter\" variability=\"{}\"",
                         variable.tunable ? "tunable" : "fixed");
    default: return fmt::format(" causality=\"local\" variability=\"{}\"", real ? "continuous" : "discrete");
    }
  }

  static std::string start_text(const Variable& variable, std::size_t element) {
    const double number = variable.start.at(element);
    if (variable.kind == Kind::boolean) return number != 0 ? "true" : "false";
    if (std::isinf(number)) return number < 0 ? "-INF" : "INF"; // as XML Schema writes it
    return decimal(number);
  }

  void scalars(const Variable& variable) {
    first_.push_back(count_ + 1);
    count_ += variable.size();
    for (std::size_t i = 0; i < variable.size(); ++i) scalar(variable, i);
  }

  void scalar(const Variable& variable, std::size_t element) {
    static constexpr std::array<const char*, 6> names = {"Real",    "Integer", "Integer",
                                                         "Boolean", "String",  "Enumeration"};
    const std::string name = variable.size() == 1 ? variable.name : variable.name + element_name(variable, element);
    text_ += fmt::format("    <ScalarVariable name={} valueReference=\"{}\"{}{}{}>\n", xml_quotes(name),
                         variable.reference + element, role(variable), xml_attribute("description", variable.doc),
                         variable.causality == Causality::parameter ? " initial=\"exact\"" : "");
    std::string more;
    if (variable.kind == Kind::choice) more += fmt::format(" declaredType={}", xml_quotes(type_name(variable)));
    const bool named = !variable.elements.empty();
    if (variable.kind == Kind::real)
      more += xml_attribute("unit", named ? variable.elements.at(element).unit : variable.unit);
    if (variable.settable())
      more += fmt::format(" start={}", variable.kind == Kind::text ? xml_quotes(variable.text)
                                                                   : xml_quotes(start_text(variable, element)));
    text_ +=
        fmt::format("      <{}{}/>\n    </ScalarVariable>\n", names.at(static_cast<std::size_t>(variable.kind)), more);
  }

  static std::string doc_with_elements(const Variable& variable) {
    std::string names;
    for (const NamedElement& each : variable.elements) names += (names.empty() ? "" : ", ") + each.name.substr(1);
    return variable.doc + (variable.doc.empty() || names.empty() ? "" : ": ") + names;
  }

  /// An array is in the standard's order: row by row.
  void variable(const Variable& variable) {
    static constexpr std::array<const char*, 6> names = {"Float64", "Int64",  "UInt64",
                                                         "Boolean", "String", "Enumeration"};
    const char* name = names.at(static_cast<std::size_t>(variable.kind));
    text_ += fmt::format("    <{} name={} valueReference=\"{}\"{}{}", name, xml_quotes(variable.name),
                         variable.reference, role(variable), xml_attribute("description", doc_with_elements(variable)));
    if (variable.causality == Causality::parameter) text_ += " initial=\"exact\"";
    if (variable.kind == Kind::choice) text_ += fmt::format(" declaredType={}", xml_quotes(type_name(variable)));
    if (variable.kind == Kind::real) text_ += xml_attribute("unit", variable.unit);
    std::string inside;
    if (variable.size() > 1) {
      inside += fmt::format("      <Dimension start=\"{}\"/>\n", variable.rows);
      if (variable.cols > 1) inside += fmt::format("      <Dimension start=\"{}\"/>\n", variable.cols);
    }
    if (variable.settable() && variable.kind == Kind::text) {
      inside += fmt::format("      <Start value={}/>\n", xml_quotes(variable.text));
    } else if (variable.settable()) {
      std::string start;
      for (std::size_t i = 0; i < variable.size(); ++i)
        start += (i == 0 ? "" : " ") + start_text(variable, column_order(variable, i));
      text_ += fmt::format(" start={}", xml_quotes(start));
    }
    text_ += inside.empty() ? "/>\n" : fmt::format(">\n{}    </{}>\n", inside, name);
  }

  /// Outputs, and what has no value before the initialisation.
  void structure() {
    std::string outputs, unknowns;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      const Variable& each = variables_[v];
      const bool output = each.causality == Causality::output;
      if (!output && each.causality != Causality::calculated) continue;
      const std::size_t lines = two_ ? each.size() : 1;
      for (std::size_t i = 0; i < lines; ++i) {
        const std::string which =
            two_ ? fmt::format("index=\"{}\"", first_[v] + i) : fmt::format("valueReference=\"{}\"", each.reference);
        const std::string known = output ? fmt::format(" dependencies=\"{}\"", dependencies(each)) : "";
        if (output)
          outputs +=
              fmt::format("{}{} {}{}/>\n", two_ ? "      <" : "    <", two_ ? "Unknown" : "Output", which, known);
        unknowns += fmt::format("{}{} {}/>\n", two_ ? "      <" : "    <", two_ ? "Unknown" : "InitialUnknown", which);
      }
    }
    if (two_) {
      if (!outputs.empty()) outputs = "    <Outputs>\n" + outputs + "    </Outputs>\n";
      if (!unknowns.empty()) unknowns = "    <InitialUnknowns>\n" + unknowns + "    </InitialUnknowns>\n";
    }
    text_ += unknowns.empty() ? "  <ModelStructure/>\n"
                              : "  <ModelStructure>\n" + outputs + unknowns + "  </ModelStructure>\n";
  }

  /// The inputs on which an output depends at the same time: references, or of FMI 2.0 numbers of variables.
  std::string dependencies(const Variable& output) const {
    std::string list;
    for (const std::size_t input : output.follows) {
      const std::size_t count = two_ ? variables_[input].size() : 1;
      for (std::size_t i = 0; i < count; ++i)
        list += fmt::format("{}{}", list.empty() ? "" : " ", two_ ? first_[input] + i : variables_[input].reference);
    }
    return list;
  }

  const Description& about_;
  const std::vector<Variable>& variables_;
  const bool two_;
  std::string text_;
  std::vector<std::size_t> first_; ///< of each variable: the number of its first element in FMI 2.0, from 1 on
  std::size_t count_ = 0;
};

} // namespace

std::string description_text(const Description& description, const std::vector<Variable>& variables) {
  return DescriptionWriter(description, variables).text();
}

std::string identifier_of(const std::string& name) {
  std::string identifier;
  for (const char letter : name) identifier += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier.front())) != 0)
    identifier.insert(0, "diagram_");
  return identifier;
}

} // namespace hilda::fmi
