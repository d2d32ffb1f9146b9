// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/parameter_ends.h"

#include "engine/catalogue/driven_type.h"
#include "engine/diagram/suggestion.h"

namespace hilda::compile {

std::vector<std::string> drivable_parameters(const BlockType& type) {
  std::vector<std::string> names;
  for (const Slot& slot : type.slots)
    if (may_be_driven(type, slot) && !type.find(slot.name, HILDA_INPUT).valid()) names.push_back(slot.name);
  return names;
}

std::string drivable_text(const BlockType& type) {
  const std::vector<std::string> names = drivable_parameters(type);
  return names.empty() ? "no parameter of " + type.name + " may be driven by a wire"
                       : "wires may drive: " + listed(names);
}

std::string why_not_driven(const BlockType& type, const std::string& parameter) {
  const SlotIndex found = type.find(parameter, HILDA_PARAMETER);
  if (!found.valid() || may_be_driven(type, type.slots[found])) return "";
  const Slot& slot = type.slots[found];
  if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH || slot.element == HILDA_CHOICE)
    return "is a word, and wires carry numbers";
  if (!slot.is(HILDA_LIVE)) return "is fixed while the diagram runs";
  return type.abi->acquire != nullptr ? "counts when its device is read, before any wire of that tick"
                                      : "counts when the block starts, before any wire";
}

} // namespace hilda::compile
