#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hilda::studio {

/// Rows of a time and one number for each column.
class Rows {
public:
  explicit Rows(std::size_t columns = 0) : columns_(columns) {}
  std::size_t count() const { return times_.size(); }
  std::size_t columns() const { return columns_; }
  double time(std::size_t row) const { return times_[row]; }
  double at(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
  void add(double time, std::span<const double> values);
  void clear();
  /// The first rows up to this one go.
  void drop(std::size_t rows);
  /// At most so many: two for each bin of neighbours, with the least and the greatest of each column in the order in
  /// which they came.
  Rows thinned(std::size_t most) const;

private:
  std::size_t columns_;
  std::vector<double> times_, values_;
};

} // namespace hilda::studio
