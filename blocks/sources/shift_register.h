// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

namespace hilda {

/// Where the feedback of a shift register of `order` bits (2 to 31) is taken, so that it goes through all 2^order - 1
/// states: exponents of a primitive polynomial (Golomb 1967, Shift Register Sequences), as bits.
constexpr std::uint32_t feedback_taps(int order) {
  struct Taps {
    int a, b, c, d;
  };
  constexpr Taps taps[] = {{2, 1, 0, 0},   {3, 2, 0, 0},   {4, 3, 0, 0},     {5, 3, 0, 0},   {6, 5, 0, 0},
                           {7, 6, 0, 0},   {8, 6, 5, 4},   {9, 5, 0, 0},     {10, 7, 0, 0},  {11, 9, 0, 0},
                           {12, 6, 4, 1},  {13, 4, 3, 1},  {14, 5, 3, 1},    {15, 14, 0, 0}, {16, 15, 13, 4},
                           {17, 14, 0, 0}, {18, 11, 0, 0}, {19, 6, 2, 1},    {20, 17, 0, 0}, {21, 19, 0, 0},
                           {22, 21, 0, 0}, {23, 18, 0, 0}, {24, 23, 22, 17}, {25, 22, 0, 0}, {26, 6, 2, 1},
                           {27, 5, 2, 1},  {28, 25, 0, 0}, {29, 27, 0, 0},   {30, 6, 4, 1},  {31, 28, 0, 0}};
  std::uint32_t bits = 0;
  for (const int exponent : {taps[order - 2].a, taps[order - 2].b, taps[order - 2].c, taps[order - 2].d})
    if (exponent > 0) bits |= std::uint32_t{1} << (exponent - 1);
  return bits;
}

/// The register one bit later; its highest bit is the sequence.
constexpr std::uint32_t shifted(std::uint32_t state, int order, std::uint32_t taps) {
  const auto fresh = static_cast<std::uint32_t>(std::popcount(state & taps) & 1);
  return ((state << 1) | fresh) & ((std::uint32_t{1} << order) - 1);
}

} // namespace hilda
