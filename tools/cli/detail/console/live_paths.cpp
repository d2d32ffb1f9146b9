// SPDX-License-Identifier: BSD-3-Clause
// Which parameters a run may be given other values of.
#include "engine/catalogue/driven_type.h"
#include "engine/diagram/parameter_dependencies.h"
#include "tools/cli/detail/console/live_commands.h"

#include <algorithm>

namespace hilda::cli {
namespace {

bool may_change(const SystemBlock& block, const ParameterValue& parameter) {
  if (!parameter.slot.valid()) return false;
  const Slot& slot = block.type->slots[parameter.slot];
  const bool text = slot.element == HILDA_TEXT || slot.element == HILDA_PATH; // which stays in a record
  return !is_driven(*block.type, parameter.slot) && (slot.is(HILDA_RECONFIGURE) || (slot.is(HILDA_LIVE) && !text));
}

/// All that depends on it may, and something does.
bool may_change(const System& system, const Dependents& dependents) {
  return dependents.settled.empty() && !dependents.blocks.empty() &&
         std::all_of(dependents.blocks.begin(), dependents.blocks.end(), [&](const BlockParameter& each) {
           return may_change(system.blocks[each.block], system.blocks[each.block].parameters[each.index]);
         });
}

} // namespace

std::vector<std::string> live_paths(const Runtime& runtime) {
  std::vector<std::string> paths;
  const System& system = runtime.system();
  const ParameterDependencies dependencies(system);
  for (const ParameterIndex p : system.parameters.indices())
    if (may_change(system, dependencies.of({p}))) paths.push_back(system.parameters[p].path);
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& parameter : block.parameters)
      if (may_change(block, parameter)) paths.push_back(block.path + "." + block.type->slots[parameter.slot].name);
  return paths;
}

} // namespace hilda::cli
