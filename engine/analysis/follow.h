// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::analysis {

/// A number, and two deviations of what the noise that is left over makes of it. What the model lacks may be more: this
/// is not a confidence interval.
struct Estimate {
  double value = 0, half_width = 0;
};

/// How a robot followed a command along a line, sampled every `period` seconds.
struct FollowRecord {
  double period = 0;
  std::vector<double> commanded, actual; ///< m
};

/// The robot as dead time and second order: gain wn^2/(s^2 + 2 xi wn s + wn^2) exp(-s dead_time), the command taken
/// as straight from sample to sample.
struct FollowEstimate {
  Estimate dead_time;         ///< s
  bool second_order = false;  ///< false: the data shows none, dead time alone explains it
  Estimate natural_frequency; ///< rad/s
  Estimate damping_ratio;
  Estimate gain;
  double residual = 0;              ///< m, root mean square of what is left over
  std::size_t left_out = 0;         ///< samples that are far out, as after a cycle that was lost
  double motion = 0;                ///< m, root mean square of the command about its mean
  std::vector<double> acceleration; ///< m/s2, of the model: smooth where differences would be noise
  double acceleration_period = 0;   ///< s, between two of them

  /// Dead time of the simulated robot whose rig takes a tick of `period`: with a second order it holds each command
  /// for a tick, which is half a tick of delay by itself. Not below 0.
  double simulated_dead_time(double period) const;
};

/// Fits the model by least squares, in which the few samples that are far out do not count, once with and once
/// without the second order, and keeps the one with the smaller Bayesian information criterion. `problem` says what is
/// wrong where the record does not tell (too short, hardly any motion, a robot that did not follow); the estimate is
/// then empty.
FollowEstimate identify_follow(const FollowRecord& record, std::string& problem);

/// Delay of a force sensor behind the reported motion, from the inertia of what it carries.
struct SensorEstimate {
  bool known = false;  ///< false: the payload's inertial force does not stand out; `delay` says nothing
  Estimate delay;      ///< s
  Estimate mass;       ///< kg, that explains the force
  double residual = 0; ///< N, root mean square of what is left over
};

/// Fits force = bias - mass acceleration(t - delay), together with the robot where it has a second order, so that the
/// interval of the delay holds what either leaves open. `motion` is what identify_follow found in `record`; `force` is
/// what the sensor says along the line of motion with the weight taken off, N, sample by sample.
SensorEstimate identify_sensor(const FollowRecord& record, const FollowEstimate& motion,
                               const std::vector<double>& force);

/// Why a known estimate is not to be believed, or nothing: another payload than the rig's (kg, where it is reported)
/// explains the force, or the force is ahead of the reported motion.
std::string doubt(const SensorEstimate& sensor, const std::optional<double>& payload);

} // namespace hilda::analysis
