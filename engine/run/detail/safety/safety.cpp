// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/safety/safety.h"

#include "engine/run/pacing.h"
#include "engine/run/plan.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>

namespace hilda::run {

namespace {

MotionLimits limits_of(const System& system, const PortRef& input) {
  for (const Limits& l : system.limits)
    if (l.input.block == input.block && l.input.slot == input.slot && l.input.item == input.item) return l.limits;
  return {};
}

auto fate_of(const hilda_actuation_1* actuation) -> decltype(hilda_actuation_1::fate) {
  constexpr std::size_t needed = offsetof(hilda_actuation_1, fate) + sizeof actuation->fate;
  return actuation != nullptr && actuation->size >= needed ? actuation->fate : nullptr;
}

} // namespace

void SafetyStage::bind(const System& system, Memory& memory, bool hardware) {
  hardware_ = hardware;
  gate_of_.assign(system.wires.size(), {});
  unready_.assign(system.blocks.size(), 0);
  timed_ = unready_;
  for (const WireIndex w : system.wires.indices()) {
    const Wire& wire = system.wires[w];
    const BlockType& reader = memory.layout(wire.to.block);
    const Slot& slot = reader.slots[wire.to.slot];
    if (!slot.is(HILDA_ACTUATION)) continue;
    const std::size_t elements = wire.type.elements();
    const SystemBlock& block = system.blocks[wire.to.block];
    gate_of_[w] = gates_.next();
    Gate& gate = gates_.emplace_back();
    gate.wire = w;
    gate.block = wire.to.block;
    gate.guard = block.guard;
    gate.pacing = clock_of(memory, wire.to.block) != nullptr;
    gate.record = memory.record(wire.to.block);
    gate.input = port_text(system, wire.to);
    gate.name = slot.name;
    if (reader.abi->extension != nullptr)
      gate.actuation = static_cast<const hilda_actuation_1*>(reader.abi->extension("hilda.actuation/1"));
    if (hardware && gate.pacing) gate.fate = fate_of(gate.actuation);
    gate.timed = hardware && !gate.pacing && reader.abi->emit != nullptr && slot.element == HILDA_F64;
    if (gate.timed) {
      const double hold = slot.kind == HILDA_TWIST ? limits_of(system, wire.to).hold : 0;
      gate.cadence.bind(block.divider, hold / system.base.value());
      timed_[gate.block] = 1;
      gate.flows = slot.kind == HILDA_TWIST || slot.kind == HILDA_WRENCH;
    }
    gate.source = static_cast<const unsigned char*>(memory.source(wire.to.block, wire.to.slot, wire.to.item));
    gate.bytes = elements * (slot.element == HILDA_U8 ? 1 : 8);
    gate.numbers = slot.element == HILDA_F64;
    gate.held.assign(elements, 0.0);
    gate.rest.assign(elements, 0.0);
    gate.motion.bind(slot.kind, elements, (system.base * Rational(block.divider)).value(), limits_of(system, wire.to),
                     hardware && reader.abi->emit != nullptr);
    memory.redirect(wire.to.block, wire.to.slot, wire.to.item, gate.numbers ? gate.motion.data() : gate.held.data());
  }
  mark_ready();
}

bool SafetyStage::rest_at(Gate& gate, const double* value) noexcept {
  if (gate.motion.start_at(value)) return true;
  if (!culprit_.valid()) culprit_ = gate.wire;
  return false;
}

void SafetyStage::mark_ready() noexcept {
  std::fill(unready_.begin(), unready_.end(), static_cast<unsigned char>(0));
  for (const Gate& gate : gates_)
    if (gate.numbers && !gate.motion.started()) unready_[gate.block] = 1;
}

bool SafetyStage::hold() noexcept {
  bool known = true;
  for (Gate& gate : gates_) {
    if (!gate.numbers || !gate.motion.from_rest()) continue;
    const bool told =
        gate.actuation == nullptr || gate.actuation->rest(gate.record, gate.name.c_str(), gate.rest.data()) == 0;
    if (!told || !rest_at(gate, gate.rest.data())) known = false;
  }
  mark_ready();
  if (culprit_.valid()) stop();
  return known;
}

bool SafetyStage::set_rest(std::string_view input, std::span<const double> value) {
  for (Gate& gate : gates_) {
    if (gate.input != input || !gate.numbers || !gate.motion.from_rest()) continue;
    if (value.size() != gate.rest.size() || !gate.motion.start_at(value.data())) return false;
    std::copy(value.begin(), value.end(), gate.rest.begin());
    mark_ready();
    return true;
  }
  return false;
}

std::vector<GateView> SafetyStage::gates() const {
  std::vector<GateView> views;
  for (const Gate& gate : gates_)
    views.push_back(gate.numbers ? GateView{.input = gate.input,
                                            .block = gate.block,
                                            .sent = std::span<const double>(gate.motion.passed()),
                                            .rest = gate.motion.first()}
                                 : GateView{.input = gate.input, .block = gate.block, .sent = {}, .rest = {}});
  return views;
}

void SafetyStage::settle(bool cycle_lost, const Pace* pace) noexcept {
  any_withheld_ = any_unknown_ = false;
  for (Gate& gate : gates_) {
    gate.withheld = false;
    if (gate.timed && pace != nullptr && gate.motion.started()) {
      settle_by_clock(gate, *pace);
      any_withheld_ = any_withheld_ || gate.withheld;
    }
    if (cycle_lost || gate.fate == nullptr || !gate.numbers || !gate.motion.started()) continue;
    const auto fate = static_cast<hilda_fate>(gate.fate(gate.record, gate.name.c_str()));
    gate.withheld = fate == HILDA_FATE_UNKNOWN;
    any_withheld_ = any_withheld_ || gate.withheld;
    any_unknown_ = any_unknown_ || gate.withheld;
    gate.motion.settle(fate);
  }
}

void SafetyStage::settle_by_clock(Gate& gate, const Pace& pace) noexcept {
  const Cadence::Finding found = gate.cadence.settle(pace);
  if (found.stands)
    gate.motion.settle(found.lost ? HILDA_FATE_LOST : HILDA_FATE_STOOD);
  else if (found.lost)
    gate.motion.take_back();
  gate.withheld = found.unsure || gate.cadence.early();
}

bool SafetyStage::too_late(BlockIndex block, std::int64_t overdue) const noexcept {
  return overdue > 0 && std::any_of(gates_.begin(), gates_.end(), [&](const Gate& gate) {
           return gate.timed && gate.block == block && gate.cadence.late(overdue);
         });
}

BlockIndex SafetyStage::timed() const noexcept {
  const auto found = std::find_if(gates_.begin(), gates_.end(), [](const Gate& gate) { return gate.timed; });
  return found != gates_.end() ? found->block : BlockIndex();
}

bool SafetyStage::block_withheld(BlockIndex block) const noexcept {
  return std::any_of(gates_.begin(), gates_.end(),
                     [block](const Gate& gate) { return gate.withheld && gate.block == block; });
}

void SafetyStage::pass(WireIndex wire, bool cycle_lost) noexcept {
  Gate& gate = gates_[gate_of_[wire]];
  const bool lost = (cycle_lost && gate.pacing) || gate.withheld;
  if (!lost) gate.cadence.send();
  if (stopping_) {
    if (!lost) gate.motion.ramp();
    return;
  }
  if (!gate.numbers) {
    if (!lost) std::memcpy(gate.held.data(), gate.source, gate.bytes);
    return;
  }
  const auto* asked = reinterpret_cast<const double*>(gate.source);
  if (lost ? gate.motion.miss(asked) : gate.motion.pass(asked)) return;
  culprit_ = wire;
  stop();
  if (!lost) gate.motion.ramp();
}

void SafetyStage::stop() noexcept {
  if (stopping_) return;
  stopping_ = true;
  for (Gate& gate : gates_)
    if (gate.numbers) gate.motion.begin_stop();
}

bool SafetyStage::let_go(BlockIndex block) noexcept {
  bool any = false;
  for (Gate& gate : gates_) {
    if (gate.block != block || !gate.flows || !gate.motion.started()) continue;
    gate.motion.let_go();
    any = true;
  }
  return any;
}

void SafetyStage::sent(BlockIndex block) noexcept {
  if (!times(block)) return;
  for (Gate& gate : gates_) {
    if (gate.block != block || !gate.flows) continue;
    const std::vector<double>& value = gate.motion.passed();
    gate.rolls = std::any_of(value.begin(), value.end(), [](double each) { return each != 0; });
  }
}

bool SafetyStage::rolls() const noexcept {
  return std::any_of(gates_.begin(), gates_.end(), [](const Gate& gate) { return gate.rolls; });
}

bool SafetyStage::at_rest(const GuardStates& guards) const noexcept {
  return std::all_of(gates_.begin(), gates_.end(),
                     [&guards](const Gate& gate) { return gate.at_rest() || !guards.active(gate.guard); });
}

bool SafetyStage::at_rest() const noexcept {
  return std::all_of(gates_.begin(), gates_.end(), [](const Gate& gate) { return gate.at_rest(); });
}

std::string SafetyStage::reason() const {
  if (!culprit_.valid()) return "the safety stage was asked to stop";
  const Gate& gate = gates_[gate_of_[culprit_]];
  const MotionGate::Violation& v = gate.motion.violation();
  const std::string refuses = "the safety stage refuses what would be sent: ";
  using What = MotionGate::Violation::What;
  switch (v.what) {
  case What::not_finite: return refuses + "it is not finite";
  case What::no_rotation:
    return refuses + fmt::format("its quaternion has the norm {:.6g}, and 1 is a rotation", v.asked);
  case What::no_start: return refuses + "the device has not yet reported where it is at rest";
  case What::limit: break;
  }
  std::string unit;
  if (gate.motion.kind() != HILDA_PLAIN && gate.motion.kind() != HILDA_QUATERNION)
    unit = std::string(" ") + MotionLimits::units[v.limit];
  return refuses + fmt::format("{} {:.6g}{} is asked for, {:.6g}{} is allowed", MotionLimits::names[v.limit], v.asked,
                               unit, v.allowed, unit);
}

void SafetyStage::save(std::vector<unsigned char>& bytes) const {
  for (const Gate& gate : gates_) {
    std::vector<double> state = gate.motion.state();
    state.insert(state.end(), gate.held.begin(), gate.held.end());
    const auto* from = reinterpret_cast<const unsigned char*>(state.data());
    bytes.insert(bytes.end(), from, from + state.size() * sizeof(double));
  }
  bytes.push_back(stopping_ ? 1 : 0);
  const auto* culprit = reinterpret_cast<const unsigned char*>(&culprit_);
  bytes.insert(bytes.end(), culprit, culprit + sizeof culprit_);
}

bool SafetyStage::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  for (Gate& gate : gates_) {
    std::vector<double> state(gate.motion.state_size() + gate.held.size());
    const std::size_t size = state.size() * sizeof(double);
    if (size > bytes.size() - at) return false;
    std::memcpy(state.data(), bytes.data() + at, size);
    at += size;
    gate.motion.set_state(state.data());
    std::copy(state.end() - static_cast<std::ptrdiff_t>(gate.held.size()), state.end(), gate.held.begin());
  }
  if (bytes.size() - at < 1 + sizeof culprit_) return false;
  stopping_ = bytes[at++] != 0;
  std::memcpy(&culprit_, bytes.data() + at, sizeof culprit_);
  at += sizeof culprit_;
  if (culprit_.valid() && (!gate_of_.has(culprit_) || !gate_of_[culprit_].valid())) return false;
  mark_ready();
  return true;
}

std::vector<std::string> SafetyStage::take_over(const SafetyStage& from) {
  std::vector<std::string> anew;
  for (Gate& gate : gates_) {
    const auto same = std::find_if(from.gates_.begin(), from.gates_.end(), [&gate](const Gate& other) {
      return other.input == gate.input && other.bytes == gate.bytes && other.motion.kind() == gate.motion.kind();
    });
    if (same == from.gates_.end()) {
      anew.push_back(gate.input);
      continue;
    }
    gate.motion.set_state(same->motion.state().data());
    gate.held = same->held;
  }
  mark_ready();
  return anew;
}

} // namespace hilda::run
