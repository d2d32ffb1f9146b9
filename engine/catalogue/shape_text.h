// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hilda::catalogue {

/// Largest dimension that a shape may name: a signal of more elements would not fit in memory anyway.
inline constexpr std::int64_t largest_dimension = 1'000'000'000;

/// Reads a slot's shape: "" is a scalar, "3", "n", "2*n+1" and "sum(n)" are columns, "m n" is a matrix, "*s" any shape
/// by the name s. A blank separates the dimensions, so there is none within one. None where the text is not a shape.
std::optional<ShapePattern> parse_shape(std::string_view text);

/// As text: "scalar", "3", "6x6".
std::string shape_text(std::int64_t rows, std::int64_t cols);

/// "[a-z][a-z0-9_]*", with upper-case letters too where `upper`.
bool identifier(std::string_view text, bool upper = false);

} // namespace hilda::catalogue
