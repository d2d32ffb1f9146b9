#include "tools/studio/clients/rows.h"

#include <algorithm>

namespace hilda::studio {

void Rows::add(double time, std::span<const double> values) {
  times_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
}

void Rows::clear() {
  times_.clear();
  values_.clear();
}

void Rows::drop(std::size_t rows) {
  times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(rows));
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(rows * columns_));
}

Rows Rows::thinned(std::size_t most) const {
  if (count() <= most || most < 2) return *this;
  const std::size_t bins = most / 2;
  Rows thin(columns_);
  std::vector<double> first(columns_), second(columns_);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t begin = bin * count() / bins, end = (bin + 1) * count() / bins;
    for (std::size_t c = 0; c < columns_; ++c) {
      std::size_t least = begin, greatest = begin;
      for (std::size_t row = begin; row < end; ++row) {
        if (!(at(row, c) >= at(least, c))) least = row; // NaN counts: it is seen
        if (at(row, c) > at(greatest, c)) greatest = row;
      }
      first[c] = at(std::min(least, greatest), c);
      second[c] = at(std::max(least, greatest), c);
    }
    thin.add(time(begin), first);
    thin.add(time(begin + (end - begin) / 2), second);
  }
  return thin;
}

} // namespace hilda::studio
