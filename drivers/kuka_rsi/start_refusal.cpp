// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/start_refusal.h"

#include "drivers/kuka_rsi/kuka_frame.h"

#include <algorithm>
#include <cmath>

namespace hilda::kuka {
namespace {

/// How far setpoint and actual pose may be apart when the loop takes over: beyond, the robot moves or is held.
constexpr double standstill = 0.010, standstill_turn = 2 * M_PI / 180;

} // namespace

double pose_step(const RobotTelegram& telegram) { return 1e-3 * std::pow(10.0, -telegram.pose.decimals); }

std::string start_refusal(const RobotTelegram& first, std::int64_t held_delay, double coarsest) {
  if (held_delay > 0)
    return "the robot has been without an answer for " + std::to_string(held_delay) +
           " cycles: an absolute correction of an earlier run may still be held, and starting from 0 would be a step; "
           "stop the program on the robot, start this run first, then the robot";
  const double step = pose_step(first);
  if (coarsest > 0 && step > coarsest * (1 + 1e-9))
    return "the robot reports its pose in steps of " + std::to_string(step * 1e3) + " mm (" +
           std::to_string(first.pose.decimals) + " decimals), `coarsest` allows " + std::to_string(coarsest * 1e3) +
           " mm; set Precision of the ETHERNET object in the RSI context to 4 or more";
  if (!first.setpoint.complete()) return {};
  const Pose actual = pose_from_wire(first.pose.value), wanted = pose_from_wire(first.setpoint.value);
  const double apart = (wanted.position - actual.position).norm();
  if (apart > standstill || angle_between(wanted.orientation, actual.orientation) > standstill_turn)
    return "the robot is not at rest where it should be: RSol and RIst are " + std::to_string(apart * 1e3) +
           " mm apart; let it come to a standstill before RSI_ON";
  return {};
}

} // namespace hilda::kuka
