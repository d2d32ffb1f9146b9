// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log.h"
#include "engine/modules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hilda::log {

/// How far apart two values of the signals that a pattern means may be: absolute + relative max(|a|, |b|).
struct Tolerance {
  std::string pattern = "*"; ///< see pattern_means
  double absolute = 0;       ///< in the signal's SI unit
  double relative = 0;
};

/// "1e-9", "1e-9,1e-6", "rig.sensor=0.5", "*.energy=1e-6,1e-3"; none, and `error`, where it is none of these.
std::optional<Tolerance> read_tolerance(const std::string& text, std::string& error);

struct ComparisonOptions {
  std::vector<Tolerance> tolerances; ///< the last whose pattern means an element counts; without one none is allowed
  std::vector<std::string> only;     ///< patterns; empty: all signals
  std::vector<std::string> ignored;  ///< patterns
  bool by_time = false;              ///< also logs of different periods, where both have a sample
};

/// What became of one element of a signal that both logs hold.
struct ElementDifference {
  struct At {
    double time = 0; ///< s
    double a = 0, b = 0;
    /// |a - b|; infinite where only one of them is finite or they are unlike infinities, 0 where both are NaN
    double difference = 0;
  };
  std::string name; ///< "rig.sensor.wrench.force.x"
  std::string unit;
  Tolerance tolerance;
  std::uint64_t samples = 0, beyond = 0; ///< compared, and those beyond the tolerance
  std::optional<At> first;               ///< beyond the tolerance
  std::optional<At> worst;               ///< farthest apart, also within the tolerance; none where all are equal
};

/// Samples that only one of the logs has.
struct LoneSamples {
  std::string channel;
  bool in_a = false;
  double first = 0; ///< s
  std::uint64_t count = 0;
};

struct LogComparison {
  std::vector<ElementDifference> elements; ///< all that were compared, in the order of log A
  std::vector<std::string> only_in_a, only_in_b;
  std::vector<std::string> unlike; ///< signals whose shape or unit differs, in words
  std::vector<LoneSamples> lone;   ///< not where periods differ
  double end = 0;                  ///< s, last instant compared

  /// Had they anything in common? Nothing compared is not equal.
  bool compared() const;
  bool equal() const;
};

/// Compares two logs instant by instant in one pass over each. None, and `error`, where they cannot be compared: their
/// periods differ and `by_time` is not asked for, or a name means no signal of either. Aliases may be in patterns.
std::optional<LogComparison> compare_logs(Log& a, Log& b, const ComparisonOptions& options, std::string& error);

/// What differs, for people: the first instant and place, then each signal with its first and worst difference; what
/// only one log has; one line of agreement where nothing differs.
std::string comparison_text(const LogComparison& comparison, const std::string& name_a, const std::string& name_b);

} // namespace hilda::log
