// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/motion_limits.h"
#include "engine/modules.h"
#include "engine/run/detail/safety/rotation.h"

#include <cmath>
#include <cstddef>
#include <hilda/abi.h>
#include <vector>

namespace hilda::run {

/// A part of a motion whose speed, acceleration and jerk have limits together: three numbers of a pose or a twist, one
/// element of a plain signal. SI, or the signal's own unit.
struct MotionPart {
  std::size_t at = 0, size = 0; ///< of its velocity
  double speed = 0, acceleration = 0, jerk = 0;
  MotionLimits::Kind of_speed{}, of_jerk{};
  /// Of this part of a vector.
  double length(const double* of) const noexcept { return size == 3 ? norm3(of + at) : std::abs(of[at]); }
};

/// The parts of a signal; none of a wrench.
std::vector<MotionPart> parts_of(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits);

/// Samples in which an acceleration of this size goes evenly to zero with at most this jerk: unit/s2, unit/s3, s.
double release_samples(double acceleration, double jerk, double period) noexcept;

/// The way from a motion to rest, the same in time for all its parts. First every acceleration goes evenly to zero;
/// then all velocities go to zero together. Without a limit of jerk that is a straight line, with one an S: the
/// acceleration grows for `round` samples, stays, and ceases for as many.
class Stopping {
public:
  Stopping() = default;
  /// [loop] @param braking  s that braking takes at least: of the time for a stop, and of the accelerations
  /// @param jerking         s2: the largest velocity over its limit of jerk, of what is left after the release
  Stopping(double release, double braking, double jerking, double period) noexcept;

  double samples() const noexcept { return release_ + brake_ + round_ - 1; }
  double release() const noexcept { return release_; }
  /// Samples of the braking alone.
  double braking() const noexcept { return brake_ + round_ - 1; }
  /// [loop] The share of the velocity that is left after so many samples.
  double share(double samples) const noexcept;

  double& release() noexcept { return release_; }
  double& brake() noexcept { return brake_; }
  double& round() noexcept { return round_; }

private:
  double release_ = 0, brake_ = 0, round_ = 1;
};

/// [loop] s: what a velocity has gained of an acceleration that ends within `release` samples, after `samples` of them.
double gained(double release, double samples, double period) noexcept;

} // namespace hilda::run
