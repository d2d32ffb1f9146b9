#pragma once

#include "engine/model/system.h"

#include <cstddef>

namespace hilda {

/// The variant of the block's type whose fixed shapes are those inferred, or the type itself.
const BlockType& best_layout(const SystemBlock& block);

/// Elements of a slot whose shape is made of numbers alone.
std::size_t fixed_count(const Slot& slot);

/// Bytes that the slots bound by the diagram's shapes need behind a record, and handing them out.
std::size_t behind_bytes(const SystemBlock& block, const BlockType& layout);
void bind_behind(char* record, char* behind, const SystemBlock& block, const BlockType& layout);

/// The same for parameters alone, with the shapes that their values have by themselves.
std::size_t behind_parameters_bytes(const SystemBlock& block, const BlockType& layout);
void bind_parameters(char* record, char* behind, const SystemBlock& block, const BlockType& layout);

/// Copies every parameter's value into the record.
void write_parameters(char* record, const SystemBlock& block, const BlockType& layout);
/// The same for one, whose shape has not changed.
void write_parameter(char* record, const Slot& slot, const Value& value);

} // namespace hilda
