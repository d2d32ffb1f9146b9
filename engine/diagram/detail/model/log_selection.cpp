// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/log_selection.h"

#include <algorithm>

namespace hilda::diagram {
namespace {

bool lies_in(const std::string& path, const std::string& scope) {
  return scope.empty() || (path.size() > scope.size() && path.starts_with(scope) && path[scope.size()] == '.');
}

} // namespace

LogSelection::LogSelection(const System& system) : system_(system) {
  for (const LogRule& rule : system.logs) {
    if (!rule.decides) continue;
    for (const PortRef& output : rule.outputs) outputs_[{output.block, output.slot, output.item}] = &rule;
    for (const std::size_t port : rule.power_ports) power_ports_[port] = &rule;
  }
}

KeptSamples LogSelection::kept(const LogRule* rule, const std::string& path, std::int64_t own) const {
  if (rule != nullptr) return {true, std::max(rule->divider, own), rule};
  const bool decided = std::any_of(system_.logs.begin(), system_.logs.end(), [&](const LogRule& each) {
    return each.decides && lies_in(path, each.signals.scope);
  });
  return {!decided, own, nullptr};
}

KeptSamples LogSelection::of_output(BlockIndex block, SlotIndex slot, int item) const {
  const SystemBlock& owner = system_.blocks[block];
  const auto rule = outputs_.find({block, slot, item});
  return kept(rule == outputs_.end() ? nullptr : rule->second, owner.path, owner.continuous ? 1 : owner.divider);
}

KeptSamples LogSelection::of_power_port(std::size_t port) const {
  const auto rule = power_ports_.find(port);
  return kept(rule == power_ports_.end() ? nullptr : rule->second, system_.power_ports[port].name, 1);
}

} // namespace hilda::diagram
