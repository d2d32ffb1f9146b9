// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

namespace hilda::run {

/// Euclidean norm of three numbers.
double norm3(const double* v) noexcept;
/// Rotation vector from a to b in a's axes, log(conj(a) b), of at most pi; both w x y z, of any length but 0.
void rotation_between(const double* a, const double* b, double* phi) noexcept;
/// q := q exp(phi), normalised.
void rotate(double* q, const double* phi) noexcept;

} // namespace hilda::run
