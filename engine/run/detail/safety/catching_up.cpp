// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/safety/catching_up.h"

#include "engine/run/detail/safety/rotation.h"

#include <algorithm>
#include <cmath>

namespace hilda::run {

namespace {

constexpr double time_constant = 0.1; // s
constexpr double negligible = 1e-9;   // offset: m, rad, or the unit of a plain signal
// what is worked out here must be inside the limits after rounding
constexpr double inside = 1 - 1e-6;

/// The part of an offset that is given up in one sample. A large one goes so slowly that half the acceleration `a`
/// brakes it, and half the jerk `j` changes that.
double decay(double offset, double a, double j, double period) {
  const double exponential = period / time_constant;
  if (!(offset > 0)) return exponential;
  return std::min({1.0, exponential, std::sqrt(a / offset) * period, std::cbrt(j / (2 * offset)) * period});
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

/// A change of velocity after which, at the latest, the acceleration that it takes is gone as well.
void soften(double* change, std::size_t n, double jerk, double period) {
  const double unit = jerk * period * period, length = n == 3 ? norm3(change) : std::abs(*change);
  if (length > unit) shorten(change, n, unit * (std::sqrt(1 + 8 * length / unit) - 1) / 2);
}

/// The same as `follow` where the jerk is limited. `lead`: the change of velocity in what is asked, which is followed
/// at once; the rest is caught up with softly.
void follow_softly(const MotionRules& rules, const MotionPart& part, const MotionTrack& sent, const double* lead,
                   double* wanted) {
  const double T = rules.period(), *before = sent.velocity.data() + part.at;
  const double* acceleration = sent.acceleration.data() + part.at;
  double rest[3] = {}, change[3] = {}, more[3] = {}, later[3] = {};
  for (std::size_t i = 0; i < part.size; ++i) rest[i] = wanted[i] - before[i] - lead[i];
  soften(rest, part.size, part.jerk, T);
  for (std::size_t i = 0; i < part.size; ++i) wanted[i] = before[i] + lead[i] + rest[i];
  shorten(wanted, part.size, part.speed * inside);
  for (std::size_t i = 0; i < part.size; ++i) change[i] = wanted[i] - before[i];
  shorten(change, part.size, part.acceleration * T * inside);
  for (std::size_t i = 0; i < part.size; ++i) more[i] = change[i] - acceleration[i] * T;
  shorten(more, part.size, part.jerk * T * T * inside);
  for (std::size_t i = 0; i < part.size; ++i) change[i] = acceleration[i] * T + more[i];
  const double release = release_samples(norm3(change) / T, part.jerk, T);
  for (std::size_t i = 0; i < part.size; ++i)
    wanted[i] = before[i] + change[i], later[i] = wanted[i] + gained(release, release, T) / T * change[i];
  if (norm3(later) <= part.speed * inside) return;
  // too fast before the acceleration would be gone: it goes now
  const double now = release_samples(part.length(sent.acceleration.data()), part.jerk, T);
  for (std::size_t i = 0; i < part.size; ++i)
    wanted[i] = before[i] + (now > 0 ? acceleration[i] * T * (now - 1) / now : 0);
}

/// Turns the velocity that is required into one that may follow. `lead`: by what the velocity of what is asked changes.
void follow(const MotionRules& rules, const MotionPart& part, const MotionTrack& sent, const double* lead,
            double* wanted) {
  if (std::isfinite(part.jerk)) return follow_softly(rules, part, sent, lead, wanted);
  follow(wanted, sent.velocity.data() + part.at, part.size, part.speed, part.acceleration, rules.period());
}

/// An offset that may be given up in one sample: its part in the jerk is small.
double least_offset(const MotionPart& part, double period) {
  return std::min(negligible, 1e-3 * part.jerk * period * period * period);
}

/// One position, or one element of a plain signal.
bool approach_line(const MotionRules& rules, const MotionPart& part, const MotionTrack& sent, const MotionTrack& asked,
                   const double* next, double* value) {
  const double T = rules.period();
  double offset[3] = {}, v[3] = {}, lead[3] = {}, left[3] = {};
  for (std::size_t i = 0; i < part.size; ++i) offset[i] = sent.value[part.at + i] - asked.value[part.at + i];
  const double kept = 1 - decay(part.size == 3 ? norm3(offset) : std::abs(*offset), part.acceleration, part.jerk, T);
  for (std::size_t i = 0; i < part.size; ++i) {
    const std::size_t k = part.at + i;
    v[i] = (next[k] + kept * offset[i] - sent.value[k]) / T;
    lead[i] = (next[k] - asked.value[k]) / T - asked.velocity[k];
  }
  follow(rules, part, sent, lead, v);
  for (std::size_t i = 0; i < part.size; ++i)
    value[part.at + i] = sent.value[part.at + i] + v[i] * T, left[i] = value[part.at + i] - next[part.at + i];
  return norm3(left) <= least_offset(part, T);
}

bool approach_orientation(const MotionRules& rules, const MotionPart& part, const MotionTrack& sent,
                          const MotionTrack& asked, const double* next, double* value) {
  const double T = rules.period(), *from = sent.value.data() + 3, *behind = asked.value.data() + 3;
  double offset[3], w[3], goal[4], lead[3];
  rotation_between(behind, from, offset);
  const double kept = 1 - decay(norm3(offset), part.acceleration, part.jerk, T);
  for (double& each : offset) each *= kept;
  std::copy_n(next + 3, 4, goal);
  rotate(goal, offset);
  rotation_between(from, goal, w);
  for (double& each : w) each /= T;
  rotation_between(behind, next + 3, lead);
  for (std::size_t i = 0; i < 3; ++i) lead[i] = lead[i] / T - asked.velocity[3 + i];
  follow(rules, part, sent, lead, w);
  for (double& each : w) each *= T;
  std::copy_n(from, 4, value + 3);
  rotate(value + 3, w);
  double left[3];
  rotation_between(value + 3, next + 3, left);
  return norm3(left) <= least_offset(part, T);
}

/// Three numbers of a velocity.
bool approach_velocity(const MotionRules& rules, const MotionPart& part, const MotionTrack& sent,
                       const MotionTrack& asked, const double* next, double* value) {
  const double *s = sent.value.data() + part.at, most = part.acceleration * rules.period();
  double change[3], lead[3];
  for (std::size_t i = 0; i < 3; ++i) change[i] = next[part.at + i] - s[i];
  const bool near = norm3(change) <= most;
  if (std::isfinite(part.jerk)) {
    double v[3], behind[3];
    for (std::size_t i = 0; i < 3; ++i) behind[i] = s[i] - asked.value[part.at + i];
    for (std::size_t i = 0; i < 3; ++i) v[i] = next[part.at + i], lead[i] = v[i] - asked.value[part.at + i];
    follow_softly(rules, part, sent, lead, v);
    std::copy_n(v, 3, value + part.at);
    return norm3(behind) <= 1e-3 * part.jerk * rules.period() * rules.period();
  }
  shorten(change, 3, most * inside);
  for (std::size_t i = 0; i < 3; ++i) value[part.at + i] = s[i] + change[i];
  return near;
}

} // namespace

bool approach(const MotionRules& rules, const MotionTrack& sent, const MotionTrack& asked, const double* next,
              double* value) noexcept {
  const std::vector<MotionPart>& parts = rules.parts();
  bool near = true;
  switch (rules.kind()) {
  case HILDA_WRENCH: std::copy_n(next, rules.elements(), value); return true;
  case HILDA_POSE: {
    const bool there = approach_line(rules, parts[0], sent, asked, next, value);
    const bool turned = approach_orientation(rules, parts[1], sent, asked, next, value);
    return there && turned;
  }
  case HILDA_TWIST:
    for (const MotionPart& part : parts) near = approach_velocity(rules, part, sent, asked, next, value) && near;
    return near;
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  for (const MotionPart& part : parts) near = approach_line(rules, part, sent, asked, next, value) && near;
  return near;
}

} // namespace hilda::run
