#pragma once

// The members a block is made of: Input, Output, Parameter, State, ContinuousState, Ring, Work, and the repeated
// Inputs and Outputs. Each declares itself (see declare.h) and knows how to read and write its place in the record.

#include <charconv>
#include <cstring>
#include <hilda/assign.h>
#include <hilda/declare.h>

namespace hilda {
inline namespace sdk1 {

/// An input of fixed size. `*u` reads it by value; `u.connected()` tells whether an optional one is driven.
template <typename T> class Input {
  using Codec = detail::Codec<T>;

public:
  /// wrench, twist, pose, quaternion, booleans and integers: name and doc
  template <typename... Options>
  requires(detail::named<T> || detail::unitless<T>)
      Input(Block&, const char* name, const char* doc, const Options&... options) {
    detail::declare(detail::fixed_slot<T>(HILDA_INPUT, name, nullptr, doc), this, options...);
  }
  /// numbers: name, unit, doc
  template <typename... Options>
  requires(!detail::named<T> && !detail::unitless<T>)
      Input(Block&, const char* name, const char* unit, const char* doc, const Options&... options) {
    detail::declare(detail::fixed_slot<T>(HILDA_INPUT, name, unit, doc), this, options...);
  }
  T operator*() const { return Codec::load(data_); }
  bool connected() const { return data_ != nullptr; }
  /// the value, or `otherwise` where nothing drives the input
  T value_or(const T& otherwise) const { return connected() ? Codec::load(data_) : otherwise; }
  const typename Codec::Raw* data() const { return data_; }

private:
  const typename Codec::Raw* data_ = nullptr;
};

/// An input whose shape the diagram decides ("n", "m n", "*s"). `*u` is an Eigen map.
template <detail::BoundSize T> class Input<T> {
  using Bound = detail::Bound<T>;

public:
  template <typename... Options>
  Input(Block&, const char* name, const char* shape, const char* unit, const char* doc, const Options&... options) {
    detail::declare(detail::bound_slot<T>(HILDA_INPUT, name, shape, unit, doc), this, options...);
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
  Input(Block&, const char* name, const char*, const char* unit, const char* doc, const Options&... options) {
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
template <typename T> class Inputs;
template <detail::BoundSize T> class Inputs<T> {
  using Bound = detail::Bound<T>;

public:
  template <typename... Options>
  Inputs(Block&, const char* name, const char* shape, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = detail::bound_slot<T>(HILDA_INPUT, name, shape, unit, doc);
    slot.flags |= HILDA_REPEATED;
    detail::declare(slot, this, options...);
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
  Inputs(Block&, const char* name, const char*, const char* unit, const char* doc, const Options&... options) {
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

namespace detail {

/// Fixed-size memory inside the record. Assignment evaluates first and stores then, so `x = f(x)` is safe.
template <typename T> class Stored {
  using C = Codec<T>;

public:
  T operator*() const { return C::load(data_); }
  operator T() const { return C::load(data_); }
  typename C::Raw* data() { return data_; }
  const typename C::Raw* data() const { return data_; }

protected:
  void set(const T& value) { C::store(data_, value); }
  typename C::Raw data_[static_cast<std::size_t>(C::rows) * C::cols]{};
};

/// Memory whose size the diagram decides, bound by the engine. Assignment is safe here too: an expression that reads
/// its own target elsewhere than where it writes (`x = A*x`) is evaluated aside first (see assign.h).
template <typename T> class BoundStored {
  using B = Bound<T>;

public:
  typename B::View operator*() { return B::view(static_cast<typename B::Raw*>(array_.data), array_.rows, array_.cols); }
  typename B::ConstView operator*() const {
    return B::view(static_cast<const typename B::Raw*>(array_.data), array_.rows, array_.cols);
  }
  typename B::Raw* data() { return static_cast<typename B::Raw*>(array_.data); }
  const typename B::Raw* data() const { return static_cast<const typename B::Raw*>(array_.data); }
  Eigen::Index size() const { return Eigen::Index{array_.rows} * array_.cols; }
  Eigen::Index rows() const { return array_.rows; }
  Eigen::Index cols() const { return array_.cols; }

protected:
  template <typename Expression> void set(const Expression& e) { store(**this, e); }
  hilda_array array_{};
};

template <int N> class ElementsStored {
public:
  using Raw = double;
  Eigen::Map<Eigen::Array<double, N, 1>> operator*() { return Eigen::Map<Eigen::Array<double, N, 1>>(data_); }
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
    const Eigen::Array<double, N, 1, Eigen::DontAlign> value = e;
    **this = value;
  }
  double data_[static_cast<std::size_t>(N)]{};
};

template <typename T> struct StorageOf { using type = Stored<T>; };
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
      Member(Block&, const char* name, const char* doc, const Options&... options) {
    add(fixed_slot<T>(Role, name, nullptr, doc), options...);
  }
  template <typename... Options>
  requires(FixedSize<T> && !named<T> && !unitless<T>)
      Member(Block&, const char* name, const char* unit, const char* doc, const Options&... options) {
    add(fixed_slot<T>(Role, name, unit, doc), options...);
  }
  template <typename... Options>
  requires(BoundSize<T>) Member(Block&, const char* name, const char* shape, const char* unit, const char* doc,
                                const Options&... options) {
    add(bound_slot<T>(Role, name, shape, unit, doc), options...);
  }
  template <typename... Options>
  requires(elements_of_fixed_size<T>)
      Member(Block&, const char* name, const char*, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = blank(Role, HILDA_F64, name, doc);
    slot.shape = shape_text(element_count(T{}), 1);
    slot.unit = unit;
    add(slot, options...);
  }

private:
  template <typename... Options> void add(hilda_slot slot, const Options&... options) {
    slot.flags |= Flags;
    declare(slot, static_cast<Storage<T>*>(this), options...);
  }
};

} // namespace detail

/// An output. `y = expression` evaluates and stores.
template <typename T> class Output : public detail::Member<T, HILDA_OUTPUT> {
public:
  using detail::Member<T, HILDA_OUTPUT>::Member;
  template <typename E> Output& operator=(const E& e) {
    this->set(e);
    return *this;
  }
  Output& operator=(const Output& other) {
    this->set(*other);
    return *this;
  }
};

/// Part of the block's state: checkpointed, reset, recorded by name. Written by initialize, prime and update alone.
template <typename T> class State : public detail::Member<T, HILDA_STATE> {
public:
  using detail::Member<T, HILDA_STATE>::Member;
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
  using detail::Member<T, HILDA_WORK>::Member;
  template <typename E> Work& operator=(const E& e) {
    this->set(e);
    return *this;
  }
  Work& operator=(const Work& other) {
    this->set(*other);
    return *this;
  }
};

/// A parameter: read only for the block.
template <typename T> class Parameter : public detail::Member<T, HILDA_PARAMETER> {
public:
  using detail::Member<T, HILDA_PARAMETER>::Member;
};

template <> class Parameter<Text> {
public:
  template <typename... Options> Parameter(Block&, const char* name, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_TEXT, name, doc);
    slot.shape = "";
    detail::declare(slot, this, options...);
  }
  const char* operator*() const { return text_; }

private:
  const char* text_ = "";
};

/// An expression that the block reads by itself. What `${}` brings into it are constants: `${gain}` keeps its value
/// whatever stands around it, and columns are those of the text in the diagram.
template <> class Parameter<Expression> {
public:
  struct Constant {
    std::string name; ///< letters, digits and "${}_"
    double number;    ///< SI
  };
  template <typename... Options> Parameter(Block&, const char* name, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_TEXT, name, doc);
    slot.shape = "";
    slot.flags |= HILDA_EXPRESSION;
    detail::declare(slot, this, options...);
  }
  /// The text, with the constants' names in it.
  std::string operator*() const { return std::string(text_, std::strcspn(text_, "\x1f")); }
  std::vector<Constant> constants() const {
    std::vector<Constant> found;
    for (const char* at = std::strchr(text_, '\x1f'); at != nullptr; at = std::strchr(at, '\x1f')) {
      const char* const name = at + 1;
      const char* const number = std::strchr(name, '=');
      if (number == nullptr) break;
      at = number + std::strcspn(number, "\x1f");
      double value = 0;
      std::from_chars(number + 1, at, value);
      found.push_back({std::string(name, number), value});
    }
    return found;
  }

private:
  const char* text_ = "";
};

template <> class Parameter<Path> {
public:
  template <typename... Options> Parameter(Block&, const char* name, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_PATH, name, doc);
    slot.shape = "";
    detail::declare(slot, this, options...);
  }
  const char* operator*() const { return path_; }

private:
  const char* path_ = "";
};

/// One of a few words. `*choice` is the index of the word.
template <> class Parameter<Choice> {
public:
  template <typename... Options>
  Parameter(Block&, const char* name, const char* words, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_CHOICE, name, doc);
    slot.shape = "";
    slot.choices = words;
    detail::declare(slot, this, options...);
  }
  std::int64_t operator*() const { return index_; }

private:
  std::int64_t index_ = 0;
};

/// A state that the solver carries: derivative() writes `x.dot() = ...` (SI unit of x per s).
template <typename T> class ContinuousState {
public:
  template <typename... Arguments>
  ContinuousState(Block& block, const Arguments&... arguments) : value_(block, arguments...) {
    if (detail::recording == nullptr) return;
    hilda_slot& slot = detail::recording->slots.back();
    slot.flags |= HILDA_CONTINUOUS;
    slot.second_offset = static_cast<std::uint64_t>(reinterpret_cast<const char*>(&dot_) -
                                                    static_cast<const char*>(detail::recording->base));
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

/// The last `capacity` values: line[0] is the oldest, push() replaces it. configure() says how many: line.resize(n).
template <typename T = Vector> class Ring {
public:
  template <typename... Options>
  Ring(Block&, const char* name, const char* shape, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_STATE, HILDA_F64, name, doc);
    slot.shape = shape;
    slot.unit = unit;
    slot.flags |= HILDA_RING;
    detail::declare(slot, this, options...);
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
    detail::store(Eigen::Map<Eigen::ArrayXd>(entry(ring_.head), width()), e);
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

/// An output given as often as the diagram says: y[0], y[1]...
template <detail::BoundSize T> class Outputs {
  using Bound = detail::Bound<T>;

public:
  template <typename... Options>
  Outputs(Block&, const char* name, const char* shape, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = detail::bound_slot<T>(HILDA_OUTPUT, name, shape, unit, doc);
    slot.flags |= HILDA_REPEATED;
    detail::declare(slot, this, options...);
  }
  Eigen::Index size() const { return static_cast<Eigen::Index>(arrays_.count); }
  typename Bound::View operator[](Eigen::Index i) {
    const hilda_array& a = arrays_.items[i];
    return Bound::view(static_cast<typename Bound::Raw*>(a.data), a.rows, a.cols);
  }

private:
  hilda_arrays arrays_{};
};

} // namespace sdk1
} // namespace hilda
