// SPDX-License-Identifier: BSD-3-Clause
// The driver against a robot played by hand: which packets it takes, which one it answers and with what.
#include "engine/base/own_descriptors.h"
#include "tests/closed_sockets.h"
#include "tests/drivers_kuka/allocations.h"
#include "tests/drivers_kuka/session.h"

#include <cmath>

namespace hilda::kuka::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(RsiRobot, GivesWhatTheTelegramSaysInSi) {
  Session s;
  ASSERT_TRUE(s.connect());
  EXPECT_THAT(s.answer,
              AllOf(HasSubstr("<Sen Type=\"ImFree\">"), HasSubstr(with_ipoc(1000)), HasSubstr("X=\"0.000000\"")));
  ASSERT_TRUE(s.cycle(telegram(1004, 521, 2)));
  const Pose pose = s.pc->pose("robot.pose");
  EXPECT_NEAR(pose.position.x(), 0.521, 1e-12);
  EXPECT_NEAR(pose.position.y(), -0.0125, 1e-12);
  EXPECT_NEAR((pose.orientation * Vector3(1, 0, 0) - Vector3(0, 1, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR(s.pc->pose("robot.setpoint").position.x(), 0.52, 1e-12);
  EXPECT_NEAR(s.pc->value("robot.joints", 1), -M_PI / 2, 1e-12);
  EXPECT_EQ(s.pc->value("robot.delay"), 2);
  EXPECT_EQ(s.pc->value("robot.ipoc"), 1004);
  EXPECT_EQ(s.pc->value("robot.stale"), 0);
  EXPECT_EQ(s.pc->value("robot.lost"), 0);
}

TEST(RsiRobot, AnswersTheNewestPacketAlone) {
  Session s;
  ASSERT_TRUE(s.connect());
  s.robot.send(telegram(1004, 521));
  s.robot.send(telegram(1008, 522));
  ASSERT_TRUE(s.cycle(telegram(1012, 523, 2)));
  EXPECT_THAT(s.answer, HasSubstr(with_ipoc(1012)));
  EXPECT_EQ(s.robot.receive(20), "");
  EXPECT_NEAR(s.pc->value("robot.pose"), 0.523, 1e-12);
  EXPECT_EQ(s.pc->value("robot.lost"), 0) << "seen, but overtaken";
  EXPECT_EQ(s.missed, 2) << "time goes on for them all the same";
}

TEST(RsiRobot, DropsAndCountsWhatIsNotNewer) {
  Session s;
  ASSERT_TRUE(s.connect());
  ASSERT_TRUE(s.cycle(telegram(1004, 521)));
  const double before = s.pc->value("robot.outdated");
  for (const std::int64_t old : {1004, 1000}) {
    s.robot.send(telegram(old, 600));
    EXPECT_EQ(s.pc->await("robot", 10), HILDA_CYCLE_LATE);
    s.pc->tick();
    EXPECT_EQ(s.robot.receive(10), "") << "an answer to the past";
  }
  EXPECT_EQ(s.pc->value("robot.outdated") - before, 2);
  EXPECT_EQ(s.pc->value("robot.stale"), 1);
  EXPECT_NEAR(s.pc->value("robot.pose"), 0.521, 1e-12) << "held";
  ASSERT_TRUE(s.cycle(telegram(1016, 522)));
  EXPECT_EQ(s.pc->value("robot.lost"), 2);
  EXPECT_EQ(s.pc->value("robot.jumps"), 1);
  EXPECT_EQ(s.pc->value("robot.stale"), 0);
}

TEST(RsiRobot, IgnoresAndCountsAnotherSender) {
  Session s;
  ASSERT_TRUE(s.connect());
  HandRobot thief(s.port);
  thief.send(telegram(50'000, 900));
  EXPECT_EQ(s.pc->await("robot", 10), HILDA_CYCLE_LATE);
  thief.send(telegram(50'004, 900));
  ASSERT_TRUE(s.cycle(telegram(1008, 521)));
  EXPECT_EQ(s.pc->value("robot.foreign"), 2);
  EXPECT_NEAR(s.pc->value("robot.pose"), 0.521, 1e-12);
  EXPECT_EQ(thief.receive(20), "");
}

TEST(RsiRobot, AnswersATelegramWithoutValuesButHoldsItsOwn) {
  Session s;
  ASSERT_TRUE(s.connect());
  ASSERT_TRUE(s.cycle(telegram(1004, 521)));
  ASSERT_TRUE(s.cycle(with(telegram(1008, 522), "Y=\"-12.5\"", "Y=\"NaN\"")));
  EXPECT_THAT(s.answer, HasSubstr(with_ipoc(1008)));
  EXPECT_EQ(s.pc->value("robot.stale"), 1);
  EXPECT_NEAR(s.pc->value("robot.pose"), 0.521, 1e-12);
  EXPECT_EQ(s.pc->value("robot.malformed"), 1);
}

TEST(RsiRobot, DoesNotBelieveAPoseThatNoRobotReaches) {
  Session s;
  ASSERT_TRUE(s.connect());
  ASSERT_TRUE(s.cycle(telegram(1004, 920)));
  EXPECT_EQ(s.pc->value("robot.stale"), 1);
  EXPECT_EQ(s.pc->value("robot.malformed"), 1);
  EXPECT_NEAR(s.pc->value("robot.pose"), 0.52, 1e-12);
  ASSERT_TRUE(s.cycle(telegram(1008, 521)));
  EXPECT_EQ(s.pc->value("robot.stale"), 0);
}

TEST(RsiRobot, SurvivesAnyBytes) {
  Session s;
  ASSERT_TRUE(s.connect());
  for (const std::string& bytes : {std::string(), std::string(100, '\0'), std::string("<Rob"), std::string(60'000, '<'),
                                   golden("robot.xml").substr(0, 300)})
    s.robot.send(bytes);
  ASSERT_TRUE(s.cycle(telegram(1004, 521)));
  EXPECT_EQ(s.pc->value("robot.malformed"), 5);
  EXPECT_EQ(s.pc->value("robot.stale"), 0);
}

TEST(RsiRobot, EndsTheRunAfterSilence) {
  Session s("timeout=\"20 ms\" lost_in_a_row=\"1000\"");
  ASSERT_TRUE(s.connect());
  int ticks = 0;
  for (; s.going && ticks < 100; ++ticks) {
    EXPECT_EQ(s.pc->await("robot", 0), HILDA_CYCLE_LATE);
    s.going = s.pc->tick();
  }
  EXPECT_EQ(ticks, 6);
  EXPECT_EQ(s.pc->runtime().ending().kind, Ending::Kind::failed);
  EXPECT_THAT(s.pc->runtime().ending().text, HasSubstr("has sent nothing that can be used"));
}

TEST(RsiRobot, EndsTheRunWhenTheRobotSaysItStopped) {
  const std::string ethernet = with(golden("ethernet.xml"), "<ELEMENT TAG=\"DEF_Delay\"",
                                    "<ELEMENT TAG=\"Stop\" TYPE=\"LONG\" INDX=\"1\"/><ELEMENT TAG=\"DEF_Delay\"");
  Session s("status=\"Stop\"", "", ethernet);
  const auto saying = [](const std::string& text, const char* state) {
    return with(text, "<Delay", std::string("<Stop>") + state + "</Stop><Delay");
  };
  ASSERT_TRUE(s.connect(saying(telegram(996), "0")));
  ASSERT_TRUE(s.cycle(saying(telegram(1004), "0")));
  EXPECT_TRUE(s.going);
  ASSERT_TRUE(s.cycle(saying(telegram(1008), "2")));
  EXPECT_FALSE(s.going);
  EXPECT_EQ(s.pc->value("robot.state"), 2);
  EXPECT_THAT(s.pc->runtime().ending().text, HasSubstr("does not follow any more"));
}

/// A robot at rest with its axes along those of its base: A = B = C = 0.
std::string level(std::int64_t ipoc, int delay = 0) {
  return with_all(with_all(telegram(ipoc, 520, delay), "A=\"90.0\"", "A=\"0.0\""), "C=\"-180.0\"", "C=\"0.0\"");
}

TEST(RsiRobot, CountsAbsoluteCorrectionsFromThePoseAtTheStart) {
  Session s("", mover);
  ASSERT_TRUE(s.connect(level(996)));
  for (int k = 1; k <= 3; ++k) {
    ASSERT_TRUE(s.cycle(level(1000 + 4 * k)));
    char expected[32];
    std::snprintf(expected, sizeof expected, "X=\"0.%06d\"", 4000 * k);
    EXPECT_THAT(s.answer, AllOf(HasSubstr(expected), HasSubstr("Y=\"0.000000\""), HasSubstr("A=\"0.000000\"")));
  }
}

TEST(RsiRobot, SendsRelativeCorrectionsAsIncrementsFromWhatTheRobotHas) {
  Session s("correction=\"relative\"", mover, with_all(golden("ethernet.xml"), "HOLDON=\"1\"", "HOLDON=\"0\""));
  ASSERT_TRUE(s.connect(level(996)));
  ASSERT_TRUE(s.cycle(level(1004)));
  EXPECT_THAT(s.answer, HasSubstr("X=\"0.004000\""));
  ASSERT_TRUE(s.cycle(level(1008)));
  EXPECT_THAT(s.answer, HasSubstr("X=\"0.004000\""));
  // The answer to 1008 came too late: the increment counts from what the robot has. How fast that is made up for is the
  // safety stage's to say; this diagram has no limits.
  ASSERT_TRUE(s.cycle(level(1012, 1)));
  EXPECT_THAT(s.answer, HasSubstr("X=\"0.008000\""));
  EXPECT_EQ(s.pc->value("robot.fate"), HILDA_FATE_LOST);
}

TEST(RsiRobot, StaysWhereItIsAtRest) {
  Session s("", mover);
  double value[7] = {};
  EXPECT_FALSE(s.pc->rest("robot", "command_pose", value)) << "not known before the start";
  ASSERT_TRUE(s.connect(level(996)));
  ASSERT_TRUE(s.pc->rest("robot", "command_pose", value));
  EXPECT_NEAR(value[0], 0.52, 1e-12) << "the ramp's first value";
  EXPECT_NEAR(value[3], 1, 1e-12);
  EXPECT_FALSE(s.pc->rest("robot", "command_joints", value));
}

TEST(RsiRobot, KeepsTheRobotAliveAtRestWhereNothingIsEmitted) {
  Session s("", mover);
  auto started = std::async(std::launch::async, [&] { return s.pc->start(); });
  while (started.wait_for(std::chrono::milliseconds(2)) != std::future_status::ready) {
    s.robot.send(level(992));
    s.robot.send(level(996));
  }
  ASSERT_TRUE(started.get());
  while (!s.robot.receive(5).empty()) {}
  ASSERT_EQ(s.pc->await("robot", 0), HILDA_CYCLE_LATE);
  for (int k = 0; k < 3; ++k) { // every other cycle: the one between is LATE
    s.robot.send(level(1000 + 8 * k, k));
    ASSERT_EQ(s.pc->await("robot", 200), HILDA_CYCLE_CAME);
    EXPECT_EQ(s.pc->await("robot", 0), HILDA_CYCLE_LATE);
    EXPECT_THAT(s.robot.receive(), AllOf(HasSubstr(with_ipoc(1000 + 8 * k)), HasSubstr("X=\"0.000000\"")));
  }
}

TEST(RsiRobot, DoesNotAllocateInTheLoop) {
  Session s("", mover);
  ASSERT_TRUE(s.connect(level(996)));
  std::int64_t found = 0;
  for (int k = 1; k <= 50; ++k) {
    s.robot.send(k % 5 == 0 ? with(level(1000 + 4 * k), "X=\"520", "X=\"NaN") : level(1000 + 4 * k));
    if (k % 7 == 0) s.robot.send("<Rob");
    const Allocations counted;
    (void)s.pc->await("robot", 200);
    (void)s.pc->tick();
    found += counted.count();
    (void)s.robot.receive();
  }
  EXPECT_EQ(found, 0);
}

TEST(RsiRobot, ALatePacketHasNoSecondCycle) {
  Session s;
  ASSERT_TRUE(s.connect());
  EXPECT_EQ(s.pc->await("robot", 5), HILDA_CYCLE_LATE); // time continues without the robot
  s.pc->runtime().cycle_lost();
  s.pc->tick();
  s.robot.send(telegram(1004, 521)); // of the cycle that was counted as lost
  EXPECT_EQ(s.pc->await("robot", 20), HILDA_CYCLE_LATE);
  EXPECT_EQ(s.robot.receive(10), "");
}

TEST(RsiRobot, TellsTheResolutionOfThePosesThatItIsSent) {
  for (const int decimals : {0, 1, 2, 4, 6}) {
    Session s;
    ASSERT_TRUE(s.connect(with_decimals(996, decimals))) << s.pc->errors();
    EXPECT_DOUBLE_EQ(s.pc->value("robot.resolution"), 1e-3 * std::pow(10.0, -decimals));
  }
}

TEST(RsiRobot, ASocketThatOtherCodeClosesIsRestoredAndNamed) {
  Session s;
  ASSERT_TRUE(s.connect());
  const auto ours = [&](int here, int) { return here == s.port; };
  ASSERT_EQ(hilda::test::close_sockets(ours), 1);
  EXPECT_THAT(base::put_back_descriptors(),
              testing::ElementsAre(AllOf(HasSubstr(", the UDP socket at "),
                                         HasSubstr(":" + std::to_string(s.port) + ": open -> closed"))));
  ASSERT_TRUE(s.cycle(telegram(1004, 521)));
  EXPECT_THAT(s.answer, HasSubstr(with_ipoc(1004)));
  s.pc->stop();
  EXPECT_EQ(hilda::test::close_sockets(ours), 0) << "no copy keeps it open";
}

} // namespace
} // namespace hilda::kuka::test
