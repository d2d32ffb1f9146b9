// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/plain_number.h"

#include <charconv>

namespace hilda::base {

std::optional<double> plain_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

} // namespace hilda::base
