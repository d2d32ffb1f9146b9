// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/parameter_change.h"
#include "engine/modules.h"
#include "engine/run/memory.h"

#include <cstddef>
#include <vector>

namespace hilda::run {

/// New bytes for parameters in the records of their blocks: made outside of the loop, written by Runtime::change.
struct ParameterPatch {
  struct Write {
    void* to = nullptr;
    std::vector<std::byte> bytes;
  };
  std::vector<Write> writes;
  std::vector<BlockIndex> blocks; ///< whose `prepare` follows, each once
};

/// What a change writes; values that stay as they are are left out. Of numbers alone: texts cannot change in a record.
ParameterPatch make_patch(const System& system, const Memory& memory, const ParameterChange& change);
/// What puts the blocks' parameters back to what the system says.
ParameterPatch make_patch(const System& system, const Memory& memory, const std::vector<BlockParameter>& parameters);

} // namespace hilda::run
