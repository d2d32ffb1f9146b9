// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_STORAGE_H
#define HILDA_STORAGE_H

// Memory in the record of a block that outputs, parameters and states have in common.

#include <hilda/checked_view.h>
#include <hilda/declare.h>
#include <hilda/shape_fault.h>

namespace hilda {
inline namespace sdk1 {

namespace detail {

/// A size that is known only when it runs.
template <typename X>
constexpr bool size_is_dynamic = [] {
  if constexpr (IsExpression<X>)
    return X::SizeAtCompileTime == Eigen::Dynamic;
  else
    return false;
}();

/// Stores one number into all elements.
template <typename View, typename X> void store_number(View to, const X& x) {
  static_assert(std::is_convertible_v<const X&, typename View::Scalar>,
                "hilda: what has its size from the diagram takes an expression of Eigen, or one number for all its "
                "elements; a std::vector goes in by Eigen::Map<const Vector>(v.data(), std::ssize(v)), a pose or "
                "another value of a wire by store_value; an input or a parameter is read by *: y = *u");
  if constexpr (std::is_convertible_v<const X&, typename View::Scalar>) store(to, x);
}

/// Fixed-size memory inside the record. Assignment evaluates first and stores then, so `x = f(x)` is safe.
template <typename T> class Stored {
  using C = KnownCodec<T>;
  using Value = std::conditional_t<FixedSize<T>, T, double>;

public:
  const Value operator*() const { return C::load(data_); } // const: a copy, to which a store would be lost
  operator Value() const { return C::load(data_); }
  typename C::Raw* data() { return data_; }
  const typename C::Raw* data() const { return data_; }

protected:
  void set(const Value& value) { C::store(data_, value); }
  /// Of a size that is known only when it runs.
  template <typename X>
  requires(IsExpression<X>&& IsExpression<Value>&& size_is_dynamic<X>) void set(const X& from) {
    const auto& x = expression(from);
    const bool vector = C::cols == 1 && (X::IsVectorAtCompileTime || x.cols() == 1);
    if (vector ? x.size() == C::rows : x.rows() == C::rows && x.cols() == C::cols)
      C::store(data_, T(x));
    else
      store_fault.note({this}, {Misfit::whole, C::rows, C::cols, x.rows(), x.cols()});
  }
  template <typename X>
  requires(!std::is_convertible_v<const X&, Value> &&
           !(IsExpression<X> && IsExpression<Value> && size_is_dynamic<X>)) void set(const X&) {
    static_assert(
        never<X> || !FixedSize<T>,
        "hilda: the value does not fit what it is assigned to: both sides of = have one type and size. Ports "
        "and states take numbers, matrices of Eigen, Wrench, Twist, Pose and Quaternion, and no std::vector, "
        "std::array or text; an input or a parameter is read by *: y = *u; one number does not fill a vector: write "
        "Vector3::Constant(number)");
  }
  typename C::Raw data_[static_cast<std::size_t>(C::rows) * C::cols]{};
};

/// Memory whose size the diagram decides, bound by the engine. Assignment is safe here too: an expression that reads
/// its own target elsewhere than where it writes (`x = A*x`) is evaluated aside first (see assign.h).
template <typename T> class BoundStored {
  using B = Bound<T>;

public:
  CheckedView<typename B::View> operator*() {
    return {B::view(static_cast<typename B::Raw*>(array_.data), array_.rows, array_.cols), {this}};
  }
  typename B::ConstView operator*() const {
    return B::view(static_cast<const typename B::Raw*>(array_.data), array_.rows, array_.cols);
  }
  typename B::Raw* data() { return static_cast<typename B::Raw*>(array_.data); }
  const typename B::Raw* data() const { return static_cast<const typename B::Raw*>(array_.data); }
  Eigen::Index size() const { return Eigen::Index{array_.rows} * array_.cols; }
  Eigen::Index rows() const { return array_.rows; }
  Eigen::Index cols() const { return array_.cols; }

protected:
  /// An expression of Eigen, or one number for all elements.
  template <typename Expression> void set(const Expression& e) {
    if constexpr (IsExpression<Expression>)
      **this = e;
    else
      store_number(B::view(static_cast<typename B::Raw*>(array_.data), array_.rows, array_.cols), e);
  }
  hilda_array array_{};
};

template <int N> class ElementsStored {
public:
  using Raw = double;
  CheckedView<Eigen::Map<Eigen::Array<double, N, 1>>> operator*() {
    return {Eigen::Map<Eigen::Array<double, N, 1>>(data_), {this}};
  }
  Eigen::Map<const Eigen::Array<double, N, 1>> operator*() const {
    return Eigen::Map<const Eigen::Array<double, N, 1>>(data_);
  }
  double* data() { return data_; }
  const double* data() const { return data_; }
  static constexpr Eigen::Index size() { return N; }
  static constexpr Eigen::Index rows() { return N; }
  static constexpr Eigen::Index cols() { return 1; }

protected:
  template <typename Expression> void set(const Expression& e) {
    if constexpr (IsExpression<Expression>)
      if (e.size() != N) [[unlikely]]
        return store_fault.note({this}, {Misfit::whole, N, 1, e.rows(), e.cols()});
    const Eigen::Array<double, N, 1, Eigen::DontAlign> value = e;
    Eigen::Map<Eigen::Array<double, N, 1>> to(data_);
    to = value;
  }
  double data_[static_cast<std::size_t>(N)]{};
};

template <typename T> struct StorageOf : KnownElements<T, FixedSize<T>> { using type = Stored<T>; };
template <BoundSize T> struct StorageOf<T> { using type = BoundStored<T>; };
template <int N>
requires(N > 0) struct StorageOf<Elements<N>> {
  using type = ElementsStored<N>;
};
template <typename T> using Storage = typename StorageOf<T>::type;

template <typename T> constexpr bool elements_of_fixed_size = false;
template <int N> constexpr bool elements_of_fixed_size<Elements<N>> = N > 0;
template <int N> constexpr int element_count(Elements<N>) { return N; }

/// The constructors that outputs, parameters and states share; `Role` is the only difference.
template <typename T, hilda_role Role, std::uint32_t Flags = 0> class Member : public Storage<T> {
public:
  template <typename... Options>
  requires(FixedSize<T> && (named<T> || unitless<T>))
      Member(Owner, const char* name, const char* doc, const Options&... options) {
    add(fixed_slot<T>(Role, name, nullptr, doc), options...);
  }
  template <typename... Options>
  requires(FixedSize<T> && !named<T> && !unitless<T>)
      Member(Owner, const char* name, const char* unit, const char* doc, const Options&... options) {
    add(fixed_slot<T>(Role, name, unit, doc), options...);
  }
  template <typename... Options>
  requires(BoundSize<T>)
      Member(Owner, const char* name, const char* shape, const char* unit, const char* doc, const Options&... options) {
    add(bound_slot<T>(Role, name, shape, unit, doc), options...);
  }
  template <typename... Options>
  requires(elements_of_fixed_size<T>)
      Member(Owner, const char* name, const char*, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = blank(Role, HILDA_F64, name, doc);
    slot.shape = shape_text(element_count(T{}), 1);
    slot.unit = unit;
    add(slot, options...);
  }
  template <typename... Wrong> Member(Owner, const Wrong&...) {
    static_assert(never<Wrong...>,
                  "hilda: numbers are declared as {*this, \"name\", \"unit\", \"docstring\", attributes...} (\"1\" is "
                  "the unit of a plain number); wrenches, twists, poses, quaternions, booleans and integers without a "
                  "unit; what has its size from the diagram as {*this, \"name\", \"shape\", \"unit\", \"docstring\", "
                  "attributes...}");
  }

private:
  template <typename... Options> void add(hilda_slot slot, const Options&... options) {
    slot.flags |= Flags;
    declare(slot, static_cast<Storage<T>*>(this), options...);
  }
};

} // namespace detail

} // namespace sdk1
} // namespace hilda

#endif
