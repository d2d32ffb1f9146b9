#pragma once

#include "engine/host/running/running_code.h"
#include "engine/model/system.h"

#include <cstdint>

namespace hilda {

/// A call of a block, for RunningMark.
inline RunningCode code_of(const SystemBlock& block, const char* phase, std::uint64_t count = 1) {
  return {.plugin = block.type->plugin.c_str(),
          .block = block.path.c_str(),
          .type = block.type->name.c_str(),
          .phase = phase,
          .count = count};
}

} // namespace hilda
