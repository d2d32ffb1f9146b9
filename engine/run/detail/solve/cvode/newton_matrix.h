// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/cvode/sparse_elimination.h"
#include "engine/run/detail/solve/methods/jacobian.h"

#include <memory>
#include <optional>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nvector.h>

namespace hilda::run {

/// The matrix I - h J of Newton's method as CVODE needs it, and who solves with it.
class NewtonMatrix {
public:
  /// `sparse`: none where the matrix is dense.
  NewtonMatrix(RightHandSide& f, StateInfluence influence, const Tolerances& tolerances,
               std::optional<SparseElimination> sparse, N_Vector like, SUNContext context);
  ~NewtonMatrix();
  NewtonMatrix(const NewtonMatrix&) = delete;
  NewtonMatrix& operator=(const NewtonMatrix&) = delete;

  SUNMatrix matrix() const { return matrix_; }
  SUNLinearSolver solver() const { return solver_; }
  /// [loop] The Jacobian at (t, x), where f is `slope`, into a matrix of this one's kind.
  void measure(double t, const std::vector<double>& x, const std::vector<double>& slope, SUNMatrix into);

  /// [loop] The one that was measured last, zeros before.
  void fill(SUNMatrix into);

private:
  void make_dense(N_Vector like, SUNContext context);
  void make_sparse(SUNContext context);

  Jacobian jacobian_;
  std::optional<SparseElimination> sparse_;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

} // namespace hilda::run
