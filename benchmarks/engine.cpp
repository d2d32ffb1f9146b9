// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/engine.h"

#include "benchmarks/clock.h"
#include "engine/plugin/library.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <cstdio>
#include <cstdlib>

namespace hilda::bench {
namespace {

[[noreturn]] void give_up(const Diagnostics& diagnostics) {
  std::fputs(diagnostics.text().c_str(), stderr);
  std::exit(1);
}

const Catalogue& catalogue() {
  static const std::unique_ptr<Host> host = [] {
    auto loaded = std::make_unique<Host>();
    Diagnostics diagnostics;
    loaded->load_folder(test::build_folder() + "/lib/hilda/plugins", diagnostics);
    if (!diagnostics.ok()) give_up(diagnostics);
    return loaded;
  }();
  return host->catalogue();
}

LoadOptions in_the_diagrams() {
  LoadOptions options;
  options.mode = "sim";
  options.library_path = {test::source_folder() + "/diagrams"};
  return options;
}

} // namespace

Engine::Engine(std::string xml, std::uint32_t lanes)
    : diagram_(catalogue(), DiagramText{"benchmark.xml", std::move(xml)}, in_the_diagrams()) {
  RuntimeOptions options;
  options.lanes = lanes;
  runtime_ = start_runtime(diagram_, options);
  if (runtime_ == nullptr) give_up(diagram_.diagnostics());
}

void Engine::run(std::size_t ticks) {
  for (; ticks > 0; --ticks)
    if (!runtime_->step()) {
      std::fprintf(stderr, "the run ended by itself: %s\n", runtime_->ending().text.c_str());
      std::exit(1);
    }
}

std::vector<double> Engine::values(const std::string& signal) const {
  const SystemSignal* found = runtime_->find_signal(signal);
  if (found == nullptr || found->span.element != HILDA_F64) {
    std::fprintf(stderr, "no signal of numbers %s\n", signal.c_str());
    std::exit(1);
  }
  const auto* data = static_cast<const double*>(found->span.data);
  return {data, data + found->span.count};
}

LoadTimes load_once(const std::string& xml) {
  catalogue();
  LoadTimes times;
  const double begin = now();
  LoadedDiagram diagram(catalogue(), DiagramText{"benchmark.xml", xml}, in_the_diagrams());
  const double known = now();
  const std::unique_ptr<Runtime> runtime = start_runtime(diagram);
  if (runtime == nullptr) give_up(diagram.diagnostics());
  const double made = now();
  if (!runtime->step()) std::exit(1);
  times.check = known - begin;
  times.create = made - known;
  times.step = now() - made;
  return times;
}

} // namespace hilda::bench
