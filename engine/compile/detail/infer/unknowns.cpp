// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/infer/inference.h"

#include <algorithm>

namespace hilda::compile::inference {
namespace {

int item_first(const Inference::BlockState& state, int item) {
  const auto own = static_cast<int>(state.plan->dimensions.size());
  const auto each = static_cast<int>(state.plan->item_dimensions.size());
  return state.dimensions + own + std::max(item, 0) * each;
}

/// `first`: of the block's unknowns.
Place place(const PlanTerm& term, const Inference::BlockState& state, int first, int item) {
  switch (term.where) {
  case PlanTerm::Where::fixed: return {-1, term.value};
  case PlanTerm::Where::block: return {first + term.index, 0};
  case PlanTerm::Where::item: break;
  }
  return {item_first(state, item) + term.index, 0};
}

/// result - sum(factor * unknown) = constant; `terms` is room for it.
template <class System, class Value>
void equate(System& system, const PlanEquation<Value>& equation, const Inference::BlockState& state, int item,
            int first, int label, std::vector<LinearTerm>& terms) {
  terms.clear();
  const int result = equation.item ? item_first(state, item) : first;
  terms.push_back({result + equation.result, 1});
  for (const auto& term : equation.terms) {
    if (!term.sum) {
      terms.push_back({(term.item ? item_first(state, item) : first) + term.index, -term.factor});
      continue;
    }
    for (int i = 0; i < state.items; ++i) terms.push_back({item_first(state, i) + term.index, -term.factor});
  }
  system.equate(terms, equation.constant, label);
}

template <class Value, class Sizes>
void count(const std::vector<PlanEquation<Value>>& equations, std::size_t items, Sizes& sizes) {
  for (const auto& equation : equations) {
    const std::size_t times = equation.item ? items : 1;
    std::size_t terms = 1;
    for (const auto& term : equation.terms) terms += term.sum ? items : 1;
    sizes.equations += times;
    sizes.terms += times * terms;
  }
}

void add_block(Inference& in, BlockIndex block, std::vector<LinearTerm>& terms) {
  Inference::BlockState& state = in.blocks[block];
  const TypePlan& plan = *state.plan;
  state.dimensions = in.shapes.add(item_first(state, state.items)); // so far counted from 0
  state.units = in.units.add(static_cast<int>(plan.unit_names.size()));
  for (const auto& equation : plan.shape_equations) {
    const int label = in.origin(Origin::Kind::declaration, block, equation.slot);
    const int times = equation.item ? state.items : 1;
    for (int i = 0; i < times; ++i) equate(in.shapes, equation, state, i, state.dimensions, label, terms);
  }
  for (const auto& equation : plan.unit_equations)
    equate(in.units, equation, state, 0, state.units, in.origin(Origin::Kind::declaration, block, equation.slot),
           terms);
}

hilda_kind kind_of(const Unit& unit, int rows, int cols, hilda_kind declared) {
  if (declared != HILDA_PLAIN) return declared;
  if (cols != 1 || (rows != 6 && rows != 7)) return HILDA_PLAIN;
  if (rows == 6 && unit == Unit(Unit::Base::wrench)) return HILDA_WRENCH;
  if (rows == 6 && unit == Unit(Unit::Base::twist)) return HILDA_TWIST;
  if (rows == 7 && unit == Unit(Unit::Base::pose)) return HILDA_POSE;
  return HILDA_PLAIN;
}

SignalType make_type(const Inference& in, Place rows, Place cols, Place unit, hilda_element element, hilda_kind kind) {
  SignalType type;
  type.element = element;
  if (in.known(in.shapes, rows)) type.rows = in.value(in.shapes, rows);
  if (in.known(in.shapes, cols)) type.cols = in.value(in.shapes, cols);
  if (in.known(in.units, unit)) type.unit = in.unit_pool.shared(in.value(in.units, unit));
  type.kind = type.unit ? kind_of(*type.unit, type.rows, type.cols, kind) : kind;
  return type;
}

} // namespace

Place Inference::rows(BlockIndex block, SlotIndex slot, int item) const {
  const BlockState& state = blocks[block];
  return place(state.plan->slots[slot].rows, state, state.dimensions, item);
}

Place Inference::cols(BlockIndex block, SlotIndex slot, int item) const {
  const BlockState& state = blocks[block];
  return place(state.plan->slots[slot].cols, state, state.dimensions, item);
}

Place Inference::unit(BlockIndex block, SlotIndex slot) const {
  const BlockState& state = blocks[block];
  return place(state.plan->slots[slot].unit, state, state.units, -1);
}

void add_unknowns(Inference& inference) {
  LinearSystem<DimensionAlgebra>::Sizes shapes{.ties = 2 * inference.wires.size()};
  LinearSystem<UnitPool>::Sizes units{.ties = inference.wires.size()};
  std::size_t parameters = 0;
  for (const Inference::BlockState& state : inference.blocks) {
    if (state.plan == nullptr) continue;
    shapes.unknowns += Inference::at(item_first(state, state.items));
    units.unknowns += state.plan->unit_names.size();
    count(state.plan->shape_equations, Inference::at(state.items), shapes);
    count(state.plan->unit_equations, 1, units);
    parameters += state.plan->open_parameters.size();
  }
  inference.shapes.reserve(shapes);
  inference.units.reserve(units);
  inference.origins.reserve(shapes.equations + units.equations + 2 * parameters);
  std::vector<LinearTerm> terms;
  for (const BlockIndex b : inference.blocks.indices())
    if (inference.blocks[b].plan != nullptr) add_block(inference, b, terms);
}

SignalType Inference::type(BlockIndex block, SlotIndex slot_index, int item) const {
  const Slot& s = slot(block, slot_index);
  return make_type(*this, rows(block, slot_index, item), cols(block, slot_index, item), unit(block, slot_index),
                   s.element, s.kind);
}

SignalType Inference::wire_type(WireIndex wire) const {
  const WireState& state = wires[wire];
  const PortRef& from = system.wires[wire].from;
  return make_type(*this, state.rows, state.cols, state.unit, slot(from.block, from.slot).element, state.kind);
}

void store_types(Inference& in) {
  for (const BlockIndex b : in.blocks.indices()) {
    if (in.blocks[b].plan == nullptr) continue;
    SystemBlock& block = in.system.blocks[b];
    const auto index = b;
    for (SystemBlock::Port& port : block.ports) port.type = in.type(index, port.slot, port.item);
    block.slot_types.assign(block.type->slots.size(), SignalType());
    for (const SlotIndex s : block.type->slots.indices())
      if (block.type->slots[s].role >= HILDA_PARAMETER) block.slot_types[s] = in.type(index, s, -1);
  }
  for (const WireIndex w : in.wires.indices())
    if (in.wires[w].resolved) in.system.wires[w].type = in.wire_type(w);
}

} // namespace hilda::compile::inference
