#pragma once

#include "engine/flatten/flatten.h"
#include "engine/wires/wire_ends.h"

#include <cstddef>
#include <vector>

namespace hilda {

/// A `<connect>` whose ends were found.
struct Connection {
  WireEnd from;
  Location where;
  const ConnectDecl* declared = nullptr;
};

using ConnectionIndex = Index<Connection>;

/// Who drives an input, if anybody does.
struct Driver {
  ConnectionIndex connection{};
  ConnectionIndex vanished{}; ///< one that this mode does not have
};

/// Where a signal comes from in the end.
struct SignalOrigin {
  enum class State {
    driven,  ///< `signal` is an output of a block
    nothing, ///< nobody drives it, and that is allowed
    wrong    ///< reported
  };
  State state = State::wrong;
  PortRef signal;
  std::vector<Location> via; ///< connects on the way, nearest to the destination first; at most sixteen
  std::vector<Note> notes;   ///< why there is nothing
};

/// The ports of all subsystems: who drives them, and where their signals come from. Each is followed once.
/// Codes: undriven-input, undriven-output, wire-loop, unused-input.
class Borders {
public:
  /// `connections` may still grow until the first origin is asked for.
  Borders(Flattened& flat, const Indexed<ConnectionIndex, Connection>& connections, FlattenContext& context);

  /// Makes the ports of an instance known.
  void enter(const Instance& instance);
  Driver& driver(std::size_t border) { return drivers_[border]; }
  /// Somebody reads this port.
  void use(std::size_t border) { used_[border] = true; }

  /// Of what a wire begins at.
  SignalOrigin origin(const WireEnd& from);
  /// Looks at the ports that nobody asked for; fills the promises of ports.
  void finish();

private:
  struct Owner {
    const Instance* instance = nullptr;
    const PortDecl* port = nullptr;
    bool input = false;
  };
  enum class State : unsigned char { fresh, open, done };

  const SignalOrigin& follow(std::size_t border);
  SignalOrigin begin(std::size_t border);
  SignalOrigin extend(const SignalOrigin& before, const WireEnd& from, Location where);
  void report_loop(std::size_t border, const std::vector<std::size_t>& open);
  SignalOrigin undriven(std::size_t border);
  SignalOrigin from_outside(const Owner& owner);
  std::string name(std::size_t border) const;

  Flattened& flat_;
  const Indexed<ConnectionIndex, Connection>& connections_;
  FlattenContext& context_;
  std::vector<Owner> owners_;
  std::vector<Driver> drivers_;
  std::vector<bool> used_;
  std::vector<State> states_;
  std::vector<SignalOrigin> origins_;
};

} // namespace hilda
