#include "engine/run/linear_model.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>

namespace hilda {

std::complex<double> LinearModel::continuous(std::complex<double> pole) const {
  return period > 0 ? std::log(pole) / period : pole;
}

std::vector<std::complex<double>> LinearModel::poles() const {
  if (A.size() == 0) return {};
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
  std::vector<std::complex<double>> all(values.begin(), values.end());
  const auto growth = [this](std::complex<double> p) { return period > 0 ? std::abs(p) : p.real(); };
  std::sort(all.begin(), all.end(), [&](std::complex<double> a, std::complex<double> b) {
    if (growth(a) != growth(b)) return growth(a) > growth(b);
    return a.imag() != b.imag() ? a.imag() < b.imag() : a.real() < b.real();
  });
  return all;
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
  return small;
}

} // namespace hilda
