// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/plugin/running_code.h"

#include <cstdint>

namespace hilda::plugin {

/// A call of a block, for RunningMark.
inline RunningCode code_of(const SystemBlock& block, const char* phase, std::uint64_t count = 1) {
  return {.plugin = block.type->plugin.c_str(),
          .block = block.path.c_str(),
          .type = block.type->name.c_str(),
          .phase = phase,
          .count = count};
}

} // namespace hilda::plugin
