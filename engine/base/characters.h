// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string_view>

namespace hilda::base {

// Classes of characters as XML and our texts have them, in every locale.

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

/// Without the blanks on both sides.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The first character, with all its bytes where it is UTF-8.
constexpr std::string_view first_character(std::string_view text) {
  std::size_t end = text.empty() ? 0 : 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return text.substr(0, end);
}

/// Place of the first byte that is not text: not UTF-8, or a control character that XML does not have; npos: none.
std::size_t first_bad_byte(std::string_view text);

} // namespace hilda::base
