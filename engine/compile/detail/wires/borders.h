// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/compile/detail/wires/wire_ends.h"
#include "engine/modules.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::compile {

/// A `<connect>` whose ends were found.
struct Connection {
  WireEnd from;
  Location where;
  const ConnectDecl* declared = nullptr;
  std::string_view part{}; ///< ".position": of a wire to an input with parts, which is one for each of them
};

using ConnectionIndex = Index<Connection>;

/// Who drives an input, if anyone does.
struct Driver {
  ConnectionIndex connection{};
  ConnectionIndex vanished{}; ///< one that this mode does not have
};

/// Several signals on one wire: those of a bundle, or of a block's output with parts.
struct Bus {
  JunctionIndex bundle{};
  BlockIndex block{};
  const PartedPort* port = nullptr; ///< of `block`; null: of `bundle`
};

/// Where a signal comes from in the end.
struct SignalOrigin {
  enum class State {
    driven,  ///< `signal` is an output of a block
    bus,     ///< several signals, those of `bus`
    nothing, ///< no one drives it, and that is allowed
    wrong    ///< reported
  };
  State state = State::wrong;
  PortRef signal;
  Bus bus;
  std::vector<Location> via;         ///< connects on the way, nearest to the destination first; at most sixteen
  std::vector<Passage> through = {}; ///< junctions on the way, nearest to the source first
  std::vector<Note> notes;           ///< why there is nothing
};

/// The ports of all subsystems and junctions: who drives them, and where their signals come from. Each is followed
/// once. Codes: undriven-input, undriven-output, wire-loop, unused-input, unknown-part, bus-part, bus-signal,
/// bus-too-large, port-promise.
class Borders {
public:
  /// `connections` may still grow until the first origin is asked for.
  Borders(Flattened& flat, const Indexed<ConnectionIndex, Connection>& connections, FlattenContext& context);

  /// Makes the ports of an instance known.
  void enter(const Instance& instance);
  Driver& driver(std::size_t border) { return drivers_[border]; }
  /// A wire to one of this subsystem's inputs has been refused: none of them is reported as undriven.
  void excuse(const Instance& instance) { excused_.insert(&instance); }
  /// Someone reads this port.
  void use(std::size_t border) { used_[border] = true; }

  /// Of what a wire begins at, which `text` names: one signal. A bus is refused at `where`.
  SignalOrigin origin(const WireEnd& from, const std::string& text, Location where);
  /// The same where it may be a bus.
  SignalOrigin whole(const WireEnd& from, Location where);
  const std::vector<std::string>& parts(const Bus& bus) const;
  /// Where a bus comes from, for messages.
  Note note(const Bus& bus) const;
  /// Looks at the ports that no one asked for; fills the promises of ports.
  void finish();

private:
  struct Owner {
    const Instance* instance = nullptr;
    const PortDecl* port = nullptr;
    bool input = false;
    JunctionIndex junction{}; ///< whose input it is; none: a subsystem's
  };
  enum class State : unsigned char { fresh, open, done };

  const SignalOrigin& follow(std::size_t border);
  SignalOrigin begin(std::size_t border);
  enum class Hop { counts, is_last };
  SignalOrigin extend(const SignalOrigin& before, const WireEnd& from, Location where, Hop hop);
  SignalOrigin part_of_bus(const SignalOrigin& bus, const WireEnd& from, Location where);
  SignalOrigin part_of_bundle(SignalOrigin at, const std::string& part);
  SignalOrigin part_of_block(SignalOrigin at, const std::string& part) const;
  bool parts_exist(const SignalOrigin& signal, const WireEnd& from, Location where);
  void finish_port(const Owner& owner, const SignalOrigin& origin, std::size_t border);
  void name_parts(const std::string& name, const SignalOrigin& bus, Location where);
  std::string bus_name(const Bus& bus) const;
  std::string bus_text(const Bus& bus) const;
  void report_loop(std::size_t border, const std::vector<std::size_t>& open);
  SignalOrigin undriven(std::size_t border);
  SignalOrigin undriven_junction(std::size_t border);
  SignalOrigin from_outside(const Owner& owner);
  std::string name(std::size_t border) const;

  Flattened& flat_;
  const Indexed<ConnectionIndex, Connection>& connections_;
  FlattenContext& context_;
  std::vector<Owner> owners_;
  std::vector<Driver> drivers_;
  std::vector<bool> used_;
  std::set<const Instance*> excused_; ///< looked up only, never walked
  std::vector<State> states_;
  std::vector<SignalOrigin> origins_;
  int depth_ = 0;                        ///< of buses within one another that are followed now
  std::size_t bus_names_left_ = 200'000; ///< of signals in buses, as logs know them
};

} // namespace hilda::compile
