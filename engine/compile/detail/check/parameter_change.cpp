// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/parameter_change.h"

#include "engine/base/error.h"
#include "engine/catalogue/driven_type.h"
#include "engine/compile/detail/flatten/evaluation.h"
#include "engine/compile/detail/infer/parameter_fit.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace hilda::compile {
namespace {

/// The value that one parameter of a block gets from a text; none after a report.
std::optional<Value> value_in_block(const System& system, const BlockParameter& which, const Attribute& given,
                                    Evaluation& evaluation, Diagnostics& diagnostics) {
  const SystemBlock& block = system.blocks[which.block];
  const ParameterValue& parameter = block.parameters[which.index];
  const Slot& slot = block.type->slots[parameter.slot];
  if (is_driven(*block.type, parameter.slot)) {
    diagnostics.error("live-driven", given.where,
                      in_quotes(block.path + "." + slot.name) + " is " + parameter.value.text +
                          ", which gives it a value at every tick",
                      "set what drives it");
    return std::nullopt;
  }
  const SignalType& type = block.slot_types[parameter.slot];
  std::optional<Value> value = evaluation.read(given.text, given.where, parameter.scope);
  if (!value) return std::nullopt;
  Shared<WrittenUnit> unit;
  if (type.unit) unit = WrittenUnit{{.unit = *type.unit}, type.unit->text()};
  std::optional<Error> why = check_unit(*value, *block.type, parameter.slot, type);
  if (!why) why = fit_parameter(*value, slot, type, unit);
  if (!why) return value;
  if (!why->already_reported())
    diagnostics.error(why->code.c_str(), given.where, refusal_text(block, slot, *why), why->help);
  return std::nullopt;
}

const ParameterValue& value_of(const System& system, const BlockParameter& which) {
  return system.blocks[which.block].parameters[which.index];
}

ParameterValue& value_of(System& system, const BlockParameter& which) {
  return system.blocks[which.block].parameters[which.index];
}

/// What blocks get: of the texts that name what was changed, and of those that were given for them.
void change_blocks(const System& system, const std::vector<ParameterText>& texts, const Dependents& dependents,
                   Evaluation& evaluation, Diagnostics& diagnostics, ParameterChange& change) {
  const auto add = [&](const BlockParameter& which, const Attribute& given) {
    if (std::optional<Value> value = value_in_block(system, which, given, evaluation, diagnostics))
      change.blocks.push_back({which, *std::move(value)});
  };
  for (const BlockParameter& each : dependents.blocks) {
    const ParameterValue& parameter = value_of(system, each);
    const bool given = std::any_of(texts.begin(), texts.end(), [&each](const ParameterText& text) {
      return !text.parameter.valid() && text.in_block == each;
    });
    if (given) continue;
    if (system.blocks[each.block].type->slots[parameter.slot].element == HILDA_PATH)
      change.settled.push_back({parameter.text, parameter.where, parameter.scope}); // the file has been read
    else
      add(each, {"", parameter.text, parameter.where});
  }
  for (const ParameterText& text : texts)
    if (!text.parameter.valid()) add(text.in_block, text.given);
}

} // namespace

std::optional<ParameterText> find_parameter(const System& system, const std::string& path) {
  for (const ParameterIndex p : system.parameters.indices())
    if (system.parameters[p].path == path) return ParameterText{p, {}, {}};
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string_view block = std::string_view(path).substr(0, dot), name = std::string_view(path).substr(dot + 1);
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& at = system.blocks[b];
    if (at.path != block) continue;
    for (std::size_t i = 0; i < at.parameters.size(); ++i)
      if (at.type->slots[at.parameters[i].slot].name == name) return ParameterText{{}, {}, {b, i}};
  }
  return std::nullopt;
}

std::optional<BlockParameter> first_follower(const System& system, const ParameterText& found) {
  if (!found.parameter.valid()) return found.in_block;
  const Dependents dependents = ParameterDependencies(system).of({found.parameter});
  return dependents.blocks.empty() ? std::nullopt : std::optional(dependents.blocks.front());
}

std::vector<std::string> parameter_paths(const System& system) {
  std::vector<std::string> paths;
  for (const NamedParameter& parameter : system.parameters) paths.push_back(parameter.path);
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& parameter : block.parameters)
      paths.push_back(block.path + "." + block.type->slots[parameter.slot].name);
  return paths;
}

std::optional<ParameterChange> change_parameters(const System& system, const std::vector<ParameterText>& texts,
                                                 Diagnostics& diagnostics) {
  return change_parameters(system, ParameterDependencies(system), texts, diagnostics);
}

std::optional<ParameterChange> change_parameters(const System& system, const ParameterDependencies& dependencies,
                                                 const std::vector<ParameterText>& texts, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  ParameterTable table = system.parameters;
  std::vector<ParameterIndex> changed;
  for (const ParameterText& text : texts) {
    if (!text.parameter.valid()) continue;
    NamedParameter& parameter = table[text.parameter];
    parameter.scope = table.outside_of(text.parameter);
    parameter.given.text = text.given.text;
    parameter.given.where = text.given.where;
    changed.push_back(text.parameter);
  }
  const Dependents dependents = dependencies.of(changed);
  Evaluation evaluation(table, diagnostics);
  Indexed<ParameterIndex, bool> fresh(table.size(), false);
  for (const ParameterIndex parameter : dependents.parameters) fresh[parameter] = true;
  for (const ParameterIndex parameter : table.indices())
    if (!fresh[parameter]) evaluation.keep(parameter);
  ParameterChange change;
  change.texts = texts;
  for (const ParameterIndex parameter : dependents.parameters)
    if (const Value* value = evaluation.value(parameter)) change.named.push_back({parameter, *value});
  change_blocks(system, texts, dependents, evaluation, diagnostics, change);
  for (const std::size_t each : dependents.settled) change.settled.push_back(system.parameters.settled()[each]);
  if (diagnostics.errors() != before) return std::nullopt;
  return change;
}

ParameterUndo adopt(System& system, const ParameterChange& change) {
  ParameterUndo undo;
  for (const ParameterChange::Named& each : change.named)
    undo.named.emplace_back(each.parameter, system.parameters[each.parameter]);
  for (const ParameterChange::InBlock& each : change.blocks)
    undo.blocks.emplace_back(each.parameter, value_of(system, each.parameter));
  for (const ParameterText& text : change.texts) {
    if (text.parameter.valid()) {
      NamedParameter& parameter = system.parameters[text.parameter];
      parameter.scope = system.parameters.outside_of(text.parameter);
      parameter.given.text = text.given.text;
      parameter.given.where = text.given.where;
    } else {
      ParameterValue& parameter = value_of(system, text.in_block);
      parameter.text = text.given.text.find("${") != std::string::npos ? text.given.text : "";
      parameter.where = text.given.where;
    }
  }
  for (const ParameterChange::Named& each : change.named) system.parameters[each.parameter].value = each.value;
  for (const ParameterChange::InBlock& each : change.blocks) value_of(system, each.parameter).value = each.value;
  return undo;
}

void take_back(System& system, const ParameterUndo& undo) {
  for (const auto& [parameter, before] : undo.named) system.parameters[parameter] = before;
  for (const auto& [parameter, before] : undo.blocks) value_of(system, parameter) = before;
}

bool same_numbers(const Value& a, const Value& b) {
  if (a.numbers.empty() && b.numbers.empty()) return a.text == b.text && a.with_constants() == b.with_constants();
  return a.numbers.size() == b.numbers.size() &&
         std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(double)) == 0;
}

} // namespace hilda::compile
