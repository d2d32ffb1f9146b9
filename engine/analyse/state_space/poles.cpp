#include "engine/analyse/state_space/decompositions.h"
#include "engine/analyse/state_space/linear_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hilda {
namespace {

/// |left eigenvector| times spread times |right eigenvector|, of each eigenvalue.
Eigen::VectorXd bounds(const Eigen::MatrixXcd& right, const Eigen::MatrixXd& spread) {
  const Eigen::MatrixXcd left = inverse(right);
  return (left.cwiseAbs() * spread).cwiseProduct(right.cwiseAbs().transpose()).rowwise().sum();
}

/// For each of `wanted` the bound of that one of `values` which is nearest and not yet taken.
Eigen::VectorXd matched(const Eigen::VectorXcd& wanted, Eigen::VectorXcd values, const Eigen::VectorXd& bounds) {
  Eigen::VectorXd all(wanted.size());
  for (Eigen::Index i = 0; i < wanted.size(); ++i) {
    Eigen::Index nearest = 0;
    (values.array() - wanted[i]).abs().minCoeff(&nearest);
    all[i] = bounds[nearest];
    values[nearest] = std::numeric_limits<double>::infinity();
  }
  return all;
}

/// To first order. Where a multiple eigenvalue leaves no basis of eigenvectors, A changed by rounding has one, in which
/// what was multiple is very sensitive.
Eigen::VectorXd eigenvalue_errors(const LinearModel& model, const Eigensystem& system) {
  const Eigen::Index n = model.A.rows();
  const Eigen::MatrixXd spread = model.spread.topLeftCorner(n, n);
  if (is_invertible(system.vectors)) return bounds(system.vectors, spread);
  const double rounding = std::numeric_limits<double>::epsilon() * model.A.norm();
  const auto change = [rounding](Eigen::Index i, Eigen::Index j) {
    return rounding * std::sin(1.0 + 7.0 * static_cast<double>(i) + 13.0 * static_cast<double>(j));
  };
  const Eigensystem apart = eigensystem(model.A + Eigen::MatrixXd::NullaryExpr(n, n, change), true);
  return matched(system.values, apart.values, bounds(apart.vectors, spread));
}

/// The least stable first.
std::vector<Pole> poles_of(const LinearModel& model, bool errors) {
  if (model.A.size() == 0) return {};
  const Eigensystem system = eigensystem(model.A, errors);
  const Eigen::Index n = model.A.rows();
  const Eigen::VectorXd bound = errors ? eigenvalue_errors(model, system) : Eigen::VectorXd::Zero(n);
  std::vector<Pole> all;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double error = std::isnan(bound[i]) ? std::numeric_limits<double>::infinity() : bound[i];
    all.push_back({system.values[i], error});
  }
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

} // namespace hilda
