// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests/mutants/run puts into a copy of the sources: each chosen place does what it did, or, where HILDA_MUTANT
// names its number, something else. So all mutants are one build. Included first in every mutated file; C++20.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

// Flags stay as they are, so that what is not mutated need not be compiled again.
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"

namespace hilda_mutation {

inline constexpr std::size_t most = 1 << 16; ///< mutants

struct State {
  int active = -1;
  unsigned char* reached = nullptr; ///< by number: whether the place was come to; shared with child processes

  State() {
    if (const char* number = std::getenv("HILDA_MUTANT")) active = std::atoi(number);
    const char* file = std::getenv("HILDA_MUTANTS_REACHED");
    if (file == nullptr) return;
    const int descriptor = open(file, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    void* at = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (at != MAP_FAILED) reached = static_cast<unsigned char*>(at);
  }
};

inline const State& state() noexcept {
  static const State of_this_library;
  return of_this_library;
}
inline const bool looked = (state(), true); ///< before a loop in which nothing may be opened

inline bool on(int id) noexcept {
  const State& s = state();
  if (s.reached != nullptr) s.reached[id] = 1;
  return s.active == id;
}

/// Another number of the same type.
template <int id, class T> T number(T value) {
  if (!on(id)) return value;
  if constexpr (std::is_floating_point_v<T>) return value == T(0) ? T(1) : value * T(1.5);
  return static_cast<T>(value + T(1));
}

template <int id, class T> T min(const T& a, const T& b) { return on(id) ? std::max(a, b) : std::min(a, b); }
template <int id, class T> T max(const T& a, const T& b) { return on(id) ? std::min(a, b) : std::max(a, b); }

/// Is between two operators of one precedence: `a + b` becomes `a + Add<7>() + b`, so that neither operand's end
/// need be known.
template <int id> struct Add {};
template <int id> struct Subtract {};
template <int id> struct Multiply {};
template <int id> struct Divide {};
template <int id> struct Less {};
template <int id> struct LessEqual {};
template <int id> struct Greater {};
template <int id> struct GreaterEqual {};
template <int id> struct Equal {};
template <int id> struct Unequal {};

template <class Tag, class T> struct Left {
  T value; ///< or a reference to it
};
template <class Tag, class T> struct Right { T value; };

template <class T, class = void> struct Plain { using type = std::decay_t<T>; };
/// Expressions of Eigen are evaluated: the two operators' are of different types.
template <class T> struct Plain<T, std::void_t<decltype(std::declval<T>().eval())>> {
  using type = std::decay_t<decltype(std::declval<T>().eval())>;
};

#define HILDA_MUTATED_OPERATOR(Tag, op, other)                                                                         \
  template <int id, class T> Left<Tag<id>, T> operator op(T&& value, Tag<id>) { return {std::forward<T>(value)}; }     \
  template <int id, class T, class U> auto operator op(Left<Tag<id>, T> left, U&& right) {                             \
    using Result = typename Plain<decltype(left.value op right)>::type;                                                \
    return on(id) ? Result(left.value other right) : Result(left.value op right);                                      \
  }
HILDA_MUTATED_OPERATOR(Add, +, -)
HILDA_MUTATED_OPERATOR(Subtract, -, +)
HILDA_MUTATED_OPERATOR(Multiply, *, /)
HILDA_MUTATED_OPERATOR(Divide, /, *)
HILDA_MUTATED_OPERATOR(Less, <, <=)
HILDA_MUTATED_OPERATOR(LessEqual, <=, <)
HILDA_MUTATED_OPERATOR(Greater, >, >=)
HILDA_MUTATED_OPERATOR(GreaterEqual, >=, >)
HILDA_MUTATED_OPERATOR(Equal, ==, !=)
HILDA_MUTATED_OPERATOR(Unequal, !=, ==)
#undef HILDA_MUTATED_OPERATOR

#define HILDA_MUTATED_ASSIGNMENT(Tag, op, other)                                                                       \
  template <int id, class T> Right<Tag<id>, T> operator op(Tag<id>, T&& value) { return {std::forward<T>(value)}; }    \
  template <int id, class T, class U> void operator op(T&& left, Right<Tag<id>, U> right) {                            \
    if (on(id))                                                                                                        \
      left other right.value;                                                                                          \
    else                                                                                                               \
      left op right.value;                                                                                             \
  }
HILDA_MUTATED_ASSIGNMENT(Add, +=, -=)
HILDA_MUTATED_ASSIGNMENT(Subtract, -=, +=)
HILDA_MUTATED_ASSIGNMENT(Multiply, *=, /=)
HILDA_MUTATED_ASSIGNMENT(Divide, /=, *=)
#undef HILDA_MUTATED_ASSIGNMENT

} // namespace hilda_mutation
