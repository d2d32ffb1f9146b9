// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/shell_word.h"

namespace hilda::study {

std::string shell_word(const std::string& word) {
  static constexpr const char* safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=-+,:%@";
  if (!word.empty() && word.find_first_not_of(safe) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text + "'";
}

} // namespace hilda::study
