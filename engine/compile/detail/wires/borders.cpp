// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/borders.h"

#include "engine/base/error.h"
#include "engine/compile/detail/flatten/variants.h"

#include <algorithm>
#include <utility>

namespace hilda::compile {
namespace {

using Kind = WireEnd::Kind;
constexpr std::size_t most_hops = 16;
constexpr std::size_t most_parts = 4;

/// What a bundle makes, or an output with parts.
SignalOrigin bus_of(const WireEnd& from) {
  SignalOrigin result;
  result.state = SignalOrigin::State::bus;
  result.bus = {from.junction, from.block, from.port};
  return result;
}

} // namespace

Borders::Borders(Flattened& flat, const Indexed<ConnectionIndex, Connection>& connections, FlattenContext& context)
    : flat_(flat), connections_(connections), context_(context), owners_(flat.ports), drivers_(flat.ports),
      used_(flat.ports), states_(flat.ports, State::fresh), origins_(flat.ports) {
  for (const JunctionIndex junction : flat.junctions.indices()) {
    const JunctionPorts& ports = flat.junctions[junction];
    std::size_t next = ports.first_port;
    for (const PortDecl& port : ports.inputs) owners_[next++] = {ports.at, &port, true, junction};
  }
}

void Borders::enter(const Instance& instance) {
  std::size_t next = instance.first_port;
  for (const PortDecl& port : instance.diagram->inputs) owners_[next++] = {&instance, &port, true};
  for (const PortDecl& port : instance.diagram->outputs) owners_[next++] = {&instance, &port, false};
}

std::string Borders::name(std::size_t border) const {
  const Owner& owner = owners_[border];
  if (owner.junction.valid()) return flat_.system.junctions[owner.junction].path + "." + owner.port->name;
  return owner.instance->path_of(owner.port->name);
}

/// One signal or a bus.
SignalOrigin Borders::whole(const WireEnd& from, Location where) {
  SignalOrigin result;
  switch (from.kind) {
  case Kind::block:
    result.state = SignalOrigin::State::driven;
    result.signal = {from.block, from.slot, from.item};
    if (!from.parts.empty()) result.signal.part = parts_of(from.parts);
    break;
  case Kind::border: return extend(follow(from.border), from, where, Hop::is_last);
  case Kind::bus: return extend(bus_of(from), from, where, Hop::is_last);
  case Kind::absent: result.state = SignalOrigin::State::nothing; break;
  case Kind::parts:
  case Kind::wrong: break;
  }
  return result;
}

/// The origin of a signal one wire further: a part of it, by one more connect.
SignalOrigin Borders::extend(const SignalOrigin& before, const WireEnd& from, Location where, Hop hop) {
  using enum SignalOrigin::State;
  SignalOrigin result = before;
  if (result.state != driven && result.state != bus) return result;
  if (hop == Hop::counts && result.via.size() < most_hops) result.via.insert(result.via.begin(), where);
  if (result.state == bus && !from.parts.empty())
    result = part_of_bus(result, from, where);
  else if (!from.parts.empty())
    for (std::string& part : parts_of(from.parts)) result.signal.part.change().push_back(std::move(part));
  if (result.state == driven && !from.parts.empty() && !parts_exist(result, from, where)) return {};
  if (from.junction.valid() && from.kind == Kind::border) {
    const std::vector<std::string> parts = parts_of(from.parts);
    result.through.push_back({from.junction, parts.empty() ? std::string() : parts.front()});
  }
  return result;
}

/// A name of a part, where buses may have parts of any name, is looked at when it is known that this is none.
bool Borders::parts_exist(const SignalOrigin& signal, const WireEnd& from, Location where) {
  const std::vector<std::string>& parts = signal.signal.part;
  const auto wrong =
      std::find_if_not(parts.begin(), parts.end(), [](const std::string& part) { return is_part(part); });
  if (wrong == parts.end() && parts.size() <= most_parts) return true;
  const std::string signal_name =
      from.kind == Kind::border ? name(from.border) : bus_name({from.junction, from.block, from.port});
  if (wrong == parts.end())
    context_.diagnostics.error("unknown-part", where,
                               "the signal of " + hilda::base::in_quotes(signal_name) + " has no part " +
                                   hilda::base::in_quotes(from.parts),
                               "parts of parts end with one number");
  else
    context_.diagnostics.error(
        "unknown-part", where,
        "the signal of " + hilda::base::in_quotes(signal_name) + " has no part " + hilda::base::in_quotes(*wrong),
        context_.suggestions.help(*wrong, part_names(), "it is not a bus; parts are [0], [1]... and"));
  return false;
}

/// Follows a port over all borders to the block behind it, without recursion: chains may be long.
const SignalOrigin& Borders::follow(std::size_t border) {
  std::vector<std::size_t> open;
  std::size_t at = border;
  while (states_[at] == State::fresh) {
    states_[at] = State::open;
    open.push_back(at);
    const ConnectionIndex connection = drivers_[at].connection;
    if (!connection.valid()) break;
    const WireEnd& from = connections_[connection].from;
    if (from.kind != Kind::border) break;
    at = from.border;
    if (states_[at] == State::open) {
      report_loop(at, open);
      states_[at] = State::done;
    }
  }
  for (auto step = open.rbegin(); step != open.rend(); ++step) {
    if (states_[*step] == State::done) continue;
    origins_[*step] = begin(*step);
    states_[*step] = State::done;
  }
  return origins_[border];
}

/// The origin of a port whose driver has been followed already.
SignalOrigin Borders::begin(std::size_t border) {
  const ConnectionIndex index = drivers_[border].connection;
  if (!index.valid()) return undriven(border);
  const Connection& connection = connections_[index];
  if (connection.from.kind == Kind::border)
    return extend(origins_[connection.from.border], connection.from, connection.where, Hop::counts);
  if (connection.from.kind == Kind::bus)
    return extend(bus_of(connection.from), connection.from, connection.where, Hop::counts);
  SignalOrigin result = whole(connection.from, connection.where);
  if (result.state == SignalOrigin::State::driven) result.via.push_back(connection.where);
  return result;
}

void Borders::report_loop(std::size_t border, const std::vector<std::size_t>& open) {
  std::vector<Note> hops;
  const auto first = std::find(open.begin(), open.end(), border);
  for (auto step = first; step != open.end() && hops.size() < most_hops; ++step) {
    const Connection& connection = connections_[drivers_[*step].connection];
    hops.push_back({connection.where, hilda::base::in_quotes(name(*step)) + " is driven by " +
                                          hilda::base::in_quotes(connection.declared->from)});
  }
  context_.diagnostics.error("wire-loop", hops.front().where,
                             "the wire at " + hilda::base::in_quotes(name(border)) +
                                 " goes round in a circle without any block",
                             "drive one of these ports by a block's output", hops);
}

/// An input of the diagram itself: the block that flattening has put there.
SignalOrigin Borders::from_outside(const Owner& owner) {
  SignalOrigin result;
  const auto index = static_cast<std::size_t>(owner.port - owner.instance->diagram->inputs.data());
  const BlockIndex block = owner.instance->sources[index];
  if (!block.valid() || flat_.infos[block] == nullptr) return result;
  result.state = SignalOrigin::State::driven;
  result.signal = {block, flat_.infos[block]->outputs.front(), -1};
  return result;
}

/// A port without a driver: an optional input, an input or output whose wire belongs to another mode, or an error.
SignalOrigin Borders::undriven(std::size_t border) {
  const Owner& owner = owners_[border];
  if (owner.junction.valid()) return undriven_junction(border);
  const PortDecl& port = *owner.port;
  if (owner.input && owner.instance->parent == nullptr && port.has_default()) return from_outside(owner);
  SignalOrigin nothing;
  nothing.state = SignalOrigin::State::nothing;
  const ConnectionIndex vanished = drivers_[border].vanished;
  if (vanished.valid())
    nothing.notes.push_back(
        {connections_[vanished].where, "this wire vanishes in mode " + hilda::base::in_quotes(flat_.system.mode)});
  if (port.optional || (!owner.input && vanished.valid())) {
    if (port.optional)
      nothing.notes.push_back(
          {port.where, "the optional input " + hilda::base::in_quotes(name(border)) + " is not driven"});
    return nothing;
  }
  if (owner.input && excused_.contains(owner.instance)) return {};
  const std::string quoted_name = hilda::base::in_quotes(name(border));
  if (!owner.input) {
    context_.diagnostics.error("undriven-output", port.where,
                               "nothing drives the output " + quoted_name + ", which is used",
                               "inside the subsystem add <connect from=\"...\" to=\"" + port.name + "\"/>");
  } else if (owner.instance->parent == nullptr) {
    context_.diagnostics.error(
        "undriven-input", port.where, "nothing drives the input " + quoted_name + " of the diagram itself",
        "use it in another diagram with src=\"...\", or give the input default=\"...\" to set it "
        "from outside");
  } else {
    nothing.notes.insert(nothing.notes.begin(), {port.where, "the input is declared here"});
    context_.diagnostics.error("undriven-input", owner.instance->element->where,
                               "nothing drives the input " + quoted_name + " of the subsystem",
                               "add <connect from=\"...\" to=\"" + owner.instance->element->name + "." + port.name +
                                   "\"/>" + (port.doc.empty() ? "" : "; it is: " + port.doc),
                               std::move(nothing.notes));
  }
  return {};
}

void Borders::finish() {
  for (std::size_t border = 0; border < owners_.size(); ++border) {
    const Owner& owner = owners_[border];
    if (owner.port == nullptr || !in_mode(owner.port->mode, flat_.system.mode)) continue;
    // An output without a driver is an error only where it is used, which has been found by now.
    if (!owner.input && !drivers_[border].connection.valid()) continue;
    finish_port(owner, SignalOrigin(follow(border)), border);
  }
}

} // namespace hilda::compile
