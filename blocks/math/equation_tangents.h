// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "equation_program.h"

#include <cstdint>

namespace equations {

/// Numbers in the record, one behind the other.
struct Places {
  std::uint64_t at = 0;
  std::uint32_t count = 0;
};

/// Derivatives of what a program stores at `to` by what it loads from `from`, exact: each step by its own rule,
/// forward. After `run` of the same program. Where a function has a kink its slope is that of one side, and 0 of a
/// step.
/// @param numbers   as the program has left them
/// @param tangents  room for size x from.count numbers, `size` as many as there are numbers
/// @param jacobian  to.count x from.count, column by column
void differentiate(const Program& program, const double* numbers, std::size_t size, Places from, Places to,
                   double* tangents, double* jacobian);

} // namespace equations
