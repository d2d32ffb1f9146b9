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

template <class Visit> void each_slot(const Inference& in, int b, Visit&& visit) {
  const SystemBlock& block = in.system.blocks[Inference::at(b)];
  for (const SystemBlock::Port& port : block.ports) visit(port.slot, port.item, port.wire);
  for (std::size_t s = 0; s < block.type->slots.size(); ++s)
    if (block.type->slots[s].role >= HILDA_PARAMETER) visit(static_cast<int>(s), -1, -1);
}

bool any_unknown(const Inference& in, int b) {
  const SystemBlock& block = in.system.blocks[Inference::at(b)];
  const auto open = [](const SignalType& type) { return type.rows < 0 || type.cols < 0; };
  for (const SystemBlock::Port& port : block.ports)
    if (open(port.type)) return true;
  for (std::size_t s = 0; s < block.type->slots.size(); ++s)
    if (block.type->slots[s].role >= HILDA_PARAMETER && open(block.slot_types[s])) return true;
  return false;
}

void report(Inference& in, int b, int slot, int item) {
  const SystemBlock& block = in.system.blocks[Inference::at(b)];
  std::vector<Note> notes;
  constexpr std::size_t most = 4;
  for (const SystemBlock::Port& port : block.ports)
    if (port.wire >= 0 && notes.size() < most && (port.type.rows < 0 || port.type.cols < 0)) {
      const Wire& wire = in.system.wires[Inference::at(port.wire)];
      notes.push_back({wire.where, port_name(in, wire.from) + " drives " + port_name(in, wire.to) +
                                       " and has no known shape either"});
    }
  const Slot& s = in.slot(b, slot);
  in.diagnostics.error(
      "shape-unknown", block.where,
      "the shape of " + std::string(role_name(s.role)) + " " + port_name(in, {b, slot, item, {}}) + ", declared as " +
          in_quotes(s.shape_text) + ", follows from nothing",
      "wire it to something that has a shape; in a loop without a source add up with a math/Sum what a <block "
      "name=\"size\" type=\"sources/Constant\" value=\"0\"/> gives, or value=\"0 0 0\" for three numbers",
      std::move(notes));
}

} // namespace

void report_unknown_shapes(Inference& in) {
  std::vector<int> open;
  for (std::size_t b = 0; b < in.blocks.size(); ++b)
    if (in.blocks[b].plan != nullptr && any_unknown(in, static_cast<int>(b))) open.push_back(static_cast<int>(b));
  if (open.empty()) return;
  Groups groups(in);
  const auto unknowns = [&](int b, int slot, int item) {
    std::vector<int> result;
    for (const auto& place : {in.rows(b, slot, item), in.cols(b, slot, item)})
      if (place.variable >= 0 && !in.shapes.known(place.variable)) result.push_back(place.variable);
    return result;
  };
  for (const int b : open)
    each_slot(in, b, [&](int slot, int item, int) {
      const std::vector<int> both = unknowns(b, slot, item);
      if (both.size() == 2) groups.merge(both[0], both[1]);
    });
  // What hangs on something that has been reported is not reported again.
  for (const int b : open)
    each_slot(in, b, [&](int slot, int item, int) {
      if (in.blocks[Inference::at(b)].tainted)
        for (const int v : unknowns(b, slot, item)) groups.tell(v);
    });
  for (const int b : open)
    each_slot(in, b, [&](int slot, int item, int wire) {
      const std::vector<int> both = unknowns(b, slot, item);
      const Slot& s = in.slot(b, slot);
      // An optional input that nothing drives needs no shape.
      if (both.empty() || groups.told(both[0]) || (s.role == HILDA_INPUT && wire < 0)) return;
      for (const int v : both) groups.tell(v);
      in.blocks[Inference::at(b)].tainted = true;
      report(in, b, slot, item);
    });
}

} // namespace hilda::inference
