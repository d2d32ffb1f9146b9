// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hilda::test {

/// `part` so many times over: hostile text of any length.
inline std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text.append(part);
  return text;
}

} // namespace hilda::test
