#include "engine/run/motion_gate.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hilda {

namespace {

// rounding must not trip a command that stands exactly at its limit
constexpr double tolerance = 1 + 1e-9;

double norm3(const double* v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// Rotation vector from a to b in a's axes: log(conj(a) b); both w x y z.
void rotation_between(const double* a, const double* b, double* phi) {
  const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const double v[3] = {a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
                       a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1],
                       a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]};
  const double s = norm3(v);
  const double scale = s < 1e-12 ? 2 / (w < 0 ? -1 : 1) : 2 * std::atan2(w < 0 ? -s : s, std::abs(w)) / s;
  for (int i = 0; i < 3; ++i) phi[i] = scale * v[i];
}

/// q := q exp(phi)
void rotate(double* q, const double* phi) {
  const double angle = norm3(phi);
  const double s = angle < 1e-8 ? 0.5 : std::sin(angle / 2) / angle, c = std::cos(angle / 2);
  const double e[4] = {c, s * phi[0], s * phi[1], s * phi[2]};
  const double r[4] = {
      q[0] * e[0] - q[1] * e[1] - q[2] * e[2] - q[3] * e[3], q[0] * e[1] + q[1] * e[0] + q[2] * e[3] - q[3] * e[2],
      q[0] * e[2] - q[1] * e[3] + q[2] * e[0] + q[3] * e[1], q[0] * e[3] + q[1] * e[2] - q[2] * e[1] + q[3] * e[0]};
  const double n = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  for (int i = 0; i < 4; ++i) q[i] = r[i] / n;
}

} // namespace

void MotionGate::bind(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits,
                      bool from_rest) {
  from_rest_ = from_rest;
  kind_ = kind;
  period_ = period;
  limits_ = limits;
  free_ = true;
  for (const double most : limits_.most) free_ = free_ && std::isinf(most);
  passed_.assign(elements, 0.0);
  before_ = first_ = passed_;
  velocity_.assign(kind == HILDA_POSE ? 6 : elements, 0.0);
  next_velocity_ = velocity_;
}

bool MotionGate::start_at(const double* rest) noexcept {
  for (std::size_t i = 0; i < passed_.size(); ++i)
    if (!std::isfinite(rest[i])) return refuse(MotionLimits::count, rest[i]);
  for (std::vector<double>* value : {&passed_, &before_, &first_}) std::copy_n(rest, value->size(), value->begin());
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  samples_ = 2; // there is a velocity: none
  stale_ = false;
  return true;
}

bool MotionGate::miss(const double* asked) noexcept {
  for (std::size_t i = 0; i < passed_.size(); ++i)
    if (!std::isfinite(asked[i])) return refuse(MotionLimits::count, asked[i]);
  return true;
}

bool MotionGate::refuse(MotionLimits::Kind limit, double asked) noexcept {
  violation_ = {limit, asked, limit < MotionLimits::count ? limits_[limit] : 0.0};
  return false;
}

bool MotionGate::within(MotionLimits::Kind limit, double asked) noexcept {
  return asked <= limits_[limit] * tolerance || refuse(limit, asked);
}

double MotionGate::stop_duration(double speed, double angular_speed) const noexcept {
  const double linear = speed / limits_[MotionLimits::acceleration];
  const double angular = angular_speed / limits_[MotionLimits::angular_acceleration];
  return std::max({limits_.stop_time, linear, angular});
}

bool MotionGate::pass(const double* asked) noexcept {
  if (!started()) return refuse(MotionLimits::count, NAN);
  for (std::size_t i = 0; i < passed_.size(); ++i)
    if (!std::isfinite(asked[i])) return refuse(MotionLimits::count, asked[i]);
  if (free_) return pass_free(asked);
  switch (kind_) {
  case HILDA_POSE: return pass_pose(asked);
  case HILDA_TWIST: return pass_twist(asked);
  case HILDA_WRENCH: return pass_wrench(asked);
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  return pass_plain(asked);
}

void MotionGate::take(const double* asked) noexcept {
  if (samples_ == 0) std::copy_n(asked, first_.size(), first_.begin());
  std::copy_n(asked, passed_.size(), passed_.begin());
  velocity_.swap(next_velocity_);
  ++samples_;
}

bool MotionGate::pass_pose(const double* asked) noexcept {
  std::fill(next_velocity_.begin(), next_velocity_.end(), 0.0);
  if (samples_ == 0) {
    take(asked);
    return true;
  }
  double* v = next_velocity_.data();
  double* w = v + 3;
  rotation_between(passed_.data() + 3, asked + 3, w);
  for (int i = 0; i < 3; ++i) v[i] = (asked[i] - passed_[static_cast<std::size_t>(i)]) / period_, w[i] /= period_;
  const double speed = norm3(v), angular = norm3(w);
  if (!within(MotionLimits::step, speed * period_) || !within(MotionLimits::angular_step, angular * period_))
    return false;
  if (!within(MotionLimits::speed, speed) || !within(MotionLimits::angular_speed, angular)) return false;
  if (samples_ > 1) { // the first difference has none before it
    double a[3], alpha[3];
    for (std::size_t i = 0; i < 3; ++i)
      a[i] = (v[i] - velocity_[i]) / period_, alpha[i] = (w[i] - velocity_[i + 3]) / period_;
    if (!within(MotionLimits::acceleration, norm3(a)) || !within(MotionLimits::angular_acceleration, norm3(alpha)))
      return false;
  }
  const double half = stop_duration(speed, angular) / 2;
  for (std::size_t i = 0; i < 3; ++i)
    if (!within(MotionLimits::position, std::abs(asked[i] - first_[i] + v[i] * half)) ||
        !within(MotionLimits::position, std::abs(asked[i] - first_[i])))
      return false;
  double turned[3];
  rotation_between(first_.data() + 3, asked + 3, turned);
  if (!within(MotionLimits::rotation,
              norm3(turned) + (std::isfinite(limits_[MotionLimits::rotation]) ? angular * half : 0)))
    return false;
  take(asked);
  return true;
}

bool MotionGate::pass_twist(const double* asked) noexcept {
  if (!within(MotionLimits::speed, norm3(asked)) || !within(MotionLimits::angular_speed, norm3(asked + 3)))
    return false;
  if (samples_ > 0) {
    double a[6];
    for (std::size_t i = 0; i < 6; ++i) a[i] = (asked[i] - passed_[i]) / period_;
    if (!within(MotionLimits::acceleration, norm3(a)) || !within(MotionLimits::angular_acceleration, norm3(a + 3)))
      return false;
  }
  std::copy_n(asked, 6, next_velocity_.begin());
  take(asked);
  return true;
}

bool MotionGate::pass_wrench(const double* asked) noexcept {
  if (!within(MotionLimits::force, norm3(asked)) || !within(MotionLimits::torque, norm3(asked + 3))) return false;
  std::copy_n(asked, 6, next_velocity_.begin());
  take(asked);
  return true;
}

bool MotionGate::pass_plain(const double* asked) noexcept {
  const double half = limits_.stop_time / 2;
  for (std::size_t i = 0; i < passed_.size(); ++i) {
    const double slope = samples_ == 0 ? 0 : (asked[i] - passed_[i]) / period_;
    if (!within(MotionLimits::rate, std::abs(slope))) return false;
    if (!within(MotionLimits::magnitude, std::max(std::abs(asked[i]), std::abs(asked[i] + slope * half)))) return false;
    next_velocity_[i] = slope;
  }
  take(asked);
  return true;
}

bool MotionGate::pass_free(const double* asked) noexcept {
  if (samples_ == 0) std::copy_n(asked, first_.size(), first_.begin());
  for (std::size_t i = 0; i < passed_.size(); ++i) before_[i] = passed_[i], passed_[i] = asked[i];
  stale_ = true;
  ++samples_;
  return true;
}

/// What the limited gates keep at every sample, from the last two.
void MotionGate::settle_velocity(std::vector<double>& velocity) const noexcept {
  switch (kind_) {
  case HILDA_TWIST:
  case HILDA_WRENCH: std::copy(passed_.begin(), passed_.end(), velocity.begin()); return;
  case HILDA_POSE:
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  std::fill(velocity.begin(), velocity.end(), 0.0);
  if (samples_ < 2) return;
  const bool pose = kind_ == HILDA_POSE;
  for (std::size_t i = 0; i < (pose ? 3 : passed_.size()); ++i) velocity[i] = (passed_[i] - before_[i]) / period_;
  if (!pose) return;
  rotation_between(before_.data() + 3, passed_.data() + 3, velocity.data() + 3);
  for (std::size_t i = 3; i < 6; ++i) velocity[i] /= period_;
}

void MotionGate::begin_stop() noexcept {
  if (stale_) settle_velocity(velocity_);
  stale_ = false;
  const bool moves = kind_ == HILDA_POSE || kind_ == HILDA_TWIST;
  const double duration =
      moves ? stop_duration(norm3(velocity_.data()), norm3(velocity_.data() + 3)) : limits_.stop_time;
  ramp_length_ = samples_ == 0 ? 0 : std::ceil(duration / period_);
  ramp_left_ = ramp_length_;
}

void MotionGate::ramp() noexcept {
  if (ramp_left_ <= 0) return;
  --ramp_left_;
  const double scale = ramp_left_ / ramp_length_; // reaches 0 with the last sample
  switch (kind_) {
  case HILDA_POSE: {
    double phi[3];
    for (std::size_t i = 0; i < 3; ++i) {
      passed_[i] += velocity_[i] * period_ * scale;
      phi[i] = velocity_[i + 3] * period_ * scale;
    }
    rotate(passed_.data() + 3, phi);
    break;
  }
  case HILDA_TWIST:
  case HILDA_WRENCH: // kept as their own "velocity": they go to zero
    for (std::size_t i = 0; i < passed_.size(); ++i) passed_[i] = velocity_[i] * scale;
    break;
  case HILDA_PLAIN:
  case HILDA_QUATERNION:
    for (std::size_t i = 0; i < passed_.size(); ++i) passed_[i] += velocity_[i] * period_ * scale;
    break;
  }
}

std::vector<double> MotionGate::state() const {
  std::vector<double> all = passed_;
  all.insert(all.end(), first_.begin(), first_.end());
  std::vector<double> velocity = velocity_;
  if (stale_) settle_velocity(velocity);
  all.insert(all.end(), velocity.begin(), velocity.end());
  all.push_back(static_cast<double>(samples_));
  all.push_back(ramp_length_);
  all.push_back(ramp_left_);
  return all;
}

void MotionGate::set_state(const double* from) {
  for (std::vector<double>* part : {&passed_, &first_, &velocity_}) {
    std::copy_n(from, part->size(), part->begin());
    from += part->size();
  }
  stale_ = false;
  samples_ = static_cast<std::int64_t>(from[0]);
  ramp_length_ = from[1];
  ramp_left_ = from[2];
}

} // namespace hilda
