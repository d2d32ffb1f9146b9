// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_STATE_H
#define HILDA_STATE_H

// What a block remembers from tick to tick: State, ContinuousState and Ring; and Work, which it does not.

#include <hilda/storage.h>

namespace hilda {
inline namespace sdk1 {

/// Part of the block's state: checkpointed, reset, recorded by name. Written by initialize, prime and update alone.
template <typename T> class State : public detail::Member<T, HILDA_STATE> {
public:
  /// Not inherited: GCC names the line of a mistake only where the constructor is the class's own.
  template <typename... Arguments>
  State(detail::Owner owner, const Arguments&... arguments) : detail::Member<T, HILDA_STATE>(owner, arguments...) {}
  template <typename E> State& operator=(const E& e) {
    this->set(e);
    return *this;
  }
  State& operator=(const State& other) {
    this->set(*other);
    return *this;
  }
};

/// Memory without meaning between two calls: for intermediate results whose size the diagram decides.
template <typename T> class Work : public detail::Member<T, HILDA_WORK> {
public:
  /// Not inherited: GCC names the line of a mistake only where the constructor is the class's own.
  template <typename... Arguments>
  Work(detail::Owner owner, const Arguments&... arguments) : detail::Member<T, HILDA_WORK>(owner, arguments...) {}
  template <typename E> Work& operator=(const E& e) {
    this->set(e);
    return *this;
  }
  Work& operator=(const Work& other) {
    this->set(*other);
    return *this;
  }
};

/// A state that the solver carries: derivative() writes `x.dot() = ...` (SI unit of x per s).
template <typename T> class ContinuousState {
public:
  template <typename... Arguments>
  ContinuousState(detail::Owner owner, const Arguments&... arguments) : value_(owner, arguments...) {
    detail::declare_second(HILDA_CONTINUOUS, &dot_);
  }
  auto operator*() { return *value_; }
  auto operator*() const { return *static_cast<const State<T>&>(value_); }
  operator T() const requires detail::FixedSize<T> { return *value_; }
  template <typename E> ContinuousState& operator=(const E& e) {
    value_ = e;
    return *this;
  }

  ContinuousState& operator=(const ContinuousState& other) {
    value_ = other.value_;
    return *this;
  }

  class Derivative : public detail::Storage<T> {
  public:
    template <typename E> Derivative& operator=(const E& e) {
      this->set(e);
      return *this;
    }
    Derivative& operator=(const Derivative& other) {
      this->set(*other);
      return *this;
    }
  };
  Derivative& dot() { return dot_; }

private:
  State<T> value_;
  Derivative dot_;
};

/// A value whose sign changes are located where a step is variable, such as how far a signal is from a limit. output()
/// writes it where Tick::located() says so, and computes as side() says: -1, 0 or 1, held within a step. It takes part
/// in no log and in no checkpoint.
template <typename T> class Crossing {
public:
  template <typename... Arguments>
  Crossing(detail::Owner owner, const Arguments&... arguments) : distance_(owner, arguments...) {
    detail::declare_second(HILDA_CROSSING, &side_);
  }
  template <typename E> Crossing& operator=(const E& e) {
    distance_ = e;
    return *this;
  }
  Crossing& operator=(const Crossing& other) {
    distance_ = other.distance_;
    return *this;
  }
  auto operator*() { return *distance_; }
  double side(Eigen::Index i = 0) const { return side_.data()[i]; }
  /// Writes element `i`, and says whether it counts as positive: as its side says, and as it is where it has none yet.
  bool positive(double distance, Eigen::Index i = 0) {
    distance_.data()[i] = distance;
    return side(i) != 0 ? side(i) > 0 : distance > 0;
  }
  const double* distances() const { return distance_.data(); }

private:
  Work<T> distance_;
  detail::Storage<T> side_;
};

/// The last `capacity` values: line[0] is the oldest, push() replaces it. configure() says how many: line.resize(n).
template <typename T = Vector> class Ring {
  static_assert(detail::BoundSize<T>, "hilda: a ring's entries have the shape that its declaration says: write Ring<> "
                                      "and, say, {*this, \"line\", \"3\", \"m\", \"docstring\"}");

public:
  template <typename... Options>
  Ring(detail::Owner, const char* name, const char* shape, const char* unit, const char* doc,
       const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_STATE, HILDA_F64, name, doc);
    slot.shape = shape;
    slot.unit = unit;
    slot.flags |= HILDA_RING;
    detail::declare(slot, this, options...);
  }
  template <typename... Wrong> Ring(detail::Owner, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: a ring is declared as {*this, \"name\", \"shape\", \"unit\", \"docstring\", "
                  "attributes...}; the shape of one entry that is a number is \"\"");
  }
  /// in configure() alone
  void resize(std::int64_t capacity) { ring_.capacity = capacity; }
  std::int64_t size() const { return ring_.capacity; }
  /// i = 0: the oldest; size() - 1: the newest
  Eigen::Map<const Eigen::ArrayXd> operator[](std::int64_t i) const {
    const std::int64_t at = ring_.head + i;
    return {entry(at < ring_.capacity ? at : at - ring_.capacity), width()};
  }
  template <typename E> void push(const E& e) {
    if (ring_.capacity == 0) return;
    const Eigen::Map<Eigen::ArrayXd> to(entry(ring_.head), width());
    if constexpr (detail::IsExpression<E>) {
      const auto& x = detail::expression(e);
      if (x.size() != width()) [[unlikely]]
        return detail::store_fault.note({this}, {detail::Misfit::whole, width(), 1, x.rows(), x.cols()});
      if constexpr (std::is_base_of_v<Eigen::MatrixBase<std::decay_t<decltype(x)>>, std::decay_t<decltype(x)>>)
        detail::store(to, x.reshaped().array());
      else
        detail::store(to, x);
    } else
      detail::store_number(to, e);
    if (++ring_.head == ring_.capacity) ring_.head = 0;
  }
  template <typename E> void fill(const E& e) {
    for (std::int64_t i = 0; i < ring_.capacity; ++i) push(e);
  }

private:
  Eigen::Index width() const { return Eigen::Index{ring_.rows} * ring_.cols; }
  double* entry(std::int64_t i) const { return static_cast<double*>(ring_.data) + i * width(); }
  hilda_ring ring_{};
};

} // namespace sdk1
} // namespace hilda

#endif
