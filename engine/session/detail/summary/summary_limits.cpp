// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary_limits.h"

#include "engine/run/plan.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace hilda::session {

namespace {

bool holds(const System& system, const Limits& limits) {
  const BlockType* type = system.blocks[limits.input.block].type;
  return type != nullptr && type->slots[limits.input.slot].kind == HILDA_TWIST;
}

} // namespace

nlohmann::ordered_json limit_values(const System& system) {
  auto all = nlohmann::ordered_json::object();
  for (const Limits& each : system.limits) {
    auto& of = all[port_text(system, each.input)] = nlohmann::ordered_json::object();
    for (std::size_t kind = 0; kind < MotionLimits::count; ++kind)
      if (std::isfinite(each.limits.most[kind])) of[MotionLimits::names[kind]] = each.limits.most[kind];
    of["stop_time"] = each.limits.stop_time;
    if (holds(system, each)) of["hold"] = each.limits.hold;
  }
  return all;
}

nlohmann::ordered_json quality_values(const System& system) {
  auto all = nlohmann::ordered_json::object();
  for (const Quality& each : system.quality)
    for (std::size_t kind = 0; kind < QualityLimits::count; ++kind)
      if (each.limits.asks_for(static_cast<QualityLimits::Kind>(kind)))
        all[port_text(system, each.output)][QualityLimits::names[kind]] = each.limits.given[kind];
  return all;
}

} // namespace hilda::session
