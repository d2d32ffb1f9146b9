// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/solver_settings.h"
#include "engine/run/detail/loop/ending.h"
#include "tests/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::test {

/// What one output gave, tick by tick.
struct Trace {
  std::size_t width = 0;      ///< elements
  std::vector<double> values; ///< of all ticks, one after the other; booleans as 0 and 1

  std::size_t ticks() const { return width == 0 ? 0 : values.size() / width; }
  double at(std::size_t tick, std::size_t element = 0) const { return values.at(tick * width + element); }
  std::vector<double> row(std::size_t tick) const {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(tick * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }
};

/// A diagram written in a test, loaded through the plugins and run in simulation.
struct Trial {
  std::string errors;                       ///< diagnostics; empty: it ran
  std::map<std::string, Trace> traces;      ///< of every output, "block.port"
  std::map<std::string, std::string> units; ///< of every output, "m/s"; "?" where unknown
  std::map<std::string, double> summary;    ///< "speed.max"
  Ending ending;
  std::int64_t ticks = 0;
  std::string audit; ///< what the audit of the same run found; empty: nothing

  const Trace& operator[](const std::string& output) const { return traces.at(output); }
};

struct TrialOptions {
  double duration = 0.1; ///< s
  std::string period = "1 ms";
  SolverKind solver = SolverKind::rk4;
  std::string file = "trial.xml"; ///< the diagram's file: data files are found next to it
};

/// Runs the elements in `body`, the inside of a <diagram>, and audits every block of it along the same run.
Trial run_trial(const std::string& body, const TrialOptions& options = {});

/// The same for a diagram file.
Trial run_file(const std::string& path, double duration);

/// The names of all blocks of the plugins under test.
std::vector<std::string> block_types();

/// A trial that must load, run and pass the audit: any error is a failure of the test.
Trial sound_trial(const std::string& body, const TrialOptions& options = {});

/// A block `b` under test whose `port` is driven by a source `u`: by default noise of three elements.
std::string fed(const std::string& type, const std::string& attributes, const std::string& source = "",
                const std::string& port = "u");

} // namespace hilda::test
