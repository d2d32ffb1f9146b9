#include "engine/infer/inference.h"

#include <algorithm>

namespace hilda::inference {
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

} // namespace hilda::inference
