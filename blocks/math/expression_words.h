// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

// What expressions in blocks are made of: math/Function and math/Equations have the same words.

namespace expression_words {

inline double sign(double x) { return double(x > 0) - double(x < 0); }

/// Whole powers up to 4 are products, as in muParser; others take our own pow and not the process's.
inline double power(double base, double exponent) {
  if (exponent == 2) return base * base;
  if (exponent == 3) return base * base * base;
  if (exponent == 4) return base * base * base * base;
  return std::pow(base, exponent);
}

/// Position of a '=' that is not part of ==, <=, >= or !=; npos where there is none.
inline std::size_t equal_sign(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    if (i == 0 || std::string_view("<>!").find(text[i - 1]) == std::string_view::npos) return i;
  }
  return std::string_view::npos;
}

using OfOne = double (*)(double);
using OfTwo = double (*)(double, double);

inline constexpr std::pair<const char*, OfOne> of_one[] = {
    {"sin", std::sin},     {"cos", std::cos},   {"tan", std::tan},     {"asin", std::asin}, {"acos", std::acos},
    {"atan", std::atan},   {"sinh", std::sinh}, {"cosh", std::cosh},   {"tanh", std::tanh}, {"exp", std::exp},
    {"ln", std::log},      {"log", std::log},   {"log10", std::log10}, {"sqrt", std::sqrt}, {"abs", std::fabs},
    {"floor", std::floor}, {"ceil", std::ceil}, {"round", std::round}, {"sign", sign}};

inline constexpr std::pair<const char*, OfTwo> of_two[] = {
    {"atan2", std::atan2}, {"hypot", std::hypot}, {"mod", std::fmod}, {"pow", std::pow}};

inline constexpr const char* names_of_words =
    "sin cos tan asin acos atan sinh cosh tanh exp ln log (the same) log10 sqrt abs floor ceil round sign atan2 hypot "
    "mod pow min max";

} // namespace expression_words
