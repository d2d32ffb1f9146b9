// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/start.h"

namespace hilda::run {

std::unique_ptr<Runtime> make_runtime(LoadedDiagram& diagram, const RuntimeOptions& options) {
  if (!diagram.ok()) return nullptr;
  return Runtime::create(diagram.take_system(), options, diagram.diagnostics());
}

std::unique_ptr<Runtime> start_runtime(LoadedDiagram& diagram, const RuntimeOptions& options) {
  std::unique_ptr<Runtime> runtime = make_runtime(diagram, options);
  if (runtime != nullptr && !runtime->start(diagram.diagnostics())) runtime.reset();
  return runtime;
}

} // namespace hilda::run
