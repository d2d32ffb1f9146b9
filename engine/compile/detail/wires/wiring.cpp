// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/wiring.h"

#include "engine/base/error.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/compile/detail/wires/borders.h"
#include "engine/compile/detail/wires/observed.h"
#include "engine/compile/detail/wires/part_wires.h"
#include "engine/compile/detail/wires/quality.h"
#include "engine/compile/detail/wires/wire_ends.h"
#include "engine/compile/limits.h"
#include "engine/diagram/suggestion.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace hilda::compile {
namespace {

using Kind = WireEnd::Kind;
using Report = WireEnds::Report;

/// Collects the connects of all instances, then makes a wire of each block input's driver.
class Wiring {
public:
  Wiring(Flattened& flat, FlattenContext& context)
      : flat_(flat), context_(context), ends_(flat, context), borders_(flat, connections_, context),
        part_wires_(flat, borders_, context, [this](const Connection& made, const PortRef& to) { end_at(made, to); }) {
    first_input_.reserve(flat.infos.size() + 1);
    std::size_t inputs = 0;
    for (const TypeInfo* info : flat.infos) {
      first_input_.push_back(inputs);
      if (info != nullptr) inputs += info->plain_inputs;
    }
    drivers_.resize(inputs);
  }

  void run() {
    collect(*flat_.top);
    for (const ResetWire& reset : flat_.reset_wires) connect(*reset.at, reset.connect);
    for (const StoreWire& write : flat_.store_wires) connect_store(write);
    for (const PartedWire& wire : parted_) part_wires_.spread(wire);
    follow_plain();
    follow_repeated();
    bind_shapes();
    bind_guards();
    bind_power_ports(*flat_.top);
    bind_limits(flat_, ends_, context_);
    bind_observed(flat_, ends_, context_, [this](const Instance& at, const Attribute& when) {
      return signal(at, when.text, when.where, "when");
    });
    bind_quality(flat_, ends_, context_);
    ends_.report_unknown_names();
    borders_.finish();
  }

private:
  struct Repeated {
    BlockIndex block;
    SlotIndex slot;
    int item;
    ConnectionIndex connection;
  };

  void collect(Instance& instance) {
    borders_.enter(instance);
    for (const ConnectDecl& connect : instance.diagram->connects) this->connect(instance, connect);
    for (const auto& child : instance.children)
      if (child != nullptr) collect(*child);
  }

  void connect(const Instance& at, const ConnectDecl& connect) {
    const bool here = in_mode(connect.mode, flat_.system.mode);
    const Report report = here ? Report::yes : Report::no;
    WireEnd from = ends_.source(at, connect.from, connect.where, report);
    const WireEnd to = ends_.destination(at, connect.to, connect.where, report);
    if (from.kind == Kind::border) borders_.use(from.border);
    if (!here)
      from.kind = Kind::absent;
    else if (to.mended)
      from.kind = Kind::wrong;
    if (to.kind == Kind::wrong && here) excuse(at, to);
    const Connection made{from, connect.where, &connect};
    if (to.kind == Kind::border) return drive(borders_.driver(to.border), add(made));
    if (to.kind == Kind::parts) parted_.push_back({from, to.block, to.port, &connect});
    if (to.kind == Kind::block) end_at(made, {to.block, to.slot, to.item});
  }

  ConnectionIndex add(const Connection& made) {
    connections_.push_back(made);
    return ConnectionIndex(connections_.size() - 1);
  }

  /// A wire to an input of a block.
  void end_at(const Connection& made, const PortRef& to) {
    const ConnectionIndex index = add(made);
    if (const std::optional<std::size_t> ordinal = flat_.infos[to.block]->ordinal[to.slot])
      drive(drivers_[first_input_[to.block] + *ordinal], index);
    else
      repeated_.push_back({to.block, to.slot, to.item, index});
  }

  /// A wire was meant for an input, and it is not known which one: that nothing drives it is not a second mistake. Of a
  /// destination of which the block or subsystem is known that is one of its inputs, else any of this diagram.
  void excuse(const Instance& at, const WireEnd& to) {
    if (to.block.valid()) {
      flat_.system.blocks[to.block].miswired = true;
    } else if (to.refused != nullptr) {
      borders_.excuse(*to.refused);
    } else {
      for (const BlockIndex block : at.blocks)
        if (block.valid()) flat_.system.blocks[block].miswired = true;
      for (const auto& child : at.children)
        if (child != nullptr) borders_.excuse(*child);
    }
  }

  /// The value, and whether there is one yet: input for output, in their order.
  void connect_store(const StoreWire& write) {
    const TypeInfo& writer = *flat_.infos[write.writer];
    const TypeInfo* store = flat_.infos[write.store];
    if (store == nullptr) return;
    for (std::size_t i = 0; i < store->inputs.size() && i < writer.outputs.size(); ++i) {
      const ConnectionIndex index = connections_.next();
      connections_.push_back({{.kind = Kind::block, .block = write.writer, .slot = writer.outputs[i]},
                              write.connect.where,
                              &write.connect});
      Driver& driver = drivers_[first_input_[write.store] + *store->ordinal[store->inputs[i]]];
      if (i == 0 && drives(driver.connection))
        refuse_writer(write.connect, *connections_[driver.connection].declared);
      else if (i == 0 || !driver.connection.valid()) // who wires u by hand wires no more
        drive(driver, index);
    }
  }

  void refuse_writer(const ConnectDecl& write, const ConnectDecl& first) {
    const bool by_wire = std::none_of(flat_.store_wires.begin(), flat_.store_wires.end(),
                                      [&first](const StoreWire& each) { return &each.connect == &first; });
    const std::string by = by_wire ? " is driven by the wire from " : " is written by ";
    context_.diagnostics.error("two-drivers", write.where,
                               "the store " + hilda::base::in_quotes(write.to) + by +
                                   hilda::base::in_quotes(first.from) + (by_wire ? " and written by " : " and by ") +
                                   hilda::base::in_quotes(write.from),
                               "a store has one writer: remove one of the two, or let a routing/Switch choose between "
                               "their signals before one writer",
                               {{first.where, by_wire ? "the wire is here" : "the first writer is here"}});
  }

  /// Is there a wire, and one from somewhere?
  bool drives(ConnectionIndex connection) const {
    return connection.valid() && connections_[connection].from.kind != Kind::wrong;
  }

  bool absent(ConnectionIndex connection) const { return connections_[connection].from.kind == Kind::absent; }

  /// Wires that vanish do not count as drivers, but are remembered for messages.
  void drive(Driver& driver, ConnectionIndex connection) {
    if (absent(connection)) {
      driver.vanished = connection;
      return;
    }
    if (!drives(driver.connection)) {
      driver.connection = connection;
      return;
    }
    if (!drives(connection)) return;
    const ConnectDecl& first = *connections_[driver.connection].declared;
    const ConnectDecl& second = *connections_[connection].declared;
    if (connections_[driver.connection].part.empty() != connections_[connection].part.empty())
      return refuse_part(connections_[connection], first);
    const bool equal = first.from == second.from && first.to == second.to;
    context_.diagnostics.error("two-drivers", second.where,
                               hilda::base::in_quotes(second.to) + " is driven by " +
                                   hilda::base::in_quotes(first.from) + " and by " +
                                   hilda::base::in_quotes(second.from),
                               equal ? "the wire is given twice: remove one"
                                     : "remove one of the wires, or add the signals with a block math/Sum",
                               {{first.where, "the first wire is here"}});
  }

  /// A wire to all parts of an input, and before it in the list one to this part.
  void refuse_part(const Connection& whole, const ConnectDecl& alone) {
    const std::string to = whole.declared->to.substr(0, whole.declared->to.size() - whole.part.size());
    context_.diagnostics.error(
        "two-drivers", alone.where,
        hilda::base::in_quotes(alone.to) + " is driven by " + hilda::base::in_quotes(alone.from) +
            " and by the wire to all parts of " + hilda::base::in_quotes(to),
        "remove this wire, or wire the parts one by one", {{whole.where, "the wire to all parts is here"}});
  }

  void follow_plain() {
    flat_.system.wires.reserve(drivers_.size());
    for (const BlockIndex b : flat_.infos.indices()) {
      const TypeInfo* info = flat_.infos[b];
      if (info == nullptr) continue;
      for (const SlotIndex slot : info->inputs) {
        const std::optional<std::size_t> ordinal = info->ordinal[slot];
        if (!ordinal) continue;
        const Driver& driver = drivers_[first_input_[b] + *ordinal];
        const PortRef to{b, slot, -1};
        if (driver.connection.valid())
          add_wire(to, driver);
        else if (!info->type->slots[slot].is(HILDA_OPTIONAL))
          refuse_undriven(to, driver, {});
      }
    }
  }

  void follow_repeated() {
    std::stable_sort(repeated_.begin(), repeated_.end(), [](const Repeated& a, const Repeated& b) {
      return std::tie(a.block, a.slot, a.item) < std::tie(b.block, b.slot, b.item);
    });
    for (std::size_t i = 0; i < repeated_.size();) {
      const Repeated& first = repeated_[i];
      Driver driver;
      // Each without an index is reported by inference (port-item), and not as a second driver here.
      std::vector<ConnectionIndex> more;
      for (; i < repeated_.size() && std::tie(repeated_[i].block, repeated_[i].slot, repeated_[i].item) ==
                                         std::tie(first.block, first.slot, first.item);
           ++i)
        if (first.item < 0 && drives(driver.connection) && drives(repeated_[i].connection))
          more.push_back(repeated_[i].connection);
        else
          drive_item(first.block, driver, repeated_[i].connection);
      add_repeated({first.block, first.slot, first.item}, driver);
      for (const ConnectionIndex connection : more)
        add_repeated({first.block, first.slot, first.item}, {.connection = connection});
    }
  }

  /// Of two wires to one index, one may have been meant for another one: that this has none is not a second mistake.
  void drive_item(BlockIndex block, Driver& driver, ConnectionIndex connection) {
    if (drives(driver.connection) && drives(connection) && !absent(connection))
      flat_.system.blocks[block].miswired = true;
    drive(driver, connection);
  }

  void add_repeated(const PortRef& to, const Driver& driver) {
    if (driver.connection.valid())
      add_wire(to, driver);
    else if (!slot_of(to).is(HILDA_OPTIONAL))
      refuse_undriven(to, driver, {});
  }

  const Slot& slot_of(const PortRef& ref) const { return flat_.infos[ref.block]->type->slots[ref.slot]; }

  void add_wire(const PortRef& to, const Driver& driver) {
    const Connection& connection = connections_[driver.connection];
    SignalOrigin origin = borders_.origin(connection.from, connection.declared->from, connection.where);
    if (origin.state == SignalOrigin::State::nothing) {
      if (!slot_of(to).is(HILDA_OPTIONAL)) refuse_undriven(to, driver, origin);
      return;
    }
    Wire& made = flat_.system.wires.emplace_back();
    made.to = to;
    made.where = connection.where;
    made.part = std::string(connection.part);
    if (origin.state != SignalOrigin::State::driven) return;
    made.from = std::move(origin.signal);
    made.via = std::move(origin.via);
    made.through = std::move(origin.through);
  }

  /// The port with parts to which an input belongs, where none of them has a wire; or null.
  const PartedPort* unwired_port(const PortRef& to) const {
    const TypeInfo& info = *flat_.infos[to.block];
    const std::string_view name = slot_of(to).name;
    const PartedPort* const port = find_parted(info.parted, HILDA_INPUT, name.substr(0, name.find('.')));
    const auto wired = [&](SlotIndex slot) {
      const std::optional<std::size_t> ordinal = info.ordinal[slot];
      if (!ordinal || !is_part_of(*port, info.type->slots[slot])) return false;
      const Driver& driver = drivers_[first_input_[to.block] + *ordinal];
      return driver.connection.valid() || driver.vanished.valid();
    };
    return port == nullptr || std::any_of(info.inputs.begin(), info.inputs.end(), wired) ? nullptr : port;
  }
  static bool is_part_of(const PartedPort& port, const Slot& slot) { return slot.name.starts_with(port.name + "."); }

  /// Nothing is wired to a port with parts: one message, at the first part that is needed.
  void refuse_unwired_port(const PortRef& to, const PartedPort& port) {
    const TypeInfo& info = *flat_.infos[to.block];
    const auto first = std::find_if(info.inputs.begin(), info.inputs.end(), [&](SlotIndex slot) {
      return is_part_of(port, info.type->slots[slot]) && !info.type->slots[slot].is(HILDA_OPTIONAL);
    });
    if (first == info.inputs.end() || *first != to.slot) return;
    const SystemBlock& block = flat_.system.blocks[to.block];
    const std::string local = block.path.substr(block.path.rfind('.') + 1) + ".";
    context_.diagnostics.error("undriven-input", block.where,
                               "nothing drives the input " + hilda::base::in_quotes(port.name) + " of " +
                                   hilda::base::in_quotes(block.path) + " (" + block.type->name + ")",
                               "add <connect from=\"...\" to=\"" + local + port.name + "\"/> from a bus of " +
                                   listed(port.parts) + ", or wire each part, as to=\"" + local + slot_of(to).name +
                                   "\"");
  }

  /// Reports an input without a driver, where its wire has not been refused already, and gives it a wire without a
  /// beginning.
  void refuse_undriven(const PortRef& to, const Driver& driver, const SignalOrigin& origin) {
    Wire& made = flat_.system.wires.emplace_back();
    made.to = to;
    const SystemBlock& block = flat_.system.blocks[to.block];
    made.where = block.where;
    if (block.miswired) return;
    if (const PartedPort* port = driver.connection.valid() ? nullptr : unwired_port(to))
      return refuse_unwired_port(to, *port);
    const Slot& slot = slot_of(to);
    const std::string item = to.item < 0 ? "" : "[" + std::to_string(to.item) + "]";
    std::string local = block.path.substr(block.path.rfind('.') + 1) + ".";
    local += slot.name + item;
    std::vector<Note> notes = origin.notes;
    if (driver.vanished.valid())
      notes.push_back({connections_[driver.vanished].where,
                       "this wire vanishes in mode " + hilda::base::in_quotes(flat_.system.mode)});
    if (driver.connection.valid())
      notes.insert(notes.begin(), {connections_[driver.connection].where, "its wire is here"});
    context_.diagnostics.error("undriven-input", block.where,
                               "nothing drives the input " + hilda::base::in_quotes(slot.name + item) + " of " +
                                   hilda::base::in_quotes(block.path) + " (" + block.type->name + ")",
                               "add <connect from=\"...\" to=\"" + local + "\"/>" +
                                   (slot.doc.empty() ? "" : "; it is: " + slot.doc),
                               std::move(notes));
  }

  /// The signal a path names; reports where there is none in this mode.
  PortRef signal(const Instance& at, const std::string& text, Location where, const char* what) {
    const WireEnd end = ends_.source(at, text, where);
    if (end.kind == Kind::border) borders_.use(end.border);
    SignalOrigin origin = borders_.origin(end, text, where);
    if (origin.state == SignalOrigin::State::nothing)
      context_.diagnostics.error("undriven-condition", where,
                                 std::string(what) + " " + hilda::base::in_quotes(text) + " has no signal in mode " +
                                     hilda::base::in_quotes(flat_.system.mode),
                                 "give the element a mode, or take a signal that every mode has", origin.notes);
    return origin.state == SignalOrigin::State::driven ? std::move(origin.signal) : PortRef{};
  }

  /// What connects of this mode say about their signals' shapes.
  void bind_shapes() {
    for (const Connection& connection : connections_) {
      const ConnectDecl& declared = *connection.declared;
      if (declared.shape.empty()) continue;
      const Attribute& shape = declared.shape;
      SignalOrigin origin = borders_.origin(connection.from, declared.from, shape.where);
      if (origin.state == SignalOrigin::State::driven)
        flat_.system.wire_shapes.push_back({.signal = std::move(origin.signal),
                                            .wire = declared.from + " -> " + declared.to,
                                            .text = shape.text,
                                            .where = shape.where});
    }
  }

  void bind_guards() {
    for (const GuardPaths& paths : flat_.guards) {
      Guard& guard = flat_.system.guards[paths.guard];
      if (guard.has_enable) guard.signal = signal(*paths.at, *paths.enable, guard.where, "the condition enable");
      if (guard.has_reset) guard.reset = signal(*paths.at, *paths.reset, guard.where, "the condition reset");
      if (paths.trigger != nullptr)
        guard.trigger = signal(*paths.at, *paths.trigger, guard.where, "the condition trigger");
    }
  }

  /// A power port vanishes with its signals.
  void bind_power_ports(const Instance& at) {
    for (const PowerPortDecl& declared : at.diagram->power_ports) {
      if (!in_mode(declared.mode, flat_.system.mode)) continue;
      SignalOrigin effort = power_signal(at, declared.effort, declared.where);
      SignalOrigin flow = power_signal(at, declared.flow, declared.where);
      if (effort.state != SignalOrigin::State::driven || flow.state != SignalOrigin::State::driven) continue;
      flat_.system.power_ports.push_back(
          {at.path_of(declared.name), declared.rule, declared.doc, std::move(effort.signal), std::move(flow.signal),
           element(at, declared, declared.from), element(at, declared, declared.to), declared.where});
    }
    for (const auto& child : at.children)
      if (child != nullptr) bind_power_ports(*child);
  }

  /// The path of a block or subsystem that a power port names as one of its ends; empty where it names none.
  std::string element(const Instance& at, const PowerPortDecl& port, const std::string& name) {
    if (name.empty()) return {};
    std::string path = at.path_of(name);
    const std::string below = path + ".";
    for (const SystemBlock& block : flat_.system.blocks)
      if (block.path == path || block.path.compare(0, below.size(), below) == 0) return path;
    std::vector<std::string> names;
    for (const BlockDecl& block : at.diagram->blocks) names.push_back(block.name);
    for (const SubsystemDecl& subsystem : at.diagram->subsystems) names.push_back(subsystem.name);
    context_.diagnostics.error("power-port-end", port.where,
                               "the power port " + hilda::base::in_quotes(port.name) + " has an end at " +
                                   hilda::base::in_quotes(name) + ", which is neither a block nor a subsystem",
                               context_.suggestions.help(name, names, "there are"));
    return {};
  }

  SignalOrigin power_signal(const Instance& at, const std::string& text, Location where) {
    const WireEnd end = ends_.source(at, text, where);
    if (end.kind == Kind::border) borders_.use(end.border);
    return borders_.origin(end, text, where);
  }

  Flattened& flat_;
  FlattenContext& context_;
  Indexed<ConnectionIndex, Connection> connections_;
  WireEnds ends_;
  Borders borders_;
  PartWires part_wires_;
  std::vector<PartedWire> parted_;
  Indexed<BlockIndex, std::size_t> first_input_; ///< a block's first entry in drivers_
  std::vector<Driver> drivers_;                  ///< of the inputs that are not repeated
  std::vector<Repeated> repeated_;
};

} // namespace

void wire(Flattened& flat, FlattenContext& context) { Wiring(flat, context).run(); }

} // namespace hilda::compile
