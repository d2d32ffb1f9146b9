// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/schedule/driven_parameters.h"

#include "engine/catalogue/driven_type.h"
#include "engine/plugin/parameter_record.h"
#include "engine/run/plan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace hilda::run {
namespace {

double number_at(const void* data, hilda_element element, std::size_t i) {
  switch (element) {
  case HILDA_I64: return static_cast<double>(static_cast<const std::int64_t*>(data)[i]);
  case HILDA_U64: return static_cast<double>(static_cast<const std::uint64_t*>(data)[i]);
  default: return static_cast<const double*>(data)[i];
  }
}

void say_nothing(void*, const char*, const char*) {}

} // namespace

void DrivenParameters::bind(const System& system, const Memory& memory,
                            const Indexed<BlockIndex, hilda_instance>& instances, ModeWitness& modes) {
  blocks_.clear();
  for (const BlockIndex b : system.blocks.indices()) {
    if (!has_driven(*system.blocks[b].type)) continue;
    const BlockType& layout = memory.layout(b);
    OfBlock& made = blocks_.emplace_back();
    made.record = memory.record(b);
    made.prepare = layout.abi->prepare;
    made.instance = &instances[b];
    made.modes = &modes;
    made.block = b;
    for (const DrivenParameter& each : driven_parameters(*system.blocks[b].type)) {
      const SystemBlock::Port* port = find_port(system.blocks[b], PortRef{.block = b, .slot = each.input});
      if (port == nullptr || !port->wire.valid()) continue;
      const Slot& slot = layout.slots[each.parameter];
      const Span span = memory.span(b, each.parameter);
      const std::string who = slot.name + ", which " + port_text(system, system.wires[port->wire].from) + " drives,";
      made.parameters.push_back({.from = reinterpret_cast<const hilda_view*>(static_cast<const char*>(made.record) +
                                                                             layout.slots[each.input].offset),
                                 .to = span.data,
                                 .bytes = span.bytes(),
                                 .count = span.count,
                                 .slot = &slot,
                                 .out_of_range = who + " must be " + range_text(slot),
                                 .no_number = who + " is not a number"});
    }
  }
}

char* DrivenParameters::of(BlockIndex block) {
  const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), block,
                                      [](const OfBlock& each, BlockIndex wanted) { return each.block < wanted; });
  return found == blocks_.end() || found->block != block ? nullptr : reinterpret_cast<char*>(&*found);
}

bool DrivenParameters::accepts(const OfBlock& block, const Parameter& parameter, const hilda_tick& now) noexcept {
  if (parameter.slot->element == HILDA_U8) return true;
  for (std::size_t i = 0; i < parameter.count; ++i) {
    const double number = number_at(parameter.from->data, parameter.slot->element, i);
    if (within_range(*parameter.slot, number)) continue;
    if (now.control->verdict < HILDA_FAIL) {
      now.control->verdict = HILDA_FAIL;
      now.control->record = block.record;
      now.control->text = (std::isnan(number) ? parameter.no_number : parameter.out_of_range).c_str();
      now.control->value = number;
    }
    return false;
  }
  return true;
}

void DrivenParameters::take(void* of_block, const hilda_tick* now) {
  auto& block = *static_cast<OfBlock*>(of_block);
  bool changed = block.fresh;
  for (Parameter& each : block.parameters) {
    if (!block.fresh && std::memcmp(each.to, each.from->data, each.bytes) == 0) continue;
    if (!accepts(block, each, *now)) continue;
    std::memcpy(each.to, each.from->data, each.bytes);
    changed = true;
  }
  block.fresh = false;
  if (changed && block.prepare != nullptr)
    block.modes->watch(block.block, "prepare", [&] { block.prepare(block.record, block.instance); });
}

void DrivenParameters::prepare(const System& system) {
  for (OfBlock& block : blocks_) {
    block.fresh = true;
    if (block.prepare == nullptr) continue;
    hilda_instance quiet = *block.instance; // it speaks up in its next tick
    quiet.report = &say_nothing;
    call_block(system.blocks[block.block], "prepare", [&] { block.prepare(block.record, &quiet); });
  }
}

} // namespace hilda::run
