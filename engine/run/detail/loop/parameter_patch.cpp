// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/loop/parameter_patch.h"

#include "engine/plugin/parameter_record.h"

#include <algorithm>

namespace hilda::run {
namespace {

void add(ParameterPatch& patch, const System& system, const Memory& memory, const BlockParameter& which,
         const Value& value) {
  const SlotIndex slot = system.blocks[which.block].parameters[which.index].slot;
  const Span span = memory.span(which.block, slot);
  std::vector<std::byte> numbers(span.bytes());
  write_numbers(numbers.data(), span.count, memory.layout(which.block).slots[slot], value);
  auto at = numbers.begin();
  span.pieces([&](void* to, std::size_t bytes) {
    const auto end = at + static_cast<std::ptrdiff_t>(bytes);
    patch.writes.push_back({to, {at, end}});
    at = end;
  });
  if (std::find(patch.blocks.begin(), patch.blocks.end(), which.block) == patch.blocks.end())
    patch.blocks.push_back(which.block);
}

} // namespace

ParameterPatch make_patch(const System& system, const Memory& memory, const ParameterChange& change) {
  ParameterPatch patch;
  for (const ParameterChange::InBlock& each : change.blocks)
    if (!same_numbers(each.value, system.blocks[each.parameter.block].parameters[each.parameter.index].value))
      add(patch, system, memory, each.parameter, each.value);
  return patch;
}

ParameterPatch make_patch(const System& system, const Memory& memory, const std::vector<BlockParameter>& parameters) {
  ParameterPatch patch;
  for (const BlockParameter& each : parameters)
    add(patch, system, memory, each, system.blocks[each.block].parameters[each.index].value);
  return patch;
}

} // namespace hilda::run
