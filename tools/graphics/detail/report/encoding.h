// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hilda::graphics::report {

/// Numbers as text for a page: their bytes sorted by significance (which makes equal neighbours), deflated by zlib,
/// in base64. The page undoes it.
struct Encoded {
  std::string text;
  std::size_t width = 4; ///< bytes a number: 4, IEEE single, or 8, double
};

/// Single precision where that is within 1e-6 of the values' range, else double.
Encoded encode(std::span<const double> values);

std::string base64(std::span<const unsigned char> bytes);

} // namespace hilda::graphics::report
