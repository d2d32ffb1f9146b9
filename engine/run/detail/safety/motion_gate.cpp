// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/safety/motion_gate.h"

#include "engine/run/detail/safety/catching_up.h"
#include "engine/run/detail/safety/rotation.h"

#include <algorithm>
#include <cmath>

namespace hilda::run {

void MotionGate::bind(hilda_kind kind, std::size_t elements, double period, const MotionLimits& limits,
                      bool from_rest) {
  rules_.bind(kind, elements, period, limits);
  from_rest_ = from_rest;
  const std::vector<double> still(rules_.velocities(), 0.0);
  sent_ = {std::vector<double>(elements, 0.0), still, still, 0};
  asked_ = sent_;
  apart_ = stale_ = stops_ = false;
  before_ = first_ = candidate_ = sent_.value;
  next_velocity_ = sent_.velocity;
  ramp_length_ = ramp_left_ = 0;
}

bool MotionGate::start_at(const double* rest) noexcept {
  if (!rules_.sound(rest)) return false;
  for (std::vector<double>* value : {&sent_.value, &before_, &first_}) std::copy_n(rest, value->size(), value->begin());
  std::fill(sent_.velocity.begin(), sent_.velocity.end(), 0.0);
  std::fill(sent_.acceleration.begin(), sent_.acceleration.end(), 0.0);
  if (rules_.kind() == HILDA_TWIST || rules_.kind() == HILDA_WRENCH)
    std::copy_n(rest, sent_.velocity.size(), sent_.velocity.begin());
  sent_.samples = 3; // its velocity and acceleration are known: none
  apart_ = stale_ = false;
  return true;
}

bool MotionGate::pass(const double* asked) noexcept {
  if (!started()) return rules_.refuse(Violation::What::no_start, NAN);
  if (!rules_.sound(asked)) return false;
  if (rules_.free()) return pass_free(asked);
  if (apart_) return catch_up(asked);
  return send(asked);
}

bool MotionGate::send(const double* value) noexcept {
  if (!rules_.allow(sent_, first_.data(), value, next_velocity_.data())) return false;
  if (sent_.samples == 0) std::copy_n(value, first_.size(), first_.begin());
  take(sent_, value);
  return true;
}

void MotionGate::take(MotionTrack& track, const double* value) noexcept {
  if (&track == &sent_) std::copy(track.value.begin(), track.value.end(), before_.begin());
  std::copy_n(value, track.value.size(), track.value.begin());
  rules_.acceleration_to(track, next_velocity_.data(), track.acceleration.data());
  track.velocity.swap(next_velocity_);
  ++track.samples;
}

bool MotionGate::pass_free(const double* asked) noexcept {
  if (sent_.samples == 0) std::copy_n(asked, first_.size(), first_.begin());
  std::copy(sent_.value.begin(), sent_.value.end(), before_.begin());
  std::copy_n(asked, sent_.value.size(), sent_.value.begin());
  stale_ = true;
  ++sent_.samples;
  return true;
}

bool MotionGate::miss(const double* asked) noexcept {
  if (!started()) return rules_.refuse(Violation::What::no_start, NAN);
  if (!rules_.sound(asked)) return false;
  if (rules_.free() || sent_.samples == 0) return true;
  part();
  if (!rules_.allow(asked_, first_.data(), asked, next_velocity_.data())) return false;
  take(asked_, asked);
  return true;
}

/// From now on what is asked continues by itself.
void MotionGate::part() noexcept {
  if (apart_) return;
  std::copy(sent_.value.begin(), sent_.value.end(), asked_.value.begin());
  std::copy(sent_.velocity.begin(), sent_.velocity.end(), asked_.velocity.begin());
  std::copy(sent_.acceleration.begin(), sent_.acceleration.end(), asked_.acceleration.begin());
  asked_.samples = sent_.samples;
  apart_ = true;
}

void MotionGate::settle(hilda_fate fate) noexcept {
  if ((fate != HILDA_FATE_STOOD && fate != HILDA_FATE_LOST) || sent_.samples == 0) return;
  if (!rules_.free()) part();
  std::vector<double>& value = sent_.value;
  if (fate == HILDA_FATE_LOST) std::copy(before_.begin(), before_.end(), value.begin());
  if (rules_.kind() == HILDA_TWIST || rules_.kind() == HILDA_WRENCH) std::fill(value.begin(), value.end(), 0.0);
  std::fill(sent_.velocity.begin(), sent_.velocity.end(), 0.0);
  std::fill(sent_.acceleration.begin(), sent_.acceleration.end(), 0.0);
  before_ = value; // of the same size: nothing is allocated
  ramp_left_ = 0;
}

void MotionGate::take_back() noexcept {
  if (rules_.kind() != HILDA_TWIST) return settle(HILDA_FATE_LOST);
  if (sent_.samples == 0) return;
  if (!rules_.free()) part();
  sent_.value = before_; // of the same size: nothing is allocated
  const bool ramping = ramp_left_ < ramp_length_;
  if (ramping && !rules_.limits_jerk()) {
    ++ramp_left_; // this sample of the ramp comes once more
    return;
  }
  sent_.velocity = before_;
  std::fill(sent_.acceleration.begin(), sent_.acceleration.end(), 0.0); // the device kept its velocity for a cycle
  if (stops_) plan_stop(ramping ? (ramp_left_ + 1) * rules_.period() : rules_.limits().stop_time);
}

void MotionGate::let_go() noexcept {
  ramp_left_ = 0;
  if (rules_.kind() != HILDA_TWIST && rules_.kind() != HILDA_WRENCH) return;
  for (std::vector<double>* each : {&sent_.value, &sent_.velocity, &sent_.acceleration})
    std::fill(each->begin(), each->end(), 0.0);
}

bool MotionGate::catch_up(const double* asked) noexcept {
  if (!rules_.allow(asked_, first_.data(), asked, next_velocity_.data())) return false;
  const bool near = approach(rules_, sent_, asked_, asked, candidate_.data());
  take(asked_, asked);
  if (near && send(asked)) {
    apart_ = false;
    return true;
  }
  return send(candidate_.data());
}

/// What the limited gates keep at every sample, from the last two.
void MotionGate::settle_velocity(std::vector<double>& velocity) const noexcept {
  const std::vector<double>& now = sent_.value;
  std::fill(velocity.begin(), velocity.end(), 0.0);
  switch (rules_.kind()) {
  case HILDA_TWIST:
  case HILDA_WRENCH: std::copy(now.begin(), now.end(), velocity.begin()); return;
  case HILDA_POSE:
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  if (sent_.samples < 2) return;
  const bool pose = rules_.kind() == HILDA_POSE;
  for (std::size_t i = 0; i < (pose ? 3 : now.size()); ++i) velocity[i] = (now[i] - before_[i]) / rules_.period();
  if (!pose) return;
  rotation_between(before_.data() + 3, now.data() + 3, velocity.data() + 3);
  for (std::size_t i = 3; i < 6; ++i) velocity[i] /= rules_.period();
}

void MotionGate::begin_stop() noexcept {
  std::vector<double>& velocity = sent_.velocity;
  if (stale_) settle_velocity(velocity);
  apart_ = stale_ = false;
  // without limits a step may have been so large that its speed overflows: then it stays where it is
  if (!std::all_of(velocity.begin(), velocity.end(), [](double v) { return std::isfinite(v); }))
    std::fill(velocity.begin(), velocity.end(), 0.0);
  stops_ = true;
  plan_stop(rules_.limits().stop_time);
}

/// The ramp from the velocity that was sent. `shortest`: s that it takes at least where the jerk is limited.
void MotionGate::plan_stop(double shortest) noexcept {
  const bool softly = rules_.limits_jerk();
  if (softly) stopping_ = rules_.stopping(sent_.velocity.data(), sent_.acceleration.data(), shortest);
  const double length =
      softly ? stopping_.samples() : std::ceil(rules_.stop_duration(sent_.velocity.data()) / rules_.period());
  ramp_length_ = ramp_left_ = sent_.samples == 0 ? 0 : length;
}

/// After so many samples of it.
void MotionGate::ramp_velocity(double samples, std::vector<double>& velocity) const noexcept {
  const double share = stopping_.share(samples), T = rules_.period();
  for (const MotionPart& part : rules_.parts()) {
    const double release = release_samples(part.length(sent_.acceleration.data()), part.jerk, T);
    const double gain = gained(release, samples, T);
    for (std::size_t i = part.at; i < part.at + part.size; ++i)
      velocity[i] = (sent_.velocity[i] + gain * sent_.acceleration[i]) * share;
  }
}

void MotionGate::ramp() noexcept {
  if (ramp_left_ <= 0) return;
  --ramp_left_;
  before_ = sent_.value;
  std::vector<double>& value = sent_.value;
  if (rules_.limits_jerk()) ramp_velocity(ramp_length_ - ramp_left_, next_velocity_);
  const std::vector<double>& velocity = rules_.limits_jerk() ? next_velocity_ : sent_.velocity;
  const double scale = rules_.limits_jerk() ? 1 : ramp_left_ / ramp_length_; // reaches 0 with the last sample
  if (rules_.kind() == HILDA_TWIST || rules_.kind() == HILDA_WRENCH) {       // their own velocity: they go to zero
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = velocity[i] * scale;
    return;
  }
  const double step = rules_.period() * scale;
  const bool pose = rules_.kind() == HILDA_POSE;
  for (std::size_t i = 0; i < (pose ? 3 : value.size()); ++i) {
    const double next = value[i] + velocity[i] * step;
    if (std::isfinite(next)) value[i] = next;
  }
  if (!pose) return;
  const double phi[3] = {velocity[3] * step, velocity[4] * step, velocity[5] * step};
  rotate(value.data() + 3, phi);
}

std::vector<double> MotionGate::state() const {
  std::vector<double> velocity = sent_.velocity, all;
  if (stale_) settle_velocity(velocity);
  const std::vector<double>* const parts[] = {&sent_.value,     &first_,  &velocity,           &asked_.value,
                                              &asked_.velocity, &before_, &sent_.acceleration, &asked_.acceleration};
  for (const std::vector<double>* part : parts) all.insert(all.end(), part->begin(), part->end());
  Stopping stop = stopping_;
  for (const double each : {stop.release(), stop.brake(), stop.round()}) all.push_back(each);
  const Violation& v = rules_.violation();
  for (const double each :
       {static_cast<double>(sent_.samples), static_cast<double>(asked_.samples), apart_ ? 1.0 : 0.0, ramp_length_,
        ramp_left_, static_cast<double>(v.what), static_cast<double>(v.limit), v.asked, v.allowed})
    all.push_back(each);
  return all;
}

void MotionGate::set_state(const double* from) {
  for (std::vector<double>* part : {&sent_.value, &first_, &sent_.velocity, &asked_.value, &asked_.velocity, &before_,
                                    &sent_.acceleration, &asked_.acceleration}) {
    std::copy_n(from, part->size(), part->begin());
    from += part->size();
  }
  for (double* part : {&stopping_.release(), &stopping_.brake(), &stopping_.round()}) *part = *from++;
  stale_ = false;
  stops_ = from[3] > 0;
  sent_.samples = static_cast<std::int64_t>(from[0]);
  asked_.samples = static_cast<std::int64_t>(from[1]);
  apart_ = from[2] != 0;
  ramp_length_ = from[3];
  ramp_left_ = from[4];
  rules_.set_violation({static_cast<Violation::What>(static_cast<int>(from[5])),
                        static_cast<MotionLimits::Kind>(static_cast<std::size_t>(from[6])), from[7], from[8]});
}

} // namespace hilda::run
