// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/error.h"

namespace hilda::base {

Error make_error(const char* code, std::string what, std::string help) {
  return {code, std::move(what), std::move(help)};
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  const bool cut = text.size() > longest;
  if (cut) {
    std::size_t end = longest;
    while (end > 0 && continues(end)) --end;
    text = text.substr(0, end);
  }
  std::string shown;
  shown.reserve(text.size() + 5);
  shown += '\'';
  shown += text;
  for (char& letter : shown) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte == '\n' || byte == '\r' || byte == '\t')
      letter = ' ';
    else if (byte < 0x20 || byte == 0x7F)
      letter = '?';
  }
  return shown + (cut ? "...'" : "'");
}

} // namespace hilda::base
