// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace hilda::base {

/// Adds to "speed, force" what is not empty.
inline void add_word(std::string& list, std::string_view word) {
  if (word.empty()) return;
  if (!list.empty()) list += ", ";
  list += word;
}

/// Names for a message, of which it lists the first few: "a, b, c and 2 others".
class FewNames {
public:
  explicit FewNames(std::size_t most = 3, std::string_view beyond = "others") : most_(most), beyond_(beyond) {}
  void add(std::string_view name) {
    if (++count_ <= most_) add_word(list_, name);
  }
  std::size_t count() const { return count_; }
  std::string text() const {
    return count_ <= most_ ? list_ : list_ + " and " + std::to_string(count_ - most_) + " " + std::string(beyond_);
  }

private:
  std::size_t most_, count_ = 0;
  std::string_view beyond_; ///< a literal
  std::string list_;
};

} // namespace hilda::base
