// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/live/block_trial.h"

#include "engine/catalogue/driven_type.h"
#include "engine/plugin/block_report.h"

#include <map>

namespace hilda::session {
namespace {

/// A block alone, in its own memory; what drives its inputs is zero.
class BlockTrial {
public:
  BlockTrial(const Runtime& runtime, BlockIndex block, SystemBlock changed) : self_(runtime.instance(block)) {
    changed.guard = {};
    alone_.base = runtime.system().base;
    alone_.period = runtime.system().period;
    alone_.blocks.push_back(std::move(changed));
  }

  bool run(Diagnostics& diagnostics) {
    const SystemBlock& block = alone_.blocks[only_];
    const std::size_t before = diagnostics.errors();
    std::unique_ptr<Memory> memory;
    try {
      memory = std::make_unique<Memory>(alone_, std::vector<BlockIndex>{only_});
    } catch (const ConstructionFault& fault) {
      BlockReport(diagnostics, block, "block-throws").threw("its constructor", fault.what.c_str());
      return false;
    }
    drive(*memory);
    configure(*memory, diagnostics);
    if (diagnostics.errors() == before && memory->bind_rings()) prepare(*memory, diagnostics);
    return diagnostics.errors() == before;
  }

private:
  void drive(Memory& memory) {
    for (const SystemBlock::Port& port : alone_.blocks[only_].ports) {
      if (memory.layout(only_).slots[port.slot].role != HILDA_INPUT || !port.wire.valid()) continue;
      zeros_.push_back(std::vector<double>(port.type.elements() + 1, 0.0));
      memory.redirect(only_, port.slot, port.item, zeros_.back().data());
    }
  }

  void configure(Memory& memory, Diagnostics& diagnostics) {
    const hilda_block_type& type = *memory.layout(only_).abi;
    if (type.configure == nullptr) return;
    BlockReport report(diagnostics, alone_.blocks[only_], "block-configure");
    hilda_instance asking = self_;
    report.attach(asking);
    const auto ask = [&] { return type.configure(memory.record(only_), &asking); };
    report.settle(report.call("configure", ask) != 0, "the block refuses its configuration and does not say why");
  }

  void prepare(Memory& memory, Diagnostics& diagnostics) {
    const hilda_block_type& type = *memory.layout(only_).abi;
    // what wires give is not known here: the loop asks it with them
    if (type.prepare == nullptr || has_driven(*alone_.blocks[only_].type)) return;
    BlockReport report(diagnostics, alone_.blocks[only_], "block-prepare");
    hilda_instance asking = self_;
    report.attach(asking);
    report.call("prepare", [&] { return type.prepare(memory.record(only_), &asking), 0; });
  }

  static constexpr BlockIndex only_{0};
  System alone_;
  hilda_instance self_;
  std::vector<std::vector<double>> zeros_;
};

} // namespace

bool try_change(const Runtime& runtime, const ParameterChange& change, Diagnostics& diagnostics) {
  const System& system = runtime.system();
  std::map<BlockIndex, SystemBlock> changed;
  for (const ParameterChange::InBlock& each : change.blocks) {
    if (same_numbers(each.value, system.blocks[each.parameter.block].parameters[each.parameter.index].value)) continue;
    const auto at = changed.try_emplace(each.parameter.block, system.blocks[each.parameter.block]).first;
    at->second.parameters[each.parameter.index].value = each.value;
    for (const ParameterText& text : change.texts)
      if (!text.parameter.valid() && text.in_block == each.parameter)
        at->second.parameters[each.parameter.index].where = text.given.where;
  }
  bool sound = true;
  for (auto& [block, with] : changed) sound = BlockTrial(runtime, block, std::move(with)).run(diagnostics) && sound;
  return sound;
}

} // namespace hilda::session
