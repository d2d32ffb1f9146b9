// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/live_rates.h"

#include "engine/base/error.h"
#include "engine/catalogue/driven_type.h"
#include "engine/compile/detail/wires/bounds.h"
#include "engine/compile/parameter_change.h"

namespace hilda::compile {
namespace {

/// What a parameter is in; none where nothing says so.
std::optional<Unit> unit_of(const System& system, const ParameterText& which) {
  if (which.parameter.valid()) return system.parameters[which.parameter].value.unit();
  const SystemBlock& block = system.blocks[which.in_block.block];
  const SlotIndex slot = block.parameters[which.in_block.index].slot;
  return block.slot_types[slot].unit;
}

/// Empty, or why no rate can be given for it.
std::string obstacle(const System& system, const ParameterText& which) {
  if (which.parameter.valid()) {
    const Value& value = system.parameters[which.parameter].value;
    return value.kind == Value::Kind::number ? "" : "it is not a number";
  }
  const SystemBlock& block = system.blocks[which.in_block.block];
  const SlotIndex index = block.parameters[which.in_block.index].slot;
  const Slot& slot = block.type->slots[index];
  if (is_driven(*block.type, index)) return "a wire drives it";
  if (slot.element != HILDA_F64) return "it is not a real number";
  return slot.is(HILDA_LIVE) ? "" : "it is fixed while the diagram runs";
}

void settle(const System& system, LiveRate& made, Diagnostics& diagnostics) {
  const std::optional<ParameterText> found = find_parameter(system, made.path);
  if (!found) {
    const std::string near = nearest(made.path, parameter_paths(system));
    return diagnostics.error("live-path", made.where, "there is no parameter " + in_quotes(made.path),
                             near.empty() ? "a path is that of a parameter, or of a block and its parameter"
                                          : "did you mean " + in_quotes(near) + "?");
  }
  if (const std::string why = obstacle(system, *found); !why.empty())
    return diagnostics.error("live-rate", made.where, in_quotes(made.path) + " has no rate: " + why,
                             "remove the element, or name a parameter that may change while it runs");
  made.parameter = found->parameter;
  made.block = found->in_block.block;
  made.index = found->in_block.index;
  Wanted wanted;
  wanted.extent = Extent::scalar();
  wanted.unit = UnitReading{};
  wanted.unit->unit = unit_of(system, *found).value_or(Unit()) / Unit(Unit::Base::time);
  wanted.unit_text = wanted.unit->unit.text();
  const Result<Shaped> fitted = fit(made.given, wanted);
  if (!fitted)
    return diagnostics.error("live-rate", made.where,
                             "the rate of " + in_quotes(made.path) + ": " + fitted.error().what, fitted.error().help);
  made.rate = fitted->numbers.front();
  if (!(made.rate > 0))
    diagnostics.error("live-rate", made.where,
                      "the rate of " + in_quotes(made.path) + " is " + decimal(made.rate) + ": a rate is above 0",
                      "leave the element out where it may change at once");
}

} // namespace

void read_live_rates(Flattened& flat) {
  each_declared(*flat.top, &DiagramDecl::live, flat.system.mode, [&flat](const Instance& at, const LiveDecl& declared) {
    std::optional<Value> rate = flat.evaluation.settle(declared.rate.text, declared.rate.where, at.scope);
    if (rate)
      flat.system.live_rates.push_back(
          {.path = at.path_of(declared.path), .given = *std::move(rate), .where = declared.where});
  });
}

void settle_live_rates(System& system, Diagnostics& diagnostics) {
  std::vector<LiveRate>& all = system.live_rates;
  for (std::size_t i = 0; i < all.size(); ++i) {
    settle(system, all[i], diagnostics);
    for (std::size_t j = 0; j < i; ++j)
      if (all[j].path == all[i].path)
        diagnostics.error("duplicate-live", all[i].where, in_quotes(all[i].path) + " has a rate already", "keep one",
                          {{all[j].where, "the other is here"}});
  }
}

} // namespace hilda::compile
