#ifndef HILDA_SHAPE_FAULT_H
#define HILDA_SHAPE_FAULT_H

// Assignments whose two sides have different shapes. Eigen compares them in builds for debugging alone; in others the
// block would go on with what lies behind the smaller side. Here they are compared in every build. Who stores has no
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

/// The first assignment that does not fit and has not been told yet. Records may run on several threads: the first one
/// is kept, others come again.
struct ShapeFault {
  enum Stage : int { none, writing, told_by_phase };
  std::atomic<int> stage{none};
  const std::byte* member = nullptr; ///< of the block
  std::int64_t rows = 0, cols = 0, given_rows = 0, given_cols = 0;

  void note(const void* target, Eigen::Index r, Eigen::Index c, Eigen::Index given_r, Eigen::Index given_c) noexcept {
    int free = none;
    if (!stage.compare_exchange_strong(free, writing, std::memory_order_acquire)) return;
    member = static_cast<const std::byte*>(target);
    rows = r, cols = c, given_rows = given_r, given_cols = given_c;
    stage.store(told_by_phase, std::memory_order_release);
  }
  bool pending() const noexcept { return stage.load(std::memory_order_relaxed) == told_by_phase; }
};
inline ShapeFault shape_fault;

/// Has what is assigned the shape of its target? A vector may come as a row.
template <typename View, typename X> bool shapes_fit(const View& to, const X& x) noexcept {
  if constexpr (View::IsVectorAtCompileTime && X::IsVectorAtCompileTime)
    return to.size() == x.size();
  else
    return to.rows() == x.rows() && to.cols() == x.cols();
}

/// Of `count` records of one type: the one whose member was at fault, and what it says of that; null where it was
/// another one's.
inline const char* take_shape_fault(const hilda_slot* slots, std::size_t slot_count, std::size_t record_size,
                                    const void* first, std::uint64_t stride, std::uint64_t count,
                                    const void*& record) noexcept {
  ShapeFault& fault = shape_fault;
  if (fault.stage.load(std::memory_order_acquire) != ShapeFault::told_by_phase) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(first), at = reinterpret_cast<std::uintptr_t>(fault.member);
  if (at < begin) return nullptr;
  const std::uint64_t item = count > 1 ? (at - begin) / stride : 0, offset = at - begin - item * stride;
  if (item >= count || offset >= record_size) return nullptr;
  const char* name = "a member";
  for (std::size_t i = 0; i < slot_count; ++i) {
    const bool second = slots[i].second_offset != 0 && slots[i].second_offset == offset;
    if (slots[i].offset == offset || second) name = slots[i].name;
  }
  std::array<char, 256> text;
  std::snprintf(
      text.data(), text.size(),
      "%s is %lld x %lld, and %lld x %lld is assigned to it: nothing was stored; let both sides have one shape", name,
      static_cast<long long>(fault.rows), static_cast<long long>(fault.cols), static_cast<long long>(fault.given_rows),
      static_cast<long long>(fault.given_cols));
  record = reinterpret_cast<const void*>(begin + item * stride);
  fault.stage.store(ShapeFault::none, std::memory_order_release);
  return kept_text(text.data());
}

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
