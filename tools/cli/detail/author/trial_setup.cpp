// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/trial_setup.h"

#include "engine/run/layout.h"
#include "engine/run/runtime.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace hilda::cli {
namespace {

constexpr std::size_t samples = 150;        ///< of each block, for the checks
constexpr std::int64_t most_ticks = 100000; ///< of the run that they are taken from

testing::Shape shape_of(const SignalType& type) { return {std::max(type.rows, 0), std::max(type.cols, 0)}; }

std::string name_of(const Slot& slot, int item) {
  return item < 0 ? slot.name : slot.name + "[" + std::to_string(item) + "]";
}

testing::Setup setup_of(const System& system, const SystemBlock& block) {
  testing::Setup setup;
  setup.path = block.path;
  setup.period = (system.base * Rational(block.divider)).value();
  for (std::size_t s = 0; s < block.slot_types.size(); ++s) {
    const Slot& slot = block.type->slots[s];
    if (slot.role != HILDA_INPUT && slot.role != HILDA_OUTPUT)
      setup.exact_shapes[{slot.role, slot.name}] = shape_of(block.slot_types[s]);
  }
  for (const ParameterValue& parameter : block.parameters) {
    const Slot& slot = block.type->slots[parameter.slot];
    testing::Value value(testing::Shape{parameter.value.extent.rows, parameter.value.extent.cols},
                         parameter.value.numbers);
    value.text = parameter.value.text;
    setup.parameters[slot.name] = std::move(value);
  }
  for (const SystemBlock::Port& port : block.ports) {
    const Slot& slot = block.type->slots[port.slot];
    setup.exact_shapes[{slot.role, name_of(slot, port.item)}] = shape_of(port.type);
    if (port.item >= 0) setup.counts[slot.name] = std::max(setup.counts[slot.name], port.item + 1);
    if (slot.role == HILDA_INPUT && !port.wire.valid()) setup.undriven.insert(name_of(slot, port.item));
  }
  for (const Slot& slot : block.type->slots)
    if (slot.is(HILDA_REPEATED)) setup.counts.try_emplace(slot.name, 0);
  return setup;
}

/// What came to the inputs of one block, sample by sample.
struct BlockRecording {
  BlockIndex block;
  std::map<std::string, std::vector<std::vector<double>>> inputs;
  std::size_t count = 0;
};

void note(const Runtime& runtime, BlockRecording& recording) {
  const SystemBlock& block = runtime.system().blocks[recording.block];
  if (recording.count == samples || runtime.tick() % block.divider != 0) return;
  ++recording.count;
  for (const SystemBlock::Port& port : block.ports) {
    const Slot& slot = block.type->slots[port.slot];
    if (slot.role != HILDA_INPUT) continue;
    const void* from = runtime.memory().source(recording.block, port.slot, port.item);
    if (from == nullptr) continue;
    std::vector<double> numbers(static_cast<std::size_t>(shape_of(port.type).count()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      switch (slot.element) {
      case HILDA_F64: numbers[i] = static_cast<const double*>(from)[i]; break;
      case HILDA_U8: numbers[i] = static_cast<const std::uint8_t*>(from)[i]; break;
      case HILDA_U64: numbers[i] = static_cast<double>(static_cast<const std::uint64_t*>(from)[i]); break;
      default: numbers[i] = static_cast<double>(static_cast<const std::int64_t*>(from)[i]); break;
      }
    }
    recording.inputs[name_of(slot, port.item)].push_back(std::move(numbers));
  }
}

/// Plays a recording, again from its beginning where the checks take longer.
testing::Stimulus replayed(BlockRecording recording) {
  const auto kept = std::make_shared<const BlockRecording>(std::move(recording));
  return [kept](const testing::Piece& input, std::int64_t tick, std::vector<double>& numbers) {
    const auto found = kept->inputs.find(input.name());
    if (found == kept->inputs.end() || found->second.empty()) return testing::lively(input, tick, numbers);
    const auto& sample = found->second[static_cast<std::size_t>(tick) % found->second.size()];
    std::copy_n(sample.begin(), std::min(sample.size(), numbers.size()), numbers.begin());
  };
}

bool touches_the_world(const System& system) {
  return std::any_of(system.blocks.begin(), system.blocks.end(), [](const SystemBlock& block) {
    const hilda_block_type& type = *block.type->abi;
    return type.start != nullptr || type.acquire != nullptr || type.emit != nullptr;
  });
}

void record(const System& system, std::vector<BlockRecording>& recordings) {
  Diagnostics diagnostics;
  const std::unique_ptr<Runtime> runtime = Runtime::create(system, {}, diagnostics);
  if (!runtime) return;
  const auto done = [&] {
    return std::all_of(recordings.begin(), recordings.end(),
                       [](const BlockRecording& r) { return r.count == samples; });
  };
  for (std::int64_t tick = 0; tick < most_ticks && !done(); ++tick) {
    const bool goes_on = runtime->compute();
    for (BlockRecording& recording : recordings) note(*runtime, recording);
    if (!goes_on || !runtime->advance()) break;
  }
}

} // namespace

void add_setups(const System& system, const std::string& plugin, std::map<const BlockType*, TrialSetup>& setups) {
  std::vector<BlockRecording> recordings;
  std::vector<const BlockType*> layouts;
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    const BlockType* layout = &best_layout(block);
    if (block.type->plugin != plugin || !setups.emplace(layout, TrialSetup{setup_of(system, block), {}}).second)
      continue;
    layouts.push_back(layout);
    recordings.push_back({b, {}, 0});
  }
  if (recordings.empty() || touches_the_world(system)) return;
  record(system, recordings);
  for (std::size_t i = 0; i < layouts.size(); ++i)
    if (recordings[i].count > 0) setups[layouts[i]].stimulus = replayed(std::move(recordings[i]));
}

} // namespace hilda::cli
