// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/safety/motion_rules.h"

namespace hilda::run {

/// Lets through what keeps the limits, one signal a gate, and brings the signal to rest on a ramp otherwise.
///
/// A value passes only if the gate could still come to rest inside the range from there, keeping every limit; so the
/// ramp keeps them too, whatever is asked for. All memory is taken by bind.
///
/// Samples that cannot be sent (`miss`) leave what was sent behind what is asked. The following samples carry the
/// offset between the two and let it decay, so that the sent samples, one after the other, keep every limit. The
/// command is still limited by itself, so that a step in it never passes for a lost sample.
///
/// What became of a sample is known from the device, or from the clock (`settle`): one that was not taken is taken
/// back, and after a cycle without a sample the velocity is zero.
class MotionGate {
public:
  using Violation = MotionRules::Violation;

  /// `from_rest`: nothing passes before start_at; else the first sample is free.
  void bind(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits, bool from_rest = false);
  /// [loop] Starts again, at rest at this value. False: it is not a value to rest at; nothing is changed.
  bool start_at(const double* rest) noexcept;
  bool from_rest() const noexcept { return from_rest_; }
  bool started() const noexcept { return !from_rest_ || sent_.samples > 0; }

  /// [loop] One sample. False: it breaks a limit, nothing was passed on; see `violation`.
  bool pass(const double* asked) noexcept;
  /// [loop] A sample that cannot be sent, instead of pass: looked at, and caught up with by the following ones.
  bool miss(const double* asked) noexcept;
  /// [loop] Before pass, miss or ramp: what became of the last sample that was sent. Where the device was, what
  /// follows begins at rest from what the device has.
  void settle(hilda_fate fate) noexcept;
  /// [loop] Likewise: the last sample was not sent, and the device continues with the one before. A velocity continues;
  /// all that is not a velocity stays.
  void take_back() noexcept;
  /// [loop] One sample of the ramp, instead of pass.
  void ramp() noexcept;
  bool at_rest() const noexcept { return ramp_left_ <= 0; }
  /// [loop] At once and without a ramp: a velocity or a force is zero, a place stays as it is.
  void let_go() noexcept;
  /// From now on `ramp` is called.
  void begin_stop() noexcept;

  /// What was sent last.
  const std::vector<double>& passed() const { return sent_.value; }
  /// Where it started: the range is counted from there.
  const std::vector<double>& first() const { return first_; }
  double* data() { return sent_.value.data(); }
  const Violation& violation() const { return rules_.violation(); }
  hilda_kind kind() const { return rules_.kind(); }

  /// Everything that a checkpoint needs, as numbers.
  std::vector<double> state() const;
  std::size_t state_size() const { return state().size(); }
  void set_state(const double* from);

private:
  bool pass_free(const double* asked) noexcept;
  bool catch_up(const double* asked) noexcept;
  void part() noexcept;
  bool send(const double* value) noexcept;
  void take(MotionTrack& track, const double* value) noexcept;
  void settle_velocity(std::vector<double>& velocity) const noexcept;
  void plan_stop(double shortest) noexcept;
  void ramp_velocity(double samples, std::vector<double>& velocity) const noexcept;

  MotionRules rules_;
  MotionTrack sent_;
  MotionTrack asked_; ///< where they differ
  bool apart_ = false;
  std::vector<double> first_, next_velocity_, candidate_;
  bool from_rest_ = false;
  bool stale_ = false;                     ///< without limits the velocity is worked out only where it is asked for
  bool stops_ = false;                     ///< begin_stop was called
  std::vector<double> before_;             ///< the sample before the last one
  double ramp_length_ = 0, ramp_left_ = 0; ///< samples
  Stopping stopping_;
};

} // namespace hilda::run
