// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/sampled_response.h"
#include "engine/modules.h"

#include <complex>
#include <vector>

namespace hilda::analysis {

/// Where a loop's phase is -180 degrees: it is at the edge of stability with `factor` times its gain.
struct GainMargin {
  double frequency = 0; ///< rad/s; 0 where the response at rest is below 0; NaN: by ticks it has none
  double factor = 0;    ///< 1/|L|; above 1: so much more gain, below 1: so much less
};

/// Where |L| is 1: the loop is at the edge with so much more lag.
struct PhaseMargin {
  double frequency = 0; ///< rad/s
  double angle = 0;     ///< rad, 180 degrees + the phase of L, in (-pi, pi]
  double delay = 0;     ///< s: the dead time that is `angle` there, or a turn more of a negative one
};

/// How far a loop L, closed with -1, is from the edge of stability.
struct Margins {
  std::vector<GainMargin> gain;             ///< at rising frequencies; none: the phase never is -180 degrees
  std::vector<PhaseMargin> phase;           ///< at rising frequencies; none: |L| never is 1
  double nearest = 0;                       ///< least |1 + L|; its inverse is the peak of the sensitivity
  double nearest_frequency = 0;             ///< rad/s
  std::vector<std::complex<double>> closed; ///< poles of the closed loop, least stable first
  bool solvable = true;                     ///< false: 1 + D is 0
  bool stable = false;                      ///< closed: all decays
  bool edge = false;                        ///< closed it is on the edge: nothing grows, and not all decays
  bool complete = true;                     ///< false: not all of the band was looked at finely enough

  /// The crossing that counts: the least gain that is still to be added, the most that may be taken away, the least
  /// angle and the least delay. Null where there is none.
  const GainMargin* least_increase() const;
  const GainMargin* least_decrease() const;
  const PhaseMargin* least_angle() const;
  const PhaseMargin* least_delay() const;
};

/// @param closed  the loop as it runs, closed, where that was linearised too: whether it is stable is then its own
Margins margins(const LinearModel& loop, const SampledResponse& sampled, const LinearModel* closed = nullptr);

/// Of a loop whose response shows nothing of its margins: whether it is stable closed, and no more.
Margins stability_alone(const LinearModel& loop, const LinearModel* closed = nullptr);

/// Of a loop that is known by ticks: from what is added to its signal at each tick of a period to the signal, behind
/// it, at each, with the loop closed (Linearization::by_ticks). The factors of the gain at which its own poles come to
/// the edge, from a ten-thousandth to ten thousand; there is no one response, and so no phase and no distance.
Margins margins_by_ticks(const LinearModel& closed);

} // namespace hilda::analysis
