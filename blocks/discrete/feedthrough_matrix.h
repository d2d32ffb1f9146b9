// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hilda/per_element.h>

namespace hilda {

/// The matrix D of a linear system, which may be left out or 0 whatever its size.
class FeedthroughMatrix {
public:
  explicit FeedthroughMatrix(Block& block)
      : value_(block, "D", "rows_of_d columns_of_d", "1", "D, for signals in SI; 0: none", by_default("0")) {}

  bool zero() const {
    for (Eigen::Index i = 0; i < value_.size(); ++i)
      if (value_.data()[i] != 0) return false;
    return true;
  }
  void check(const Instance& self, Eigen::Index rows, Eigen::Index cols) const {
    if (zero() || (value_.rows() == rows && value_.cols() == cols)) return;
    self.report("D", "is " + std::to_string(value_.rows()) + "x" + std::to_string(value_.cols()) +
                         ", but has a row for each of " + std::to_string(rows) + " outputs and a column for each of " +
                         std::to_string(cols) + " inputs; give it that size, rows ended by ';'");
  }
  /// The element of a matrix of one.
  double scalar() const { return value_.data()[0]; }
  template <typename In, typename Out> void add_product(const In& u, Out&& y) const { y.noalias() += *value_ * u; }

private:
  Parameter<Matrix> value_;
};

} // namespace hilda
