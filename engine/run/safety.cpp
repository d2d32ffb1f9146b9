#include "engine/run/safety.h"

#include <cstring>

namespace hilda {

void SafetyStage::bind(const System& system, Memory& memory) {
  gate_of_.assign(system.wires.size(), -1);
  for (std::size_t w = 0; w < system.wires.size(); ++w) {
    const Wire& wire = system.wires[w];
    const BlockType& reader = memory.layout(wire.to.block);
    const Slot& slot = reader.slots[static_cast<std::size_t>(wire.to.slot)];
    if (!slot.is(HILDA_ACTUATION)) continue;
    const std::size_t elements = static_cast<std::size_t>(wire.type.rows) * static_cast<std::size_t>(wire.type.cols);
    Gate gate;
    gate.source = static_cast<const unsigned char*>(memory.source(wire.to.block, wire.to.slot, wire.to.item));
    gate.bytes = elements * (slot.element == HILDA_U8 ? 1 : 8);
    gate.numbers = slot.element == HILDA_F64;
    gate.passed.assign(elements, 0.0);
    gate_of_[w] = static_cast<int>(gates_.size());
    gates_.push_back(std::move(gate));
    memory.redirect(wire.to.block, wire.to.slot, wire.to.item, gates_.back().passed.data());
  }
}

void SafetyStage::pass(int wire) noexcept {
  Gate& gate = gates_[static_cast<std::size_t>(gate_of_[static_cast<std::size_t>(wire)])];
  if (gate.numbers) {
    const auto* x = reinterpret_cast<const double*>(gate.source);
    for (std::size_t i = 0; i < gate.passed.size(); ++i)
      if (x[i] != x[i]) {
        if (tripped_ < 0) tripped_ = wire;
        return;
      }
  }
  std::memcpy(gate.passed.data(), gate.source, gate.bytes);
}

void SafetyStage::save(std::vector<unsigned char>& bytes) const {
  for (const Gate& gate : gates_) {
    const auto* from = reinterpret_cast<const unsigned char*>(gate.passed.data());
    bytes.insert(bytes.end(), from, from + gate.passed.size() * sizeof(double));
  }
}

bool SafetyStage::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  for (Gate& gate : gates_) {
    const std::size_t size = gate.passed.size() * sizeof(double);
    if (size > bytes.size() - at) return false;
    std::memcpy(gate.passed.data(), bytes.data() + at, size);
    at += size;
  }
  tripped_ = -1;
  return true;
}

} // namespace hilda
