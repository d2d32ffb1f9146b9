// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/state_space/linear_model.h"

#include <algorithm>
#include <cmath>

namespace hilda::analysis {

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

using Rows = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Columns behind the diagonal in which row k is not 0.
void list_entries(const Rows& m, Eigen::Index k, std::vector<Eigen::Index>& columns) {
  columns.clear();
  for (Eigen::Index j = k + 1; j < m.cols(); ++j)
    if (m(k, j) != 0.0) columns.push_back(j);
}

/// M^-1 X by Gauss, the largest of a column as its pivot. Zeros are passed by: of a delay line, which is most of a
/// loop's states, nearly all are. What an input does not reach stays 0 to the last bit.
void solve(Rows& M, Rows& X) {
  std::vector<Eigen::Index> columns;
  for (Eigen::Index k = 0; k < M.rows(); ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < M.rows(); ++i)
      if (M(i, k) != 0.0 && std::abs(M(i, k)) > std::abs(M(pivot, k))) pivot = i;
    if (pivot != k) {
      M.row(k).swap(M.row(pivot));
      X.row(k).swap(X.row(pivot));
    }
    list_entries(M, k, columns);
    for (Eigen::Index i = k + 1; i < M.rows(); ++i) {
      if (M(i, k) == 0.0) continue;
      const std::complex<double> factor = M(i, k) / M(k, k);
      for (const Eigen::Index j : columns) M(i, j) -= factor * M(k, j);
      for (Eigen::Index j = 0; j < X.cols(); ++j) X(i, j) -= factor * X(k, j);
    }
  }
  for (Eigen::Index k = M.rows() - 1; k >= 0; --k) {
    list_entries(M, k, columns);
    for (Eigen::Index j = 0; j < X.cols(); ++j) {
      for (const Eigen::Index i : columns) X(k, j) -= M(k, i) * X(i, j);
      X(k, j) /= M(k, k);
    }
  }
}

} // namespace

Eigen::MatrixXcd LinearModel::response(double frequency) const {
  const std::complex<double> at(0, frequency);
  const std::complex<double> z = period > 0 ? std::exp(at * period) : at;
  Eigen::MatrixXcd G = D.cast<std::complex<double>>();
  if (A.size() == 0) return G;
  Rows M = -A.cast<std::complex<double>>();
  M.diagonal().array() += z;
  Rows X = B.cast<std::complex<double>>();
  solve(M, X);
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    for (Eigen::Index j = 0; j < G.cols(); ++j)
      for (Eigen::Index k = 0; k < X.rows(); ++k) G(i, j) += C(i, k) * X(k, j);
  return G;
}

namespace {

using Entries = std::vector<std::pair<Eigen::Index, Eigen::Index>>;

/// Where those of `entries` that lie in these rows and columns are among them.
Entries kept_entries(const Entries& entries, const std::vector<Eigen::Index>& rows,
                     const std::vector<Eigen::Index>& cols) {
  Entries kept;
  for (const auto& [row, col] : entries) {
    const auto new_row = std::find(rows.begin(), rows.end(), row), new_col = std::find(cols.begin(), cols.end(), col);
    if (new_row != rows.end() && new_col != cols.end())
      kept.emplace_back(new_row - rows.begin(), new_col - cols.begin());
  }
  return kept;
}

} // namespace

LinearModel LinearModel::observable() const {
  const Eigen::Index n = A.rows();
  Eigen::Array<bool, Eigen::Dynamic, 1> reaches = Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(n, false);
  std::vector<Eigen::Index> fresh;
  const auto take = [&](Eigen::Index i) {
    if (reaches[i]) return;
    reaches[i] = true;
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
    if (reaches[i]) kept.push_back(i);
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
  small.kinks = kept_entries(kinks, rows, cols);
  small.jumps = kept_entries(jumps, rows, cols);
  small.steep = kept_entries(steep, rows, cols);
  return small;
}

} // namespace hilda::analysis
