// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_PER_ELEMENT_H
#define HILDA_PER_ELEMENT_H

// A parameter that is one number for all elements of a signal, or one number for each.

#include <algorithm>
#include <hilda/block.h>

namespace hilda {
inline namespace sdk1 {

/// For a signal whose shape the diagram decides. configure() calls check() with the shape; `p[i]` is element i's
/// number.
///
/// The slot's shape is named after itself ("*gain"), so that a parameter's number of values never decides over a wire.
template <int N> class PerElement {
public:
  template <typename... Options>
  PerElement(Block& block, const char* name, const char* unit, const char* doc, const Options&... options)
      : value_(block, name, shape(name), unit, doc, options...), name_(name) {}

  /// Reports a number of values that is neither one nor that of the signal.
  void check(const Instance& self, Eigen::Index rows, Eigen::Index cols) const {
    if (value_.size() == 1 || (value_.rows() == rows && value_.cols() == cols)) return;
    self.report(name_, "has " + text(value_.rows(), value_.cols()) + " values for a signal of " + text(rows, cols) +
                           "; give one number for all elements, or one for each");
  }
  double operator[](Eigen::Index i) const { return value_.data()[value_.size() == 1 ? 0 : i]; }
  Eigen::Index size() const { return value_.size(); }

private:
  static const char* shape(const char* name) {
    return detail::recording == nullptr ? "" : detail::recording->keep(std::string("*") + name);
  }
  static std::string text(Eigen::Index rows, Eigen::Index cols) {
    return cols == 1 ? std::to_string(rows) : std::to_string(rows) + "x" + std::to_string(cols);
  }
  Parameter<Elements<>> value_;
  const char* name_;
};

/// For one element, whose number lies in the record.
template <> class PerElement<1> {
public:
  template <typename... Options>
  PerElement(Block& block, const char* name, const char* unit, const char* doc, const Options&... options)
      : value_(block, name, unit, doc, options...) {}
  void check(const Instance&, Eigen::Index, Eigen::Index) const {}
  double operator[](Eigen::Index) const { return *value_; }
  static constexpr Eigen::Index size() { return 1; }

private:
  Parameter<double> value_;
};

/// Reports lower limits above upper ones, by the names of the two parameters. After check() of both.
template <int N>
void check_order(const Instance& self, const PerElement<N>& lower, const PerElement<N>& upper,
                 const char* lower_name = "lower", const char* upper_name = "upper") {
  const Eigen::Index count = std::max(lower.size(), upper.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    if (lower.size() != 1 && upper.size() != 1 && lower.size() != upper.size()) return;
    if (lower[i] <= upper[i]) continue;
    self.report(lower_name, "element " + std::to_string(i) + " lies above " + upper_name + " (in SI: " +
                                std::to_string(lower[i]) + " > " + std::to_string(upper[i]) + "); exchange the two");
    return;
  }
}

} // namespace sdk1
} // namespace hilda

#endif
