// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_PARTS_H
#define HILDA_PARTS_H

// A port with named parts: a struct of inputs or outputs that one wire connects.

#include <hilda/declare.h>
#include <type_traits>

namespace hilda {
inline namespace sdk1 {

/// The base of a struct whose members are the parts of a port. The struct says names and units once, for the block that
/// gives the port and for those that take it:
///
///     template <template <typename> class Port> struct CartState : Parts {
///       using Parts::Parts;
///       Port<double> position{*this, "position", "m", "Along the rail"};
///       Port<double> velocity{*this, "velocity", "m/s", "Along the rail"};
///     };
///
/// A block has `CartState<Output> state{*this, "state", from_state}` or `CartState<Input> state{*this, "state"}`.
class Parts {
public:
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  template <typename... Flags>
  requires(std::is_same_v<Flags, Flag>&&...) Parts(detail::Owner, const char* name, const Flags&... of_each_part) {
    detail::declare_port(this, name, (0u | ... | of_each_part.bits));
  }
  template <typename... Wrong> Parts(detail::Owner, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: a port with parts is declared as {*this, \"name\", attributes...}: the attributes, such as "
                  "in_update or from_state, are those of each part");
  }
};

namespace detail {
inline Owner::Owner(const Parts& port) {
  if (recording != nullptr) recording->enter(&port);
}
} // namespace detail

} // namespace sdk1
} // namespace hilda

#endif
