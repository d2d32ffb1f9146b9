// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::plugin {

/// What a block's `infer` callback says about its shapes, and about units that follow from a file.
struct InferredShapes {
  struct Dimension {
    std::string name;
    std::int64_t value;
  };
  struct Item {
    std::string slot;
    std::uint64_t index;
    std::int64_t rows, cols;
  };
  struct Unit {
    std::string name, text;
    std::string slot; ///< parameter that it comes from
  };
  std::vector<Dimension> dimensions;
  std::vector<Item> items;
  std::vector<Unit> units;
};

/// Asks a block's `infer` callback, on a record that knows its parameters alone.
bool ask_shapes(const System& system, BlockIndex block, InferredShapes& says, Diagnostics& diagnostics);

/// Asks every block that has conditional slots whether it feeds through, and keeps the answers in
/// SystemBlock::feeds_through. After inference: parameters have their shapes and the sample times are known.
void ask_feedthrough(System& system, Diagnostics& diagnostics);
/// The same of one block, where it has an answer; it is given back and kept by no one.
bool feeds_through_now(const System& system, BlockIndex block, Diagnostics& diagnostics);

} // namespace hilda::plugin
