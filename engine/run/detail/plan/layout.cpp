// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/layout.h"

#include "engine/catalogue/lanes.h"
#include "engine/plugin/parameter_record.h"

namespace hilda::run {

namespace {

template <typename T> T* at(char* record, std::uint64_t offset) { return reinterpret_cast<T*>(record + offset); }

constexpr std::size_t up(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

std::size_t width(const Slot& slot) { return slot.element == HILDA_U8 ? 1 : 8; }

bool matches(const ShapePattern& wanted, const SignalType& is) {
  if (!wanted.whole.empty()) return true;
  if (wanted.rows.fixed() && wanted.rows.constant != is.rows) return false;
  return !wanted.cols.fixed() || wanted.cols.constant == is.cols;
}

/// Walks over all bound slots of a block in one fixed order; the two passes (size, then bind) share it.
template <typename Array, typename Table>
void walk(const SystemBlock& block, const BlockType& layout, Array&& array, Table&& table) {
  for (const SlotIndex s : layout.slots.indices()) {
    const Slot& slot = layout.slots[s];
    if (!slot.is(HILDA_BOUND) || slot.role == HILDA_INPUT || slot.role == HILDA_OUTPUT || slot.is(HILDA_RING)) continue;
    array(slot, slot.offset, block.slot_types[s]);
    if (slot.has_second()) array(slot, slot.second_offset, block.slot_types[s]);
  }
  for (std::size_t p = 0; p < block.ports.size();) {
    const SystemBlock::Port& port = block.ports[p];
    const Slot& slot = layout.slots[port.slot];
    std::size_t end = p;
    while (end < block.ports.size() && block.ports[end].slot == port.slot) ++end;
    if (slot.is(HILDA_REPEATED))
      table(slot, p, end);
    else if (slot.is(HILDA_BOUND) && slot.role == HILDA_OUTPUT)
      array(slot, slot.offset, port.type);
    p = end;
  }
}

} // namespace

bool fits_layout(const SystemBlock& block, const BlockType& layout) {
  for (const SystemBlock::Port& port : block.ports)
    if (!matches(layout.slots[port.slot].shape, port.type)) return false;
  for (const SlotIndex s : layout.slots.indices()) {
    const hilda_role role = layout.slots[s].role;
    if (role == HILDA_INPUT || role == HILDA_OUTPUT) continue;
    if (!matches(layout.slots[s].shape, block.slot_types[s])) return false;
  }
  return true;
}

const BlockType& best_layout(const SystemBlock& block) {
  for (const auto& variant : block.type->variants)
    if (fits_layout(block, *variant) && !has_lanes(*variant)) return *variant;
  return *block.type;
}

std::size_t behind_bytes(const SystemBlock& block, const BlockType& layout) {
  std::size_t total = 0;
  walk(
      block, layout,
      [&](const Slot& slot, std::uint64_t, const SignalType& type) { total += up(type.elements() * width(slot)); },
      [&](const Slot& slot, std::size_t first, std::size_t end) {
        total += (end - first) * sizeof(hilda_view);
        if (slot.role != HILDA_OUTPUT) return;
        for (std::size_t p = first; p < end; ++p) total += up(block.ports[p].type.elements() * width(slot));
      });
  return total;
}

void bind_behind(char* record, char* behind, const SystemBlock& block, const BlockType& layout) {
  const auto take = [&behind](std::size_t bytes) {
    char* taken = behind;
    behind += up(bytes);
    return taken;
  };
  walk(
      block, layout,
      [&](const Slot& slot, std::uint64_t offset, const SignalType& type) {
        *at<hilda_array>(record, offset) = {take(type.elements() * width(slot)), type.rows, type.cols};
      },
      [&](const Slot& slot, std::size_t first, std::size_t end) {
        if (slot.role == HILDA_INPUT) {
          auto* views = reinterpret_cast<hilda_view*>(take((end - first) * sizeof(hilda_view)));
          for (std::size_t p = first; p < end; ++p)
            views[p - first] = {nullptr, block.ports[p].type.rows, block.ports[p].type.cols};
          *at<hilda_views>(record, slot.offset) = {views, end - first};
          return;
        }
        auto* arrays = reinterpret_cast<hilda_array*>(take((end - first) * sizeof(hilda_array)));
        for (std::size_t p = first; p < end; ++p) {
          const SignalType& type = block.ports[p].type;
          arrays[p - first] = {take(type.elements() * width(slot)), type.rows, type.cols};
        }
        *at<hilda_arrays>(record, slot.offset) = {arrays, end - first};
      });
  for (const SystemBlock::Port& port : block.ports) {
    const Slot& slot = layout.slots[port.slot];
    if (slot.role == HILDA_INPUT && slot.is(HILDA_BOUND) && !slot.is(HILDA_REPEATED))
      *at<hilda_view>(record, slot.offset) = {nullptr, port.type.rows, port.type.cols};
  }
}

} // namespace hilda::run
