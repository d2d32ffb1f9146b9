// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_DECLARE_H
#define HILDA_DECLARE_H

// How the members of a block become slots of its descriptor: while a prototype is constructed, every member's
// constructor adds itself to the declaration that is being recorded; at any other time it does nothing.

#include <cstddef>
#include <deque>
#include <hilda/limits.h>
#include <hilda/types.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hilda {
inline namespace sdk1 {

class Block;
class Parts;

/// Attributes of a slot, given after its docstring.
struct Flag {
  std::uint32_t bits;
};
inline constexpr Flag optional{HILDA_OPTIONAL};       ///< input: may stay undriven
inline constexpr Flag expected{HILDA_EXPECTED};       ///< optional input: noted where it is open, with its docstring
inline constexpr Flag in_update{HILDA_IN_UPDATE};     ///< input: never read by output, breaks loops
inline constexpr Flag conditional{HILDA_CONDITIONAL}; ///< input, output: feeds through where feeds_through() says so
inline constexpr Flag primes{HILDA_PRIMES};           ///< input: read by prime() before the first outputs
inline constexpr Flag from_state{HILDA_STATE_OUTPUT}; ///< output: depends on state and time alone
inline constexpr Flag actuation{HILDA_ACTUATION};     ///< input: moves something; the safety stage guards it
inline constexpr Flag crossing{HILDA_CROSSING};       ///< output: the solver locates its sign changes
inline constexpr Flag rotational{HILDA_ROTATIONAL};   ///< N m, kg m2 ... about an axis
inline constexpr Flag live{HILDA_LIVE};               ///< parameter: may change between two ticks
inline constexpr Flag reconfigure{HILDA_RECONFIGURE}; ///< parameter: may change while the loop stands
inline constexpr Flag measurement{HILDA_MEASUREMENT}; ///< output written by acquire, recorded losslessly
inline constexpr Flag unrecorded{HILDA_UNRECORDED};   ///< output: left out of the log unless asked for
inline constexpr Flag rng{HILDA_RNG};                 ///< state: of a random generator
inline constexpr Flag modal{HILDA_MODE};              ///< state: a mode, held until event() or update() writes it

struct Range {
  double minimum, maximum;
  std::uint32_t flags;
};
/// Ranges are in the declared unit. at_least, at_most and between allow their ends; above and below do not.
inline Range at_least(double v) { return {v, std::numeric_limits<double>::infinity(), 0}; }
inline Range above(double v) { return {v, std::numeric_limits<double>::infinity(), HILDA_ABOVE}; }
inline Range at_most(double v) { return {-std::numeric_limits<double>::infinity(), v, 0}; }
/// Less than v: v itself is not allowed (HILDA_BELOW). Two ranges go together: above(0.0), below(1.0).
inline Range below(double v) { return {-std::numeric_limits<double>::infinity(), v, HILDA_BELOW}; }
/// From a to b, both allowed.
inline Range between(double a, double b) { return {a, b, 0}; }

namespace detail {
struct LimitedBy {
  const char *lower, *upper;
};
} // namespace detail
/// What keeps an output within limits: real parameters of the block, in the output's unit. "-name" is the negative of
/// one; null: no limit on this side. Who shows a run marks the block while the output is at a limit.
inline detail::LimitedBy between(const char* lower, const char* upper) { return {lower, upper}; }

/// A parameter's default, as a diagram would write it.
struct Default {
  const char* text;
};
inline Default by_default(const char* text) { return {text}; }

/// How often a repeated port is given: an integer parameter's name, or "len(text parameter)".
struct Count {
  const char* text;
};
inline Count as_many_as(const char* text) { return {text}; }

namespace detail {

struct Declaration {
  std::vector<hilda_slot> slots;
  std::vector<hilda_limit> limits;
  hilda_limits_1 limits_table{};
  std::deque<std::string> strings;
  const void* base = nullptr;

  /// A port with parts: what the names of its parts begin with, and the flags of each.
  struct Port {
    const Parts* place;
    std::string beginning;
    std::uint32_t flags;
  };
  std::deque<Port> ports;
  const Port* around = nullptr; ///< the member that declares itself next is a part of it; null: of the block

  const char* keep(std::string text) { return strings.emplace_back(std::move(text)).c_str(); }
  /// Null where no output has limits.
  const hilda_limits_1* limits_if_any() const { return limits_table.limit_count == 0 ? nullptr : &limits_table; }
  void enter(const Parts* place) {
    for (const Port& each : ports)
      if (each.place == place) around = &each;
  }
};

/// Set while a prototype is constructed, on the thread that loads the plugin.
inline Declaration* recording = nullptr;

/// What a member belongs to: its block, or a port with parts of the block (parts.h).
class Owner {
public:
  Owner(Block&) {}
  Owner(const Parts& port);
};

/// The struct at `place` is a port with parts.
[[gnu::cold, gnu::noinline]] inline void declare_port(const Parts* place, const char* name, std::uint32_t flags) {
  if (recording == nullptr) return;
  Declaration::Port port{place, std::string(name) + ".", flags};
  if (const Declaration::Port* around = std::exchange(recording->around, nullptr))
    port.beginning = around->beginning + port.beginning, port.flags |= around->flags;
  recording->ports.push_back(std::move(port));
}

/// A slot of the member that has been constructed last is a part, where its owner is a port with parts.
[[gnu::cold, gnu::noinline]] inline void enter_port(hilda_slot& slot) {
  if (recording == nullptr || recording->around == nullptr) return;
  const Declaration::Port& port = *std::exchange(recording->around, nullptr);
  slot.name = recording->keep(port.beginning + slot.name);
  slot.flags |= port.flags;
  if (slot.role != HILDA_INPUT && slot.role != HILDA_OUTPUT)
    throw std::logic_error(std::string(slot.name) +
                           " is a part of a port, but is neither an input nor an output: declare it in the block");
}

inline void apply(hilda_slot& slot, Flag f) { slot.flags |= f.bits; }
/// A range says something of the ends that it has, so that two of them go together.
inline void apply(hilda_slot& slot, Range r) {
  if (r.minimum > -std::numeric_limits<double>::infinity()) slot.minimum = r.minimum;
  if (r.maximum < std::numeric_limits<double>::infinity()) slot.maximum = r.maximum;
  slot.flags |= r.flags;
}
inline void apply(hilda_slot& slot, Default d) { slot.initial = d.text; }
inline void apply(hilda_slot& slot, Count c) { slot.count = c.text; }
inline void apply(hilda_slot& slot, LimitedBy l) {
  if (recording != nullptr) recording->limits.push_back({slot.name, l.lower, l.upper});
}
template <typename T> void apply(hilda_slot&, const T&) {
  static_assert(never<T>, "hilda: attributes follow the docstring: live, optional, in_update, from_state, "
                          "at_least(0.0), above(0.0), between(0.0, 1.0), by_default(\"3 N\"), as_many_as(\"n\") ...");
}

[[gnu::cold, gnu::noinline]] inline hilda_slot blank(hilda_role role, hilda_element element, const char* name,
                                                     const char* doc) {
  hilda_slot slot{};
  slot.size = sizeof(hilda_slot);
  slot.role = role;
  slot.element = element;
  slot.name = name;
  slot.doc = doc;
  slot.minimum = -std::numeric_limits<double>::infinity();
  slot.maximum = std::numeric_limits<double>::infinity();
  enter_port(slot);
  return slot;
}

/// Adds a slot that lies at `member`; does nothing unless a prototype is being constructed.
[[gnu::cold, gnu::noinline]] inline void add(hilda_slot slot, const void* member) {
  if (recording == nullptr) return;
  slot.offset =
      static_cast<std::uint64_t>(static_cast<const char*>(member) - static_cast<const char*>(recording->base));
  recording->slots.push_back(slot);
}

/// Of the slot that was added last: where its second part lies, which this flag says that it has.
[[gnu::cold, gnu::noinline]] inline void declare_second(hilda_slot_flags flag, const void* member) {
  if (recording == nullptr) return;
  hilda_slot& slot = recording->slots.back();
  slot.flags |= flag;
  slot.second_offset =
      static_cast<std::uint64_t>(static_cast<const char*>(member) - static_cast<const char*>(recording->base));
}

/// Adds a slot with its attributes.
template <typename... Options> void declare(hilda_slot slot, const void* member, const Options&... options) {
  (apply(slot, options), ...);
  add(slot, member);
}

[[gnu::cold, gnu::noinline]] inline const char* shape_text(int rows, int cols) {
  if (recording == nullptr || (rows == 1 && cols == 1)) return "";
  return recording->keep(cols == 1 ? std::to_string(rows) : std::to_string(rows) + " " + std::to_string(cols));
}

template <typename T>
constexpr bool named = KnownCodec<T>::kind == HILDA_WRENCH || KnownCodec<T>::kind == HILDA_TWIST ||
                       KnownCodec<T>::kind == HILDA_POSE || KnownCodec<T>::kind == HILDA_QUATERNION;
template <typename T> constexpr bool unitless = KnownCodec<T>::element != HILDA_F64;

template <typename T> hilda_slot fixed_slot(hilda_role role, const char* name, const char* unit, const char* doc) {
  using C = KnownCodec<T>;
  hilda_slot slot = blank(role, C::element, name, doc);
  slot.kind = C::kind;
  slot.shape = named<T> ? nullptr : shape_text(C::rows, C::cols);
  slot.unit = named<T> ? nullptr : unit;
  return slot;
}

/// Types whose size the diagram decides: what they are made of.
template <typename T> struct Bound;
template <> struct Bound<Vector> {
  using Raw = double;
  static constexpr hilda_element element = HILDA_F64;
  using View = Eigen::Map<Vector>;
  using ConstView = Eigen::Map<const Vector>;
  static ConstView view(const double* p, Eigen::Index rows, Eigen::Index) { return ConstView(p, rows); }
  static View view(double* p, Eigen::Index rows, Eigen::Index) { return View(p, rows); }
};
template <> struct Bound<Matrix> {
  using Raw = double;
  static constexpr hilda_element element = HILDA_F64;
  using View = Eigen::Map<Matrix>;
  using ConstView = Eigen::Map<const Matrix>;
  static ConstView view(const double* p, Eigen::Index rows, Eigen::Index cols) { return ConstView(p, rows, cols); }
  static View view(double* p, Eigen::Index rows, Eigen::Index cols) { return View(p, rows, cols); }
};
template <> struct Bound<Elements<Eigen::Dynamic>> {
  using Raw = double;
  static constexpr hilda_element element = HILDA_F64;
  using View = Eigen::Map<Eigen::ArrayXd>;
  using ConstView = Eigen::Map<const Eigen::ArrayXd>;
  static ConstView view(const double* p, Eigen::Index rows, Eigen::Index cols) { return ConstView(p, rows * cols); }
  static View view(double* p, Eigen::Index rows, Eigen::Index cols) { return View(p, rows * cols); }
};
/// Booleans of any shape.
struct Booleans {};
template <> struct Bound<Booleans> {
  using Raw = std::uint8_t;
  static constexpr hilda_element element = HILDA_U8;
  using View = Eigen::Map<Eigen::Array<std::uint8_t, Eigen::Dynamic, 1>>;
  using ConstView = Eigen::Map<const Eigen::Array<std::uint8_t, Eigen::Dynamic, 1>>;
  static ConstView view(const Raw* p, Eigen::Index rows, Eigen::Index cols) { return ConstView(p, rows * cols); }
  static View view(Raw* p, Eigen::Index rows, Eigen::Index cols) { return View(p, rows * cols); }
};
/// Integers of any shape.
struct Integers {};
template <> struct Bound<Integers> {
  using Raw = std::int64_t;
  static constexpr hilda_element element = HILDA_I64;
  using View = Eigen::Map<Eigen::Array<std::int64_t, Eigen::Dynamic, 1>>;
  using ConstView = Eigen::Map<const Eigen::Array<std::int64_t, Eigen::Dynamic, 1>>;
  static ConstView view(const Raw* p, Eigen::Index rows, Eigen::Index cols) { return ConstView(p, rows * cols); }
  static View view(Raw* p, Eigen::Index rows, Eigen::Index cols) { return View(p, rows * cols); }
};

template <typename T>
concept BoundSize = requires {
  typename Bound<T>::View;
};

template <BoundSize T>
hilda_slot bound_slot(hilda_role role, const char* name, const char* shape, const char* unit, const char* doc,
                      std::uint32_t flags = 0) {
  hilda_slot slot = blank(role, Bound<T>::element, name, doc);
  slot.shape = shape;
  slot.unit = unit;
  slot.flags |= HILDA_BOUND | flags;
  return slot;
}

} // namespace detail

using Booleans = detail::Booleans;
using Integers = detail::Integers;

} // namespace sdk1
} // namespace hilda

#endif
