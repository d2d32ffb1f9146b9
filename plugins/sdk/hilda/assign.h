// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_ASSIGN_H
#define HILDA_ASSIGN_H

// How an expression is stored in memory whose size the diagram decides: as if all of it had been evaluated before the
// first number is written. A walk over the expression, inlined to a few comparisons of pointers, finds whether it reads
// its target elsewhere than where it writes; only then is it evaluated aside.

#include <Eigen/Core>
#include <cstddef>
#include <type_traits>

namespace hilda {
inline namespace sdk1 {
namespace detail {

/// Where the target lies.
struct Extent {
  const std::byte *begin, *end;
  Eigen::Index stride; ///< between its columns; 0 where it is one column
};

template <typename X> constexpr bool keeps_places = false; ///< element i of X needs element i of what it is made of
template <typename F, typename A> constexpr bool keeps_places<Eigen::CwiseUnaryOp<F, A>> = true;
template <typename F, typename A> constexpr bool keeps_places<Eigen::CwiseUnaryView<F, A>> = true;
template <typename F, typename A, typename B> constexpr bool keeps_places<Eigen::CwiseBinaryOp<F, A, B>> = true;
template <typename A> constexpr bool keeps_places<Eigen::ArrayWrapper<A>> = true;
template <typename A> constexpr bool keeps_places<Eigen::MatrixWrapper<A>> = true;

template <typename X> constexpr bool is_nullary = false;
template <typename F, typename P> constexpr bool is_nullary<Eigen::CwiseNullaryOp<F, P>> = true;
template <typename X> constexpr bool is_selection = false;
template <typename C, typename A, typename B> constexpr bool is_selection<Eigen::Select<C, A, B>> = true;

/// Numbers in memory: they may overlap the target, but for those that lie exactly where the target does and are needed
/// for their own place alone.
template <typename X> bool leaf_overlaps(const X& x, const Extent& target, bool in_place) {
  if (x.size() == 0) return false;
  using Scalar = typename X::Scalar;
  const Eigen::Index inner = x.innerStride(), outer = x.outerStride();
  const Eigen::Index last = inner * (x.innerSize() - 1) + outer * (x.outerSize() - 1);
  const auto* const first = reinterpret_cast<const std::byte*>(x.data());
  const auto* const end = first + (last + 1) * static_cast<Eigen::Index>(sizeof(Scalar));
  if (inner < 0 || outer < 0) return true;
  if (end <= target.begin || target.end <= first) return false;
  const bool columns = x.outerSize() == 1 || (!X::IsRowMajor && outer == target.stride);
  return !(in_place && first == target.begin && inner == 1 && columns);
}

/// True unless evaluating and storing `x` element by element gives what evaluating it beforehand would give.
/// `in_place`: element i of the whole needs element i of x alone. An unknown case counts as true.
template <typename X> bool overlaps(const X& x, const Extent& target, bool in_place) {
  constexpr bool keeps = keeps_places<X>;
  if constexpr (is_nullary<X>)
    return false;
  else if constexpr (is_selection<X>)
    return overlaps(x.conditionMatrix(), target, in_place) || overlaps(x.thenMatrix(), target, in_place) ||
           overlaps(x.elseMatrix(), target, in_place);
  else if constexpr (bool(Eigen::internal::has_direct_access<X>::ret))
    return leaf_overlaps(x, target, in_place);
  else if constexpr (requires { x.lhs(), x.rhs(); })
    return overlaps(x.lhs(), target, in_place && keeps) || overlaps(x.rhs(), target, in_place && keeps);
  else if constexpr (requires { x.nestedExpression(); })
    return overlaps(x.nestedExpression(), target, in_place && keeps);
  else
    return true;
}

template <typename View, typename X> void write(View& to, const X& x) {
  if constexpr (std::is_base_of_v<Eigen::MatrixBase<X>, X>)
    to.noalias() = x;
  else
    to = x;
}

/// Room for the detour. The loop may not allocate: only what no stack should hold comes from the heap.
constexpr std::size_t small_room = 64, large_room = std::size_t{1} << 15; // numbers: 512 bytes, 256 KB

template <std::size_t Room, typename View, typename X> [[gnu::noinline]] void store_aside(View& to, const X& x) {
  typename View::Scalar room[Room];
  View aside(room, to.rows(), to.cols());
  write(aside, x);
  to = aside;
}

template <typename View, typename X> [[gnu::noinline]] void store_over_heap(View& to, const X& x) {
  const typename View::PlainObject aside = x;
  to = aside;
}

/// `to = x`, whatever x reads.
template <typename View, typename X> void store(View to, const X& x) {
  if constexpr (std::is_base_of_v<Eigen::EigenBase<X>, X>) {
    const auto* const begin = reinterpret_cast<const std::byte*>(to.data());
    const auto size = static_cast<std::size_t>(to.size());
    const Extent target{begin, begin + size * sizeof(typename View::Scalar), to.outerStride()};
    if (!overlaps(x, target, true))
      write(to, x);
    else if (size <= small_room)
      store_aside<small_room>(to, x);
    else if (size <= large_room)
      store_aside<large_room>(to, x);
    else
      store_over_heap(to, x);
  } else
    to = x;
}

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
