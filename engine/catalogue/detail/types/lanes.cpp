// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/lanes.h"

#include "engine/base/error.h"

namespace hilda::catalogue {
namespace {

constexpr std::uint64_t cell = 8; // bytes

/// Numbers that lie in a cell each.
std::uint64_t count(const Slot& slot) {
  if (slot.role == HILDA_INPUT || slot.element == HILDA_CHOICE) return 1;
  return static_cast<std::uint64_t>(slot.shape.rows.constant) * static_cast<std::uint64_t>(slot.shape.cols.constant);
}

/// The first thing wrong with a slot, or nothing: each number lies in a cell that is its own.
std::string slot_fault(const Slot& slot, const BlockType& type, std::uint64_t width) {
  const std::uint64_t apart = cell * width;
  if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH) return "is a text";
  if (slot.is(HILDA_BOUND | HILDA_REPEATED | HILDA_RING | HILDA_CONTINUOUS)) return "does not lie in the record";
  const bool several = slot.kind != HILDA_PLAIN || (slot.element != HILDA_CHOICE &&
                                                    (slot.shape.rows.constant != 1 || slot.shape.cols.constant != 1));
  if (several &&
      (slot.kind != HILDA_PLAIN || slot.role == HILDA_INPUT || slot.role == HILDA_OUTPUT || slot.element != HILDA_F64))
    return "is not one number";
  if (slot.offset % apart >= cell) return "lies in the room of another lane";
  const std::uint64_t end = slot.offset + apart * count(slot);
  if (end - slot.offset % apart > type.abi->record_size) return "ends behind the record";
  for (const Slot& other : type.slots)
    if (&other != &slot && other.offset >= slot.offset && other.offset < end)
      return "overlaps " + std::string(role_name(other.role)) + " " + in_quotes(other.name);
  if (slot.element != HILDA_F64 && slot.role == HILDA_PARAMETER && slot.is(HILDA_LIVE))
    return "is alike in a group, and yet it may change while the diagram runs";
  return "";
}

std::string fault(const BlockType& type, const hilda_lanes_1& lanes) {
  const hilda_block_type& abi = *type.abi;
  if (lanes.width != 2 && lanes.width != 4 && lanes.width != 8) return "width is not 2, 4 or 8";
  if ((abi.flags & HILDA_VARIANT) == 0) return "a type that is not a variant has them";
  if (abi.record_size % (cell * lanes.width) != 0 || abi.record_align > cell)
    return "record_size is not a multiple of 8 * width, or record_align is more than 8";
  if (abi.acquire != nullptr || abi.emit != nullptr || abi.start != nullptr || abi.event != nullptr ||
      (abi.flags & HILDA_EXTERNAL_STATE) != 0)
    return "a block that talks to devices, has events or keeps its state elsewhere has them";
  if ((lanes.state_output != nullptr && abi.state_output == nullptr) ||
      (lanes.output != nullptr && abi.output == nullptr) || (lanes.update != nullptr && abi.update == nullptr) ||
      (lanes.step != nullptr && abi.step_many == nullptr))
    return "a function for groups has no matching function for one block";
  for (const Slot& slot : type.slots)
    if (const std::string what = slot_fault(slot, type, lanes.width); !what.empty())
      return std::string(role_name(slot.role)) + " " + in_quotes(slot.name) + " " + what;
  return "";
}

/// As the plugin gives it, or null.
const hilda_lanes_1* table_of(const BlockType& type) {
  if (type.abi == nullptr || type.abi->extension == nullptr) return nullptr;
  const auto* lanes = static_cast<const hilda_lanes_1*>(type.abi->extension("hilda.lanes/1"));
  // A smaller one is none: an older plugin may answer to any name, which is for `test-plugin` to find.
  return lanes == nullptr || lanes->size < sizeof *lanes ? nullptr : lanes;
}

} // namespace

bool has_lanes(const BlockType& type) { return table_of(type) != nullptr; }

const hilda_lanes_1* lanes_of(const BlockType& type, std::vector<std::string>& problems) {
  const hilda_lanes_1* const lanes = table_of(type);
  if (lanes == nullptr) return nullptr;
  const std::string what = fault(type, *lanes);
  if (what.empty()) return lanes;
  problems.push_back(type.name + ": hilda.lanes/1: " + what);
  return nullptr;
}

const hilda_lanes_1* lanes_of(const BlockType& type) {
  std::vector<std::string> problems; // reported when the plugin was loaded
  return lanes_of(type, problems);
}

} // namespace hilda::catalogue
