// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/rig/rig_checklist.h"

#include "tools/cli/detail/rig/checklist_robot.h"
#include "tools/cli/detail/rig/checklist_sensor.h"

#include <nlohmann/json.hpp>

namespace hilda::cli {

double BlockFacts::number(const char* name, double otherwise) const {
  const auto found = parameters.find(path + "." + name);
  return found != parameters.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::string BlockFacts::text(const char* name) const {
  const auto found = parameters.find(path + "." + name);
  return found != parameters.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool BlockFacts::has(const char* name) const { return parameters.contains(path + "." + name); }

std::vector<MachineFinding> look_at_rig(const System& system, const nlohmann::ordered_json& parameters,
                                        const std::string& rsi_context) {
  std::vector<MachineFinding> findings;
  const auto add = [&findings](std::vector<MachineFinding> more) {
    findings.insert(findings.end(), more.begin(), more.end());
  };
  std::string robot_address;
  for (const BlockIndex i : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[i];
    if (block.type == nullptr || block.type->name != "kuka_rsi/RsiRobot") continue;
    const BlockFacts facts{block.path, parameters};
    MotionLimits limits;
    for (const Limits& each : system.limits)
      if (each.input.block == i) limits = each.limits;
    add(look_at_robot(facts, limits, rsi_context, robot_address));
  }
  for (const SystemBlock& block : system.blocks)
    if (block.type != nullptr && block.type->name == "ati_netft/NetFt")
      add(look_at_sensor({block.path, parameters}, robot_address, system.base.value()));
  if (findings.empty())
    findings.push_back({false, "rig", "has no block that this checklist knows (kuka_rsi/RsiRobot, ati_netft/NetFt)",
                        "name the hardware rig: --rig diagrams/rigs/kuka_ati.xml, with the cell's file as --overlay"});
  return findings;
}

} // namespace hilda::cli
