#pragma once

#include "engine/infer/infer.h"

namespace hilda {

/// Asks a block's `infer` callback, on a record that knows its parameters alone.
bool ask_shapes(const System& system, BlockIndex block, InferredShapes& says, Diagnostics& diagnostics);

/// Asks every block that has conditional slots whether it feeds through, and keeps the answers in
/// SystemBlock::feeds_through. After inference: parameters have their shapes and the sample times are known.
void ask_feedthrough(System& system, Diagnostics& diagnostics);

} // namespace hilda
