// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/safety/motion_rules.h"

#include "engine/run/detail/safety/rotation.h"

#include <algorithm>
#include <cmath>

namespace hilda::run {

namespace {

// rounding must not trip a command that is exactly at its limit
constexpr double tolerance = 1 + 1e-9;
// of |q|^2 from 1
constexpr double unit_tolerance = 1e-6;

} // namespace

void MotionRules::bind(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits) {
  kind_ = kind;
  elements_ = elements;
  period_ = period;
  limits_ = limits;
  free_ = std::all_of(limits_.most.begin(), limits_.most.end(), [](double most) { return std::isinf(most); });
  parts_ = parts_of(kind, elements, period, limits);
  limits_jerk_ = std::any_of(parts_.begin(), parts_.end(), [](const MotionPart& p) { return std::isfinite(p.jerk); });
  acceleration_.assign(velocities(), 0.0);
}

bool MotionRules::refuse(Violation::What what, double asked) noexcept {
  violation_ = {what, MotionLimits::count, asked, 0};
  return false;
}

bool MotionRules::within(MotionLimits::Kind limit, double asked) noexcept {
  if (asked <= limits_[limit] * tolerance) return true;
  violation_ = {Violation::What::limit, limit, asked, limits_[limit]};
  return false;
}

bool MotionRules::sound(const double* asked) noexcept {
  double zero = 0; // x - x is 0 for finite x alone
  for (std::size_t i = 0; i < elements_; ++i) zero += asked[i] - asked[i];
  for (std::size_t i = 0; zero != 0 && i < elements_; ++i)
    if (!std::isfinite(asked[i])) return refuse(Violation::What::not_finite, asked[i]);
  if (kind_ != HILDA_POSE) return true;
  const double* q = asked + 3;
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return std::abs(square - 1) <= unit_tolerance || refuse(Violation::What::no_rotation, std::sqrt(square));
}

double MotionRules::stop_duration(const double* velocity) const noexcept {
  const double a = limits_[MotionLimits::acceleration];
  switch (kind_) {
  case HILDA_POSE:
  case HILDA_TWIST:
    return std::max(
        {limits_.stop_time, norm3(velocity) / a, norm3(velocity + 3) / limits_[MotionLimits::angular_acceleration]});
  case HILDA_WRENCH: return limits_.stop_time;
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  double fastest = 0;
  for (std::size_t i = 0; i < elements_; ++i) fastest = std::max(fastest, std::abs(velocity[i]));
  return std::max(limits_.stop_time, fastest / a);
}

bool MotionRules::allow(const MotionTrack& last, const double* first, const double* next, double* velocity) noexcept {
  bool allowed = false;
  switch (kind_) {
  case HILDA_POSE: allowed = allow_pose(last, first, next, velocity); break;
  case HILDA_TWIST:
    std::copy_n(next, elements_, velocity);
    allowed = allow_twist(last, next);
    break;
  case HILDA_WRENCH:
    std::copy_n(next, elements_, velocity);
    allowed = allow_wrench(next);
    break;
  case HILDA_PLAIN:
  case HILDA_QUATERNION: allowed = allow_plain(last, next, velocity);
  }
  return allowed && (!limits_jerk_ || last.samples == 0 || allow_jerk(last, first, next, velocity));
}

void MotionRules::acceleration_to(const MotionTrack& last, const double* velocity,
                                  double* acceleration) const noexcept {
  const bool known = limits_jerk_ && last.samples >= (kind_ == HILDA_TWIST ? 1 : 2);
  for (std::size_t i = 0; i < velocities(); ++i)
    acceleration[i] = known ? (velocity[i] - last.velocity[i]) / period_ : 0;
}

void MotionRules::released(const MotionPart& part, const double* velocity, const double* acceleration,
                           double* to) const noexcept {
  const double release = release_samples(part.length(acceleration), part.jerk, period_);
  const double gain = gained(release, release, period_);
  for (std::size_t i = 0; i < part.size; ++i) to[i] = velocity[part.at + i] + gain * acceleration[part.at + i];
}

Stopping MotionRules::stopping(const double* velocity, const double* acceleration, double shortest) const noexcept {
  double release = 0, braking = shortest, jerking = 0;
  for (const MotionPart& part : parts_) {
    double left[3] = {};
    released(part, velocity, acceleration, left);
    const double speed = norm3(left);
    release = std::max(release, release_samples(part.length(acceleration), part.jerk, period_));
    braking = std::max(braking, speed / part.acceleration);
    jerking = std::max(jerking, speed / part.jerk);
  }
  return {release, braking, jerking, period_};
}

/// Of a sample that keeps the other limits: the jerk, and that the acceleration can go to zero and the motion to rest
/// from there without leaving another limit.
bool MotionRules::allow_jerk(const MotionTrack& last, const double* first, const double* next,
                             const double* velocity) noexcept {
  acceleration_to(last, velocity, acceleration_.data());
  const bool known = last.samples >= (kind_ == HILDA_TWIST ? 2 : 3);
  for (const MotionPart& part : parts_) {
    double change[3] = {}, later[3] = {};
    for (std::size_t i = 0; i < part.size; ++i)
      change[i] = (acceleration_[part.at + i] - last.acceleration[part.at + i]) / period_;
    if (known && !within(part.of_jerk, norm3(change))) return false;
    released(part, velocity, acceleration_.data(), later);
    if (!(norm3(later) <= part.speed * tolerance)) {
      violation_ = {Violation::What::limit, part.of_speed, norm3(later), part.speed};
      return false;
    }
  }
  return kind_ == HILDA_TWIST || stops_in_range(first, next, velocity);
}

/// The way to rest is not longer than this: during the release the larger of the two velocities, then a symmetric S.
bool MotionRules::stops_in_range(const double* first, const double* next, const double* velocity) noexcept {
  using L = MotionLimits;
  const Stopping stop = stopping(velocity, acceleration_.data(), limits_.stop_time);
  const double before = stop.release() * period_, half = stop.braking() / 2 * period_;
  for (const MotionPart& part : parts_) {
    double later[3] = {};
    released(part, velocity, acceleration_.data(), later);
    if (kind_ == HILDA_POSE && part.at == 3) {
      double turned[3];
      rotation_between(first + 3, next + 3, turned);
      const double most = std::max(part.length(velocity), norm3(later));
      const double way = std::isfinite(limits_[L::rotation]) ? most * before + norm3(later) * half : 0;
      if (!within(L::rotation, norm3(turned) + way)) return false;
      continue;
    }
    for (std::size_t i = 0; i < part.size; ++i) {
      const std::size_t k = part.at + i;
      const double from = kind_ == HILDA_POSE ? first[k] : 0, v = velocity[k];
      const double up = std::max({0.0, v, later[i]}) * before + std::max(0.0, later[i]) * half;
      const double down = std::min({0.0, v, later[i]}) * before + std::min(0.0, later[i]) * half;
      const double farthest = std::max(std::abs(next[k] - from + up), std::abs(next[k] - from + down));
      if (!within(kind_ == HILDA_POSE ? L::position : L::magnitude, farthest)) return false;
    }
  }
  return true;
}

bool MotionRules::allow_pose(const MotionTrack& last, const double* first, const double* next,
                             double* velocity) noexcept {
  std::fill_n(velocity, 6, 0.0);
  if (last.samples == 0) return true;
  double *v = velocity, *w = velocity + 3;
  rotation_between(last.value.data() + 3, next + 3, w);
  for (std::size_t i = 0; i < 3; ++i) v[i] = (next[i] - last.value[i]) / period_, w[i] /= period_;
  const double speed = norm3(v), angular = norm3(w);
  if (!within(MotionLimits::step, speed * period_) || !within(MotionLimits::angular_step, angular * period_))
    return false;
  if (!within(MotionLimits::speed, speed) || !within(MotionLimits::angular_speed, angular)) return false;
  if (last.samples > 1) { // the first difference has none before it
    double a[3], alpha[3];
    for (std::size_t i = 0; i < 3; ++i)
      a[i] = (v[i] - last.velocity[i]) / period_, alpha[i] = (w[i] - last.velocity[i + 3]) / period_;
    if (!within(MotionLimits::acceleration, norm3(a)) || !within(MotionLimits::angular_acceleration, norm3(alpha)))
      return false;
  }
  const double half = stop_duration(velocity) / 2;
  for (std::size_t i = 0; i < 3; ++i)
    if (!within(MotionLimits::position, std::abs(next[i] - first[i] + v[i] * half)) ||
        !within(MotionLimits::position, std::abs(next[i] - first[i])))
      return false;
  double turned[3];
  rotation_between(first + 3, next + 3, turned);
  return within(MotionLimits::rotation,
                norm3(turned) + (std::isfinite(limits_[MotionLimits::rotation]) ? angular * half : 0));
}

bool MotionRules::allow_twist(const MotionTrack& last, const double* next) noexcept {
  if (!within(MotionLimits::speed, norm3(next)) || !within(MotionLimits::angular_speed, norm3(next + 3))) return false;
  if (last.samples == 0) return true;
  double a[6];
  for (std::size_t i = 0; i < 6; ++i) a[i] = (next[i] - last.value[i]) / period_;
  return within(MotionLimits::acceleration, norm3(a)) && within(MotionLimits::angular_acceleration, norm3(a + 3));
}

bool MotionRules::allow_wrench(const double* next) noexcept {
  return within(MotionLimits::force, norm3(next)) && within(MotionLimits::torque, norm3(next + 3));
}

bool MotionRules::allow_plain(const MotionTrack& last, const double* next, double* velocity) noexcept {
  for (std::size_t i = 0; i < elements_; ++i) {
    velocity[i] = last.samples == 0 ? 0 : (next[i] - last.value[i]) / period_;
    if (!within(MotionLimits::rate, std::abs(velocity[i]))) return false;
    if (last.samples > 1 && !within(MotionLimits::acceleration, std::abs(velocity[i] - last.velocity[i]) / period_))
      return false;
  }
  const double half = stop_duration(velocity) / 2;
  for (std::size_t i = 0; i < elements_; ++i)
    if (!within(MotionLimits::magnitude, std::max(std::abs(next[i]), std::abs(next[i] + velocity[i] * half))))
      return false;
  return true;
}

} // namespace hilda::run
