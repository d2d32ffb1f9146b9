// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Text in what a device answers. Independent of the locale, and nothing allocates.

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace hilda {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

/// Without the blanks around it.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A finite number, where the whole text is one.
inline std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

} // namespace hilda
