// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/cvode/newton_matrix.h"

#include <new>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <utility>

namespace hilda::run {
namespace {

SUNLinearSolver_Type direct(SUNLinearSolver /*solver*/) { return SUNLINEARSOLVER_DIRECT; }

/// What it solves with is not its own.
int free_sparse(SUNLinearSolver solver) {
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

/// A pivot that is lost makes CVODE try a shorter step.
int factor_sparse(SUNLinearSolver solver, SUNMatrix matrix) {
  auto* const elimination = static_cast<SparseElimination*>(solver->content);
  return elimination->factor(SM_DATA_S(matrix)) ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}

int solve_sparse(SUNLinearSolver solver, SUNMatrix /*matrix*/, N_Vector x, N_Vector b, sunrealtype /*tolerance*/) {
  N_VScale(1, b, x);
  static_cast<SparseElimination*>(solver->content)->solve(N_VGetArrayPointer(x));
  return SUNLS_SUCCESS;
}

} // namespace

NewtonMatrix::NewtonMatrix(RightHandSide& f, StateInfluence influence, const Tolerances& tolerances,
                           std::optional<SparseElimination> sparse, N_Vector like, SUNContext context)
    : jacobian_(f, std::move(influence), slope_scales(tolerances)), sparse_(std::move(sparse)) {
  if (sparse_)
    make_sparse(context);
  else
    make_dense(like, context);
  if (matrix_ == nullptr || solver_ == nullptr) throw std::bad_alloc();
}

NewtonMatrix::~NewtonMatrix() {
  if (solver_ != nullptr) SUNLinSolFree(solver_);
  if (matrix_ != nullptr) SUNMatDestroy(matrix_);
}

void NewtonMatrix::make_dense(N_Vector like, SUNContext context) {
  const auto n = static_cast<sunindextype>(N_VGetLength(like));
  matrix_ = SUNDenseMatrix(n, n, context);
  solver_ = SUNLinSol_Dense(like, matrix_, context);
}

void NewtonMatrix::make_sparse(SUNContext context) {
  const std::vector<std::vector<double>>& columns = jacobian_.columns();
  std::size_t entries = 0;
  for (const auto& column : columns) entries += column.size();
  const auto n = static_cast<sunindextype>(columns.size());
  matrix_ = SUNSparseMatrix(n, n, static_cast<sunindextype>(entries), CSC_MAT, context);
  solver_ = SUNLinSolNewEmpty(context);
  if (solver_ == nullptr) return;
  solver_->content = &*sparse_;
  solver_->ops->gettype = direct;
  solver_->ops->setup = factor_sparse;
  solver_->ops->solve = solve_sparse;
  solver_->ops->free = free_sparse;
}

void NewtonMatrix::measure(double t, const std::vector<double>& x, const std::vector<double>& slope, SUNMatrix into) {
  jacobian_.measure(t, x, slope);
  fill(into);
}

/// CVODE has put zeros, in a sparse matrix where its entries are too.
void NewtonMatrix::fill(SUNMatrix into) {
  const std::vector<std::vector<double>>& columns = jacobian_.columns();
  const std::vector<std::vector<std::uint32_t>>& rows = jacobian_.rows();
  sunindextype at = 0;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (sparse_) SM_INDEXPTRS_S(into)[column] = at;
    for (std::size_t i = 0; i < rows[column].size(); ++i, ++at) {
      if (!sparse_) {
        SM_ELEMENT_D(into, rows[column][i], column) = columns[column][i];
        continue;
      }
      SM_INDEXVALS_S(into)[at] = rows[column][i];
      SM_DATA_S(into)[at] = columns[column][i];
    }
  }
  if (sparse_) SM_INDEXPTRS_S(into)[columns.size()] = at;
}

} // namespace hilda::run
