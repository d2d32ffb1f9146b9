// SPDX-License-Identifier: BSD-3-Clause
// What counts as text, against a decoder of UTF-8 that works by code points.

#include "engine/base/characters.h"
#include "tests/modules.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace hilda::test {
namespace {

std::size_t first_bad_byte_by_code_points(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[i]);
    const std::size_t more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : lead >> 3 == 30 ? 3 : 9;
    if (more == 9 || i + more >= text.size()) return i;
    std::uint32_t point = more == 0 ? lead : lead & (0x3FU >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      const auto byte = static_cast<std::uint8_t>(text[i + k]);
      if (byte >> 6 != 2) return i;
      point = point << 6 | (byte & 0x3FU);
    }
    constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const bool control = point < 0x20 && point != '\n' && point != '\t' && point != '\r';
    if (control || point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return i;
    i += more + 1;
  }
  return std::string::npos;
}

TEST(Characters, FirstBadByteIsFoundAtEveryPlaceOfEveryLength) {
  for (std::size_t length = 0; length <= 40; ++length) {
    EXPECT_EQ(first_bad_byte(std::string(length, ' ')), std::string::npos);
    for (std::size_t at = 0; at < length; ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(length, '~');
        text[at] = static_cast<char>(byte);
        ASSERT_EQ(first_bad_byte(text), first_bad_byte_by_code_points(text)) << length << " " << at << " " << byte;
      }
  }
}

TEST(Characters, FirstBadByteAgreesOnTextsMadeByAMachine) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random); };
  const char* const pieces[] = {"plain text ", "\n",   "\t",       "\u00e4",   "\u20ac",       "\U0001d538",
                                "\x1f",        "\x7f", "\xc0\x80", "\xe0\x9f", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                "\x80",        "\xff", "=",        "ab"};
  int bad = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text;
    const unsigned count = below(12), kinds = i % 2 == 0 ? 6 : 16;
    for (unsigned k = 0; k < count; ++k) text += pieces[below(kinds)];
    const std::size_t wanted = first_bad_byte_by_code_points(text);
    ASSERT_EQ(first_bad_byte(text), wanted) << text;
    bad += wanted != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(bad, 20000);
  EXPECT_LT(bad, 80000);
}

} // namespace
} // namespace hilda::test
