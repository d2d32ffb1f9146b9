#include "engine/safety/motion_rules.h"

#include "engine/safety/rotation.h"

#include <algorithm>
#include <cmath>

namespace hilda {

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
  switch (kind_) {
  case HILDA_POSE: return allow_pose(last, first, next, velocity);
  case HILDA_TWIST: std::copy_n(next, elements_, velocity); return allow_twist(last, next);
  case HILDA_WRENCH: std::copy_n(next, elements_, velocity); return allow_wrench(next);
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  return allow_plain(last, next, velocity);
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

} // namespace hilda
