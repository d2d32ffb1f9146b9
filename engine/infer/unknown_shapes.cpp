#include "engine/infer/explain.h"
#include "engine/infer/inference.h"

#include <algorithm>
#include <numeric>

namespace hilda::inference {
namespace {

/// Unknown dimensions that hang together, so that a chain of blocks without a size is told once.
class Groups {
public:
  explicit Groups(const Inference& inference) : in_(inference), parent_(Inference::at(in_.shapes.size())) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const auto& tie : in_.shapes.ties())
      if (!in_.shapes.known(tie.from) && !in_.shapes.known(tie.to)) merge(tie.from, tie.to);
    for (const auto& equation : in_.shapes.equations()) {
      int first = -1;
      for (const LinearTerm& term : in_.shapes.terms(equation)) {
        if (in_.shapes.known(term.variable)) continue;
        if (first < 0)
          first = term.variable;
        else
          merge(first, term.variable);
      }
    }
    told_.assign(parent_.size(), false);
  }

  /// Rows and columns of a signal that is in doubt belong together.
  void merge(int a, int b) {
    a = root(a), b = root(b);
    parent_[Inference::at(std::max(a, b))] = std::min(a, b);
  }
  bool told(int variable) { return told_[Inference::at(root(variable))]; }
  void tell(int variable) { told_[Inference::at(root(variable))] = true; }

private:
  int root(int v) {
    while (parent_[Inference::at(v)] != v)
      v = parent_[Inference::at(v)] = parent_[Inference::at(parent_[Inference::at(v)])];
    return v;
  }
  const Inference& in_;
  std::vector<int> parent_;
  std::vector<bool> told_;
};

template <class Visit> void each_slot(const Inference& in, BlockIndex b, Visit&& visit) {
  const SystemBlock& block = in.system.blocks[b];
  for (const SystemBlock::Port& port : block.ports) visit(port.slot, port.item, port.wire);
  for (const SlotIndex s : block.type->slots.indices())
    if (block.type->slots[s].role >= HILDA_PARAMETER) visit(s, -1, WireIndex());
}

bool any_unknown(const Inference& in, BlockIndex b) {
  const SystemBlock& block = in.system.blocks[b];
  const auto open = [](const SignalType& type) { return type.rows < 0 || type.cols < 0; };
  for (const SystemBlock::Port& port : block.ports)
    if (open(port.type)) return true;
  for (const SlotIndex s : block.type->slots.indices())
    if (block.type->slots[s].role >= HILDA_PARAMETER && open(block.slot_types[s])) return true;
  return false;
}

void report(Inference& in, BlockIndex b, SlotIndex slot, int item) {
  const SystemBlock& block = in.system.blocks[b];
  std::vector<Note> notes;
  constexpr std::size_t most = 4;
  for (const SystemBlock::Port& port : block.ports)
    if (port.wire.valid() && notes.size() < most && (port.type.rows < 0 || port.type.cols < 0)) {
      const Wire& wire = in.system.wires[port.wire];
      notes.push_back({wire.where, port_name(in, wire.from) + " drives " + port_name(in, wire.to) +
                                       " and has no known shape either"});
    }
  const Slot& s = in.slot(b, slot);
  in.diagnostics.error(
      "shape-unknown", block.where,
      "the shape of " + std::string(role_name(s.role)) + " " + port_name(in, {b, slot, item}) + ", declared as " +
          in_quotes(s.shape_text) + ", follows from nothing",
      "wire it to something that has a shape; in a loop without a source add up with a math/Sum what a <block "
      "name=\"size\" type=\"sources/Constant\" value=\"0\"/> gives, or value=\"0 0 0\" for three numbers",
      std::move(notes));
}

} // namespace

void report_unknown_shapes(Inference& in) {
  std::vector<BlockIndex> open;
  for (const BlockIndex b : in.blocks.indices())
    if (in.blocks[b].plan != nullptr && any_unknown(in, b)) open.push_back(b);
  if (open.empty()) return;
  Groups groups(in);
  const auto unknowns = [&](BlockIndex b, SlotIndex slot, int item) {
    std::vector<int> result;
    for (const auto& place : {in.rows(b, slot, item), in.cols(b, slot, item)})
      if (place.variable >= 0 && !in.shapes.known(place.variable)) result.push_back(place.variable);
    return result;
  };
  for (const BlockIndex b : open)
    each_slot(in, b, [&](SlotIndex slot, int item, WireIndex) {
      const std::vector<int> both = unknowns(b, slot, item);
      if (both.size() == 2) groups.merge(both[0], both[1]);
    });
  // What hangs on something that has been reported is not reported again.
  for (const BlockIndex b : open)
    each_slot(in, b, [&](SlotIndex slot, int item, WireIndex) {
      if (in.blocks[b].tainted)
        for (const int v : unknowns(b, slot, item)) groups.tell(v);
    });
  for (const BlockIndex b : open)
    each_slot(in, b, [&](SlotIndex slot, int item, WireIndex wire) {
      const std::vector<int> both = unknowns(b, slot, item);
      const Slot& s = in.slot(b, slot);
      // An optional input that nothing drives needs no shape.
      if (both.empty() || groups.told(both[0]) || (s.role == HILDA_INPUT && !wire.valid())) return;
      for (const int v : both) groups.tell(v);
      in.blocks[b].tainted = true;
      report(in, b, slot, item);
    });
}

} // namespace hilda::inference
