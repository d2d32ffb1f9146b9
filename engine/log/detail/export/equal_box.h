// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <array>
#include <optional>

namespace hilda::log {

/// A box around a body's centre of mass.
struct EqualBox {
  std::array<double, 3> sides{};                 ///< m
  std::array<double, 4> orientation{1, 0, 0, 0}; ///< w x y z: axes of the box to those of the body
};

/// The homogeneous box with this mass (kg) and inertia (kg m2, row by row, symmetric). None for numbers that no body
/// has: not finite, not above 0, or a principal moment above the sum of the others.
std::optional<EqualBox> equal_box(double mass, const std::array<double, 9>& inertia);

} // namespace hilda::log
