// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cstddef>

namespace hilda::run {

/// The variant of the block's type whose fixed shapes are those inferred, or the type itself. Never one for lanes: the
/// block lies alone, and its numbers in a row.
const BlockType& best_layout(const SystemBlock& block);

/// Has the block the shapes that a layout fixes?
bool fits_layout(const SystemBlock& block, const BlockType& layout);

/// Bytes that the slots bound by the diagram's shapes need behind a record, and handing them out.
std::size_t behind_bytes(const SystemBlock& block, const BlockType& layout);
void bind_behind(char* record, char* behind, const SystemBlock& block, const BlockType& layout);

} // namespace hilda::run
