// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/time_following.h"

#include <hilda/flags.h>

#include <cctype>

namespace hilda::catalogue {

bool follows_time(const BlockType& type) {
  if ((type.abi->flags & HILDA_STEADY) != 0) return false;
  bool outputs_time = false, states = false;
  for (const Slot& slot : type.slots) {
    outputs_time = outputs_time || (slot.role == HILDA_OUTPUT && slot.is(HILDA_STATE_OUTPUT));
    states = states || (slot.role == HILDA_STATE && slot.is(HILDA_CONTINUOUS));
  }
  return (outputs_time && !states) || (type.abi->flags & HILDA_FOLLOWS_TIME) != 0;
}

bool names_time(const std::string& expression) {
  const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < expression.size(); ++i) {
    std::size_t end = i;
    while (end < expression.size() && part_of_word(expression[end])) ++end;
    if (end == i + 1 && expression[i] == 't') return true;
    if (end > i) i = end;
  }
  return false;
}

} // namespace hilda::catalogue
