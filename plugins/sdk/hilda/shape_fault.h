// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_SHAPE_FAULT_H
#define HILDA_SHAPE_FAULT_H

// Assignments whose two sides have different shapes. Eigen compares them in builds for debugging alone; in others the
// block would continue with what lies behind the smaller side. Here they are compared in every build. Who stores has no
// tick, and the loop throws nothing: what does not fit is not stored, and the end of the phase fails the run.

#include <Eigen/Core>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <hilda/abi.h>
#include <type_traits>

namespace hilda {
inline namespace sdk1 {
namespace detail {

/// Keeps a text for as long as the engine may read it: of what a block says, the last sixteen.
inline const char* kept_text(const char* text) noexcept {
  constexpr std::size_t count = 16, room = 512;
  static std::array<std::array<char, room>, count> texts;
  static std::atomic<std::size_t> next{0};
  if (text == nullptr) return nullptr;
  std::array<char, room>& to = texts[next.fetch_add(1, std::memory_order_relaxed) % count];
  std::strncpy(to.data(), text, room - 1);
  return to.data();
}

/// The place of a store: a member of a block, or item `item` of a repeated one.
struct Target {
  const void* member = nullptr;
  std::int64_t item = -1;
};

/// One assignment that does not fit: what the target has (rows, columns) and what was assigned.
struct Misfit {
  enum Of { whole, part, beyond, list } of = whole; ///< of the member, of a part of it, of what is outside of it
  std::int64_t rows = 0, cols = 0, given_rows = 0, given_cols = 0;
};

/// The first assignment that does not fit and has not been reported yet. Records may run on several threads: the first
/// one is kept, others come again.
struct StoreFault {
  enum Stage : int { none, writing, told_by_phase };
  std::atomic<int> stage{none};
  Target target;
  Misfit misfit;

  [[gnu::cold, gnu::noinline]] void note(const Target& of, const Misfit& what) noexcept {
    int free = none;
    if (!stage.compare_exchange_strong(free, writing, std::memory_order_acquire)) return;
    target = of, misfit = what;
    stage.store(told_by_phase, std::memory_order_release);
  }
  bool pending() const noexcept { return stage.load(std::memory_order_relaxed) == told_by_phase; }
};
inline StoreFault store_fault;

/// The expression behind a type that derives from one, such as Wrench.
template <typename D> const D& expression(const Eigen::EigenBase<D>& x) { return x.derived(); }
template <typename X>
concept IsExpression = requires(const X& x) {
  expression(x);
};

template <typename X> constexpr bool is_vector = false;
template <typename X>
requires(bool(X::IsVectorAtCompileTime)) constexpr bool is_vector<X> = true;

/// Has what is assigned the shape of its target? A vector may come as a row.
template <typename View, typename X> bool shapes_fit(const View& to, const X& x) noexcept {
  if constexpr (is_vector<View> && is_vector<X>)
    return to.size() == x.size();
  else
    return to.rows() == x.rows() && to.cols() == x.cols();
}

/// The fault in words, of the member `name`.
inline const char* text_of(const Misfit& fault, const char* name) noexcept {
  static constexpr std::array<const char*, 4> formats{
      "%s is %lld x %lld, and %lld x %lld is assigned to it: nothing was stored; let both sides have one shape",
      "a part of %s is %lld x %lld, and %lld x %lld is assigned to it: nothing was stored; let both sides have one "
      "shape",
      "a part of %s, %lld x %lld, is not within its %lld x %lld: nothing was stored; let the part be within it",
      "%s is %lld x %lld, and a list of %lld numbers is assigned to it: list one number for each"};
  std::array<char, 256> text;
  const auto number = [](std::int64_t n) { return static_cast<long long>(n); };
  std::snprintf(text.data(), text.size(), formats[fault.of], name, number(fault.rows), number(fault.cols),
                number(fault.given_rows), number(fault.given_cols));
  return kept_text(text.data());
}

/// Of `count` records of one type: the one whose member was at fault, and what it says of that; null where it was
/// another one's.
inline const char* take_store_fault(const hilda_slot* slots, std::size_t slot_count, std::size_t record_size,
                                    const void* first, std::uint64_t stride, std::uint64_t count,
                                    const void*& record) noexcept {
  StoreFault& fault = store_fault;
  if (fault.stage.load(std::memory_order_acquire) != StoreFault::told_by_phase) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(first),
             at = reinterpret_cast<std::uintptr_t>(fault.target.member);
  if (at < begin) return nullptr;
  const std::uint64_t item = count > 1 ? (at - begin) / stride : 0, offset = at - begin - item * stride;
  if (item >= count || offset >= record_size) return nullptr;
  const char* member = "a member";
  for (std::size_t i = 0; i < slot_count; ++i) {
    const bool second = slots[i].second_offset != 0 && slots[i].second_offset == offset;
    if (slots[i].offset == offset || second) member = slots[i].name;
  }
  std::array<char, 96> name;
  if (fault.target.item < 0)
    std::snprintf(name.data(), name.size(), "%s", member);
  else
    std::snprintf(name.data(), name.size(), "%s[%lld]", member, static_cast<long long>(fault.target.item));
  const char* const text = text_of(fault.misfit, name.data());
  record = reinterpret_cast<const void*>(begin + item * stride);
  fault.stage.store(StoreFault::none, std::memory_order_release);
  return text;
}

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
