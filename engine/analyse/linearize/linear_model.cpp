#include "engine/analyse/linearize/linear_model.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <hilda/eigen_caches.h>
#include <limits>

namespace hilda {
namespace {
[[maybe_unused]] const bool caches_fixed = (detail::fix_eigen_caches(), true);
}

std::complex<double> LinearModel::continuous(std::complex<double> pole) const {
  return period > 0 ? std::log(pole) / period : pole;
}

std::string LinearModel::entry_name(Eigen::Index row, Eigen::Index col) const {
  const auto name = [n = A.rows()](Eigen::Index i, const std::vector<std::string>& first,
                                   const std::vector<std::string>& then) {
    return i < n ? first[static_cast<std::size_t>(i)] : then[static_cast<std::size_t>(i - n)];
  };
  return name(row, states, outputs) + " per " + name(col, states, inputs);
}

double LinearModel::error() const {
  Eigen::MatrixXd all(spread.rows(), spread.cols());
  if (all.size() == 0) return 0.0;
  all << A, B, C, D;
  return (spread.array() / all.array().abs().max(1.0)).maxCoeff();
}

namespace {

struct Pole {
  std::complex<double> value;
  double error;
};

/// |left eigenvector| times spread times |right eigenvector|, of each eigenvalue.
Eigen::VectorXd bounds(const Eigen::MatrixXcd& right, const Eigen::MatrixXd& spread) {
  const Eigen::MatrixXcd left = right.inverse();
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
Eigen::VectorXd eigenvalue_errors(const LinearModel& model, const Eigen::EigenSolver<Eigen::MatrixXd>& solver) {
  const Eigen::Index n = model.A.rows();
  const Eigen::MatrixXd spread = model.spread.topLeftCorner(n, n);
  if (Eigen::FullPivLU<Eigen::MatrixXcd>(solver.eigenvectors()).isInvertible())
    return bounds(solver.eigenvectors(), spread);
  const double rounding = std::numeric_limits<double>::epsilon() * model.A.norm();
  const auto change = [rounding](Eigen::Index i, Eigen::Index j) {
    return rounding * std::sin(1.0 + 7.0 * static_cast<double>(i) + 13.0 * static_cast<double>(j));
  };
  const Eigen::EigenSolver<Eigen::MatrixXd> apart(model.A + Eigen::MatrixXd::NullaryExpr(n, n, change));
  return matched(solver.eigenvalues(), apart.eigenvalues(), bounds(apart.eigenvectors(), spread));
}

/// The least stable first.
std::vector<Pole> poles_of(const LinearModel& model, bool errors) {
  if (model.A.size() == 0) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(model.A, errors);
  const Eigen::Index n = model.A.rows();
  const Eigen::VectorXd bound = errors ? eigenvalue_errors(model, solver) : Eigen::VectorXd::Zero(n);
  std::vector<Pole> all;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double error = std::isnan(bound[i]) ? std::numeric_limits<double>::infinity() : bound[i];
    all.push_back({solver.eigenvalues()[i], error});
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

Eigen::MatrixXcd LinearModel::response(double frequency) const {
  const std::complex<double> at(0, frequency);
  const std::complex<double> z = period > 0 ? std::exp(at * period) : at;
  Eigen::MatrixXcd G = D.cast<std::complex<double>>();
  if (A.size() == 0) return G;
  Eigen::MatrixXcd M = -A.cast<std::complex<double>>();
  M.diagonal().array() += z;
  G += C.cast<std::complex<double>>() * M.partialPivLu().solve(B.cast<std::complex<double>>());
  return G;
}

LinearModel LinearModel::observable() const {
  const Eigen::Index n = A.rows();
  std::vector<bool> reaches(static_cast<std::size_t>(n));
  std::vector<Eigen::Index> fresh;
  const auto take = [&](Eigen::Index i) {
    if (reaches[static_cast<std::size_t>(i)]) return;
    reaches[static_cast<std::size_t>(i)] = true;
    fresh.push_back(i);
  };
  for (Eigen::Index i = 0; i < n; ++i)
    if ((C.col(i).array() != 0).any()) take(i);
  while (!fresh.empty()) {
    const Eigen::Index row = fresh.back();
    fresh.pop_back();
    for (Eigen::Index i = 0; i < n; ++i)
      if (A(row, i) != 0) take(i);
  }
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < n; ++i)
    if (reaches[static_cast<std::size_t>(i)]) kept.push_back(i);
  LinearModel small;
  small.inputs = inputs, small.outputs = outputs, small.period = period;
  for (const Eigen::Index i : kept) small.states.push_back(states[static_cast<std::size_t>(i)]);
  small.A = A(kept, kept);
  small.B = B(kept, Eigen::all);
  small.C = C(Eigen::all, kept);
  small.D = D;
  std::vector<Eigen::Index> rows = kept, cols = kept;
  for (Eigen::Index i = n; i < spread.rows(); ++i) rows.push_back(i);
  for (Eigen::Index i = n; i < spread.cols(); ++i) cols.push_back(i);
  small.spread = spread(rows, cols);
  for (const auto& [row, col] : kinks) {
    const auto new_row = std::find(rows.begin(), rows.end(), row), new_col = std::find(cols.begin(), cols.end(), col);
    if (new_row != rows.end() && new_col != cols.end())
      small.kinks.emplace_back(new_row - rows.begin(), new_col - cols.begin());
  }
  return small;
}

} // namespace hilda
