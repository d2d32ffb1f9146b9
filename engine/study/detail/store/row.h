// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/detail/written/design.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// One run to be made: of the design, or of a search, which takes the draws of a run of the design and other values on
/// some axes.
struct StudyTask {
  std::int64_t run = 0;  ///< number of its row
  std::int64_t base = 0; ///< the run of the design
  std::vector<Design::Override> overrides;
};

/// One run that was made.
struct StudyRow {
  std::int64_t run = 0;
  std::int64_t base = 0;
  std::vector<RunPoint::Coordinate> coordinates; ///< of axes, then of draws
  std::vector<double> figures;                   ///< NaN: there is none
  /// How it ended: "duration", "stopped", "failed", "refused" (the diagram does not load with these settings),
  /// "timeout", "crashed".
  std::string ending;
  std::string cause, block, signal; ///< in words; where
  double time = 0;                  ///< s, simulated
  std::int64_t steps = 0;
  std::optional<std::uint64_t> stored = {}; ///< of a row that was read: the hash with which it was written

  bool failed() const { return ending != "duration" && ending != "stopped"; }
  /// Of all of it: two rows of one run that differ are a conflict.
  std::uint64_t hash() const;
};

/// Of a program and what it computes with: rows of two of them do not go into one store.
struct ProgramOrigin {
  std::string version, git;
};

} // namespace hilda::study
