// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_NUMBER_TEXT_H
#define HILDA_NUMBER_TEXT_H

// A number out of a text, in any locale and with any standard library.

#include <charconv>
#include <version>
#ifndef __cpp_lib_to_chars
#include <cmath>
#include <cstdlib>
#include <locale.h>
#include <string>
#endif

namespace hilda {
inline namespace sdk1 {
namespace detail {

/// Reads a number with a point from the beginning of [first, last): where it ends, or `first` where there is none.
inline const char* read_number(const char* first, const char* last, double& number) {
#ifdef __cpp_lib_to_chars
  const auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc() ? end : first;
#else
  // libc++ has no std::from_chars of a double before its version 20.
  if (first == last || *first == ' ' || *first == '+') return first;
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string text(first, last);
  char* end = nullptr;
  const double value = strtod_l(text.c_str(), &end, plain);
  if (end == text.c_str() || !std::isfinite(value)) return first;
  number = value;
  return first + (end - text.c_str());
#endif
}

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
