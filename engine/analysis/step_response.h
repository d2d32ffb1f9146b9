// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/state_space/linear_model.h"
#include "engine/modules.h"

#include <complex>
#include <vector>

namespace hilda::analysis {

/// What a channel answers to a step of 1 at time 0, exactly at each of its times: u is held, as the system holds it.
struct StepResponse {
  std::vector<double> time, value; ///< s, y per u
  bool settles = false;            ///< all poles decay
  std::complex<double> pole;       ///< where it does not: the least stable one
  // of one that settles, whatever times were asked for
  bool resolved = true;     ///< false: its swings are too many to look at each, and what follows is not known
  double steady = 0;        ///< y at rest
  double peak = 0;          ///< the value farthest from 0, in the direction of `steady` where that is not 0
  double peak_time = 0;     ///< s
  double overshoot = 0;     ///< of the peak above `steady`, relative to it; 0: none, or steady is 0
  double undershoot = 0;    ///< how far it goes beyond 0 on the other side, relative to `steady`; 0: not at all
  double rise_time = 0;     ///< s, from 10 % to 90 % of `steady`; 0 where that is 0
  double settling_time = 0; ///< s from which on it stays within 2 % of `steady`, or of the peak where that is 0
};

/// @param until  s; 0: until the slowest pole has decayed to a thousandth, or the fastest growing one grown fiftyfold
/// @param samples  about as many; of a discrete model fewer where it has fewer ticks
StepResponse step_response(const LinearModel& channel, double until = 0, int samples = 2000);

} // namespace hilda::analysis
