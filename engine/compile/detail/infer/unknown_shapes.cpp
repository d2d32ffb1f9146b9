// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace hilda::compile::inference {
namespace {

/// Unknown dimensions that hang together, so that a chain of blocks without a size is reported once.
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
    remarked_.assign(parent_.size(), 0);
  }

  /// Rows and columns of a signal that is in doubt belong together.
  void merge(int a, int b) {
    a = root(a), b = root(b);
    parent_[Inference::at(std::max(a, b))] = std::min(a, b);
  }
  bool told(int variable) { return told_[Inference::at(root(variable))]; }
  void tell(int variable) { told_[Inference::at(root(variable))] = true; }
  /// True the first time for all ports that are connected.
  bool remark(int variable) { return !std::exchange(remarked_[Inference::at(root(variable))], std::uint8_t{1}); }

private:
  int root(int v) {
    while (parent_[Inference::at(v)] != v)
      v = parent_[Inference::at(v)] = parent_[Inference::at(parent_[Inference::at(v)])];
    return v;
  }
  const Inference& in_;
  std::vector<int> parent_;
  std::vector<bool> told_;
  std::vector<std::uint8_t> remarked_;
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

/// Unknown rows and columns of a slot.
std::vector<int> unknowns(const Inference& in, BlockIndex b, SlotIndex slot, int item) {
  std::vector<int> result;
  for (const auto& place : {in.rows(b, slot, item), in.cols(b, slot, item)})
    if (place.variable >= 0 && !in.shapes.known(place.variable)) result.push_back(place.variable);
  return result;
}

/// Groups of the unknown dimensions of some blocks. What depends on something that has been reported counts as
/// reported.
Groups groups_of(const Inference& in, const std::vector<BlockIndex>& open) {
  Groups groups(in);
  for (const BlockIndex b : open)
    each_slot(in, b, [&](SlotIndex slot, int item, WireIndex) {
      const std::vector<int> both = unknowns(in, b, slot, item);
      if (both.size() == 2) groups.merge(both[0], both[1]);
    });
  for (const BlockIndex b : open)
    each_slot(in, b, [&](SlotIndex slot, int item, WireIndex) {
      if (in.blocks[b].tainted)
        for (const int v : unknowns(in, b, slot, item)) groups.tell(v);
    });
  return groups;
}

/// A signal of any shape, or a vector of any length: no matrix, and no size that others add up to.
bool may_be_scalar(const Slot& slot) {
  if (!slot.shape.whole.empty()) return true;
  const Dimension& rows = slot.shape.rows;
  const bool free = rows.constant == 0 && rows.terms.size() == 1 && rows.terms[0].factor == 1 && !rows.terms[0].sum;
  return free && slot.shape.cols.fixed() && slot.shape.cols.constant == 1;
}

} // namespace

void assume_scalars(Inference& in) {
  std::vector<BlockIndex> all;
  for (const BlockIndex b : in.blocks.indices())
    if (in.blocks[b].plan != nullptr) all.push_back(b);
  std::optional<Groups> groups;
  for (const BlockIndex b : all)
    for (const SystemBlock::Port& port : in.system.blocks[b].ports) {
      if (!port.wire.valid() || in.slot(b, port.slot).role != HILDA_INPUT || !may_be_scalar(in.slot(b, port.slot)))
        continue;
      const std::vector<int> open = unknowns(in, b, port.slot, port.item);
      if (open.empty()) continue;
      if (!groups) groups.emplace(groups_of(in, all));
      if (groups->told(open[0])) continue;
      // Connected ports get one remark, and each free dimension of them its one number.
      if (groups->remark(open[0]))
        in.remarks.push_back("the shape of " + port_name(in, {b, port.slot, port.item}) +
                             " is not determined: hilda assumes a scalar, also for the signals connected with it; "
                             "shape=\"3\" on a <connect> makes it a vector");
      const int label = in.origin(Origin::Kind::assumption, b, port.slot);
      for (const int v : open) in.shapes.give(v, 1, label);
      in.shapes.propagate();
    }
}

void report_unknown_shapes(Inference& in) {
  std::vector<BlockIndex> open;
  for (const BlockIndex b : in.blocks.indices())
    if (in.blocks[b].plan != nullptr && any_unknown(in, b)) open.push_back(b);
  if (open.empty()) return;
  Groups groups = groups_of(in, open);
  for (const BlockIndex b : open)
    each_slot(in, b, [&](SlotIndex slot, int item, WireIndex wire) {
      const std::vector<int> both = unknowns(in, b, slot, item);
      const Slot& s = in.slot(b, slot);
      // An optional input that nothing drives needs no shape.
      if (both.empty() || groups.told(both[0]) || (s.role == HILDA_INPUT && !wire.valid())) return;
      for (const int v : both) groups.tell(v);
      in.blocks[b].tainted = true;
      report(in, b, slot, item);
    });
}

} // namespace hilda::compile::inference
