// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/solver_settings.h"
#include "engine/modules.h"
#include "engine/run/detail/solve/methods/method.h"
#include "engine/run/detail/solve/methods/right_hand_side.h"
#include "engine/run/detail/solve/methods/state_influence.h"

#include <memory>

namespace hilda::run {

/// Is CVODE part of this hilda?
bool has_cvode();

/// CVODE's formulas of variable order and step (Hindmarsh and others, ACM TOMS 31, 2005): for `cvode` backward
/// differences with Newton's method, of which the matrix is dense, or sparse where its factors are; for `adams` those
/// of Adams with a fixed-point iteration. Null after errors: solver-missing, solver-size.
std::unique_ptr<Method> make_cvode(RightHandSide& f, const Tolerances& tolerances, StateInfluence influence,
                                   const SolverSettings& settings, Diagnostics& diagnostics);

/// Reports that this hilda has no CVODE. Code: solver-missing.
void refuse_without_cvode(const SolverSettings& settings, Diagnostics& diagnostics);

} // namespace hilda::run
