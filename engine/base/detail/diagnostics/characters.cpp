// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/characters.h"

#include <cstdint>
#include <cstring>

namespace hilda::base {
namespace {

/// Length of the UTF-8 sequence at the beginning of `text`, 0 where it is malformed.
std::size_t sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  if (length == 3 && byte(0) == 0xE0 && byte(1) < 0xA0) return 0;
  if (length == 3 && byte(0) == 0xED && byte(1) > 0x9F) return 0;
  if (length == 4 && byte(0) == 0xF0 && byte(1) < 0x90) return 0;
  if (length == 4 && byte(0) == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

/// Eight bytes of ASCII without control characters. Below 0x20 a byte borrows, and its highest bit is set.
bool eight_plain(const char* at) {
  constexpr std::uint64_t high = 0x8080808080808080U, space = 0x2020202020202020U;
  std::uint64_t eight = 0;
  std::memcpy(&eight, at, sizeof eight);
  return ((eight | (eight - space)) & high) == 0;
}

} // namespace

std::size_t first_bad_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (text.size() - i >= 8 && eight_plain(text.data() + i)) {
      i += 8;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte < 0x80) {
      if (byte < 0x20 && byte != '\n' && byte != '\t' && byte != '\r') return i;
      ++i;
      continue;
    }
    const std::size_t length = sequence(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

} // namespace hilda::base
