// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of the safety stage share: an observer of the wire with independent formulas, a client that commands
// at the limits, and what no diagram should put out.

#include "engine/diagram/motion_limits.h"
#include "tests/modules.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <hilda/abi.h>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace hilda::test {

using L = MotionLimits;
using Values = std::vector<double>;

inline constexpr double slack = 1 + 1e-6;

inline std::size_t elements_of(hilda_kind kind) { return kind == HILDA_POSE ? 7 : kind == HILDA_PLAIN ? 3 : 6; }

/// Random numbers of one sequence.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  /// True once in `times`.
  bool one_in(int times) { return std::uniform_int_distribution<int>(1, times)(engine_) == 1; }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(engine_); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Eigen::Vector3d direction() { return Eigen::Vector3d(normal(), normal(), normal()).normalized(); }

private:
  std::mt19937_64 engine_;
};

/// Looks at the samples on the wire, with independent formulas.
class Witness {
public:
  Witness(hilda_kind kind, double period, const L& limits) : kind_(kind), period_(period), limits_(limits) {}

  /// The device rests here; ranges are counted from here.
  void rest_at(const Values& value) {
    origin_ = last_ = value;
    velocity_.assign(kind_ == HILDA_POSE ? 6 : value.size(), 0.0);
    acceleration_ = velocity_;
  }

  /// It came to rest here meanwhile; ranges count from where they did.
  void stands_at(const Values& value) {
    last_ = value;
    velocity_.assign(velocity_.size(), 0.0);
    acceleration_ = velocity_;
  }

  /// False where a limit is broken; `error` says which.
  bool keeps(const Values& value) {
    error.clear();
    for (const double each : value)
      if (!std::isfinite(each)) error = "not finite";
    if (!error.empty()) return false;
    switch (kind_) {
    case HILDA_POSE: pose(value); break;
    case HILDA_TWIST: twist(value); break;
    case HILDA_WRENCH:
      most("force", norm(value, 0), limits_[L::force]);
      most("torque", norm(value, 3), limits_[L::torque]);
      break;
    default: plain(value); break;
    }
    last_ = value;
    return error.empty();
  }

  const Values& last() const { return last_; }
  double speed() const {
    return std::sqrt(std::inner_product(velocity_.begin(), velocity_.end(), velocity_.begin(), 0.0));
  }
  std::string error;

private:
  static double norm(const Values& v, std::size_t at) { return std::hypot(v[at], v[at + 1], v[at + 2]); }
  static Eigen::Quaterniond rotation(const Values& v) { return {v[3], v[4], v[5], v[6]}; }

  void most(const char* what, double value, double limit) {
    if (limit < std::numeric_limits<double>::infinity() && !(value <= limit * slack) && error.empty())
      error = std::string(what) + " " + std::to_string(value) + " of " + std::to_string(limit);
  }

  static Eigen::Vector3d turn(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
    const Eigen::AngleAxisd by((from.conjugate() * to).normalized());
    const double angle = by.angle() > M_PI ? by.angle() - 2 * M_PI : by.angle();
    return by.axis() * angle;
  }

  void pose(const Values& value) {
    const Eigen::Quaterniond q = rotation(value);
    if (std::abs(q.norm() - 1) > 1e-6) error = "no rotation";
    const Eigen::Vector3d w = turn(rotation(last_), q) / period_;
    Values velocity(6);
    for (std::size_t i = 0; i < 3; ++i) {
      velocity[i] = (value[i] - last_[i]) / period_;
      velocity[i + 3] = w[static_cast<Eigen::Index>(i)];
      most("position", std::abs(value[i] - origin_[i]), limits_[L::position]);
    }
    most("rotation", turn(rotation(origin_), q).norm(), limits_[L::rotation]);
    most("speed", norm(velocity, 0), limits_[L::speed]);
    most("angular speed", norm(velocity, 3), limits_[L::angular_speed]);
    most("step", norm(velocity, 0) * period_, limits_[L::step]);
    most("angular step", norm(velocity, 3) * period_, limits_[L::angular_step]);
    Values change(6);
    for (std::size_t i = 0; i < 6; ++i) change[i] = (velocity[i] - velocity_[i]) / period_;
    most("acceleration", norm(change, 0), limits_[L::acceleration]);
    most("angular acceleration", norm(change, 3), limits_[L::angular_acceleration]);
    jerk(change);
    velocity_ = velocity;
  }

  void twist(const Values& value) {
    Values change(6);
    for (std::size_t i = 0; i < 6; ++i) change[i] = (value[i] - last_[i]) / period_;
    most("speed", norm(value, 0), limits_[L::speed]);
    most("angular speed", norm(value, 3), limits_[L::angular_speed]);
    most("acceleration", norm(change, 0), limits_[L::acceleration]);
    most("angular acceleration", norm(change, 3), limits_[L::angular_acceleration]);
    jerk(change);
  }

  /// Of a pose or a twist, from the acceleration towards this sample and the one before.
  void jerk(const Values& acceleration) {
    Values change(6);
    for (std::size_t i = 0; i < 6; ++i) change[i] = (acceleration[i] - acceleration_[i]) / period_;
    most("jerk", norm(change, 0), limits_[L::jerk]);
    most("angular jerk", norm(change, 3), limits_[L::angular_jerk]);
    acceleration_ = acceleration;
  }

  void plain(const Values& value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      const double velocity = (value[i] - last_[i]) / period_;
      most("magnitude", std::abs(value[i]), limits_[L::magnitude]);
      most("rate", std::abs(velocity), limits_[L::rate]);
      const double acceleration = (velocity - velocity_[i]) / period_;
      most("acceleration", std::abs(acceleration), limits_[L::acceleration]);
      most("jerk", std::abs(acceleration - acceleration_[i]) / period_, limits_[L::jerk]);
      acceleration_[i] = acceleration;
      velocity_[i] = velocity;
    }
  }

  hilda_kind kind_;
  double period_;
  L limits_;
  Values origin_, last_, velocity_, acceleration_;
};

/// Limits of one sequence; some steps of a pose are limited too.
inline L draw_limits(hilda_kind kind, double period, Dice& dice) {
  L limits;
  const auto draw = [&](L::Kind which, double low, double high) {
    limits.most[which] = std::exp(dice.between(std::log(low), std::log(high)));
  };
  limits.stop_time = dice.one_in(3) ? dice.between(1e-4, 0.01) : dice.between(0.01, 0.2);
  if (kind == HILDA_WRENCH) {
    draw(L::force, 1, 100);
    draw(L::torque, 0.1, 10);
    return limits;
  }
  draw(L::acceleration, 0.05, 30);
  if (kind == HILDA_PLAIN) {
    draw(L::magnitude, 0.02, 5);
    draw(L::rate, 0.05, 3);
    return limits;
  }
  draw(L::angular_acceleration, 0.2, 60);
  draw(L::speed, 0.01, 1);
  draw(L::angular_speed, 0.05, 2);
  if (kind == HILDA_TWIST) return limits;
  draw(L::position, 0.005, 0.5);
  draw(L::rotation, 0.02, 2.5);
  if (dice.one_in(2)) limits.most[L::step] = limits[L::speed] * period * dice.between(0.3, 1.2);
  if (dice.one_in(2)) limits.most[L::angular_step] = limits[L::angular_speed] * period * dice.between(0.3, 1.2);
  return limits;
}

/// A command that wanders as fast as the limits allow, exactly at them most of the time.
class Wanderer {
public:
  Wanderer(hilda_kind kind, double period, const L& limits, const Values& rest, double share)
      : kind_(kind), period_(period), limits_(limits), share_(share), value_(rest),
        velocity_(kind == HILDA_POSE ? 6 : rest.size(), 0.0) {
    pick_.fill(Eigen::Vector3d::Zero());
  }

  /// From now on it brakes, and then is at rest.
  void halt() {
    halting_ = true;
    pick_.fill(Eigen::Vector3d::Zero());
  }

  const Values& next(Dice& dice) {
    if (!halting_ && dice.one_in(40))
      for (Eigen::Vector3d& each : pick_) each = dice.one_in(4) ? Eigen::Vector3d::Zero() : dice.direction();
    switch (kind_) {
    case HILDA_POSE: {
      steer(0, std::min(limits_[L::speed], limits_[L::step] / period_), limits_[L::acceleration]);
      steer(1, std::min(limits_[L::angular_speed], limits_[L::angular_step] / period_),
            limits_[L::angular_acceleration]);
      for (std::size_t i = 0; i < 3; ++i) value_[i] += velocity_[i] * period_;
      const Eigen::Vector3d phi = triple(1) * period_;
      Eigen::Quaterniond q(value_[3], value_[4], value_[5], value_[6]);
      if (phi.norm() > 0) q = q * Eigen::Quaterniond(Eigen::AngleAxisd(phi.norm(), phi.normalized()));
      q.normalize();
      value_[3] = q.w(), value_[4] = q.x(), value_[5] = q.y(), value_[6] = q.z();
      break;
    }
    case HILDA_TWIST:
      steer(0, limits_[L::speed], limits_[L::acceleration]);
      steer(1, limits_[L::angular_speed], limits_[L::angular_acceleration]);
      value_ = velocity_;
      break;
    case HILDA_WRENCH:
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t i = 0; i < 3; ++i)
          value_[3 * k + i] = pick_[k][static_cast<Eigen::Index>(i)] * share_ * limits_[k == 0 ? L::force : L::torque];
      break;
    default:
      for (std::size_t i = 0; i < value_.size(); ++i) {
        const double pick = pick_[0][static_cast<Eigen::Index>(i)];
        const double wanted = (pick == 0 ? 0 : pick > 0 ? 1 : -1) * share_ * limits_[L::rate];
        const double most = share_ * limits_[L::acceleration] * period_;
        velocity_[i] += std::clamp(wanted - velocity_[i], -most, most);
        value_[i] += velocity_[i] * period_;
      }
    }
    return value_;
  }

private:
  Eigen::Vector3d triple(std::size_t k) const { return Eigen::Map<const Eigen::Vector3d>(velocity_.data() + 3 * k); }

  void steer(std::size_t k, double speed, double acceleration) {
    const Eigen::Vector3d wanted = pick_[k] * speed * share_, now = triple(k);
    Eigen::Vector3d change = wanted - now;
    const double most = share_ * acceleration * period_;
    if (change.norm() > most) change *= most / change.norm();
    Eigen::Map<Eigen::Vector3d>(velocity_.data() + 3 * k) = now + change;
  }

  hilda_kind kind_;
  double period_;
  L limits_;
  double share_; ///< of every limit
  bool halting_ = false;
  Values value_, velocity_;
  std::array<Eigen::Vector3d, 2> pick_;
};

/// What no diagram should put out.
inline void spoil(Values& value, Dice& dice) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  double& one = value[static_cast<std::size_t>(dice.below(static_cast<int>(value.size())))];
  switch (dice.below(10)) {
  case 0: one = std::numeric_limits<double>::quiet_NaN(); break;
  case 1: one = dice.one_in(2) ? inf : -inf; break;
  case 2: one += dice.normal() * std::pow(10, dice.between(-9, 2)); break;
  case 3: one = (dice.one_in(2) ? 1 : -1) * std::pow(10.0, dice.between(3, 308)); break;
  case 4: one = std::numeric_limits<double>::denorm_min() * dice.between(0, 100); break;
  case 5: std::fill(value.begin(), value.end(), 0.0); break;
  case 6:
    for (double& each : value) each = dice.normal();
    break;
  case 7:
    if (value.size() == 7)
      for (std::size_t i = 3; i < 7; ++i) value[i] *= std::pow(10.0, dice.between(-3, 3));
    break;
  case 8:
    if (value.size() == 7)
      for (std::size_t i = 3; i < 7; ++i) value[i] = -value[i];
    break;
  default: one = -one;
  }
}

/// A place where a device might rest.
inline Values draw_rest(hilda_kind kind, const L& limits, Dice& dice) {
  Values rest(elements_of(kind), 0.0);
  if (kind == HILDA_POSE) {
    for (std::size_t i = 0; i < 3; ++i) rest[i] = dice.between(-2, 2);
    const Eigen::Quaterniond q(Eigen::AngleAxisd(dice.between(0, M_PI), dice.direction()));
    rest[3] = q.w(), rest[4] = q.x(), rest[5] = q.y(), rest[6] = q.z();
  }
  if (kind == HILDA_PLAIN)
    for (double& each : rest) each = dice.between(-0.7, 0.7) * std::min(limits[L::magnitude], 1.0);
  return rest;
}

} // namespace hilda::test
