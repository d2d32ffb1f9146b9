#include "engine/infer/inference.h"

#include <algorithm>
#include <unordered_map>

namespace hilda::inference {
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
    for (std::size_t w = 0; w < in_.system.wires.size(); ++w) count_wire(static_cast<int>(w));
    for (std::size_t b = 0; b < in_.blocks.size(); ++b) expand(static_cast<int>(b));
    for (std::size_t w = 0; w < in_.system.wires.size(); ++w) connect(static_cast<int>(w));
  }

private:
  void plan_types();
  void count_wire(int wire);
  void count_end(const PortRef& ref);
  void expand(int block);
  int count_items(int block, int slot);
  int count_parameter(int block, const std::string& count);
  void connect(int wire);
  bool exists(const PortRef& ref, Location where);

  Inference& in_;
  std::vector<Wired> wired_; ///< parallel to item_counts
};

/// One plan a type, in the order in which the types are met.
void Expansion::plan_types() {
  std::unordered_map<const BlockType*, int> index;
  const auto& blocks = in_.system.blocks;
  std::vector<int> plan_of(blocks.size(), -1);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].type == nullptr) continue;
    if (b > 0 && blocks[b].type == blocks[b - 1].type) {
      plan_of[b] = plan_of[b - 1];
      continue;
    }
    const auto [place, fresh] = index.try_emplace(blocks[b].type, static_cast<int>(in_.plans.size()));
    if (fresh) in_.plans.push_back(plan_type(*blocks[b].type, in_.unit_pool));
    plan_of[b] = place->second;
  }
  in_.blocks.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Inference::BlockState& state = in_.blocks[b];
    if (plan_of[b] < 0) {
      state.tainted = true;
      continue;
    }
    state.plan = &in_.plans[Inference::at(plan_of[b])];
    if (!state.plan->repeats) continue;
    state.counts = static_cast<int>(in_.item_counts.size());
    in_.item_counts.resize(in_.item_counts.size() + state.plan->slots.size());
  }
  wired_.resize(in_.item_counts.size());
}

void Expansion::count_end(const PortRef& ref) {
  if (ref.item < 0 || !repeated(in_, ref)) return;
  Wired& here = wired_[Inference::at(in_.blocks[Inference::at(ref.block)].counts + ref.slot)];
  ++here.wires;
  here.end = std::max(here.end, std::min(ref.item, most_items) + 1);
}

void Expansion::count_wire(int index) {
  const Wire& wire = in_.system.wires[Inference::at(index)];
  const auto typed = [&](const PortRef& ref) {
    return ref.block >= 0 && ref.slot >= 0 && in_.blocks[Inference::at(ref.block)].plan != nullptr;
  };
  if (typed(wire.from)) count_end(wire.from);
  if (typed(wire.to)) count_end(wire.to);
}

/// "n": the integer parameter n, "len(signs)": how long the text is. -1 where that cannot be read (told later).
int Expansion::count_parameter(int block, const std::string& count) {
  SystemBlock& b = in_.system.blocks[Inference::at(block)];
  const bool length = count.starts_with("len(");
  const int slot = b.type->find(length ? count.substr(4, count.size() - 5) : count, HILDA_PARAMETER);
  const ParameterValue* given = slot < 0 ? nullptr : parameter_of(b, slot);
  if (given == nullptr) return -1;
  if (!length && (given->value.kind != Value::Kind::number || given->value.numbers.size() != 1)) return -1;
  const double items = length ? static_cast<double>(given->value.text.size()) : given->value.numbers[0];
  if (!(items >= 1) || items > most_items) {
    in_.diagnostics.error("port-count", given->where, in_quotes(b.path) + " would have " + decimal(items) + " ports",
                          "give 1 to " + std::to_string(most_items) + " in " +
                              in_quotes(b.type->slots[Inference::at(slot)].name));
    in_.blocks[Inference::at(block)].tainted = true;
    return -1;
  }
  return static_cast<int>(items);
}

int Expansion::count_items(int block, int slot) {
  const Slot& s = in_.slot(block, slot);
  const Wired& wired = wired_[Inference::at(in_.blocks[Inference::at(block)].counts + slot)];
  const int told = s.count.empty() ? -1 : count_parameter(block, s.count);
  if (told >= 0) return told;
  if (s.role == HILDA_OUTPUT) return std::min(wired.end, most_items);
  // Inputs are numbered without gaps, so there are no more of them than wires; what lies beyond is told at its wire.
  return std::min(wired.end, wired.wires);
}

void Expansion::expand(int block) {
  Inference::BlockState& state = in_.blocks[Inference::at(block)];
  if (state.plan == nullptr) return;
  auto& ports = in_.system.blocks[Inference::at(block)].ports;
  ports.clear();
  ports.reserve(state.plan->ports.size());
  for (const int slot : state.plan->ports) {
    const Slot& s = in_.slot(block, slot);
    const bool many = s.is(HILDA_REPEATED);
    const int items = many ? count_items(block, slot) : 1;
    if (many) in_.item_counts[Inference::at(state.counts + slot)] = items;
    for (int i = 0; i < items; ++i) {
      SystemBlock::Port& port = ports.emplace_back();
      port.slot = slot;
      port.item = many ? i : -1;
    }
  }
  if (state.plan->items_of >= 0) state.items = in_.item_counts[Inference::at(state.counts + state.plan->items_of)];
}

/// Whether a repeated port has this item, and is given one.
bool Expansion::exists(const PortRef& ref, Location where) {
  const SystemBlock& block = in_.system.blocks[Inference::at(ref.block)];
  if (port_index(block, ref) >= 0) return true;
  Inference::BlockState& state = in_.blocks[Inference::at(ref.block)];
  state.miswired = state.tainted = true;
  if (repeated(in_, ref)) report_missing_item(in_, ref, where);
  return false;
}

void Expansion::connect(int index) {
  const Wire& wire = in_.system.wires[Inference::at(index)];
  Inference::WireState& state = in_.wires[Inference::at(index)];
  const auto typed = [&](const PortRef& ref) {
    return ref.block >= 0 && ref.slot >= 0 && in_.blocks[Inference::at(ref.block)].plan != nullptr;
  };
  const bool from = typed(wire.from) && exists(wire.from, wire.where);
  if (!typed(wire.to) || !exists(wire.to, wire.where)) return;
  SystemBlock& to = in_.system.blocks[Inference::at(wire.to.block)];
  SystemBlock::Port& port = to.ports[Inference::at(port_index(to, wire.to))];
  if (port.wire >= 0) return;
  port.wire = index;
  state.active = from;
  if (!from) in_.blocks[Inference::at(wire.to.block)].tainted = true;
}

} // namespace

ParameterValue* parameter_of(SystemBlock& block, int slot) {
  for (ParameterValue& parameter : block.parameters)
    if (parameter.slot == slot) return &parameter;
  return nullptr;
}

void report_missing_item(Inference& in, const PortRef& ref, Location where) {
  const SystemBlock& block = in.system.blocks[Inference::at(ref.block)];
  const Slot& slot = in.slot(ref.block, ref.slot);
  const std::string name = block.path + "." + slot.name;
  const std::vector<Note> notes{{block.where, "the block stands here"}};
  if (ref.item < 0) {
    in.diagnostics.error("port-item", where, in_quotes(name) + " is given several times: the index is missing",
                         "write " + in_quotes(name + "[0]"), notes);
    return;
  }
  const int count = in.item_counts[Inference::at(in.blocks[Inference::at(ref.block)].counts + ref.slot)];
  in.diagnostics.error("port-item", where,
                       port_name(in, ref) + " does not exist: there " + (count == 1 ? "is " : "are ") +
                           std::to_string(count) + " of " + in_quotes(name),
                       "number them from 0 without a gap" +
                           (slot.count.empty() ? "" : "; how many there are follows from " + in_quotes(slot.count)),
                       notes);
}

void expand_ports(Inference& inference) {
  inference.wires.resize(inference.system.wires.size());
  Expansion(inference).run();
}

void report_undriven(Inference& in) {
  for (std::size_t b = 0; b < in.blocks.size(); ++b) {
    if (in.blocks[b].plan == nullptr || in.blocks[b].miswired) continue;
    const SystemBlock& block = in.system.blocks[b];
    const std::string local = block.path.substr(block.path.rfind('.') + 1);
    for (const SystemBlock::Port& port : block.ports) {
      const Slot& slot = in.slot(static_cast<int>(b), port.slot);
      if (slot.role != HILDA_INPUT || port.wire >= 0) continue;
      const PortRef ref{static_cast<int>(b), port.slot, port.item, {}};
      if (slot.is(HILDA_EXPECTED))
        in.diagnostics.warning("open-input", block.where,
                               "nothing drives " + hilda::in_quotes(block.path + "." + slot.name) + " of " +
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

} // namespace hilda::inference

namespace hilda {

int port_index(const SystemBlock& block, const PortRef& ref) {
  const auto found = std::lower_bound(
      block.ports.begin(), block.ports.end(), ref, [](const SystemBlock::Port& port, const PortRef& wanted) {
        return port.slot != wanted.slot ? port.slot < wanted.slot : port.item < wanted.item;
      });
  const bool there = found != block.ports.end() && found->slot == ref.slot && found->item == ref.item;
  return there ? static_cast<int>(found - block.ports.begin()) : -1;
}

} // namespace hilda
