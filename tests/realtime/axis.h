// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/cli/program.h"

#include "engine/log/log.h"
#include "tests/modules.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hilda::test {

/// A run of the diagram axis.xml: a line that a drive behind a socket follows, 4 ms a cycle.
class AxisRun {
public:
  /// `hilda run axis.xml OPTIONS`; `before` and `after` are put around it in the shell's line. `more`: elements that
  /// the diagram has besides.
  explicit AxisRun(const std::string& options, const std::string& more = "", const std::string& before = "",
                   const std::string& after = "");

  Result outcome;
  nlohmann::json summary; ///< null where there is none
  std::vector<LogEvent> events;

  /// A recorded signal over all ticks; empty, and a failure, where there is none.
  std::vector<double> signal(const std::string& name) const;
  /// The texts of the events of a kind, in their order.
  std::vector<std::string> events_of(const std::string& kind) const;
  bool log_complete() const;
  double figure(const std::string& key) const { return summary.at("realtime").at(key).get<double>(); }
  /// A file that `before` or `after` made.
  std::string file(const std::string& name) const { return here_.read(name); }
  /// What `hilda info` says of its log.
  Result info() const;
  double drive(const std::string& key) const { return summary.at("drive").at(key).get<double>(); }

private:
  Workplace here_;
};

} // namespace hilda::test
