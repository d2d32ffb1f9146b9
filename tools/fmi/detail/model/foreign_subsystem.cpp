// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/foreign_subsystem.h"

#include "engine/diagram/names.h"
#include "engine/quantity/unit.h"
#include "engine/quantity/value.h"
#include "tools/fmi/detail/foreign/marked.h"
#include "tools/fmi/detail/model/xml_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace hilda::fmi {
namespace {

/// A unit of an FMU in hilda.
struct Converted {
  std::string si;      ///< as a port has it: "rad/s"
  std::string written; ///< as a parameter's value has it: "rpm"
  double factor = 1, offset = 0;
  bool known = true;
};

std::string number_text(const std::string& start) {
  if (start == "INF") return "inf";
  if (start == "-INF") return "-inf";
  return start.starts_with('+') ? start.substr(1) : start;
}

class Writer {
public:
  Writer(const ForeignModel& model, const SubsystemOptions& options) : model_(model), options_(options) {}

  Subsystem write() {
    collect();
    choose_names();
    convert_units();
    Subsystem made;
    made.text = diagram();
    made.summary = summary();
    remark_on_steps();
    made.remarks = std::move(remarks_);
    return made;
  }

private:
  struct Item {
    const ForeignVariable* variable;
    std::string name;  ///< in the diagram
    std::string inner; ///< of the block
    Converted unit;
    bool direct = false;
  };

  void remark(std::string text) { remarks_.push_back(std::move(text)); }

  void collect() {
    std::size_t local = 0;
    for (const ForeignVariable& each : model_.variables) {
      std::vector<Item>* const side = each.is("input")       ? &inputs_
                                      : each.is("output")    ? &outputs_
                                      : each.is("parameter") ? &parameters_
                                                             : nullptr;
      if (side == nullptr) {
        local += each.is("local") ? 1 : 0;
        continue;
      }
      const std::string why = why_not_shown(each);
      if (why.empty())
        side->push_back({&each, {}, {}, {}});
      else
        remark(fmt::format("left out: the {} {}, because it {}", each.causality, marked(each.name), why));
    }
    if (local > 0) remark(fmt::format("left out: {} local variables", local));
    for (Item& output : outputs_)
      for (Item& input : inputs_)
        if (model_.feeds_through(*input.variable, *output.variable)) output.direct = input.direct = true;
  }

  /// A name that has not been taken, as near to the variable's as a diagram allows.
  static std::string name_for(const std::string& variable, bool dotted, std::set<std::string>& taken) {
    std::string name;
    for (const char letter : variable) {
      const bool keeps =
          std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || (dotted && letter == '.');
      if (keeps || (!name.empty() && !name.ends_with('_'))) name += keeps ? letter : '_';
    }
    while (name.size() > 1 && name.ends_with('_') && !variable.ends_with('_')) name.pop_back();
    constexpr std::size_t longest = 150;
    if (name.size() > longest) name.resize(longest);
    if (!diagram::is_element_name(name, dotted)) {
      for (char& letter : name)
        if (letter == '.') letter = '_';
      if (!diagram::is_element_name(name, false)) name.insert(0, "v_");
    }
    while (taken.contains(name)) name += "_";
    taken.insert(name);
    return name;
  }

  void choose_names() {
    std::set<std::string> outside = {"fmu", "communication_step"}, outputs, inner = {"file", "type"}, inner_ports;
    const auto reserved = [](std::string name) {
      while (diagram::is_reserved(name)) name += "_";
      return name;
    };
    for (Item& each : parameters_) {
      std::set<std::string> open = outside;
      each.name = reserved(name_for(each.variable->name, false, open));
      while (outside.contains(each.name) || inner.contains(each.name)) each.name += "_";
      outside.insert(each.name), inner.insert(each.name);
      each.inner = each.name;
    }
    for (Item& each : inputs_) {
      each.name = name_for(each.variable->name, true, outside);
      each.inner = name_for(each.variable->name, false, inner_ports);
      outside.insert(each.name.substr(0, each.name.find('.')));
    }
    for (Item& each : outputs_) {
      each.name = name_for(each.variable->name, true, outputs);
      each.inner = name_for(each.variable->name, false, inner_ports);
    }
    for (const auto* list : {&parameters_, &inputs_, &outputs_})
      for (const Item& each : *list)
        if (each.name != each.variable->name)
          remark(fmt::format("renamed: {} is {} in the diagram", marked(each.variable->name), each.name));
  }

  static bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

  static Unit unit_of(const ForeignUnit& unit) {
    using Base = Unit::Base;
    static constexpr Base bases[] = {Base::mass,        Base::length, Base::time,       Base::current,
                                     Base::temperature, Base::amount, Base::luminosity, Base::angle};
    Unit made;
    for (std::size_t i = 0; i < std::size(bases); ++i) made = made * Unit(bases[i]).pow(Exponent(unit.powers[i]));
    return made;
  }

  /// What its definition says counts; the name is kept where hilda reads the same under it.
  Converted convert(const ForeignVariable& variable) const {
    Converted made;
    if (variable.unit.empty() || variable.unit == "1") return made;
    const auto defined = model_.units.find(variable.unit);
    const Result<UnitReading> read = parse_unit(variable.unit);
    const bool has_base = defined != model_.units.end() && defined->second.has_base;
    if (!has_base && !read) {
      made.known = false;
      return made;
    }
    const Unit unit = has_base ? unit_of(defined->second) : read->unit;
    made.factor = has_base ? defined->second.factor : read->factor();
    made.offset = variable.relative ? 0 : has_base ? defined->second.offset : read->offset;
    const bool energy = read && read->energy;
    made.si = (energy ? unit : unit.rotational()).written_text();
    const bool agrees =
        read && read->unit == unit && same(read->factor(), made.factor) && same(read->offset, made.offset);
    made.written = agrees && made.factor != 1 && unit == unit.rotational() ? variable.unit : made.si;
    if (made.si == "1") made.si.clear();
    if (made.written == "1") made.written.clear();
    return made;
  }

  void convert_units() {
    for (auto* list : {&parameters_, &inputs_, &outputs_})
      for (Item& each : *list) {
        if (each.variable->cell != Cell::f64 && each.variable->cell != Cell::f32) continue;
        each.unit = convert(*each.variable);
        const std::string what = each.variable->causality + " " + marked(each.variable->name);
        if (!each.unit.known)
          remark(
              fmt::format("unknown unit: the {} is in {}, which neither the FMU defines nor hilda knows; it is a plain "
                          "number here",
                          what, marked(each.variable->unit)));
        else if ((each.unit.factor != 1 || each.unit.offset != 0) && !each.variable->is("parameter"))
          remark(fmt::format("converted: the {} is in {}, and the port in {}", what, marked(each.variable->unit),
                             each.unit.si.empty() ? "plain numbers" : each.unit.si));
      }
  }

  static const char* kind_of(const Item& item) {
    const ForeignVariable& of = *item.variable;
    if (choices_of(item).size() > 1) return "choice";
    switch (of.cell) {
    case Cell::f64:
    case Cell::f32: return "real";
    case Cell::boolean: return "boolean";
    case Cell::u64: return "natural";
    case Cell::text: return "text";
    default: return "integer";
    }
  }

  /// Of a parameter that is an enumeration of words; else empty, and it is an integer.
  static std::string choices_of(const Item& item) {
    const ForeignVariable& of = *item.variable;
    if (!of.enumeration || !of.is("parameter") || of.items.size() < 2 || of.size() != 1) return {};
    std::string words;
    std::set<std::string> seen;
    for (const auto& [word, value] : of.items) {
      if (!diagram::is_element_name(word, false) || !seen.insert(word).second) return {};
      words += (words.empty() ? "" : "|") + word;
    }
    return words;
  }

  static std::string shape_of(const ForeignVariable& of) {
    if (of.size() == 1 && of.dimensions.size() <= 1) return {};
    std::string shape;
    for (const std::size_t each : of.dimensions) shape += (shape.empty() ? "" : " ") + std::to_string(each);
    return of.size() == 1 ? std::string() : shape;
  }

  /// The start value as a diagram writes it: a matrix row by row with ';' between the rows.
  std::string value_of(const Item& item) const {
    const ForeignVariable& of = *item.variable;
    if (of.cell == Cell::text) return of.start.empty() ? "" : of.start.front();
    if (!choices_of(item).empty()) {
      for (const auto& [word, value] : of.items)
        if (std::to_string(value) == of.start.front()) return word;
      return of.items.front().first;
    }
    const std::size_t cols = of.dimensions.size() == 2 ? of.dimensions[1] : 1;
    std::string text;
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (i > 0) text += cols > 1 && i % cols == 0 ? "; " : " ";
      const std::string& start = of.start.size() == 1 ? of.start.front() : of.start[i];
      if (of.cell == Cell::boolean)
        text += start == "true" || start == "1" ? "true" : "false";
      else
        text += number_text(start);
    }
    if (cols > 1 && of.size() == cols) text += ";";
    return text + (item.unit.written.empty() ? "" : " " + item.unit.written);
  }

  std::string doc_of(const Item& item) const {
    std::string doc = item.variable->doc;
    if (item.variable->enumeration && choices_of(item).empty())
      for (const auto& [word, value] : item.variable->items)
        doc += fmt::format("{}{} {}", doc.empty() ? "" : ", ", value, word);
    return doc;
  }

  std::string declared(const char* tag, const Item& item) const {
    std::string text = fmt::format("    <{} name={}", tag, xml_quotes(item.inner));
    if (item.inner != item.variable->name) text += xml_attribute("variable", item.variable->name);
    const std::string kind = kind_of(item);
    if (kind != "real") text += xml_attribute("kind", kind);
    text += xml_attribute("unit", item.variable->is("parameter") ? item.unit.written : item.unit.si);
    text += xml_attribute("shape", shape_of(*item.variable));
    if (item.unit.factor != 1) text += xml_attribute("factor", decimal(item.unit.factor));
    if (item.unit.offset != 0) text += xml_attribute("offset", decimal(item.unit.offset));
    if (item.direct) text += " feeds_through=\"true\"";
    const bool live = item.variable->variability == "tunable" && item.variable->cell != Cell::text;
    if (item.variable->is("parameter") && live) text += " live=\"true\"";
    text += xml_attribute("choices", choices_of(item));
    return text + "/>\n";
  }

  std::string step_text() const {
    if (!options_.step.empty()) return options_.step;
    const std::optional<double> step = model_.fixed_step ? model_.fixed_step : model_.default_step;
    return step ? decimal(*step) + " s" : std::string();
  }

  std::string port(const char* tag, const Item& item) const {
    const ForeignVariable& of = *item.variable;
    std::string text = fmt::format("  <{} name={}", tag, xml_quotes(item.name));
    const bool real = std::string(kind_of(item)) == "real";
    if (real) text += xml_attribute("unit", item.unit.si);
    text += xml_attribute("shape", shape_of(of));
    const bool plain = diagram::is_element_name(item.name, false) && !diagram::is_reserved(item.name);
    if (of.is("input") && real && plain && of.has_start && item.unit.factor == 1 && item.unit.offset == 0)
      text += xml_attribute("default", value_of(item));
    return text + xml_attribute("doc", doc_of(item)) + "/>\n";
  }

  std::string block() const {
    std::string text = fmt::format("  <block name=\"fmu\" type=\"fmi/Fmu\" file={}", xml_quotes(options_.file));
    if (!step_text().empty()) text += " sample_time=\"${communication_step}\"";
    for (const Item& each : parameters_) text += fmt::format(" {}=\"${{{}}}\"", each.inner, each.name);
    text += ">\n";
    if (model_.saves_state) text += "    <state name=\"saved\"/>\n";
    for (const Item& each : inputs_) text += declared("input", each);
    for (const Item& each : outputs_) text += declared("output", each);
    for (const Item& each : parameters_) text += declared("parameter", each);
    return text + "  </block>\n";
  }

  std::string diagram() const {
    std::string text = fmt::format("<diagram format=\"1\" name={}{}>\n", xml_quotes(options_.name),
                                   xml_attribute("doc", model_.doc.empty() ? model_.name : model_.doc));
    if (!step_text().empty())
      text +=
          fmt::format("  <parameter name=\"communication_step\" value={} doc=\"Time from one exchange of values with "
                      "the FMU to the next\"/>\n",
                      xml_quotes(step_text()));
    for (const Item& each : parameters_)
      text += fmt::format("  <parameter name={} value={}{}/>\n", xml_quotes(each.name), xml_quotes(value_of(each)),
                          xml_attribute("doc", doc_of(each)));
    for (const Item& each : inputs_) text += port("input", each);
    for (const Item& each : outputs_) text += port("output", each);
    text += block();
    for (const Item& each : inputs_)
      text += fmt::format("  <connect from={} to=\"fmu.{}\"/>\n", xml_quotes(each.name), each.inner);
    for (const Item& each : outputs_)
      text += fmt::format("  <connect from=\"fmu.{}\" to={}/>\n", each.inner, xml_quotes(each.name));
    return text + "</diagram>\n";
  }

  static std::string counted(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }

  std::string summary() const {
    return fmt::format("{}, FMI {}.0, {}, {}, {}, {}", model_.name, model_.version, counted(inputs_.size(), "input"),
                       counted(outputs_.size(), "output"), counted(parameters_.size(), "parameter"),
                       step_text().empty() ? "step of the diagram's period" : "step " + step_text());
  }

  void remark_on_steps() {
    if (!inputs_.empty())
      for (const Item& each : outputs_)
        remark(each.direct ? fmt::format("feeds through: {} depends on inputs of the same sample", each.name)
                           : fmt::format("one step later: {} follows the inputs of the sample before", each.name));
    if (!model_.saves_state) remark("no checkpoints: the FMU cannot save its state");
    if (model_.needs_tool)
      remark("needs its tool: the FMU runs only where " +
             (model_.tool.empty() ? std::string("the tool that wrote it") : model_.tool) + " is installed");
  }

  const ForeignModel& model_;
  const SubsystemOptions& options_;
  std::vector<Item> inputs_, outputs_, parameters_;
  std::vector<std::string> remarks_;
};

} // namespace

std::optional<Subsystem> subsystem_of(const ForeignModel& model, const SubsystemOptions& options, Fault& fault) {
  if (!model.co_simulation) {
    fault = {fmt::format("it is for {}, and not for co-simulation", model.model_exchange ? "model exchange"
                                                                    : model.scheduled    ? "scheduled execution"
                                                                                         : "no kind that it names"),
             "export the FMU for co-simulation"};
    return std::nullopt;
  }
  const bool any = std::any_of(model.variables.begin(), model.variables.end(), [](const ForeignVariable& each) {
    return (each.is("input") || each.is("output")) && why_not_shown(each).empty();
  });
  if (!any) {
    fault = {"it has neither an input nor an output that a wire can carry", "export the FMU with its outputs"};
    return std::nullopt;
  }
  return Writer(model, options).write();
}

} // namespace hilda::fmi
