#include "engine/check/parameter_change.h"

#include "engine/diagnostics/complaint.h"
#include "engine/flatten/evaluation.h"
#include "engine/infer/parameter_fit.h"

#include <utility>

namespace hilda {
namespace {

/// The value that one parameter of a block gets; none after a report.
std::optional<Value> value_in_block(const System& system, const BlockParameter& which, Evaluation& evaluation,
                                    Diagnostics& diagnostics) {
  const SystemBlock& block = system.blocks[which.block];
  const ParameterValue& parameter = block.parameters[which.index];
  const Slot& slot = block.type->slots[parameter.slot];
  const SignalType& type = block.slot_types[parameter.slot];
  std::optional<Value> value = evaluation.read(parameter.text, parameter.where, parameter.scope);
  if (!value) return std::nullopt;
  const std::optional<Complaint> why = fit_parameter(*value, slot, type, type.unit ? type.unit->text() : "");
  if (!why) return value;
  if (!why->already_reported())
    diagnostics.error(why->code.c_str(), parameter.where, refusal_text(block, slot, *why), why->help);
  return std::nullopt;
}

} // namespace

std::optional<ParameterChange> change_parameters(const System& system, const std::vector<ParameterText>& texts,
                                                 Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  ParameterTable table = system.parameters;
  std::vector<ParameterIndex> changed;
  for (const ParameterText& text : texts) {
    NamedParameter& parameter = table[text.parameter];
    parameter.scope = table.outside_of(text.parameter);
    parameter.given.text = text.given.text;
    parameter.given.where = text.given.where;
    changed.push_back(text.parameter);
  }
  const Dependents dependents = ParameterDependencies(system).of(changed);
  Evaluation evaluation(table, diagnostics);
  Indexed<ParameterIndex, bool> fresh(table.size(), false);
  for (const ParameterIndex parameter : dependents.parameters) fresh[parameter] = true;
  for (const ParameterIndex parameter : table.indices())
    if (!fresh[parameter]) evaluation.keep(parameter);
  ParameterChange change;
  for (const ParameterIndex parameter : dependents.parameters)
    if (const Value* value = evaluation.value(parameter)) change.named.push_back({parameter, *value});
  for (const BlockParameter& each : dependents.blocks) {
    const SystemBlock& block = system.blocks[each.block];
    const ParameterValue& parameter = block.parameters[each.index];
    if (block.type->slots[parameter.slot].element == HILDA_PATH)
      change.settled.push_back({parameter.text, parameter.where, parameter.scope}); // the file has been read
    else if (std::optional<Value> value = value_in_block(system, each, evaluation, diagnostics))
      change.blocks.push_back({each, *std::move(value)});
  }
  for (const std::size_t each : dependents.settled) change.settled.push_back(system.parameters.settled()[each]);
  if (diagnostics.errors() != before) return std::nullopt;
  return change;
}

} // namespace hilda
