// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hilda::test {

/// What the trap caught in one program (see trap/watch.h).
struct WatchedRun {
  struct Offence {
    std::string what;
    std::string block;
    std::string called_from;
  };
  int exit_code = 0;
  std::string output;
  int loops = 0;
  bool system_calls_watched = false;
  std::vector<Offence> offences;
  /// The trap's whole report.
  std::string report;

  const Offence* find(const std::string& what) const;
};

/// Runs a shell command with the trap loaded; none where this build goes without (sanitizers).
std::optional<WatchedRun> run_watched(const std::string& command);

} // namespace hilda::test
