// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/runtime.h"
#include "tools/cli/detail/author/subsystem_ports.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// What a subsystem's ports carried in a run, a row for each of its ticks.
struct RecordedPorts {
  double period = 0; ///< s, of the subsystem
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::size_t inputs = 0; ///< columns of inputs come first

  /// Comma-separated, with names, to the bit.
  std::string text() const;
  /// Is there an output that differs from zero?
  bool moves() const;
};

/// Runs a system that has been started, so many ticks at most.
RecordedPorts record(Runtime& runtime, const SubsystemPorts& ports, std::int64_t ticks);

} // namespace hilda::cli
