// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/parameter_questions.h"

#include "engine/plugin/block_report.h"
#include "engine/plugin/parameter_record.h"

#include <hilda/recordings.h>

namespace hilda::plugin {

namespace {

hilda_instance instance_of(const System& system, const SystemBlock& block, BlockReport& report) {
  hilda_instance self{};
  self.size = sizeof self;
  self.path = block.path.c_str();
  self.period = (system.base * Rational(block.divider)).value();
  self.continuous = block.continuous ? 1 : 0;
  self.simulated = 1;
  report.attach(self);
  return self;
}

} // namespace

bool ask_shapes(const System& system, BlockIndex index, InferredShapes& says, Diagnostics& diagnostics) {
  const SystemBlock& block = system.blocks[index];
  BlockReport report(diagnostics, block, "block-shape");
  const hilda_instance self = instance_of(system, block, report);
  hilda_inference_with_units with_units{};
  hilda_inference& inference = with_units.shapes;
  inference.size = sizeof with_units;
  inference.engine = &says;
  inference.dimension = [](void* to, const char* name, std::int64_t value) {
    static_cast<InferredShapes*>(to)->dimensions.push_back({name, value});
  };
  inference.item_shape = [](void* to, const char* slot, std::uint64_t item, std::int64_t rows, std::int64_t cols) {
    static_cast<InferredShapes*>(to)->items.push_back({slot, item, rows, cols});
  };
  with_units.unit = [](void* to, const char* name, const char* unit, const char* slot) {
    static_cast<InferredShapes*>(to)->units.push_back({name, unit, slot});
  };
  const bool refused = report.call("infer", [&] {
    const ParameterRecord record(block);
    return block.type->abi->infer(record.get(), &self, &inference);
  }) != 0;
  return report.settle(refused, "the block cannot tell its shapes and does not say why");
}

void ask_feedthrough(System& system, Diagnostics& diagnostics) {
  for (const BlockIndex block : system.blocks.indices())
    system.blocks[block].feeds_through = feeds_through_now(system, block, diagnostics);
}

bool feeds_through_now(const System& system, BlockIndex index, Diagnostics& diagnostics) {
  const SystemBlock& block = system.blocks[index];
  bool through = block.feeds_through;
  if (block.type->abi->feeds_through == nullptr) return through;
  BlockReport report(diagnostics, block, "block-feedthrough");
  const hilda_instance self = instance_of(system, block, report);
  report.call("feeds_through", [&] {
    const ParameterRecord record(block);
    through = block.type->abi->feeds_through(record.get(), &self) != 0;
    return 0;
  });
  return through;
}

} // namespace hilda::plugin
