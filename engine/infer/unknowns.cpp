#include "engine/infer/inference.h"

#include <algorithm>

namespace hilda::inference {
namespace {

template <class Value> Place<Value> place(const PlanTerm<Value>& term, int block_first, int item_first) {
  using Where = typename PlanTerm<Value>::Where;
  if (term.where == Where::fixed) return {-1, term.value};
  return {(term.where == Where::block ? block_first : item_first) + term.index, {}};
}

int item_first(const Inference::BlockState& state, int item) {
  const auto own = static_cast<int>(state.plan->dimensions.size());
  const auto each = static_cast<int>(state.plan->item_dimensions.size());
  return state.dimensions + own + std::max(item, 0) * each;
}

/// result - sum(factor * unknown) = constant
template <class System, class Value>
void equate(System& system, const PlanEquation<Value>& equation, const Inference::BlockState& state, int item,
            int first, int label) {
  std::vector<LinearTerm> terms;
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

void add_block(Inference& in, BlockIndex block) {
  Inference::BlockState& state = in.blocks[block];
  const TypePlan& plan = *state.plan;
  state.dimensions = in.shapes.add(item_first(state, state.items)); // so far counted from 0
  state.units = in.units.add(static_cast<int>(plan.unit_names.size()));
  for (const auto& equation : plan.shape_equations) {
    const int label = in.origin(Origin::Kind::declaration, block, equation.slot);
    const int times = equation.item ? state.items : 1;
    for (int i = 0; i < times; ++i) equate(in.shapes, equation, state, i, state.dimensions, label);
  }
  for (const auto& equation : plan.unit_equations)
    equate(in.units, equation, state, 0, state.units, in.origin(Origin::Kind::declaration, block, equation.slot));
}

} // namespace

Place<Fraction> Inference::rows(BlockIndex block, SlotIndex slot, int item) const {
  const BlockState& state = blocks[block];
  return place(state.plan->slots[slot].rows, state.dimensions, item_first(state, item));
}

Place<Fraction> Inference::cols(BlockIndex block, SlotIndex slot, int item) const {
  const BlockState& state = blocks[block];
  return place(state.plan->slots[slot].cols, state.dimensions, item_first(state, item));
}

Place<int> Inference::unit(BlockIndex block, SlotIndex slot) const {
  const BlockState& state = blocks[block];
  return place(state.plan->slots[slot].unit, state.units, 0);
}

void add_unknowns(Inference& inference) {
  std::size_t dimensions = 0, units = 0;
  for (const Inference::BlockState& state : inference.blocks) {
    if (state.plan == nullptr) continue;
    dimensions += Inference::at(item_first(state, state.items));
    units += state.plan->unit_names.size();
  }
  inference.shapes.reserve(dimensions, 2 * inference.wires.size());
  inference.units.reserve(units, inference.wires.size());
  for (const BlockIndex b : inference.blocks.indices())
    if (inference.blocks[b].plan != nullptr) add_block(inference, b);
}

} // namespace hilda::inference
