// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/safety/stopping.h"

#include <algorithm>
#include <cmath>

namespace hilda::run {

std::vector<MotionPart> parts_of(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits) {
  using L = MotionLimits;
  std::vector<MotionPart> parts;
  if (kind == HILDA_WRENCH) return parts;
  if (kind == HILDA_POSE || kind == HILDA_TWIST)
    return {{0, 3, std::min(limits[L::speed], limits[L::step] / period), limits[L::acceleration], limits[L::jerk],
             L::speed, L::jerk},
            {3, 3, std::min(limits[L::angular_speed], limits[L::angular_step] / period),
             limits[L::angular_acceleration], limits[L::angular_jerk], L::angular_speed, L::angular_jerk}};
  for (std::size_t i = 0; i < elements; ++i)
    parts.push_back({i, 1, limits[L::rate], limits[L::acceleration], limits[L::jerk], L::rate, L::jerk});
  return parts;
}

double release_samples(double acceleration, double jerk, double period) noexcept {
  if (!std::isfinite(jerk)) return 0;
  return std::max(0.0, std::ceil(acceleration / (jerk * period) - 1e-6)); // what rounding leaves takes no sample
}

Stopping::Stopping(double release, double braking, double jerking, double period) noexcept : release_(release) {
  brake_ = std::max(1.0, std::ceil(braking / period));
  round_ = std::max(1.0, std::ceil(jerking / (brake_ * period * period)));
  if (round_ > brake_) brake_ = round_ = std::max(brake_, std::ceil(std::sqrt(jerking) / period));
}

double Stopping::share(double samples) const noexcept {
  const double k = samples - release_, area = brake_ * round_;
  if (k <= 0) return 1;
  if (k >= brake_) {
    const double left = std::max(0.0, braking() - k);
    return left * (left + 1) / 2 / area;
  }
  const double done = k <= round_ ? k * (k + 1) / 2 : round_ * (round_ + 1) / 2 + (k - round_) * round_;
  return (area - done) / area;
}

double gained(double release, double samples, double period) noexcept {
  if (release <= 0) return 0;
  const double k = std::min(samples, release);
  return period * (k - k * (k + 1) / (2 * release));
}

} // namespace hilda::run
