// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/drivers_kuka/block_run.h"
#include "tests/drivers_kuka/golden_files.h"
#include "tests/drivers_kuka/hand_robot.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <gmock/gmock.h>
#include <memory>
#include <string>

namespace hilda::kuka::test {

/// A cycle's telegram of a robot that is at x (mm) since RSI_ON at 520.
inline std::string telegram(std::int64_t ipoc, double x = 520, int delay = 0) {
  std::string text = with(golden("robot.xml"), "4208163634", std::to_string(ipoc));
  text = with(text, "RIst X=\"520.0\"", "RIst X=\"" + std::to_string(x) + "\"");
  return with(text, "D=\"3\"", "D=\"" + std::to_string(delay) + "\"");
}

inline std::string with_ipoc(std::int64_t ipoc) { return "<IPOC>" + std::to_string(ipoc) + "</IPOC>"; }

/// RsiRobot with a robot played by hand, connected at IPOC 1000 and past the time in which it keeps itself alive.
class Session {
public:
  explicit Session(const std::string& attributes = "", const std::string& more = "",
                   const std::string& ethernet = golden("ethernet.xml"))
      : robot(port) {
    folder.write("ethernet.xml", ethernet);
    pc = std::make_unique<BlockRun>(folder, body(port, attributes) + more);
    EXPECT_EQ(pc->errors(), "");
  }
  static std::string body(int port, const std::string& attributes,
                          const std::string& checks = "cycle_check=\"0 s\" clock_drift=\"0\" ") {
    return "<block name=\"robot\" type=\"kuka_rsi/RsiRobot\" ethernet=\"ethernet.xml\" port=\"" + std::to_string(port) +
           "\" " + (attributes.find("connect_timeout") == std::string::npos ? "connect_timeout=\"5 s\" " : "") +
           checks + attributes + "/>\n";
  }
  /// Sends `first` until the driver has started, then brings it to IPOC 1000.
  bool connect(const std::string& first = telegram(996)) {
    auto started = std::async(std::launch::async, [this] { return pc->start(); });
    for (std::int64_t ipoc = 4; started.wait_for(std::chrono::milliseconds(2)) != std::future_status::ready;
         ipoc = std::min<std::int64_t>(ipoc + 4, 996))
      robot.send(with(first, with_ipoc(996), with_ipoc(ipoc)));
    if (!started.get()) return false;
    EXPECT_THAT(robot.receive(), testing::HasSubstr("<IPOC>"))
        << "the driver keeps the robot alive until the loop runs";
    while (!robot.receive(5).empty()) {}
    EXPECT_EQ(pc->await("robot", 0), HILDA_CYCLE_LATE); // from here on the loop answers
    return cycle(with(first, with_ipoc(996), with_ipoc(1000)));
  }
  /// One cycle of the loop: a packet, the tick, its answer in `answer`.
  bool cycle(const std::string& packet) {
    robot.send(packet);
    bool came = pc->await("robot", 200) == HILDA_CYCLE_CAME;
    missed = 0;
    for (; !came && missed < 10; ++missed) { // cycles that IPOC says were missed come first
      pc->runtime().cycle_lost();
      going = pc->tick();
      came = pc->await("robot", 20) == HILDA_CYCLE_CAME;
    }
    going = pc->tick();
    answer = came ? robot.receive() : "";
    for (std::string next; came && !(next = robot.receive(2)).empty();) answer = next; // of the start there may be more
    return came;
  }

  Folder folder;
  int port = free_port();
  HandRobot robot;
  std::unique_ptr<BlockRun> pc;
  std::string answer;
  bool going = true;
  int missed = 0; ///< cycles before the last one
};

/// Poses with so many decimals, as Precision of the ETHERNET object sets them.
inline std::string with_decimals(std::int64_t ipoc, int decimals) {
  std::string text = telegram(ipoc);
  for (const char* const value : {"520.000000", "520.0", "-12.5", "810.25", "90.0", "-180.0", "0.0"}) {
    char written[40];
    std::snprintf(written, sizeof written, "\"%.*f\"", decimals, std::atof(value));
    text = with_all(text, std::string("\"") + value + "\"", written);
  }
  return text;
}

/// A ramp that moves the robot.
inline constexpr const char* mover =
    "<block name=\"where\" type=\"sources/Ramp\" slope=\"1 0 0 mm/s\" initial=\"520 -12.5 810.25 mm\"/>"
    "<block name=\"way\" type=\"sources/Constant\" value=\"0 0 0 rad\"/>"
    "<block name=\"wanted\" type=\"kinematics/MakePose\"/>"
    "<connect from=\"where.y\" to=\"wanted.position\"/><connect from=\"way.y\" to=\"wanted.rotation\"/>"
    "<connect from=\"wanted.pose\" to=\"robot.command_pose\"/>";

} // namespace hilda::kuka::test
