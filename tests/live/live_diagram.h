// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/loaded_diagram.h"
#include "engine/run/start.h"
#include "engine/session/timeline.h"
#include "engine/session/tuning.h"
#include "tests/modules.h"
#include "tests/standard_plugins.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace hilda::test {

/// A diagram that runs, and what changes it.
struct Live {
  explicit Live(const std::string& file, std::vector<std::string> settings = {}) : diagram(all_plugins().catalogue()) {
    LoadOptions options;
    options.mode = "sim";
    options.settings = std::move(settings);
    diagram.load(file, options);
    begin();
  }
  explicit Live(const DiagramText& text, const Catalogue& catalogue = all_plugins().catalogue()) : diagram(catalogue) {
    diagram.load(text, {});
    begin();
  }

  void begin() {
    if (diagram.ok()) runtime = start_runtime(diagram);
    if (runtime) tuning = std::make_unique<Tuning>(*runtime);
  }

  bool ok() const { return runtime != nullptr; }
  void run_to(std::int64_t tick) const {
    while (runtime->tick() < tick && runtime->step()) {}
  }
  /// The refusal; empty: it was taken.
  std::string set(const std::vector<LiveSetting>& settings) const {
    Diagnostics diagnostics;
    return tuning->set(settings, nullptr, diagnostics) ? "" : diagnostics.text();
  }
  /// All outputs as bytes.
  std::vector<unsigned char> outputs() const {
    std::vector<unsigned char> bytes;
    for (const SystemSignal& signal : runtime->signals()) {
      const auto* from = static_cast<const unsigned char*>(signal.span.data);
      bytes.insert(bytes.end(), from, from + signal.span.bytes());
    }
    return bytes;
  }
  double number(const std::string& signal, std::size_t element = 0) const {
    const SystemSignal* found = runtime->find_signal(signal);
    EXPECT_NE(found, nullptr) << signal;
    return found != nullptr ? static_cast<const double*>(found->span.data)[element] : 0;
  }

  LoadedDiagram diagram;
  std::unique_ptr<Runtime> runtime;
  std::unique_ptr<Tuning> tuning;
};

} // namespace hilda::test
