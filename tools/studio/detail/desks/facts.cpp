// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/desks/facts.h"

#include "engine/catalogue/driven_type.h"
#include "engine/diagram/parameter_dependencies.h"
#include "engine/log/log_figures.h"
#include "engine/log/signal_pattern.h"
#include "engine/session/summary_figures.h"
#include "engine/session/summary_parameters.h"
#include "tools/graphics/sketch.h"
#include "tools/studio/detail/desks/page.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace hilda::studio {
namespace {

Json finite(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

std::string unit_text(const Unit& unit) { return unit.dimensionless() ? "" : unit.written_text(); }

std::string last_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// What another value of a block's parameter takes.
const char* change_of(const Slot& slot) {
  const bool text = slot.element == HILDA_TEXT || slot.element == HILDA_PATH;
  if (slot.is(HILDA_RECONFIGURE)) return "paused";
  return slot.is(HILDA_LIVE) && !text ? "live" : "fixed";
}

/// What another value of a named parameter takes: "live", "paused", or "fixed" and why, by all that depends on it.
void describe_change(Json& parameter, const System& system, const Dependents& dependents) {
  std::string change = "live", why;
  if (dependents.blocks.empty()) why = "no running block depends on it";
  if (!dependents.settled.empty()) why = "what depends on it counts once, before the first tick";
  for (const BlockParameter& each : dependents.blocks) {
    const SystemBlock& block = system.blocks[each.block];
    const Slot& slot = block.type->slots[block.parameters[each.index].slot];
    const std::string takes = change_of(slot);
    if (takes == "fixed") why = block.path + "." + slot.name + " is fixed while the diagram runs";
    if (takes == "paused") change = takes;
  }
  parameter["change"] = why.empty() ? change : "fixed";
  if (!why.empty()) parameter["why"] = why;
}

Json named_parameter(const NamedParameter& named) {
  static const char* const types[] = {"text", "boolean", "real"};
  Json parameter{{"path", named.path}, {"block", ""}, {"name", last_of(named.path)}};
  parameter["unit"] = unit_text(named.value.unit().value_or(Unit()));
  parameter["type"] = types[static_cast<std::size_t>(named.value.kind)];
  parameter["minimum"] = parameter["maximum"] = nullptr;
  parameter["doc"] = named.doc;
  if (!named.group.empty()) parameter["group"] = named.group;
  return parameter;
}

/// The range, the choices and, if it has none, the doc of a parameter whose value blocks take as it is: `${name}`.
void describe_range(Json& parameter, const System& system, const Dependents& dependents) {
  const std::string reference = "${" + parameter["name"].get<std::string>() + "}";
  const auto narrow = [&](const char* key, double bound, bool least) {
    if (!std::isfinite(bound)) return;
    Json& known = parameter[key];
    if (known.is_null() || (least ? bound > known.get<double>() : bound < known.get<double>())) known = bound;
  };
  for (const BlockParameter& each : dependents.blocks) {
    const SystemBlock& block = system.blocks[each.block];
    const ParameterValue& value = block.parameters[each.index];
    if (!value.slot.valid() || std::string(value.text) != reference) continue;
    const Slot& slot = block.type->slots[value.slot];
    narrow("minimum", slot.declared.to_si(slot.minimum), true);
    narrow("maximum", slot.declared.to_si(slot.maximum), false);
    if (!slot.choices.empty() && !parameter.contains("choices"))
      parameter["type"] = "choice", parameter["choices"] = slot.choices;
    if (parameter["doc"] == "") parameter["doc"] = slot.doc;
  }
}

const char* type_of(const Slot& slot) {
  switch (slot.element) {
  case HILDA_F64: return "real";
  case HILDA_I64:
  case HILDA_U64: return "integer";
  case HILDA_U8: return "boolean";
  case HILDA_CHOICE: return "choice";
  case HILDA_TEXT:
  case HILDA_PATH: break;
  }
  return "text";
}

Json block_parameter(const SystemBlock& block, const ParameterValue& value) {
  const Slot& slot = block.type->slots[value.slot];
  Json parameter{{"path", block.path + "." + slot.name}, {"block", block.path}, {"name", slot.name}};
  const bool measured = slot.element == HILDA_F64 && slot.kind == HILDA_PLAIN && block.slot_types.has(value.slot) &&
                        block.slot_types[value.slot].unit;
  parameter["unit"] = measured ? unit_text(*block.slot_types[value.slot].unit) : "";
  parameter["type"] = type_of(slot);
  if (!slot.choices.empty()) parameter["choices"] = slot.choices;
  parameter["minimum"] = finite(slot.declared.to_si(slot.minimum));
  parameter["maximum"] = finite(slot.declared.to_si(slot.maximum));
  parameter["doc"] = slot.doc;
  parameter["change"] = change_of(slot);
  if (is_driven(*block.type, value.slot)) parameter["change"] = "fixed", parameter["why"] = value.value.text;
  if (!value.text.empty()) parameter["expression"] = value.text;
  return parameter;
}

Json parameters_json(const System& system) {
  Json all = Json::array();
  const ParameterDependencies dependencies(system);
  for (std::size_t i = 0; i < system.parameters.size(); ++i) {
    const ParameterIndex index(i);
    all.push_back(named_parameter(system.parameters[index]));
    const Dependents dependents = dependencies.of({index});
    describe_change(all.back(), system, dependents);
    describe_range(all.back(), system, dependents);
  }
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& value : block.parameters)
      if (value.slot.valid()) all.push_back(block_parameter(block, value));
  for (const LiveRate& rate : system.live_rates)
    for (Json& each : all)
      if (each["path"] == rate.path) each["rate"] = rate.rate;
  return all;
}

Json blocks_json(const System& system) {
  Json all = Json::array();
  for (const SystemBlock& block : system.blocks)
    all.push_back({{"path", block.path},
                   {"type", block.type->name},
                   {"doc", *block.doc},
                   {"rate", diagram::rate_text(system, block)},
                   {"file", block.where.file != nullptr ? *block.where.file : ""},
                   {"line", block.where.line}});
  return all;
}

Json types_json(const System& system) {
  Json all = Json::object();
  std::set<const BlockType*> seen;
  for (const SystemBlock& block : system.blocks) {
    if (!seen.insert(block.type).second) continue;
    Json parameters = Json::object();
    for (const Slot& slot : block.type->slots)
      if (slot.role == HILDA_PARAMETER) parameters[slot.name] = slot.doc;
    all[block.type->name] = {{"doc", block.type->doc}, {"parameters", std::move(parameters)}};
  }
  return all;
}

Json figures_json(const System& system) {
  Json all = Json::array();
  for (const FigureRule& rule : system.figures) {
    Json signals = Json::array();
    for (const std::string& word : rule.signals.words)
      signals.push_back(rule.signals.scope.empty() || word.starts_with("ports.") ? word
                                                                                 : rule.signals.scope + "." + word);
    all.push_back({{"title", rule.title}, {"signals", std::move(signals)}});
  }
  return all;
}

} // namespace

Json signal_json(const LogChannel& channel, const LogField& field, const Rational& period) {
  constexpr std::size_t most_parts = 64;
  Json signal{{"path", channel.path + "." + field.name},
              {"block", channel.path},
              {"name", field.name},
              {"unit", field.unit},
              {"rows", field.rows},
              {"columns", field.cols},
              {"kind", field.kind},
              {"element", field.element == LogElement::f64       ? "real"
                          : field.element == LogElement::boolean ? "boolean"
                                                                 : "integer"},
              {"rate", draw::rate_text((period * Rational(channel.divider)).value())},
              {"doc", field.doc}};
  Json parts = Json::array(), units = Json::array();
  for (std::size_t i = 0; i < std::min(field.elements(), most_parts); ++i) {
    parts.push_back(element_suffix(field, i));
    units.push_back(element_unit(field, i));
  }
  signal["parts"] = std::move(parts);
  if (!field.kind.empty()) signal["units"] = std::move(units);
  return signal;
}

std::vector<std::string> texts_of(const System& system) {
  std::vector<std::string> all;
  for (const NamedParameter& named : system.parameters) all.push_back(named.value.text);
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& each : block.parameters) all.push_back(each.value.text);
  return all;
}

std::vector<ParameterFact> parameters_of(const System& system, const std::vector<std::string>& loaded) {
  std::vector<ParameterFact> all;
  std::size_t at = 0;
  const auto in_file = [&](const std::string& text) {
    const std::size_t i = at++;
    return i < loaded.size() && loaded[i] != text ? loaded[i] : std::string();
  };
  for (const NamedParameter& named : system.parameters)
    all.push_back({named.path, named.value.text, parameter_value(named.value),
                   unit_text(named.value.unit().value_or(Unit())), in_file(named.value.text)});
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& value : block.parameters) {
      const std::string file = in_file(value.value.text);
      if (!value.slot.valid()) continue;
      const Slot& slot = block.type->slots[value.slot];
      const bool measured = block.slot_types.has(value.slot) && block.slot_types[value.slot].unit;
      all.push_back({block.path + "." + slot.name, value.value.text, parameter_value(value.value),
                     measured && slot.kind == HILDA_PLAIN ? unit_text(*block.slot_types[value.slot].unit) : "", file});
    }
  return all;
}

DiagramFacts facts_of(const ServedDiagram& diagram, Hub& hub, Drawings& drawings) {
  const System& system = diagram.runtime->system();
  DiagramFacts facts;
  facts.parameters = parameters_of(system, diagram.texts);
  std::string unheard;
  facts.hello = {{"diagram",
                  {{"file", diagram.file},
                   {"name", system.name},
                   {"mode", system.mode},
                   {"doc", system.doc},
                   {"period", system.base.value()}}},
                 {"scene", drawings.scene(system, *diagram.sources, Json::object(), unheard)},
                 {"parameters", parameters_json(system)},
                 {"blocks", blocks_json(system)},
                 {"types", types_json(system)},
                 {"figures", figures_json(system)},
                 {"diagnostics", diagnostics_json(drawings.problems())},
                 {"lacking", page_lacks()}};
  Json signals = Json::array(), aliases = Json::object();
  hub.with_signals([&](const ServedSignals& run) {
    for (const LogChannel& channel : run.schema.channels)
      for (const LogField& field : channel.fields) signals.push_back(signal_json(channel, field, run.schema.period));
    for (const auto& [name, signal] : run.schema.aliases) aliases[name] = signal;
  });
  facts.hello["signals"] = std::move(signals);
  facts.hello["aliases"] = std::move(aliases);
  return facts;
}

Json diagnostic_json(const Diagnostic& diagnostic) {
  Json notes = Json::array();
  for (const Diagnostic::Line& each : diagnostic.notes)
    notes.push_back({{"file", each.file}, {"line", each.line}, {"text", each.text}});
  return {{"severity", diagnostic.severity == Diagnostic::Severity::error ? "error" : "warning"},
          {"code", diagnostic.code},
          {"file", diagnostic.file},
          {"line", diagnostic.line},
          {"what", diagnostic.what},
          {"notes", std::move(notes)},
          {"help", diagnostic.help}};
}

Json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  Json all = Json::array();
  for (const Diagnostic& each : diagnostics) all.push_back(diagnostic_json(each));
  return all;
}

} // namespace hilda::studio
