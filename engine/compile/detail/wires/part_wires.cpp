// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/part_wires.h"

#include "engine/base/error.h"
#include "engine/base/word_list.h"

#include <algorithm>

namespace hilda::compile {
namespace {

using State = SignalOrigin::State;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void PartWires::spread(const PartedWire& wire) {
  const ConnectDecl& declared = *wire.declared;
  if (wire.from.kind == WireEnd::Kind::wrong || wire.from.kind == WireEnd::Kind::absent) return spread_alike(wire);
  const SignalOrigin origin = borders_.whole(wire.from, declared.where);
  PartedWire reported = wire;
  reported.from = {};
  switch (origin.state) {
  case State::driven: refuse_signal(wire); break;
  case State::bus:
    if (!declared.shape.empty()) borders_.origin(wire.from, declared.from, (*declared.shape).where);
    if (!borders_.parts(origin.bus).empty()) return spread_bus(wire, origin);
    break; // a bundle whose parts have been reported
  case State::nothing: return spread_alike(wire);
  case State::wrong: break;
  }
  spread_alike(reported);
}

void PartWires::spread_bus(const PartedWire& wire, const SignalOrigin& origin) {
  compare(wire, origin.bus);
  for (const std::string& part : wire.port->parts) {
    const Slot* input = slot(wire, part);
    if (has(borders_.parts(origin.bus), part))
      lead(wire, part, part_of(wire.from, part));
    else if (input == nullptr || !input->is(HILDA_OPTIONAL))
      lead(wire, part, {}); // reported
  }
}

/// All parts have the same at their beginning: nothing, or something that has been reported.
void PartWires::spread_alike(const PartedWire& wire) {
  for (const std::string& part : wire.port->parts) lead(wire, part, wire.from);
}

/// A wire to one part, which may have parts itself.
void PartWires::lead(const PartedWire& wire, const std::string& part, const WireEnd& from) {
  ConnectDecl& declared = declared_.emplace_back();
  declared.from = wire.declared->from + "." + part;
  declared.to = wire.declared->to + "." + part;
  declared.mode = wire.declared->mode;
  declared.where = wire.declared->where;
  const TypeInfo& info = *flat_.infos[wire.block];
  const std::string name = wire.port->name + "." + part;
  const SlotIndex input = info.type->find(name, HILDA_INPUT);
  const std::string& of_port = parts_.emplace_back(std::string(wire.part) + "." + part);
  if (input.valid()) return take_({from, declared.where, &declared, of_port}, {wire.block, input, -1});
  spread({from, wire.block, find_parted(info.parted, HILDA_INPUT, name), &declared, of_port});
}

WireEnd PartWires::part_of(const WireEnd& whole, const std::string& part) {
  WireEnd end = whole;
  end.parts = parts_.emplace_back(std::string(whole.parts) + "." + part);
  return end;
}

/// Null: it has parts itself.
const Slot* PartWires::slot(const PartedWire& wire, const std::string& part) const {
  const BlockType& type = *flat_.infos[wire.block]->type;
  const SlotIndex index = type.find(wire.port->name + "." + part, HILDA_INPUT);
  return index.valid() ? &type.slots[index] : nullptr;
}

/// "'rig.control.state' (test/Control)"
std::string PartWires::port_text(const PartedWire& wire) const {
  const SystemBlock& block = flat_.system.blocks[wire.block];
  return in_quotes(block.path + "." + wire.port->name) + " (" + block.type->name + ")";
}

Note PartWires::port_note(const PartedWire& wire) const {
  const SystemBlock& block = flat_.system.blocks[wire.block];
  return {block.where, "the input is one of " + in_quotes(block.path) + ", which is here"};
}

void PartWires::refuse_signal(const PartedWire& wire) {
  context_.diagnostics.error("port-parts", wire.declared->where,
                             in_quotes(wire.declared->from) + " is one signal, but the input " + port_text(wire) +
                                 " takes a bus of " + listed(wire.port->parts),
                             "wire a bus with these parts, such as an output with parts or a routing/Bundle, or wire "
                             "each part, as to=\"" +
                                 wire.declared->to + "." + wire.port->parts.front() + "\"",
                             {port_note(wire)});
}

/// Both sides have the same parts; an optional input may be missing in the bus.
void PartWires::compare(const PartedWire& wire, const Bus& bus) {
  const std::vector<std::string>&brought = borders_.parts(bus), &taken = wire.port->parts;
  std::string missing, beyond, shared;
  for (const std::string& part : taken) {
    const Slot* input = slot(wire, part);
    if (has(brought, part))
      shared = shared.empty() ? part : shared;
    else if (input == nullptr || !input->is(HILDA_OPTIONAL))
      add_word(missing, in_quotes(part));
  }
  for (const std::string& part : brought)
    if (!has(taken, part)) add_word(beyond, in_quotes(part));
  if (missing.empty() && beyond.empty()) return;
  std::string faults = missing.empty() ? "" : "the bus lacks " + missing;
  if (!beyond.empty()) faults += (faults.empty() ? "" : "; ") + ("the input has no part " + beyond);
  context_.diagnostics.error(
      "port-parts", wire.declared->where,
      in_quotes(wire.declared->from) + " is a bus of " + listed(brought) + ", but the input " + port_text(wire) +
          " takes a bus of " + listed(taken) + ": " + faults,
      shared.empty() ? help_without_shared(wire, brought)
                     : "let both have the same parts, or wire the ones that you need one by one: <connect from=\"" +
                           wire.declared->from + "." + shared + "\" to=\"" + wire.declared->to + "." + shared + "\"/>",
      {borders_.note(bus), port_note(wire)});
}

/// A part of the bus may be the one that was meant.
std::string PartWires::help_without_shared(const PartedWire& wire, const std::vector<std::string>& brought) {
  for (const std::string& part : brought) {
    const SignalOrigin inner = borders_.whole(part_of(wire.from, part), wire.declared->where);
    if (inner.state == State::bus &&
        std::is_permutation(wire.port->parts.begin(), wire.port->parts.end(), borders_.parts(inner.bus).begin(),
                            borders_.parts(inner.bus).end()))
      return "did you mean " + in_quotes(wire.declared->from + "." + part) + ", which has these parts?";
  }
  return "let both have the same parts: a routing/Bundle puts signals together under the expected names";
}

} // namespace hilda::compile
