// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/error.h"
#include "engine/compile/detail/wires/borders.h"

#include <algorithm>
#include <utility>

// The half of Borders that knows of several signals on one wire, and of junctions.

namespace hilda::compile {
namespace {

constexpr std::size_t most_bus_hops = 16;
constexpr int deepest_bus = 200;

void add_hops(std::vector<Location>& to, const std::vector<Location>& more) {
  for (const Location& each : more)
    if (to.size() < most_bus_hops) to.push_back(each);
}

} // namespace

const std::vector<std::string>& Borders::parts(const Bus& bus) const {
  return bus.port != nullptr ? bus.port->parts : flat_.system.junctions[bus.bundle].parts;
}

/// "rig.state"
std::string Borders::bus_name(const Bus& bus) const {
  if (bus.port == nullptr) return flat_.system.junctions[bus.bundle].path;
  return flat_.system.blocks[bus.block].path + "." + bus.port->name;
}

/// "a bus of position, velocity"
std::string Borders::bus_text(const Bus& bus) const { return "a bus of " + listed(parts(bus)); }

Note Borders::note(const Bus& bus) const {
  if (bus.port == nullptr) return {flat_.system.junctions[bus.bundle].where, "the bus is put together here"};
  const SystemBlock& block = flat_.system.blocks[bus.block];
  return {block.where,
          "the bus is " + in_quotes(bus_name(bus)) + ", an output of this block (" + block.type->name + ")"};
}

SignalOrigin Borders::origin(const WireEnd& from, const std::string& text, Location where) {
  SignalOrigin result = whole(from, where);
  if (result.state != SignalOrigin::State::bus) return result;
  const std::vector<std::string>& names = parts(result.bus);
  if (!names.empty())
    context_.diagnostics.error("bus-signal", where,
                               in_quotes(text) + " is " + bus_text(result.bus) + ", and one signal is expected here",
                               "take one of its parts, such as " + in_quotes(text + "." + names.front()) +
                                   "; a bus ends at a routing/Unbundle, a routing/Bundle, a port of a subsystem or an "
                                   "input of a block that has the same parts",
                               {note(result.bus)});
  return {};
}

/// Goes as far into a bus, and into those within it, as the parts of a wire's beginning say.
SignalOrigin Borders::part_of_bus(const SignalOrigin& whole, const WireEnd& from, Location where) {
  SignalOrigin at = whole;
  std::vector<std::string> rest = parts_of(from.parts);
  for (std::size_t next = 0; next < rest.size(); ++next) {
    if (at.state == SignalOrigin::State::driven) {
      at.signal.part.change().push_back(rest[next]);
      continue;
    }
    if (at.state != SignalOrigin::State::bus) return at;
    const std::vector<std::string>& names = parts(at.bus);
    const auto part = std::find(names.begin(), names.end(), rest[next]);
    if (part == names.end()) {
      if (!names.empty())
        context_.diagnostics.error("bus-part", where,
                                   "the bus " + in_quotes(bus_name(at.bus)) + " has no part " + in_quotes(rest[next]),
                                   context_.suggestions.help(rest[next], names, "it holds"), {note(at.bus)});
      return {};
    }
    at = at.bus.port != nullptr ? part_of_block(std::move(at), *part) : part_of_bundle(std::move(at), *part);
  }
  return at;
}

/// One signal, or a bus within the bus.
SignalOrigin Borders::part_of_block(SignalOrigin at, const std::string& part) const {
  const TypeInfo& info = *flat_.infos[at.bus.block];
  const std::string port = at.bus.port->name + "." + part;
  if (const SlotIndex slot = info.type->find(port, HILDA_OUTPUT); slot.valid()) {
    at.state = SignalOrigin::State::driven;
    at.signal = {at.bus.block, slot, -1};
  } else {
    at.bus.port = find_parted(info.parted, HILDA_OUTPUT, port);
  }
  return at;
}

/// What drives the bundle's input of this name.
SignalOrigin Borders::part_of_bundle(SignalOrigin at, const std::string& part) {
  const Junction& bundle = flat_.system.junctions[at.bus.bundle];
  const auto index = std::find(bundle.parts.begin(), bundle.parts.end(), part) - bundle.parts.begin();
  const std::size_t border = flat_.junctions[at.bus.bundle].first_port + static_cast<std::size_t>(index);
  used_[border] = true;
  if (states_[border] == State::open || depth_ >= deepest_bus) {
    context_.diagnostics.error("wire-loop", bundle.where,
                               "the wire at " + in_quotes(name(border)) +
                                   (states_[border] == State::open
                                        ? " goes round in a circle without any block"
                                        : " goes through more than " + std::to_string(deepest_bus) + " buses"),
                               "drive it by a block's output");
    return {};
  }
  ++depth_;
  SignalOrigin inner = follow(border);
  --depth_;
  inner.through.push_back({at.bus.bundle, part});
  std::vector<Location> via = std::move(at.via);
  add_hops(via, inner.via);
  at = std::move(inner);
  at.via = std::move(via);
  return at;
}

SignalOrigin Borders::undriven_junction(std::size_t border) {
  const Owner& owner = owners_[border];
  const Junction& junction = flat_.system.junctions[owner.junction];
  SignalOrigin nothing;
  nothing.state = SignalOrigin::State::nothing;
  if (const ConnectionIndex vanished = drivers_[border].vanished; vanished.valid()) {
    nothing.notes.push_back(
        {connections_[vanished].where, "this wire vanishes in mode " + in_quotes(flat_.system.mode)});
    return nothing;
  }
  const std::string type = flat_.junctions[owner.junction].info->type->name;
  context_.diagnostics.error("undriven-input", junction.where,
                             "nothing drives " +
                                 std::string(junction.kind == Junction::Kind::bundle ? "the part " : "") +
                                 in_quotes(owner.port->name) + " of " + in_quotes(junction.path) + " (" + type + ")",
                             "add <connect from=\"...\" to=\"" + junction.path.substr(junction.path.rfind('.') + 1) +
                                 "." + owner.port->name + "\"/>");
  return {};
}

/// What no one reads, and by which names logs know the signal.
void Borders::finish_port(const Owner& owner, const SignalOrigin& origin, std::size_t border) {
  const PortDecl& port = *owner.port;
  const Junction* junction = owner.junction.valid() ? &flat_.system.junctions[owner.junction] : nullptr;
  const auto sends = [&] { // not where another one has its tag, or its tag is wrong
    const auto sender = owner.instance->senders.find(junction->tag);
    return sender != owner.instance->senders.end() && sender->second == owner.junction;
  };
  if (junction != nullptr && junction->kind == Junction::Kind::sender && !used_[border] &&
      origin.state != SignalOrigin::State::wrong && sends())
    context_.diagnostics.warning("unused-input", junction->where,
                                 "the tag " + in_quotes(junction->tag) + " of " + in_quotes(junction->path) +
                                     " is taken by no routing/From",
                                 "wire it, or remove it");
  if (junction == nullptr && owner.input && !used_[border] && !port.optional)
    context_.diagnostics.warning("unused-input", port.where,
                                 "the input " + hilda::base::in_quotes(port.name) +
                                     " drives nothing inside its subsystem",
                                 "wire it, remove it, or declare it optional=\"true\"");
  if (origin.state == SignalOrigin::State::bus) {
    if (!port.shape.empty() || !port.unit.empty())
      context_.diagnostics.error(
          "port-promise", port.where,
          "the port " + in_quotes(name(border)) + " promises the " +
              (port.shape.empty() ? "unit " + in_quotes(port.unit) : "shape " + in_quotes(port.shape)) +
              ", but carries " + bus_text(origin.bus),
          "a bus has neither shape nor unit: take the promise away", {note(origin.bus)});
    if (junction == nullptr || junction->kind == Junction::Kind::bundle) name_parts(name(border), origin, port.where);
  }
  const bool named = junction == nullptr || junction->kind == Junction::Kind::bundle;
  if (origin.state == SignalOrigin::State::driven && named)
    flat_.system.promises.push_back({.signal = origin.signal,
                                     .port = name(border),
                                     .shape = port.shape,
                                     .unit = port.unit,
                                     .where = port.where,
                                     .per_element = port.per_element});
}

/// The signals of a bus under the name of the port that it passes: "rig.state.position".
void Borders::name_parts(const std::string& port, const SignalOrigin& bus, Location where) {
  for (const std::string& part : parts(bus.bus)) {
    if (bus_names_left_ == 0 || depth_ >= deepest_bus) return;
    if (--bus_names_left_ == 0) {
      context_.diagnostics.error("bus-too-large", where, "the buses of the diagram hold too many signals",
                                 "a bus within a bus counts with all its parts: bundle fewer");
      return;
    }
    const std::string text = "." + part;
    const SignalOrigin inner = whole({.kind = WireEnd::Kind::bus,
                                      .block = bus.bus.block,
                                      .junction = bus.bus.bundle,
                                      .port = bus.bus.port,
                                      .parts = text},
                                     where);
    if (inner.state == SignalOrigin::State::driven)
      flat_.system.promises.push_back(
          {.signal = inner.signal, .port = port + text, .shape = "", .unit = "", .where = where});
    ++depth_;
    if (inner.state == SignalOrigin::State::bus) name_parts(port + text, inner, where);
    --depth_;
  }
}

} // namespace hilda::compile
