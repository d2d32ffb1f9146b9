// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/live/rate_limit.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>

namespace hilda::session {
namespace {

/// The new value of what a rate is given for; null where it stays.
const Value* changed(const LiveRate& rate, const ParameterChange& change) {
  if (rate.parameter.valid()) {
    for (const ParameterChange::Named& each : change.named)
      if (each.parameter == rate.parameter) return &each.value;
    return nullptr;
  }
  for (const ParameterChange::InBlock& each : change.blocks)
    if (each.parameter == BlockParameter{rate.block, rate.index}) return &each.value;
  return nullptr;
}

const Value& present(const System& system, const LiveRate& rate) {
  return rate.parameter.valid() ? system.parameters[rate.parameter].value
                                : system.blocks[rate.block].parameters[rate.index].value;
}

double distance(const Value& from, const Value& to) {
  if (from.numbers.size() != to.numbers.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < from.numbers.size(); ++i) {
    const double by = std::abs(to.numbers[i] - from.numbers[i]);
    most = by <= most ? most : by; // NaN counts
  }
  return most;
}

std::string with_unit(double number, const Unit& unit) {
  return decimal(number) + (unit.dimensionless() ? "" : " " + unit.text());
}

} // namespace

bool within_rates(const System& system, const LiveChange& change, const std::function<double(const LiveRate&)>& still,
                  Diagnostics& diagnostics, Location where) {
  bool within = true;
  for (const LiveRate& rate : system.live_rates) {
    const Value* to = changed(rate, change.change);
    if (to == nullptr || same_numbers(*to, present(system, rate))) continue;
    const double by = distance(present(system, rate), *to);
    const double most = rate.rate * std::min(still(rate), longest_still);
    if (by <= most * (1 + rate_slack)) continue;
    within = false;
    const std::optional<Unit> written =
        rate.parameter.valid()
            ? to->unit()
            : std::optional<Unit>(
                  system.blocks[rate.block].slot_types[system.blocks[rate.block].parameters[rate.index].slot].unit);
    const Unit unit = written.value_or(Unit());
    diagnostics.error("live-rate", where,
                      in_quotes(rate.path) + " would move by " + with_unit(by, unit) + " at once, and may by " +
                          with_unit(most, unit),
                      "go there in steps of at most " + with_unit(rate.rate * longest_still, unit) + ", " +
                          decimal(longest_still) + " s from one to the next",
                      {{rate.where, "its rate is given here"}});
  }
  return within;
}

bool concerns(const LiveRate& rate, const ParameterUndo& change) {
  if (rate.parameter.valid())
    return std::any_of(change.named.begin(), change.named.end(),
                       [&rate](const auto& each) { return each.first == rate.parameter; });
  return std::any_of(change.blocks.begin(), change.blocks.end(), [&rate](const auto& each) {
    return each.first == BlockParameter{rate.block, rate.index};
  });
}

} // namespace hilda::session
