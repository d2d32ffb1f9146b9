// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hilda::run {

/// Solves systems of linear equations whose matrices share one pattern: the order of elimination, and where it leaves
/// entries, is found once, so that nothing is allocated later. Pivots are those of the diagonal, in an order of least
/// degree (Tinney and Walker 1967): for matrices I - h J, of which a smaller h makes the diagonal as strong as need be.
class SparseElimination {
public:
  /// `rows`: of each column those with an entry, ascending, its diagonal among them. None where the factors would have
  /// more entries than `most`.
  static std::optional<SparseElimination> of(const std::vector<std::vector<std::uint32_t>>& rows, std::size_t most);

  /// Of both factors.
  std::size_t entries() const { return columns_.size(); }
  /// [loop] `values`: of the entries, column by column. False where a pivot is lost among rounding errors.
  bool factor(const double* values) noexcept;
  /// [loop] Replaces b by the solution.
  void solve(double* b) noexcept;

private:
  SparseElimination() = default;
  void place(const std::vector<std::vector<std::uint32_t>>& rows, const std::vector<std::uint32_t>& position);

  std::vector<std::uint32_t> order_;           ///< which row and column is where
  std::vector<std::size_t> begins_, diagonal_; ///< by row: its first entry, and that on the diagonal
  std::vector<std::uint32_t> columns_;         ///< of the factors' entries, row by row, ascending
  std::vector<double> factors_, work_;         ///< work_: a row
  std::vector<std::size_t> places_;            ///< of the matrix's entries among the factors'
};

} // namespace hilda::run
