// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::run {

/// What a run with a variable step cost, and why.
struct SolverStatistics {
  std::int64_t steps = 0, rejected = 0; ///< accepted, and tried again with a shorter one
  std::int64_t right_hand_sides = 0;    ///< those of Jacobians among them
  std::int64_t jacobians = 0, events = 0;
  std::int64_t restarts = 0;        ///< by what is listed below; the start is none
  double shortest = 0, longest = 0; ///< s, of accepted steps; 0: none
};

/// How often something was to blame: a block by its path, a state by its name.
struct SolverCause {
  std::string what;
  std::int64_t count = 0;
};

/// What was found of one event that may wait for its tick.
struct LateCount {
  std::int64_t count = 0;
  double latest = 0;    ///< s
  int measured = 0;     ///< of those that have happened, how many were looked at closely
  bool pending = false; ///< one has happened, and its tick has not come
};

/// All that is counted: with it a run that goes back counts what it repeats once.
struct SolverCounts {
  SolverStatistics of_steps;
  Indexed<BlockIndex, std::int64_t> restarts_by, events_by;
  std::int64_t restarts_by_parameters = 0;
  std::vector<std::int64_t> limited_by; ///< by state
  std::vector<LateCount> late;          ///< by event; none where no one looks

  std::size_t bytes() const {
    return sizeof *this + (restarts_by.size() + events_by.size() + limited_by.size()) * sizeof(std::int64_t) +
           late.size() * sizeof(LateCount);
  }
};

} // namespace hilda::run
