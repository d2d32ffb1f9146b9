#include "engine/safety/catching_up.h"

#include "engine/safety/rotation.h"

#include <algorithm>
#include <cmath>

namespace hilda {

namespace {

constexpr double time_constant = 0.1; // s
constexpr double negligible = 1e-9;   // offset: m, rad, or the unit of a plain signal
// what is worked out here must be inside the limits after rounding
constexpr double inside = 1 - 1e-6;

/// The part of an offset that is given up in one sample. A large one goes so slowly that half the acceleration `a`
/// brakes it.
double decay(double offset, double a, double period) {
  const double exponential = period / time_constant;
  if (!(offset > 0)) return exponential;
  return std::min({1.0, exponential, std::sqrt(a / offset) * period});
}

/// Shortens a vector of `n` numbers (3, or 1) to a length.
void shorten(double* v, std::size_t n, double most) {
  const double length = n == 3 ? norm3(v) : std::abs(*v);
  if (!(length > most)) return;
  for (std::size_t i = 0; i < n; ++i) v[i] *= most / length;
}

/// Turns the velocity that is required into one that may follow `before`: both lie in the ball of the largest speed, so
/// what lies between them does as well.
void follow(double* wanted, const double* before, std::size_t n, double speed, double acceleration, double period) {
  shorten(wanted, n, speed * inside);
  double change[3] = {};
  for (std::size_t i = 0; i < n; ++i) change[i] = wanted[i] - before[i];
  shorten(change, n, acceleration * period * inside);
  for (std::size_t i = 0; i < n; ++i) wanted[i] = before[i] + change[i];
}

/// One position, or one element of a plain signal.
bool approach_line(const double* sent, const double* sent_velocity, const double* asked, const double* next,
                   std::size_t n, double speed, double acceleration, double period, double* value) {
  double offset[3] = {}, v[3] = {};
  for (std::size_t i = 0; i < n; ++i) offset[i] = sent[i] - asked[i];
  const double kept = 1 - decay(n == 3 ? norm3(offset) : std::abs(*offset), acceleration, period);
  for (std::size_t i = 0; i < n; ++i) v[i] = (next[i] + kept * offset[i] - sent[i]) / period;
  follow(v, sent_velocity, n, speed, acceleration, period);
  double left[3] = {};
  for (std::size_t i = 0; i < n; ++i) value[i] = sent[i] + v[i] * period, left[i] = value[i] - next[i];
  return norm3(left) <= negligible;
}

bool approach_orientation(const double* sent, const double* sent_velocity, const double* asked, const double* next,
                          double speed, double acceleration, double period, double* value) {
  double offset[3], w[3], goal[4];
  rotation_between(asked, sent, offset);
  const double kept = 1 - decay(norm3(offset), acceleration, period);
  for (double& each : offset) each *= kept;
  std::copy_n(next, 4, goal);
  rotate(goal, offset);
  rotation_between(sent, goal, w);
  for (double& each : w) each /= period;
  follow(w, sent_velocity, 3, speed, acceleration, period);
  for (double& each : w) each *= period;
  std::copy_n(sent, 4, value);
  rotate(value, w);
  double left[3];
  rotation_between(value, next, left);
  return norm3(left) <= negligible;
}

/// A velocity, or what has no limit of change.
bool approach_value(const double* sent, const double* next, double acceleration, double period, double* value) {
  double change[3];
  for (std::size_t i = 0; i < 3; ++i) change[i] = next[i] - sent[i];
  const bool near = norm3(change) <= acceleration * period;
  shorten(change, 3, acceleration * period * inside);
  for (std::size_t i = 0; i < 3; ++i) value[i] = sent[i] + change[i];
  return near;
}

} // namespace

bool approach(const MotionRules& rules, const MotionTrack& sent, const MotionTrack& asked, const double* next,
              double* value) noexcept {
  using L = MotionLimits;
  const L& limits = rules.limits();
  const double T = rules.period();
  const double *s = sent.value.data(), *v = sent.velocity.data(), *a = asked.value.data();
  switch (rules.kind()) {
  case HILDA_POSE: {
    const bool there = approach_line(s, v, a, next, 3, std::min(limits[L::speed], limits[L::step] / T),
                                     limits[L::acceleration], T, value);
    const bool turned = approach_orientation(s + 3, v + 3, a + 3, next + 3,
                                             std::min(limits[L::angular_speed], limits[L::angular_step] / T),
                                             limits[L::angular_acceleration], T, value + 3);
    return there && turned;
  }
  case HILDA_TWIST: {
    const bool linear = approach_value(s, next, limits[L::acceleration], T, value);
    const bool angular = approach_value(s + 3, next + 3, limits[L::angular_acceleration], T, value + 3);
    return linear && angular;
  }
  case HILDA_WRENCH: std::copy_n(next, rules.elements(), value); return true;
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  bool near = true;
  for (std::size_t i = 0; i < rules.elements(); ++i)
    near =
        approach_line(s + i, v + i, a + i, next + i, 1, limits[L::rate], limits[L::acceleration], T, value + i) && near;
  return near;
}

} // namespace hilda
