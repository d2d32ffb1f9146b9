// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/detail/model/dependencies.h"

#include "engine/run/graph.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

namespace hilda::fmi {
namespace {

using BlockOutput = std::tuple<BlockIndex, SlotIndex, int>;
BlockOutput output_of(const PortRef& port) { return {port.block, port.slot, port.item}; }

/// What follows from an output of a block in the same tick: along wires whose inputs feed through.
class Following {
public:
  explicit Following(const System& system) : system_(system) {}

  std::set<BlockOutput> from(const BlockOutput& first) const {
    std::set<BlockOutput> reached{first};
    std::vector<BlockOutput> open{first};
    while (!open.empty()) {
      const BlockOutput at = open.back();
      open.pop_back();
      for (const Wire& wire : system_.wires) {
        if (!wire.from.block.valid() || output_of(wire.from) != at) continue;
        const SystemBlock& block = system_.blocks[wire.to.block];
        if (run::feeds_through(block, block.type->slots[wire.to.slot])) outputs(wire.to.block, reached, open);
      }
      conditions(at, reached, open);
    }
    return reached;
  }

private:
  void outputs(BlockIndex of, std::set<BlockOutput>& reached, std::vector<BlockOutput>& open) const {
    const SystemBlock& block = system_.blocks[of];
    for (const SystemBlock::Port& port : block.ports) {
      const Slot& slot = block.type->slots[port.slot];
      if (slot.role != HILDA_OUTPUT || run::from_state(block, slot)) continue;
      const BlockOutput next{of, port.slot, port.item};
      if (reached.insert(next).second) open.push_back(next);
    }
  }

  /// A condition decides over all outputs of the blocks below it, those from state, too.
  void conditions(const BlockOutput& at, std::set<BlockOutput>& reached, std::vector<BlockOutput>& open) const {
    for (const GuardIndex guard : system_.guards.indices()) {
      const Guard& each = system_.guards[guard];
      const auto is = [&](const PortRef& port) { return port.block.valid() && output_of(port) == at; };
      if (!is(each.signal) && !is(each.reset) && !is(each.trigger)) continue;
      for (const BlockIndex b : system_.blocks.indices())
        for (const SystemBlock::Port& port : system_.blocks[b].ports) {
          if (!below(system_.blocks[b].guard, guard)) break;
          const BlockOutput next{b, port.slot, port.item};
          if (system_.blocks[b].type->slots[port.slot].role == HILDA_OUTPUT && reached.insert(next).second)
            open.push_back(next);
        }
    }
  }

  bool below(GuardIndex of, GuardIndex guard) const {
    for (; of.valid(); of = system_.guards[of].parent)
      if (of == guard) return true;
    return false;
  }

  const System& system_;
};

} // namespace

void find_dependencies(const Runtime& runtime, std::vector<Variable>& variables) {
  const System& system = runtime.system();
  const Following following(system);
  const auto signal_at = [&](const void* place) {
    return std::find_if(runtime.signals().begin(), runtime.signals().end(), [&](const SystemSignal& each) {
      const auto* const begin = static_cast<const char*>(each.span.data);
      const auto* const at = static_cast<const char*>(place);
      return std::less_equal<>()(begin, at) && std::less<>()(at, begin + each.span.bytes());
    });
  };
  for (Variable& input : variables) {
    if (input.causality != Causality::input) continue;
    for (const SystemSignal& source : runtime.signals()) {
      if (system.blocks[source.block].path != input.name) continue;
      const std::set<BlockOutput> reached = following.from({source.block, source.slot, source.item});
      for (Variable& output : variables) {
        if (output.causality != Causality::output) continue;
        const auto signal = signal_at(output.output->numbers().data());
        const bool unknown = signal == runtime.signals().end();
        if (unknown || reached.contains({signal->block, signal->slot, signal->item}))
          output.follows.push_back(static_cast<std::size_t>(&input - variables.data()));
      }
    }
  }
}

} // namespace hilda::fmi
