// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/memory.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hilda::run {

/// The parameters of one block's record, which the diagram decides: a call of the block leaves them alone.
class KeptParameters {
public:
  /// Before the call.
  KeptParameters(const Memory& memory, const System& system, BlockIndex block);
  /// After the call: "gain: 2 -> 5" for the first that is another, in SI; empty where none is.
  std::string changed() const;

private:
  struct Kept {
    const Slot* slot = nullptr;
    Span now;
    std::vector<std::byte> before; ///< element by element
  };
  std::vector<Kept> all_;
};

} // namespace hilda::run
