// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/farewell.h"

#include <algorithm>

namespace hilda::kuka {
namespace {

/// Cycles, and s at most, in which the last answers ask the robot to stop.
constexpr int stop_answers = 50;
constexpr double stop_time = 0.5;
/// Cycles without a telegram after which the robot has ended.
constexpr double silence = 10;

} // namespace

const char* say_farewell(Conversation& talk, SpaceCorrection& correction, SensorTelegram* answer,
                         SensorTelegram& at_rest, int stop, double cycle) {
  if (stop < 0) return "none: without stop_channel the robot runs into its time-out";
  SensorTelegram& last = answer != nullptr ? *answer : at_rest;
  last.value[static_cast<std::size_t>(stop)] = 1;
  const std::int64_t latest = net::monotonic_now() + static_cast<std::int64_t>(stop_time * 1e9);
  for (int i = 0; i < stop_answers && net::monotonic_now() < latest; ++i) {
    const auto quiet_after = static_cast<std::int64_t>(cycle * silence * 1e9);
    const RobotLink::Awaited awaited = talk.await_last(std::min(latest, net::monotonic_now() + quiet_after));
    if (talk.restarted()) return "none: RSI was restarted on the robot, which is not answered any more";
    if (awaited != RobotLink::Awaited::came)
      return i > 0 ? "the stop channel was set, and the robot ended" : "none: the robot was silent";
    if (talk.fate() == HILDA_FATE_UNKNOWN) continue;
    if (talk.fate() == HILDA_FATE_LOST) correction.undo();
    if (answer != nullptr) correction.hold(last);
    talk.answer(last);
  }
  return "the stop channel was set, and the robot continued to send";
}

} // namespace hilda::kuka
