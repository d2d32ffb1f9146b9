// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>

namespace hilda::compile::inference {
namespace {

constexpr int most_items = 65536;

bool repeated(const Inference& inference, const PortRef& ref) {
  return inference.slot(ref.block, ref.slot).is(HILDA_REPEATED);
}

/// Counts the wires on every repeated port and the items they name.
struct Wired {
  int wires = 0;
  int end = 0; ///< largest item + 1
};

class Expansion {
public:
  explicit Expansion(Inference& inference) : in_(inference) {}

  void run() {
    plan_types();
    for (const WireIndex w : in_.system.wires.indices()) count_wire(w);
    for (const BlockIndex b : in_.blocks.indices()) expand(b);
    for (const WireIndex w : in_.system.wires.indices()) connect(w);
  }

private:
  void plan_types();
  void count_wire(WireIndex wire);
  void count_end(const PortRef& ref);
  void expand(BlockIndex block);
  int count_items(BlockIndex block, SlotIndex slot);
  int count_parameter(BlockIndex block, const std::string& count);
  void connect(WireIndex wire);
  bool exists(const PortRef& ref, Location where, bool input);
  int take_free_item(const PortRef& ref);

  /// Indices of a repeated input that remain for wires without one.
  struct FreeItems {
    std::set<int> taken;
    int next = 0;
  };

  Inference& in_;
  std::map<std::pair<BlockIndex, SlotIndex>, FreeItems> free_items_;
  std::vector<Wired> wired_; ///< parallel to item_counts
};

/// One plan a type, in the order in which the types are met.
void Expansion::plan_types() {
  std::unordered_map<const BlockType*, std::size_t> made;
  const auto& blocks = in_.system.blocks;
  Indexed<BlockIndex, std::size_t> plan_of(blocks.size());
  for (const BlockIndex b : blocks.indices()) {
    if (blocks[b].type == nullptr) continue;
    const auto [place, fresh] = made.try_emplace(blocks[b].type, in_.plans.size());
    if (fresh) in_.plans.push_back(plan_type(*blocks[b].type, in_.unit_pool));
    plan_of[b] = place->second;
  }
  in_.blocks.resize(blocks.size());
  for (const BlockIndex b : blocks.indices()) {
    Inference::BlockState& state = in_.blocks[b];
    state.miswired = blocks[b].miswired;
    if (blocks[b].type == nullptr) {
      state.tainted = true;
      continue;
    }
    state.plan = &in_.plans[plan_of[b]];
    if (!state.plan->repeats) continue;
    state.counts = static_cast<std::uint32_t>(in_.item_counts.size());
    in_.item_counts.resize(in_.item_counts.size() + state.plan->slots.size());
  }
  wired_.resize(in_.item_counts.size());
}

void Expansion::count_end(const PortRef& ref) {
  if (ref.item < 0 || !repeated(in_, ref)) return;
  Wired& here = wired_[in_.items_of(ref.block, ref.slot)];
  ++here.wires;
  here.end = std::max(here.end, std::min(ref.item, most_items) + 1);
}

void Expansion::count_wire(WireIndex index) {
  const Wire& wire = in_.system.wires[index];
  const auto typed = [&](const PortRef& ref) {
    return ref.block.valid() && ref.slot.valid() && in_.blocks[ref.block].plan != nullptr;
  };
  if (typed(wire.from)) count_end(wire.from);
  if (typed(wire.to)) count_end(wire.to);
}

/// "n": the integer parameter n, "len(signs)": how long the text is. -1 where that cannot be read (reported later).
int Expansion::count_parameter(BlockIndex block, const std::string& count) {
  SystemBlock& b = in_.system.blocks[block];
  const bool length = count.starts_with("len(");
  const SlotIndex slot = b.type->find(length ? count.substr(4, count.size() - 5) : count, HILDA_PARAMETER);
  const ParameterValue* given = !slot.valid() ? nullptr : parameter_of(b, slot);
  if (given == nullptr) return -1;
  if (!length && (given->value.kind != Value::Kind::number || given->value.numbers.size() != 1)) return -1;
  const double items = length ? static_cast<double>(given->value.text.size()) : given->value.numbers[0];
  if (!(items >= 1) || items > most_items) {
    in_.diagnostics.error("port-count", given->where, in_quotes(b.path) + " would have " + decimal(items) + " ports",
                          "give 1 to " + std::to_string(most_items) + " in " + in_quotes(b.type->slots[slot].name));
    in_.blocks[block].tainted = true;
    return -1;
  }
  return static_cast<int>(items);
}

int Expansion::count_items(BlockIndex block, SlotIndex slot) {
  const Slot& s = in_.slot(block, slot);
  const Wired& wired = wired_[in_.items_of(block, slot)];
  const int told = s.count.empty() ? -1 : count_parameter(block, s.count);
  if (told >= 0) return told;
  if (s.role == HILDA_OUTPUT) return std::min(wired.end, most_items);
  // Inputs are numbered without gaps, so there are no more of them than wires; what lies beyond is reported at its
  // wire.
  return std::min(wired.end, wired.wires);
}

void Expansion::expand(BlockIndex block) {
  Inference::BlockState& state = in_.blocks[block];
  if (state.plan == nullptr) return;
  auto& ports = in_.system.blocks[block].ports;
  ports.clear();
  ports.reserve(state.plan->ports.size());
  for (const SlotIndex slot : state.plan->ports) {
    const Slot& s = in_.slot(block, slot);
    const bool many = s.is(HILDA_REPEATED);
    const int items = many ? count_items(block, slot) : 1;
    if (many) in_.item_counts[in_.items_of(block, slot)] = items;
    for (int i = 0; i < items; ++i) {
      SystemBlock::Port& port = ports.emplace_back();
      port.slot = slot;
      port.item = many ? i : -1;
    }
  }
  if (state.plan->items_of.valid()) state.items = in_.item_counts[in_.items_of(block, state.plan->items_of)];
}

/// The lowest index of a repeated input that no wire has, and that no wire before was given.
int Expansion::take_free_item(const PortRef& ref) {
  const auto [place, fresh] = free_items_.try_emplace({ref.block, ref.slot});
  FreeItems& items = place->second;
  if (fresh)
    for (const Wire& wire : in_.system.wires)
      if (wire.to.block == ref.block && wire.to.slot == ref.slot && wire.to.item >= 0) items.taken.insert(wire.to.item);
  while (items.taken.contains(items.next)) ++items.next;
  return items.next++;
}

/// Whether a repeated port has this item, and is given one.
bool Expansion::exists(const PortRef& ref, Location where, bool input) {
  if (find_port(in_.system.blocks[ref.block], ref) != nullptr) return true;
  Inference::BlockState& state = in_.blocks[ref.block];
  state.miswired = state.tainted = true;
  if (repeated(in_, ref)) report_missing_item(in_, ref, where, ref.item < 0 && input ? take_free_item(ref) : 0);
  return false;
}

void Expansion::connect(WireIndex index) {
  const Wire& wire = in_.system.wires[index];
  Inference::WireState& state = in_.wires[index];
  const auto typed = [&](const PortRef& ref) {
    return ref.block.valid() && ref.slot.valid() && in_.blocks[ref.block].plan != nullptr;
  };
  const bool from = typed(wire.from) && exists(wire.from, wire.where, false);
  if (!typed(wire.to) || !exists(wire.to, wire.where, true)) return;
  SystemBlock& to = in_.system.blocks[wire.to.block];
  SystemBlock::Port& port = *find_port(to, wire.to);
  if (port.wire.valid()) return;
  port.wire = index;
  state.active = from;
  if (!from) in_.blocks[wire.to.block].tainted = true;
}

} // namespace

ParameterValue* parameter_of(SystemBlock& block, SlotIndex slot) {
  for (ParameterValue& parameter : block.parameters)
    if (parameter.slot == slot) return &parameter;
  return nullptr;
}

void report_missing_item(Inference& in, const PortRef& ref, Location where, int free) {
  const SystemBlock& block = in.system.blocks[ref.block];
  const Slot& slot = in.slot(ref.block, ref.slot);
  const std::string name = block.path + "." + slot.name;
  const std::vector<Note> notes{{block.where, "the block is here"}};
  const int count = in.item_counts[in.items_of(ref.block, ref.slot)];
  if (ref.item < 0) {
    const std::string item = in_quotes(fmt::format("{}[{}]", name, free));
    in.diagnostics.error("port-item", where, in_quotes(name) + " is given several times: the index is missing",
                         free < count || slot.count.empty()
                             ? "write " + item
                             : fmt::format("all {} are wired; {} is one more, and how many there are follows from {}",
                                           count, item, in_quotes(slot.count)),
                         notes);
    return;
  }
  in.diagnostics.error("port-item", where,
                       port_name(in, ref) + " does not exist: there " + (count == 1 ? "is " : "are ") +
                           std::to_string(count) + " of " + in_quotes(name),
                       "number them from 0 without a gap" +
                           (slot.count.empty() ? "" : "; how many there are follows from " + in_quotes(slot.count)),
                       notes);
}

namespace {

/// A wire to a port that a block does not have is left out; its error has a note at the block.
void taint_miswired(Inference& in) {
  std::set<std::pair<std::string, int>> places;
  for (const Diagnostic& each : in.diagnostics.all())
    if (each.code == "unknown-port")
      for (const Diagnostic::Line& note : each.notes) places.emplace(note.file, note.line);
  if (places.empty()) return;
  for (const BlockIndex b : in.blocks.indices()) {
    const Location where = in.system.blocks[b].where;
    if (where.file != nullptr && places.contains({*where.file, where.line})) in.blocks[b].tainted = true;
  }
}

} // namespace

void expand_ports(Inference& inference) {
  inference.wires.resize(inference.system.wires.size());
  Expansion(inference).run();
  taint_miswired(inference);
}

void report_undriven(Inference& in) {
  for (const BlockIndex b : in.blocks.indices()) {
    if (in.blocks[b].plan == nullptr) continue;
    const SystemBlock& block = in.system.blocks[b];
    const std::string local = block.path.substr(block.path.rfind('.') + 1);
    for (const SystemBlock::Port& port : block.ports) {
      const Slot& slot = in.slot(b, port.slot);
      if (slot.role != HILDA_INPUT || port.wire.valid()) continue;
      const PortRef ref{b, port.slot, port.item};
      if (in.blocks[b].miswired) {
        in.blocks[b].tainted = in.blocks[b].tainted || !slot.is(HILDA_OPTIONAL);
        continue;
      }
      if (slot.is(HILDA_EXPECTED))
        in.diagnostics.warning("open-input", block.where,
                               "nothing drives " + hilda::base::in_quotes(block.path + "." + slot.name) + " of " +
                                   block.type->name + ", without which it does something else",
                               "wire it, or wire a constant to it where that is meant" +
                                   (slot.doc.empty() ? "" : "; it is: " + slot.doc));
      if (slot.is(HILDA_OPTIONAL)) continue;
      in.diagnostics.error("undriven-input", block.where, "nothing drives the input " + end_text(in, ref),
                           "connect an output to it: <connect from=\"...\" to=\"" + local + "." + slot.name +
                               (port.item < 0 ? "" : "[" + std::to_string(port.item) + "]") + "\"/>" +
                               (slot.doc.empty() ? "" : "; it is: " + slot.doc));
      in.blocks[b].tainted = true;
    }
  }
}

} // namespace hilda::compile::inference
