// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <string_view>

namespace hilda::base {

/// Adds to "speed, force" what is not empty.
inline void add_word(std::string& list, std::string_view word) {
  if (word.empty()) return;
  if (!list.empty()) list += ", ";
  list += word;
}

} // namespace hilda::base
