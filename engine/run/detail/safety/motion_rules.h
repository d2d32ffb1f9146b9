// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/motion_limits.h"
#include "engine/modules.h"
#include "engine/run/detail/safety/stopping.h"

#include <cstdint>
#include <hilda/abi.h>
#include <vector>

namespace hilda::run {

/// A sampled motion as far as limits look at it: its last sample, and the velocity towards that one.
///
/// The velocity of a pose is 6 numbers (rad/s in the body's axes); a twist or a wrench is its own velocity. The
/// acceleration has as many numbers; it is kept up where the jerk is limited, and zero otherwise.
struct MotionTrack {
  std::vector<double> value, velocity, acceleration;
  std::int64_t samples = 0; ///< from 1 on there is a value, from 2 on a velocity, from 3 on an acceleration
};

/// Which sample of a signal may follow another one.
///
/// One may from which the signal could still come to rest inside its range, keeping every limit.
class MotionRules {
public:
  /// The fault of a sample.
  struct Violation {
    enum class What { limit, not_finite, no_rotation, no_start } what = What::limit;
    MotionLimits::Kind limit = MotionLimits::count;
    double asked = 0, allowed = 0;
  };

  void bind(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits);

  hilda_kind kind() const noexcept { return kind_; }
  std::size_t elements() const noexcept { return elements_; }
  std::size_t velocities() const noexcept { return kind_ == HILDA_POSE ? 6 : elements_; }
  double period() const noexcept { return period_; }
  const MotionLimits& limits() const noexcept { return limits_; }
  const std::vector<MotionPart>& parts() const noexcept { return parts_; }
  bool limits_jerk() const noexcept { return limits_jerk_; }
  /// No limit is set.
  bool free() const noexcept { return free_; }

  /// [loop] Finite, and where it has an orientation, a unit quaternion.
  bool sound(const double* asked) noexcept;
  /// [loop] May `next` follow `last`? `first`: where the range is counted from. Writes the velocity from one to the
  /// other.
  bool allow(const MotionTrack& last, const double* first, const double* next, double* velocity) noexcept;
  /// s from this velocity to rest, where the jerk is not limited.
  double stop_duration(const double* velocity) const noexcept;
  /// [loop] The acceleration of a track that takes this velocity with its next sample; zero where it is not known.
  void acceleration_to(const MotionTrack& last, const double* velocity, double* acceleration) const noexcept;
  /// [loop] From this motion to rest within all limits, in no less than `shortest` seconds.
  Stopping stopping(const double* velocity, const double* acceleration, double shortest) const noexcept;
  /// [loop] What a part's velocity is when its acceleration has gone to zero. `to`: 3 numbers, or 1.
  void released(const MotionPart& part, const double* velocity, const double* acceleration, double* to) const noexcept;
  /// What was wrong, after a false.
  const Violation& violation() const noexcept { return violation_; }
  bool refuse(Violation::What what, double asked) noexcept;
  void set_violation(const Violation& violation) noexcept { violation_ = violation; }

private:
  bool within(MotionLimits::Kind limit, double asked) noexcept;
  bool allow_jerk(const MotionTrack& last, const double* first, const double* next, const double* velocity) noexcept;
  bool stops_in_range(const double* first, const double* next, const double* velocity) noexcept;
  bool allow_pose(const MotionTrack& last, const double* first, const double* next, double* velocity) noexcept;
  bool allow_twist(const MotionTrack& last, const double* next) noexcept;
  bool allow_wrench(const double* next) noexcept;
  bool allow_plain(const MotionTrack& last, const double* next, double* velocity) noexcept;

  hilda_kind kind_ = HILDA_PLAIN;
  std::size_t elements_ = 0;
  double period_ = 1;
  MotionLimits limits_;
  bool free_ = true, limits_jerk_ = false;
  std::vector<MotionPart> parts_;
  std::vector<double> acceleration_; ///< towards the sample that is looked at
  Violation violation_;
};

} // namespace hilda::run
