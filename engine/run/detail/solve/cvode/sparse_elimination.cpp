// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/cvode/sparse_elimination.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hilda::run {
namespace {

constexpr double lost_pivot = 1e-13; ///< of the largest entry of its row

/// Which rows meet which, as elimination continues: each that is taken leaves those it met meeting each other.
class Meetings {
public:
  explicit Meetings(const std::vector<std::vector<std::uint32_t>>& rows) : met_(rows.size()) {
    for (std::uint32_t column = 0; column < rows.size(); ++column)
      for (const std::uint32_t row : rows[column])
        if (row != column) met_[row].insert(column), met_[column].insert(row);
    for (std::uint32_t i = 0; i < rows.size(); ++i) waiting_.emplace(met_[i].size(), i);
  }
  bool empty() const { return waiting_.empty(); }
  /// The one that meets the fewest, and these.
  std::pair<std::uint32_t, std::vector<std::uint32_t>> take() {
    const std::uint32_t taken = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    const std::vector<std::uint32_t> others(met_[taken].begin(), met_[taken].end());
    for (const std::uint32_t each : others) {
      waiting_.erase({met_[each].size(), each});
      met_[each].erase(taken);
      for (const std::uint32_t other : others)
        if (other != each) met_[each].insert(other);
      waiting_.emplace(met_[each].size(), each);
    }
    return {taken, others};
  }

private:
  std::vector<std::set<std::uint32_t>> met_;
  std::set<std::pair<std::size_t, std::uint32_t>> waiting_;
};

} // namespace

std::optional<SparseElimination> SparseElimination::of(const std::vector<std::vector<std::uint32_t>>& rows,
                                                       std::size_t most) {
  SparseElimination made;
  const std::size_t n = rows.size();
  std::vector<std::vector<std::uint32_t>> right(n); // of each row as it was taken: what it met
  std::vector<std::uint32_t> position(n);
  std::size_t count = n, given = 0;
  for (const auto& column : rows) given += column.size();
  if (given > most) return std::nullopt;
  for (Meetings meetings(rows); !meetings.empty();) {
    auto [taken, others] = meetings.take();
    position[taken] = static_cast<std::uint32_t>(made.order_.size());
    made.order_.push_back(taken);
    count += 2 * others.size();
    if (count > most) return std::nullopt;
    right[taken] = std::move(others);
  }
  std::vector<std::vector<std::uint32_t>> lines(n); // by position: columns, by position
  for (std::uint32_t i = 0; i < n; ++i) {
    lines[position[i]].push_back(position[i]);
    for (const std::uint32_t each : right[i]) {
      lines[position[i]].push_back(position[each]);
      lines[position[each]].push_back(position[i]);
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    std::sort(lines[i].begin(), lines[i].end());
    made.begins_.push_back(made.columns_.size());
    made.diagonal_.push_back(made.columns_.size() +
                             static_cast<std::size_t>(std::distance(
                                 lines[i].begin(), std::lower_bound(lines[i].begin(), lines[i].end(), i))));
    made.columns_.insert(made.columns_.end(), lines[i].begin(), lines[i].end());
  }
  made.begins_.push_back(made.columns_.size());
  made.place(rows, position);
  return made;
}

void SparseElimination::place(const std::vector<std::vector<std::uint32_t>>& rows,
                              const std::vector<std::uint32_t>& position) {
  factors_.assign(columns_.size(), 0.0);
  work_.assign(order_.size(), 0.0);
  for (std::uint32_t column = 0; column < rows.size(); ++column)
    for (const std::uint32_t row : rows[column]) {
      const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[position[row]]),
                 end = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[position[row] + 1]);
      places_.push_back(
          static_cast<std::size_t>(std::distance(columns_.begin(), std::lower_bound(begin, end, position[column]))));
    }
}

bool SparseElimination::factor(const double* values) noexcept {
  std::fill(factors_.begin(), factors_.end(), 0.0);
  for (std::size_t i = 0; i < places_.size(); ++i) factors_[places_[i]] = values[i];
  for (std::size_t row = 0; row < order_.size(); ++row) {
    const std::size_t begin = begins_[row], end = begins_[row + 1];
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      work_[columns_[i]] = factors_[i];
      largest = std::max(largest, std::abs(factors_[i]));
    }
    for (std::size_t i = begin; i < diagonal_[row]; ++i) {
      const std::size_t above = columns_[i];
      const double factor = work_[above] / factors_[diagonal_[above]];
      work_[above] = factor;
      for (std::size_t k = diagonal_[above] + 1; k < begins_[above + 1]; ++k)
        work_[columns_[k]] -= factor * factors_[k];
    }
    for (std::size_t i = begin; i < end; ++i) factors_[i] = work_[columns_[i]];
    const double pivot = factors_[diagonal_[row]];
    if (!(std::abs(pivot) > lost_pivot * largest) || !std::isfinite(pivot)) return false;
  }
  return true;
}

void SparseElimination::solve(double* b) noexcept {
  for (std::size_t row = 0; row < order_.size(); ++row) {
    double sum = b[order_[row]];
    for (std::size_t i = begins_[row]; i < diagonal_[row]; ++i) sum -= factors_[i] * work_[columns_[i]];
    work_[row] = sum;
  }
  for (std::size_t row = order_.size(); row-- > 0;) {
    double sum = work_[row];
    for (std::size_t i = diagonal_[row] + 1; i < begins_[row + 1]; ++i) sum -= factors_[i] * work_[columns_[i]];
    work_[row] = sum / factors_[diagonal_[row]];
  }
  for (std::size_t row = 0; row < order_.size(); ++row) b[order_[row]] = work_[row];
}

} // namespace hilda::run
