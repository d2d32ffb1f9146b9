// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/infer/inference.h"
#include "engine/quantity/printed_unit.h"

#include <algorithm>

namespace hilda::compile::inference {
namespace {

/// Takes over what one block's callback says.
class CallbackAnswer {
public:
  CallbackAnswer(Inference& inference, BlockIndex block) : in_(inference), block_(block) {}

  void take(const InferredShapes& says) {
    for (const InferredShapes::Dimension& d : says.dimensions) {
      const int dimension = state().plan->dimension(d.name);
      if (dimension < 0 || d.name.empty())
        refuse("gives a value to the dimension " + in_quotes(d.name) + ", which no slot has");
      else
        give(state().dimensions + dimension, d.value, d.name);
    }
    for (const InferredShapes::Item& item : says.items) take_item(item);
    for (const InferredShapes::Unit& unit : says.units) take_unit(unit);
  }

private:
  Inference::BlockState& state() { return in_.blocks[block_]; }

  void take_item(const InferredShapes::Item& item) {
    const SystemBlock& block = in_.system.blocks[block_];
    const auto port = std::find_if(block.ports.begin(), block.ports.end(), [&](const SystemBlock::Port& p) {
      return p.item >= 0 && static_cast<std::uint64_t>(p.item) == item.index &&
             in_.slot(block_, p.slot).name == item.slot;
    });
    if (port == block.ports.end())
      return refuse("gives a shape to " + in_quotes(item.slot + "[" + std::to_string(item.index) + "]") +
                    ", which it does not have");
    give(in_.rows(block_, port->slot, port->item).variable, item.rows, item.slot);
    give(in_.cols(block_, port->slot, port->item).variable, item.cols, item.slot);
  }

  void take_unit(const InferredShapes::Unit& says) {
    const auto& names = state().plan->unit_names;
    const auto named = std::find(names.begin(), names.end(), says.name);
    if (named == names.end() || says.name.empty())
      return refuse("gives a unit to " + in_quotes(says.name) + ", which no slot has");
    const Result<UnitReading> read = parse_unit(says.text);
    if (!read) return refuse("gives the unit " + in_quotes(says.text) + ": " + read.error().what);
    const SlotIndex slot = in_.system.blocks[block_].type->find(says.slot, HILDA_PARAMETER);
    const int label = in_.origin(Origin::Kind::callback, block_, slot);
    const int variable = state().units + static_cast<int>(named - names.begin());
    if (!in_.units.give(variable, in_.unit_pool.number(printed_unit(*read, says.text)), label))
      refuse("gives the unit " + in_quotes(says.text) + " to " + in_quotes(says.name) + ", which is in " +
             in_.unit_pool.unit(in_.units.value(variable)).text() + " by its parameters");
  }

  void give(int variable, std::int64_t value, const std::string& name) {
    if (value < 0 || value > largest_dimension)
      return refuse("gives " + std::to_string(value) + " to " + in_quotes(name));
    if (variable < 0) return; // fixed by the type: what differs is found at the wires
    if (label_ == 0) label_ = in_.origin(Origin::Kind::callback, block_, {});
    if (!in_.shapes.give(variable, static_cast<int>(value), label_))
      refuse("gives " + std::to_string(value) + " to " + in_quotes(name) + ", which is " +
             std::to_string(in_.shapes.value(variable)) + " by its parameters");
  }

  void refuse(const std::string& what) {
    const SystemBlock& block = in_.system.blocks[block_];
    in_.diagnostics.error(
        "infer-callback", block.where, "the type " + block.type->name + " of " + in_quotes(block.path) + " " + what,
        "mend the infer function of the plugin " + block.type->plugin + ", or the parameters that it reads");
    state().tainted = true;
  }

  Inference& in_;
  BlockIndex block_;
  int label_ = 0;
};

} // namespace

void ask_callbacks(Inference& in, const InferenceHook& hook) {
  if (!hook) return;
  for (const BlockIndex b : in.blocks.indices()) {
    const BlockType* type = in.system.blocks[b].type;
    if (type == nullptr || type->abi == nullptr || type->abi->infer == nullptr || in.blocks[b].tainted) continue;
    InferredShapes says;
    if (hook(in.system, b, says, in.diagnostics))
      CallbackAnswer(in, b).take(says);
    else
      in.blocks[b].tainted = true;
  }
}

} // namespace hilda::compile::inference
