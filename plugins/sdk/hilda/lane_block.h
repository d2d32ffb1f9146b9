// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_LANE_BLOCK_H
#define HILDA_LANE_BLOCK_H

// Blocks that are computed several at once. Their records lie in one another (hilda/lanes.h), so that the numbers of
// `Side` blocks are side by side, and one instruction takes one of each.
//
//   template <int Side> struct Lag : LaneBlock<Side> {
//     template <typename M> using Place = Spaced<M, Side>;
//     Place<Input<double>> u{*this, "u", "@u", "Input"};
//     ...
//     static void output_and_update_lanes(Row<Lag> groups) requires(Side > 1);
//   };
//   HILDA_BLOCK_WITH_LANES("Lag", "...", (Lag<4>, Lag<2>), Lag<1>)
//
// Every member is a Place, a private number too, and each is of 8 bytes. The row holds the first block of each group;
// `take` and `put` reach the others next to it. Choices, and which inputs are connected, are alike in a group.

#include <cstring>
#include <hilda/block.h>
#include <hilda/lanes.h>

namespace hilda {
inline namespace sdk1 {

namespace detail {
template <int Side> struct PackOf; // each by itself: gcc forgets a vector size that depends on a template's argument
template <> struct PackOf<1> { using Type = double; };
template <> struct PackOf<2> { using Type = double __attribute__((vector_size(16))); };
template <> struct PackOf<4> { using Type = double __attribute__((vector_size(32))); };
} // namespace detail

/// One number of each block of a group: `+`, `<` and `?:` work on each by itself, with the bits that one alone has.
template <int Side> using Pack = typename detail::PackOf<Side>::Type;

namespace detail {
/// Room of the other blocks of a group behind a member of this one, which never touches it.
template <int Side> class Room { [[maybe_unused]] double beside_[Side - 1]; };
template <> class Room<1> {};
} // namespace detail

/// A block of which `Side` lie in one another; with 1 a block like any other.
template <int Side> struct LaneBlock : Block {
  static constexpr int side = Side;

private:
  [[no_unique_address]] detail::Room<Side> room_;
};

/// A member with room for those of the other blocks behind it.
template <typename M, int Side> class Spaced : public M {
  static_assert(Side == 1 || sizeof(M) == 8, "of blocks side by side, every member is of 8 bytes");

public:
  using M::M;
  using M::operator=;
  Spaced(const Spaced&) = delete;
  /// Of this block alone.
  Spaced& operator=(const Spaced& other) {
    M::operator=(other);
    return *this;
  }

private:
  [[no_unique_address]] detail::Room<Side> room_;
};
/// A number that is not a slot.
template <int Side> class Spaced<double, Side> {
public:
  Spaced() = default;
  Spaced(const Spaced&) = delete;
  Spaced& operator=(const Spaced& other) { return *this = other.value_; }
  Spaced& operator=(double value) {
    value_ = value;
    return *this;
  }
  operator double() const { return value_; }

private:
  double value_ = 0;
  [[no_unique_address]] detail::Room<Side> room_;
};

/// A parameter, a state or work of Rows x Cols numbers, each with room for those of the other blocks.
template <hilda_role Role, int Rows, int Cols, int Side> class SpacedNumbers {
public:
  template <typename... Options>
  SpacedNumbers(Block&, const char* name, const char* unit, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(Role, HILDA_F64, name, doc);
    slot.shape = detail::shape_text(Rows, Cols);
    slot.unit = unit;
    detail::declare(slot, &numbers_, options...);
  }
  static constexpr int size() { return Rows * Cols; }
  Spaced<double, Side>& operator[](int i) { return numbers_[i]; }
  const Spaced<double, Side>& operator[](int i) const { return numbers_[i]; }
  const Spaced<double, Side>& operator()(int row, int col) const { return numbers_[row + col * Rows]; }

private:
  Spaced<double, Side> numbers_[Rows * Cols];
};

/// The numbers of a group.
template <typename M, int Side> [[gnu::always_inline]] inline void take(Pack<Side>& to, const Spaced<M, Side>& from) {
  std::memcpy(&to, static_cast<const void*>(&from), sizeof(to));
}
/// What a connected input reads in each block of a group; often that is what another group has put side by side.
template <typename T, int Side>
[[gnu::always_inline]] inline void take(Pack<Side>& to, const Spaced<Input<T>, Side>& from) {
  const auto* const sources = reinterpret_cast<const double* const*>(&from);
  bool neighbours = true;
  for (int i = 1; i < Side; ++i) neighbours = neighbours && sources[i] == sources[0] + i;
  if (neighbours)
    std::memcpy(&to, sources[0], sizeof(to));
  else
    for (int i = 0; i < Side; ++i) to[i] = *sources[i];
}
template <typename M, int Side> [[gnu::always_inline]] inline void put(Spaced<M, Side>& to, const Pack<Side>& from) {
  std::memcpy(static_cast<void*>(&to), &from, sizeof(from));
}

namespace detail {

#if defined(__x86_64__)
#define HILDA_FOR_FOUR gnu::target("avx2"), gnu::flatten
inline bool computes_four() { return __builtin_cpu_supports("avx2") != 0; }
#else
#define HILDA_FOR_FOUR gnu::flatten
inline bool computes_four() { return false; }
#endif

/// The functions of T for groups. Those for four need what not every processor has.
template <typename T> struct LaneThunks {
  static_assert(T::side == 2 || T::side == 4, "two or four blocks lie side by side");
  static_assert(sizeof(T) % (8 * T::side) == 0, "every member of a LaneBlock is a Spaced one");

  using Many = void (*)(void*, std::uint64_t, std::uint64_t, const hilda_tick*);
#define HILDA_LANE_THUNKS(phase)                                                                                       \
  [[gnu::flatten]] static void phase##_two(void* f, std::uint64_t s, std::uint64_t n, const hilda_tick* t) {           \
    T::phase##_lanes(Row<T>(f, s, n, t));                                                                              \
  }                                                                                                                    \
  [[HILDA_FOR_FOUR]] static void phase##_four(void* f, std::uint64_t s, std::uint64_t n, const hilda_tick* t) {        \
    T::phase##_lanes(Row<T>(f, s, n, t));                                                                              \
  }                                                                                                                    \
  static constexpr Many phase() {                                                                                      \
    if constexpr (!requires { &T::phase##_lanes; })                                                                    \
      return nullptr;                                                                                                  \
    else if constexpr (T::side == 2)                                                                                   \
      return &phase##_two;                                                                                             \
    else                                                                                                               \
      return &phase##_four;                                                                                            \
  }
  HILDA_LANE_THUNKS(state_output)
  HILDA_LANE_THUNKS(output)
  HILDA_LANE_THUNKS(update)
  HILDA_LANE_THUNKS(output_and_update)
#undef HILDA_LANE_THUNKS

  /// Aside, and then cell by cell: a compiler may fill the room between members, which is that of other blocks.
  [[gnu::cold]] static void construct(void* record) {
    constexpr std::size_t cell = 8, apart = cell * T::side;
    alignas(T) unsigned char place[sizeof(T)] = {};
    new (place) T;
    for (std::size_t at = 0; at < sizeof(T); at += apart)
      std::memcpy(static_cast<unsigned char*>(record) + at, place + at, cell);
  }
  static void destroy(void*) {} // every member is a number, a choice or a pointer

  [[gnu::cold]] static const void* extension(const char* name) {
    static constexpr hilda_lanes_1 table{sizeof(hilda_lanes_1), T::side, state_output(), output(), update(),
                                         output_and_update()};
    static constexpr hilda_lanes_1 without_functions{
        sizeof(hilda_lanes_1), T::side, nullptr, nullptr, nullptr, nullptr};
    if (std::string_view(name) != "hilda.lanes/1") return Thunks<T>::extension(name);
    return T::side == 2 || computes_four() ? &table : &without_functions;
  }
};
#undef HILDA_FOR_FOUR

template <typename T> hilda_block_type describe_lanes(const char* name, const char* doc, std::uint32_t flags) {
  hilda_block_type type = describe<T>(name, doc, flags);
  type.construct = &LaneThunks<T>::construct;
  type.destroy = &LaneThunks<T>::destroy;
  type.extension = &LaneThunks<T>::extension;
  return type;
}

template <typename... T> struct LaneTypes {
  /// The types for blocks that lie alone, and behind them these.
  template <typename... Alone> static std::initializer_list<Registration::Describe> describers() {
    static constexpr std::initializer_list<Registration::Describe> all{&describe<Alone>..., &describe_lanes<T>...};
    return all;
  }
};

} // namespace detail
} // namespace sdk1
} // namespace hilda

#define HILDA_LANE_TYPES(...) ::hilda::detail::LaneTypes<__VA_ARGS__>
/// As HILDA_BLOCK_VARIANTS, with types for blocks side by side, the widest first: `(Lag<4>, Lag<2>)`.
#define HILDA_BLOCK_WITH_LANES(name, doc, lanes, ...)                                                                  \
  static const ::hilda::detail::Registration HILDA_CONCATENATE(hilda_registration_, __COUNTER__){                      \
      name, doc, HILDA_LANE_TYPES lanes::describers<__VA_ARGS__>()};

#endif
