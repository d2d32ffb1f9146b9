// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <set>
#include <string>

namespace hilda::diagram {

/// Paths of the libraries whose blocks a system has.
inline std::set<std::string> used_plugins(const System& system) {
  std::set<std::string> paths;
  for (const SystemBlock& block : system.blocks) paths.insert(block.type->plugin);
  return paths;
}

} // namespace hilda::diagram
