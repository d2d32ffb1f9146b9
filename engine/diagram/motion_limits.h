// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <array>
#include <cstddef>
#include <limits>

namespace hilda::diagram {

/// What a signal that moves something may be asked for. SI; infinite where no limit is set.
struct MotionLimits {
  enum Kind : std::size_t {
    position,             ///< each coordinate's distance from the first value, m (pose)
    rotation,             ///< angle from the first orientation, rad (pose)
    speed,                ///< m/s (pose, twist)
    angular_speed,        ///< rad/s (pose, twist)
    acceleration,         ///< m/s2 (pose, twist)
    angular_acceleration, ///< rad/s2 (pose, twist)
    step,                 ///< between two samples, m (pose)
    angular_step,         ///< between two samples, rad (pose)
    force,                ///< N (wrench)
    torque,               ///< N m (wrench)
    magnitude,            ///< of each element, in the signal's unit (other signals)
    rate,                 ///< of each element, unit per s (other signals)
    jerk,                 ///< m/s3 (pose, twist), of each element, unit per s3 (other signals)
    angular_jerk,         ///< rad/s3 (pose, twist)
    count
  };
  static constexpr std::array<const char*, count> names{
      "position", "rotation",     "speed", "angular_speed", "acceleration", "angular_acceleration",
      "step",     "angular_step", "force", "torque",        "magnitude",    "rate",
      "jerk",     "angular_jerk"};
  static constexpr std::array<const char*, count> units{"m",   "rad", "m/s", "rad/s", "m/s2", "rad/s2", "m",
                                                        "rad", "N",   "N m", "",      "",     "m/s3",   "rad/s3"};

  std::array<double, count> most;
  double stop_time = 0.5; ///< s, of the ramp to rest; longer where an acceleration limit asks for it
  double hold = 0.1;      ///< s for which a device continues with the last twist while no new one comes

  MotionLimits() { most.fill(std::numeric_limits<double>::infinity()); }
  double operator[](Kind kind) const { return most[kind]; }
};

} // namespace hilda::diagram
