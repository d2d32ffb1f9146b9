// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/past.h"

#include "engine/base/error.h"

#include <algorithm>

namespace hilda::catalogue {
namespace {

/// Empty: nothing is wrong.
std::string fault(const BlockType& type, const hilda_past_1& past, SlotIndex input) {
  if (past.age == nullptr || past.recall == nullptr) return "a function of it is missing";
  if (past.input == nullptr || !input.valid())
    return "it remembers " + in_quotes(past.input != nullptr ? past.input : "") + ", which is not an input";
  const Slot& slot = type.slots[input];
  if (slot.element != HILDA_F64 || slot.is(HILDA_REPEATED))
    return "the input " + in_quotes(slot.name) + " does not hold real numbers, or is repeated";
  const bool continuous =
      std::any_of(type.slots.begin(), type.slots.end(), [](const Slot& each) { return each.is(HILDA_CONTINUOUS); });
  return continuous ? "" : "its type has no continuous state";
}

} // namespace

PastInput past_of(const BlockType& type, std::vector<std::string>& problems) {
  if (type.abi == nullptr || type.abi->extension == nullptr) return {};
  const auto* past = static_cast<const hilda_past_1*>(type.abi->extension("hilda.past/1"));
  // A smaller one is none: an older plugin may answer to any name, which is for `test-plugin` to find.
  if (past == nullptr || past->size < sizeof *past) return {};
  const SlotIndex input = past->input != nullptr ? type.find(past->input, HILDA_INPUT) : SlotIndex();
  const std::string what = fault(type, *past, input);
  if (what.empty()) return {past, input};
  problems.push_back(type.name + ": hilda.past/1: " + what);
  return {};
}

PastInput past_of(const BlockType& type) {
  std::vector<std::string> problems; // reported when the plugin was loaded
  return past_of(type, problems);
}

} // namespace hilda::catalogue
