// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_CHECKED_VIEW_H
#define HILDA_CHECKED_VIEW_H

// Memory of a block as Eigen sees it, writable: `*y` of an output, `y[i]` of a repeated one, and parts of them such as
// `(*y).head(3)`. It is read as any expression of Eigen; each store compares the sizes of both sides, in every build.
// Eigen's less usual writers (colwise, triangularView, selfadjointView, swap of a part) and a Map or Ref that a block
// makes itself are compared as Eigen does it: in builds for debugging alone.

#include <concepts>
#include <hilda/assign.h>
#include <hilda/shape_fault.h>

namespace hilda {
inline namespace sdk1 {
namespace detail {

template <typename X> constexpr bool is_map = false;
template <typename M, int O, typename S> constexpr bool is_map<Eigen::Map<M, O, S>> = true;

/// Is a part of an expression within its whole? True of all that has no whole.
template <typename X> bool within(const X& x, Misfit& misfit) noexcept {
  if constexpr (requires { x.startRow(), x.startCol(), x.nestedExpression(); }) {
    const auto& whole = x.nestedExpression();
    const bool starts = x.startRow() >= 0 && x.startCol() >= 0 && x.rows() >= 0 && x.cols() >= 0;
    if (starts && x.startRow() + x.rows() <= whole.rows() && x.startCol() + x.cols() <= whole.cols())
      return within(whole, misfit);
    misfit = {Misfit::beyond, x.rows(), x.cols(), whole.rows(), whole.cols()};
    return false;
  } else if constexpr (requires { x.nestedExpression(); }) {
    return within(x.nestedExpression(), misfit);
  } else {
    return true;
  }
}

template <typename X> class CheckedView;
template <typename X> CheckedView<X> checked(const X& x, const Target& target) { return {x, target}; }

/// What `view << a, b, c` writes: row by row, numbers and blocks of numbers, as in Eigen.
template <typename X> class CheckedList {
public:
  template <typename First> CheckedList(CheckedView<X>& to, const First& first) : to_(to), fits_(to.is_within()) {
    *this, first;
  }
  CheckedList(const CheckedList&) = delete;
  CheckedList& operator=(const CheckedList&) = delete;
  /// The list is complete.
  ~CheckedList() {
    const bool full = col_ == to_.cols() && row_ + height_ == to_.rows();
    if ((!fits_ || !full) && to_.size() + count_ != 0) [[unlikely]]
      to_.note({Misfit::list, to_.rows(), to_.cols(), count_, 1});
  }
  template <std::convertible_to<typename X::Scalar> S> CheckedList& operator,(const S& number) {
    if (place(1, 1)) static_cast<X&>(to_).coeffRef(row_, col_ - 1) = number;
    return *this;
  }
  template <typename D> CheckedList& operator,(const Eigen::DenseBase<D>& numbers) {
    if (place(numbers.rows(), numbers.cols()))
      static_cast<X&>(to_).block(row_, col_ - numbers.cols(), numbers.rows(), numbers.cols()) = numbers.derived();
    return *this;
  }

private:
  /// Takes the next place, of these sizes, where it is within the target.
  bool place(Eigen::Index rows, Eigen::Index cols) {
    count_ += rows * cols;
    if (col_ == to_.cols() && (cols != 0 || rows != height_)) row_ += height_, col_ = 0, height_ = rows;
    if (count_ == rows * cols) height_ = rows;
    fits_ = fits_ && rows == height_ && row_ + rows <= to_.rows() && col_ + cols <= to_.cols();
    if (fits_) col_ += cols;
    return fits_;
  }
  CheckedView<X>& to_;
  Eigen::Index row_ = 0, col_ = 0, height_ = 0, count_ = 0;
  bool fits_;
};

/// What `view.noalias()` writes.
template <typename X> class CheckedNoAlias {
public:
  CheckedNoAlias(CheckedView<X>& to) : to_(to) {}
#define HILDA_CHECKED_STORE(operation)                                                                                 \
  template <typename D> CheckedView<X>& operator operation(const Eigen::EigenBase<D>& from) {                          \
    if (to_.fits(from.derived())) static_cast<X&>(to_).noalias() operation from.derived();                             \
    return to_;                                                                                                        \
  }
  HILDA_CHECKED_STORE(=)
  HILDA_CHECKED_STORE(+=)
  HILDA_CHECKED_STORE(-=)
#undef HILDA_CHECKED_STORE

private:
  CheckedView<X>& to_;
};

/// X is a Map, or a part of one.
template <typename X> class CheckedView : public X {
  using Scalar = typename X::Scalar;
  static constexpr bool is_array = std::is_base_of_v<Eigen::ArrayBase<X>, X>;

public:
  CheckedView(const X& x, const Target& target) : X(x), target_(target) {}
  CheckedView(const CheckedView&) = default;

  CheckedView& operator=(const CheckedView& other) { return assign(static_cast<const X&>(other)); }
  template <typename D> CheckedView& operator=(const Eigen::EigenBase<D>& from) { return assign(from.derived()); }
  template <typename D> CheckedView& operator+=(const Eigen::EigenBase<D>& from) {
    if (fits(from.derived())) X::operator+=(from.derived());
    return *this;
  }
  template <typename D> CheckedView& operator-=(const Eigen::EigenBase<D>& from) {
    if (fits(from.derived())) X::operator-=(from.derived());
    return *this;
  }
  /// Element by element of arrays; the product of matrices.
  template <typename D> CheckedView& operator*=(const Eigen::EigenBase<D>& from) {
    const bool square = !is_array && from.rows() == X::cols() && from.cols() == X::cols();
    if (square || fits(from.derived())) X::operator*=(from.derived());
    return *this;
  }
  template <typename D> CheckedView& operator/=(const Eigen::EigenBase<D>& from) {
    if (fits(from.derived())) X::operator/=(from.derived());
    return *this;
  }
  template <std::convertible_to<Scalar> S> CheckedView& operator=(const S& number) requires is_array {
    if (is_within()) X::operator=(static_cast<Scalar>(number));
    return *this;
  }
#define HILDA_CHECKED_NUMBER(operation)                                                                                \
  template <std::convertible_to<Scalar> S> CheckedView& operator operation(const S& number) {                          \
    if (is_within()) X::operator operation(static_cast<Scalar>(number));                                               \
    return *this;                                                                                                      \
  }
  HILDA_CHECKED_NUMBER(+=)
  HILDA_CHECKED_NUMBER(-=)
  HILDA_CHECKED_NUMBER(*=)
  HILDA_CHECKED_NUMBER(/=)
#undef HILDA_CHECKED_NUMBER
  template <typename First> CheckedList<X> operator<<(const First& first) { return CheckedList<X>(*this, first); }
  CheckedNoAlias<X> noalias() { return {*this}; }

// Parts of it: those of Eigen, checked where they can be written.
#define HILDA_CHECKED_PART(part)                                                                                       \
  template <typename... A> auto part(const A&... a) { return checked(X::part(a...), target_); }                        \
  template <typename... A> auto part(const A&... a) const { return X::part(a...); }
#define HILDA_CHECKED_PARTS(part)                                                                                      \
  HILDA_CHECKED_PART(part)                                                                                             \
  template <int N, typename... A> auto part(const A&... a) { return checked(X::template part<N>(a...), target_); }     \
  template <int N, typename... A> auto part(const A&... a) const { return X::template part<N>(a...); }
#define HILDA_CHECKED_RECTANGLE(part)                                                                                  \
  HILDA_CHECKED_PART(part)                                                                                             \
  template <int R, int C, typename... A> auto part(const A&... a) {                                                    \
    return checked(X::template part<R, C>(a...), target_);                                                             \
  }                                                                                                                    \
  template <int R, int C, typename... A> auto part(const A&... a) const { return X::template part<R, C>(a...); }
  HILDA_CHECKED_PARTS(head)
  HILDA_CHECKED_PARTS(tail)
  HILDA_CHECKED_PARTS(segment)
  HILDA_CHECKED_PARTS(topRows)
  HILDA_CHECKED_PARTS(bottomRows)
  HILDA_CHECKED_PARTS(middleRows)
  HILDA_CHECKED_PARTS(leftCols)
  HILDA_CHECKED_PARTS(rightCols)
  HILDA_CHECKED_PARTS(middleCols)
  HILDA_CHECKED_PARTS(diagonal)
  HILDA_CHECKED_RECTANGLE(block)
  HILDA_CHECKED_RECTANGLE(topLeftCorner)
  HILDA_CHECKED_RECTANGLE(topRightCorner)
  HILDA_CHECKED_RECTANGLE(bottomLeftCorner)
  HILDA_CHECKED_RECTANGLE(bottomRightCorner)
  HILDA_CHECKED_PART(col)
  HILDA_CHECKED_PART(row)
  HILDA_CHECKED_PART(transpose)
  HILDA_CHECKED_PART(array)
  HILDA_CHECKED_PART(matrix)
#undef HILDA_CHECKED_RECTANGLE
#undef HILDA_CHECKED_PARTS
#undef HILDA_CHECKED_PART

  void note(const Misfit& misfit) const noexcept { store_fault.note(target_, misfit); }
  bool is_within() const noexcept {
    Misfit misfit;
    if (within(static_cast<const X&>(*this), misfit)) [[likely]]
      return true;
    note(misfit);
    return false;
  }
  /// May `from` be stored here? Else the end of the phase says so.
  template <typename D> bool fits(const D& from) const noexcept {
    if (!is_within()) return false;
    if (shapes_fit(static_cast<const X&>(*this), from)) [[likely]]
      return true;
    note({is_map<X> ? Misfit::whole : Misfit::part, X::rows(), X::cols(), from.rows(), from.cols()});
    return false;
  }

private:
  template <typename D> CheckedView& assign(const D& from) {
    if (!fits(from)) [[unlikely]]
      return *this;
    if constexpr (is_map<X>)
      store(static_cast<X&>(*this), from);
    else
      X::operator=(from);
    return *this;
  }
  Target target_;
};

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
