// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/loaded_diagram.h"

#include "engine/base/error.h"
#include "engine/base/process_report.h"
#include "engine/compile/detail/check/solver_remark.h"
#include "engine/compile/held_signals.h"
#include "engine/compile/infer.h"
#include "engine/compile/live_rates.h"
#include "engine/plugin/parameter_questions.h"

#include <algorithm>
#include <utility>

namespace hilda::compile {

namespace {

/// What blocks have changed of the process when they were asked for shapes and the like.
void report_changes(const System* system, Diagnostics& diagnostics) {
  const auto place = [system](const std::string& path) {
    if (system != nullptr)
      for (const SystemBlock& block : system->blocks)
        if (block.path == path) return block.where;
    return Location{};
  };
  report_process(ProcessWatch::changes(), place, false, diagnostics);
}

/// Where a run may differ from what its author expects.
std::vector<std::string> remarks_of(const System& system) {
  return {solver_remark(system), held_sources_remark(system), rates_at_ticks_remark(system),
          sampled_conditions_remark(system), delayed_jumps_remark(system)};
}

/// Reports each block that never runs together with devices, where the system has one.
void refuse_on_hardware(const System& system, Diagnostics& diagnostics) {
  const auto device = std::find_if(system.blocks.begin(), system.blocks.end(), [](const SystemBlock& block) {
    return block.type->abi->acquire != nullptr || block.type->abi->emit != nullptr;
  });
  if (device == system.blocks.end()) return;
  for (const SystemBlock& block : system.blocks)
    if ((block.type->abi->flags & HILDA_SIMULATION_ONLY) != 0)
      diagnostics.error("python-on-hardware", block.where,
                        "the block " + in_quotes(block.path) + " is of type " + block.type->name +
                            ", which runs in Python, and this run has the device " + in_quotes(device->path) + " (" +
                            device->type->name + "): Python can delay a tick by any time",
                        "give it mode=\"sim\" and a block in C++ the mode of the devices (docs/author.md)",
                        {{device->where, "the device is here"}});
}

} // namespace

LoadedDiagram::LoadedDiagram(const Catalogue& catalogue, const std::string& file, const LoadOptions& options)
    : LoadedDiagram(catalogue) {
  load(file, options);
}

LoadedDiagram::LoadedDiagram(const Catalogue& catalogue, const DiagramText& text, const LoadOptions& options)
    : LoadedDiagram(catalogue) {
  load(text, options);
}

bool LoadedDiagram::load(const std::string& file, const LoadOptions& options) {
  const std::size_t before = diagnostics_.errors();
  const ProcessWatch watch;
  std::vector<std::string> remarks;
  std::optional<System> flat = compile::load(file, with_times(options), catalogue_, sources_, diagnostics_, remarks);
  return complete(std::move(flat), before, std::move(remarks));
}

bool LoadedDiagram::load(const DiagramText& text, const LoadOptions& options) {
  const std::size_t before = diagnostics_.errors();
  const ProcessWatch watch;
  std::vector<std::string> remarks;
  std::optional<System> flat =
      load_text(text.name, text.text, with_times(options), catalogue_, sources_, diagnostics_, remarks);
  return complete(std::move(flat), before, std::move(remarks));
}

LoadOptions LoadedDiagram::with_times(LoadOptions options) {
  late_ = {};
  if (takes_times_) options.late = &late_;
  return options;
}

System LoadedDiagram::take_system() {
  System taken = std::move(*system_);
  system_.reset();
  return taken;
}

bool LoadedDiagram::complete(std::optional<System> flat, std::size_t errors_before, std::vector<std::string> remarks) {
  system_ = std::move(flat);
  if (system_)
    for (std::string& remark : infer(*system_, diagnostics_, ask_shapes)) remarks.push_back(std::move(remark));
  if (system_ && diagnostics_.errors() == errors_before)
    for (std::string& remark : remarks_of(*system_))
      if (!remark.empty()) remarks.push_back(std::move(remark));
  for (std::string& remark : remarks)
    if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) remarks_.push_back(std::move(remark));
  if (system_ && diagnostics_.errors() == errors_before) ask_feedthrough(*system_, diagnostics_);
  if (system_ && diagnostics_.errors() == errors_before) refuse_on_hardware(*system_, diagnostics_);
  if (system_ && diagnostics_.errors() == errors_before) settle_live_rates(*system_, diagnostics_);
  if (system_ && diagnostics_.errors() == errors_before) timed_ = settle_late(*system_, late_, files_, diagnostics_);
  report_changes(system_ ? &*system_ : nullptr, diagnostics_);
  if (diagnostics_.errors() != errors_before) system_.reset();
  return system_.has_value();
}

} // namespace hilda::compile
