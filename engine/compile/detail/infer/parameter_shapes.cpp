// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/driven_type.h"
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"
#include "engine/compile/detail/infer/parameter_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hilda::compile::inference {
namespace {

bool all_universal(const Value& value) {
  return std::all_of(value.numbers.begin(), value.numbers.end(), fits_everything);
}

bool numeric(const Value& value) { return value.kind != Value::Kind::text && !value.numbers.empty(); }

/// The slot asks for a matrix: one number is then a multiple of the identity, n are a diagonal.
bool matrix(const Slot& slot) {
  return slot.shape.whole.empty() && !(slot.shape.cols.fixed() && slot.shape.cols.constant == 1);
}

/// Gives a dimension a value; what has another value already is reported.
class Teller {
public:
  Teller(Inference& inference, BlockIndex block) : in_(inference), block_(block) {}

  void tell(const ParameterValue& parameter) {
    const Slot& slot = in_.slot(block_, parameter.slot);
    if (!numeric(parameter.value)) {
      in_.blocks[block_].tainted = true; // reported when the value is fitted to its slot
      return;
    }
    tell_shape(parameter, slot);
    if (!slot.unit.fixed()) tell_unit(in_, block_, parameter);
  }

  /// An integer parameter that is a dimension.
  void tell_dimension(const ParameterValue& parameter, int dimension) {
    const Value& value = parameter.value;
    Inference::BlockState& state = in_.blocks[block_];
    const bool whole = value.kind == Value::Kind::number && value.scalar() &&
                       value.numbers[0] == std::trunc(value.numbers[0]) && value.numbers[0] >= 0 &&
                       value.numbers[0] <= static_cast<double>(largest_dimension);
    if (!whole) {
      state.tainted = true; // reported when the value is fitted to its slot
      return;
    }
    give({state.dimensions + dimension, 0}, static_cast<int>(value.numbers[0]), parameter);
  }

private:
  void tell_shape(const ParameterValue& parameter, const Slot& slot) {
    const Place rows = in_.rows(block_, parameter.slot, -1), cols = in_.cols(block_, parameter.slot, -1);
    const Extent& extent = parameter.value.extent;
    if (extent.rank == 2) {
      give(rows, extent.rows, parameter);
      give(cols, extent.cols, parameter);
    } else if (extent.rank == 1) {
      give(rows, extent.rows, parameter);
      if (!matrix(slot)) give(cols, 1, parameter);
    } else if (matrix(slot) && !all_universal(parameter.value)) {
      square(rows, cols, parameter);
    }
  }

  void square(Place rows, Place cols, const ParameterValue& parameter) {
    if (rows.variable < 0)
      give(cols, rows.value, parameter);
    else if (cols.variable < 0)
      give(rows, cols.value, parameter);
    else if (rows.variable != cols.variable)
      in_.shapes.tie(rows.variable, cols.variable, label(parameter));
  }

  void give(Place place, int value, const ParameterValue& parameter) {
    if (place.variable < 0 || in_.shapes.give(place.variable, value, label(parameter))) return;
    const std::string name = in_quotes(in_.slot(block_, parameter.slot).name);
    const SystemBlock& block = in_.system.blocks[block_];
    std::vector<Note> notes;
    for (const ParameterValue& other : block.parameters)
      if (&other != &parameter && in_.blocks[block_].plan->slots[other.slot].open)
        notes.push_back({other.where, "parameter " + in_quotes(in_.slot(block_, other.slot).name) + " is " +
                                          other.value.extent.text() + " (" +
                                          in_quotes(in_.slot(block_, other.slot).shape_text) + ")"});
    if (notes.size() > 4) notes.resize(4);
    for (Note& note : notes_through(in_, parameter)) notes.push_back(std::move(note));
    in_.diagnostics.error(
        "parameter-sizes", parameter.where,
        "parameter " + name + " of " + in_quotes(block.path) + " is " + parameter.value.extent.text() +
            ", and the block's other parameters ask for another size: " +
            in_quotes(in_.slot(block_, parameter.slot).shape_text) + " with " +
            std::to_string(in_.shapes.value(place.variable)) + " in the place of " + std::to_string(value),
        "give parameters of matching sizes; rows of a matrix end with ';'", std::move(notes));
    in_.blocks[block_].tainted = true;
  }

  int label(const ParameterValue& parameter) {
    if (slot_ != parameter.slot) {
      slot_ = parameter.slot;
      label_ = in_.origin(Origin::Kind::parameter, block_, parameter.slot);
    }
    return label_;
  }

  Inference& in_;
  BlockIndex block_;
  SlotIndex slot_;
  int label_ = 0;
};

/// Gives a dimension that nothing determines.
void assume(Inference& in, Place place, int value, BlockIndex block, SlotIndex slot) {
  if (in.known(in.shapes, place)) return;
  in.shapes.give(place.variable, value, in.origin(Origin::Kind::assumption, block, slot));
  in.shapes.propagate();
}

/// The order of assumptions: a signal that is given as one number is a scalar; then n numbers for a matrix are its
/// diagonal; then a value that fits any shape (a zero, a multiple of the identity) is a scalar.
enum class Turn { signal, diagonal, rest };

Turn turn_of(const Slot& slot, const Value& value) {
  if (value.extent.rank == 1) return Turn::diagonal;
  return matrix(slot) || all_universal(value) ? Turn::rest : Turn::signal;
}

void assume_parameter(Inference& in, BlockIndex block, const ParameterValue& parameter, Turn turn) {
  const Slot& slot = in.slot(block, parameter.slot);
  const Extent& extent = parameter.value.extent;
  const Place rows = in.rows(block, parameter.slot, -1), cols = in.cols(block, parameter.slot, -1);
  if (turn == Turn::diagonal) {
    assume(in, cols, extent.rows, block, parameter.slot);
    return;
  }
  // A multiple of the identity is square: one known side is the other.
  const bool square = matrix(slot);
  const int count = square && in.known(in.shapes, rows)   ? in.value(in.shapes, rows)
                    : square && in.known(in.shapes, cols) ? in.value(in.shapes, cols)
                                                          : 1;
  assume(in, rows, count, block, parameter.slot);
  assume(in, cols, square ? in.value(in.shapes, rows) : 1, block, parameter.slot);
}

/// Does the value say anything about shapes and units? Of one that a wire drives the wire does.
bool tells(const Inference& in, BlockIndex block, const ParameterValue& parameter) {
  return parameter.slot.valid() && in.blocks[block].plan->slots[parameter.slot].open &&
         !is_driven(*in.system.blocks[block].type, parameter.slot);
}

} // namespace

void tell_parameters(Inference& in) {
  for (const BlockIndex b : in.blocks.indices()) {
    const TypePlan* plan = in.blocks[b].plan;
    if (plan == nullptr || (plan->open_parameters.empty() && plan->given.empty())) continue;
    Teller teller(in, b);
    for (const TypePlan::Given& given : plan->given)
      if (const ParameterValue* parameter = parameter_of(in.system.blocks[b], given.slot))
        teller.tell_dimension(*parameter, given.dimension);
    for (const ParameterValue& parameter : in.system.blocks[b].parameters)
      if (tells(in, b, parameter)) teller.tell(parameter);
  }
}

void assume_shapes(Inference& in) {
  struct Waiting {
    BlockIndex block;
    const ParameterValue* parameter;
  };
  std::vector<Waiting> diagonals, rest;
  for (const BlockIndex b : in.blocks.indices()) {
    const TypePlan* plan = in.blocks[b].plan;
    if (plan == nullptr || plan->open_parameters.empty()) continue;
    for (const ParameterValue& parameter : in.system.blocks[b].parameters) {
      if (!tells(in, b, parameter) || !numeric(parameter.value) || parameter.value.extent.rank == 2) continue;
      switch (turn_of(in.slot(b, parameter.slot), parameter.value)) {
      case Turn::signal: assume_parameter(in, b, parameter, Turn::signal); break;
      case Turn::diagonal: diagonals.push_back({b, &parameter}); break;
      case Turn::rest: rest.push_back({b, &parameter}); break;
      }
    }
  }
  for (const Waiting& each : diagonals) assume_parameter(in, each.block, *each.parameter, Turn::diagonal);
  for (const Waiting& each : rest) assume_parameter(in, each.block, *each.parameter, Turn::rest);
}

} // namespace hilda::compile::inference
