#include "engine/infer/inference.h"

namespace hilda::inference {
namespace {

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

} // namespace hilda::inference
