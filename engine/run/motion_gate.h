#pragma once

#include "engine/model/motion_limits.h"

#include <cstdint>
#include <hilda/abi.h>
#include <vector>

namespace hilda {

/// Lets through what keeps the limits, one signal a gate, and brings the signal to rest on a ramp otherwise.
///
/// A value passes only if the gate could still come to rest inside the range from there, keeping every limit; so the
/// ramp keeps them too, whatever is asked for. All memory is taken by bind.
class MotionGate {
public:
  struct Violation {
    MotionLimits::Kind limit = MotionLimits::count; ///< count: not a number
    double asked = 0, allowed = 0;
  };

  /// `from_rest`: nothing passes before start_at; else the first sample is free.
  void bind(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits, bool from_rest = false);
  /// [loop] Starts anew, at rest at this value. False: not finite, or no rotation; nothing is changed.
  bool start_at(const double* rest) noexcept;
  bool started() const noexcept { return !from_rest_ || samples_ > 0; }

  /// [loop] One sample. False: it breaks a limit, nothing was passed on; see `violation`.
  bool pass(const double* asked) noexcept;
  /// [loop] A sample that cannot be sent, instead of pass: looked at, and caught up with by the following ones.
  bool miss(const double* asked) noexcept;
  /// [loop] One sample of the ramp, instead of pass.
  void ramp() noexcept;
  bool at_rest() const noexcept { return ramp_left_ <= 0; }
  /// From now on `ramp` is called.
  void begin_stop() noexcept;

  const std::vector<double>& passed() const { return passed_; }
  /// The value of the start.
  const std::vector<double>& first() const { return first_; }
  double* data() { return passed_.data(); }
  const Violation& violation() const { return violation_; }

  /// Everything that a checkpoint needs, as numbers.
  std::vector<double> state() const;
  std::size_t state_size() const { return state().size(); }
  void set_state(const double* from);

private:
  bool refuse(MotionLimits::Kind limit, double asked) noexcept;
  bool within(MotionLimits::Kind limit, double asked) noexcept;
  bool pass_pose(const double* asked) noexcept;
  bool pass_twist(const double* asked) noexcept;
  bool pass_wrench(const double* asked) noexcept;
  bool pass_plain(const double* asked) noexcept;
  bool pass_free(const double* asked) noexcept;
  void settle_velocity(std::vector<double>& velocity) const noexcept;
  void take(const double* asked) noexcept;
  double stop_duration(double speed, double angular_speed) const noexcept;

  hilda_kind kind_ = HILDA_PLAIN;
  double period_ = 1;
  MotionLimits limits_;
  std::vector<double> passed_, first_, velocity_, next_velocity_;
  bool from_rest_ = false;
  bool free_ = false;  ///< no limit is set: the velocity is worked out only where it is asked for
  bool stale_ = false; ///< it has to be, from before_ and passed_
  std::vector<double> before_;
  std::int64_t samples_ = 0;
  double ramp_length_ = 0, ramp_left_ = 0; ///< samples
  Violation violation_;
};

} // namespace hilda
