// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/state_space/balance.h"
#include "engine/analysis/detail/state_space/coupled_states.h"
#include "engine/analysis/detail/state_space/decompositions.h"
#include "engine/analysis/detail/state_space/linear_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hilda::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = std::numeric_limits<double>::epsilon();

/// Gershgorin's discs of V^-1 (A + F) V, |F| within `spread` and what the decomposition itself rounds: all eigenvalues
/// of A + F lie in them.
Eigen::VectorXd radii(const Eigensystem& system, const Eigen::MatrixXd& A, const Eigen::MatrixXd& spread) {
  if (!is_invertible(system.vectors)) return Eigen::VectorXd::Constant(A.rows(), infinity);
  const Eigen::MatrixXcd left = inverse(system.vectors);
  const Eigen::MatrixXd moved = left.cwiseAbs() * spread * system.vectors.cwiseAbs();
  const double rounded = 4 * rounding * A.norm() * system.vectors.colwise().norm().sum();
  return moved.rowwise().sum() + rounded * left.rowwise().norm();
}

/// Discs that touch share their eigenvalues: each of these may be anywhere in all of them.
Eigen::VectorXd joined(const Eigen::VectorXcd& values, const Eigen::VectorXd& radii) {
  const Eigen::Index n = values.size();
  const Eigen::MatrixXd touching = Eigen::MatrixXd::NullaryExpr(n, n, [&](Eigen::Index i, Eigen::Index j) {
    return std::abs(values[i] - values[j]) <= radii[i] + radii[j] ? 1.0 : 0.0;
  });
  Eigen::VectorXd reach = radii;
  for (const std::vector<Eigen::Index>& cluster : coupled_states(touching))
    for (const Eigen::Index i : cluster)
      for (const Eigen::Index j : cluster) reach[i] = std::max(reach[i], std::abs(values[i] - values[j]) + radii[j]);
  return reach;
}

/// How far an eigenvalue of A + F may be from the nearest of A, whatever its eigenvectors are (Elsner, 1985). What
/// holds of a multiple eigenvalue, where the discs tell nothing.
double furthest(const Eigen::MatrixXd& A, const Eigen::MatrixXd& spread) {
  const double moved = spread.norm() + 4 * rounding * A.norm(), n = static_cast<double>(A.rows());
  return std::pow(2 * A.norm() + moved, 1 - 1 / n) * std::pow(moved, 1 / n);
}

/// Of one set of coupled states.
void add_poles(const Eigen::MatrixXd& A, const Eigen::MatrixXd& spread, bool errors, std::vector<Pole>& all) {
  if (A.rows() == 1) {
    all.push_back({A(0, 0), spread(0, 0)});
    return;
  }
  const Eigen::VectorXd scales = balance(A);
  const Eigen::MatrixXd even = scaled(A, scales);
  const Eigensystem system = eigensystem(even, errors);
  Eigen::VectorXd reach = Eigen::VectorXd::Zero(A.rows());
  if (errors && spread.allFinite()) {
    const Eigen::MatrixXd even_spread = scaled(spread, scales);
    reach = joined(system.values, radii(system, even, even_spread)).cwiseMin(furthest(even, even_spread));
  } else if (errors) {
    reach.setConstant(infinity);
  }
  for (Eigen::Index i = 0; i < A.rows(); ++i) all.push_back({system.values[i], reach[i]});
}

/// The least stable first.
std::vector<Pole> poles_of(const LinearModel& model, bool errors) {
  const Eigen::Index n = model.A.rows();
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(n, n); // of a model that was made of others nothing is known
  if (model.spread.rows() >= n && model.spread.cols() >= n) spread = model.spread.topLeftCorner(n, n);
  std::vector<Pole> all;
  for (const std::vector<Eigen::Index>& set : coupled_states(model.A.cwiseAbs() + spread))
    add_poles(model.A(set, set), spread(set, set), errors, all);
  const auto growth = [&](std::complex<double> p) { return model.period > 0 ? std::abs(p) : p.real(); };
  std::sort(all.begin(), all.end(), [&](const Pole& one, const Pole& other) {
    const std::complex<double> a = one.value, b = other.value;
    if (growth(a) != growth(b)) return growth(a) > growth(b);
    return a.imag() != b.imag() ? a.imag() < b.imag() : a.real() < b.real();
  });
  return all;
}

} // namespace

std::vector<std::complex<double>> LinearModel::poles() const {
  std::vector<std::complex<double>> values;
  for (const Pole& pole : poles_of(*this, false)) values.push_back(pole.value);
  return values;
}

std::vector<double> LinearModel::pole_errors() const {
  std::vector<double> errors;
  for (const Pole& pole : poles_of(*this, true)) errors.push_back(pole.error);
  return errors;
}

std::vector<Pole> LinearModel::poles_with_errors() const { return poles_of(*this, true); }

} // namespace hilda::analysis
