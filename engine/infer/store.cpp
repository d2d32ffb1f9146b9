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

SignalType make_type(const Inference& in, const Place<Fraction>& rows, const Place<Fraction>& cols,
                     const Place<int>& unit, hilda_element element, hilda_kind kind) {
  SignalType type;
  type.element = element;
  if (in.known(in.shapes, rows)) type.rows = static_cast<int>(in.value(in.shapes, rows).numerator());
  if (in.known(in.shapes, cols)) type.cols = static_cast<int>(in.value(in.shapes, cols).numerator());
  if (in.known(in.units, unit)) type.unit = in.unit_pool.unit(in.value(in.units, unit));
  type.kind = type.unit ? kind_of(*type.unit, type.rows, type.cols, kind) : kind;
  return type;
}

} // namespace

SignalType Inference::type(int block, int slot_index, int item) const {
  const Slot& s = slot(block, slot_index);
  return make_type(*this, rows(block, slot_index, item), cols(block, slot_index, item), unit(block, slot_index),
                   s.element, s.kind);
}

SignalType Inference::wire_type(int wire) const {
  const WireState& state = wires[at(wire)];
  const PortRef& from = system.wires[at(wire)].from;
  return make_type(*this, state.rows, state.cols, state.unit, slot(from.block, from.slot).element, state.kind);
}

void store_types(Inference& in) {
  for (std::size_t b = 0; b < in.blocks.size(); ++b) {
    if (in.blocks[b].plan == nullptr) continue;
    SystemBlock& block = in.system.blocks[b];
    const auto index = static_cast<int>(b);
    for (SystemBlock::Port& port : block.ports) port.type = in.type(index, port.slot, port.item);
    block.slot_types.assign(block.type->slots.size(), SignalType());
    for (std::size_t s = 0; s < block.type->slots.size(); ++s)
      if (block.type->slots[s].role >= HILDA_PARAMETER) block.slot_types[s] = in.type(index, static_cast<int>(s), -1);
  }
  for (std::size_t w = 0; w < in.wires.size(); ++w)
    if (in.wires[w].resolved) in.system.wires[w].type = in.wire_type(static_cast<int>(w));
}

} // namespace hilda::inference
