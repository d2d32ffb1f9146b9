// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_INPUT_H
#define HILDA_INPUT_H

// What a block reads from wires: Input and the repeated Inputs.

#include <hilda/declare.h>

namespace hilda {
inline namespace sdk1 {

/// An input of fixed size. `*u` reads it by value; `u.connected()` is true if an optional one is driven.
template <typename T> class Input : detail::KnownElements<T, detail::FixedSize<T>> {
  using Codec = detail::KnownCodec<T>;
  using Value = std::conditional_t<detail::FixedSize<T>, T, double>;

public:
  /// wrench, twist, pose, quaternion, booleans and integers: name and doc
  template <typename... Options>
  requires(detail::named<T> || detail::unitless<T>)
      Input(detail::Owner, const char* name, const char* doc, const Options&... options) {
    detail::declare(detail::fixed_slot<T>(HILDA_INPUT, name, nullptr, doc), this, options...);
  }
  /// numbers: name, unit, doc
  template <typename... Options>
  requires(!detail::named<T> && !detail::unitless<T>)
      Input(detail::Owner, const char* name, const char* unit, const char* doc, const Options&... options) {
    detail::declare(detail::fixed_slot<T>(HILDA_INPUT, name, unit, doc), this, options...);
  }
  template <typename... Wrong> Input(detail::Owner, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: numbers are declared as {*this, \"name\", \"unit\", \"docstring\", attributes...} (\"1\" is "
                  "the unit of a plain number); wrenches, twists, poses, quaternions, booleans and integers as {*this, "
                  "\"name\", \"docstring\", attributes...}");
  }
  Value operator*() const { return Codec::load(data_); }
  bool connected() const { return data_ != nullptr; }
  /// the value, or `otherwise` where nothing drives the input
  Value value_or(const Value& otherwise) const { return connected() ? Codec::load(data_) : otherwise; }
  const typename Codec::Raw* data() const { return data_; }

private:
  const typename Codec::Raw* data_ = nullptr;
};

/// An input whose shape the diagram decides ("n", "m n", "*s"). `*u` is an Eigen map.
template <detail::BoundSize T> class Input<T> {
  using Bound = detail::Bound<T>;

public:
  template <typename... Options>
  Input(detail::Owner, const char* name, const char* shape, const char* unit, const char* doc,
        const Options&... options) {
    detail::declare(detail::bound_slot<T>(HILDA_INPUT, name, shape, unit, doc), this, options...);
  }
  template <typename... Wrong> Input(detail::Owner, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: what has its size from the diagram is declared as {*this, \"name\", \"shape\", \"unit\", "
                  "\"docstring\", attributes...}, with a shape such as \"n\", \"m n\" or \"*s\"");
  }
  typename Bound::ConstView operator*() const {
    return Bound::view(static_cast<const typename Bound::Raw*>(view_.data), view_.rows, view_.cols);
  }
  bool connected() const { return view_.data != nullptr; }
  Eigen::Index size() const { return Eigen::Index{view_.rows} * view_.cols; }
  Eigen::Index rows() const { return view_.rows; }
  Eigen::Index cols() const { return view_.cols; }

private:
  hilda_view view_{};
};

/// N elements of any shape, known at compile time: what a variant of a block for one size reads.
template <int N>
requires(N > 0) class Input<Elements<N>> {
public:
  template <typename... Options>
  Input(detail::Owner, const char* name, const char*, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_INPUT, HILDA_F64, name, doc);
    slot.shape = detail::shape_text(N, 1);
    slot.unit = unit;
    detail::declare(slot, this, options...);
  }
  Eigen::Map<const Eigen::Array<double, N, 1>> operator*() const {
    return Eigen::Map<const Eigen::Array<double, N, 1>>(data_);
  }
  bool connected() const { return data_ != nullptr; }
  static constexpr Eigen::Index size() { return N; }
  static constexpr Eigen::Index rows() { return N; }
  static constexpr Eigen::Index cols() { return 1; }

private:
  const double* data_ = nullptr;
};

/// A port given as often as the diagram wires it: u[0], u[1]...
template <typename T> class Inputs : detail::SizedByDiagram<T, false> {
public:
  template <typename... Any> Inputs(detail::Owner, const Any&...) {}
};
template <detail::BoundSize T> class Inputs<T> {
  using Bound = detail::Bound<T>;

public:
  template <typename... Options>
  Inputs(detail::Owner, const char* name, const char* shape, const char* unit, const char* doc,
         const Options&... options) {
    detail::declare(detail::bound_slot<T>(HILDA_INPUT, name, shape, unit, doc, HILDA_REPEATED), this, options...);
  }
  template <typename... Wrong> Inputs(detail::Owner, const Wrong&...) {
    static_assert(detail::never<Wrong...>, "hilda: a repeated port is declared as {*this, \"name\", \"shape\", "
                                           "\"unit\", \"docstring\", attributes...}; the shape of items that are "
                                           "numbers is \"\"");
  }
  Eigen::Index size() const { return static_cast<Eigen::Index>(views_.count); }
  typename Bound::ConstView operator[](Eigen::Index i) const {
    const hilda_view& v = views_.items[i];
    return Bound::view(static_cast<const typename Bound::Raw*>(v.data), v.rows, v.cols);
  }

private:
  hilda_views views_{};
};

/// The same for N elements each, known at compile time.
template <int N>
requires(N > 0) class Inputs<Elements<N>> {
public:
  template <typename... Options>
  Inputs(detail::Owner, const char* name, const char*, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_INPUT, HILDA_F64, name, doc);
    slot.shape = detail::shape_text(N, 1);
    slot.unit = unit;
    slot.flags |= HILDA_BOUND | HILDA_REPEATED;
    detail::declare(slot, this, options...);
  }
  Eigen::Index size() const { return static_cast<Eigen::Index>(views_.count); }
  Eigen::Map<const Eigen::Array<double, N, 1>> operator[](Eigen::Index i) const {
    return Eigen::Map<const Eigen::Array<double, N, 1>>(static_cast<const double*>(views_.items[i].data));
  }

private:
  hilda_views views_{};
};

} // namespace sdk1
} // namespace hilda

#endif
