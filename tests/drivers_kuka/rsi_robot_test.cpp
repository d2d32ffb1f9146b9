// The driver against a robot played by hand: which packets it takes, which one it answers and with what.
#include "tests/drivers_kuka/allocations.h"
#include "tests/drivers_kuka/block_run.h"
#include "tests/drivers_kuka/golden_files.h"
#include "tests/drivers_kuka/hand_robot.h"

#include <future>
#include <gmock/gmock.h>
#include <thread>

namespace hilda::kuka::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A cycle's telegram of a robot that stands at x (mm) since RSI_ON at 520.
std::string telegram(std::int64_t ipoc, double x = 520, int delay = 0) {
  std::string text = with(golden("robot.xml"), "4208163634", std::to_string(ipoc));
  text = with(text, "RIst X=\"520.0\"", "RIst X=\"" + std::to_string(x) + "\"");
  return with(text, "D=\"3\"", "D=\"" + std::to_string(delay) + "\"");
}

std::string with_ipoc(std::int64_t ipoc) { return "<IPOC>" + std::to_string(ipoc) + "</IPOC>"; }

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
    EXPECT_THAT(robot.receive(), HasSubstr("<IPOC>")) << "the driver keeps the robot alive until the loop runs";
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

constexpr const char* mover =
    "<block name=\"where\" type=\"sources/Ramp\" slope=\"1 0 0 mm/s\" initial=\"520 -12.5 810.25 mm\"/>"
    "<block name=\"way\" type=\"sources/Constant\" value=\"0 0 0 rad\"/>"
    "<block name=\"wanted\" type=\"kinematics/MakePose\"/>"
    "<connect from=\"where.y\" to=\"wanted.position\"/><connect from=\"way.y\" to=\"wanted.rotation\"/>"
    "<connect from=\"wanted.pose\" to=\"robot.command_pose\"/>";

/// A robot that stands with its axes along those of its base: A = B = C = 0.
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
  EXPECT_EQ(s.pc->await("robot", 5), HILDA_CYCLE_LATE); // time goes on without the robot
  s.pc->runtime().cycle_lost();
  s.pc->tick();
  s.robot.send(telegram(1004, 521)); // of the cycle that was counted as lost
  EXPECT_EQ(s.pc->await("robot", 20), HILDA_CYCLE_LATE);
  EXPECT_EQ(s.robot.receive(10), "");
}

// Refusals.

std::string configured(const std::string& attributes, const std::string& ethernet, const std::string& more = "") {
  Folder folder;
  folder.write("ethernet.xml", ethernet);
  const BlockRun run(folder, Session::body(49152, attributes) + more);
  return run.errors();
}

TEST(RsiRobotRefuses, AFileThatDoesNotFit) {
  EXPECT_THAT(configured("", with_all(golden("ethernet.xml"), "HOLDON=\"1\"", "HOLDON=\"0\"")),
              AllOf(HasSubstr("trial.xml:2: error[block-configure]"),
                    HasSubstr("robot (kuka_rsi/RsiRobot), ethernet: "),
                    HasSubstr("ethernet.xml: HOLDON=\"0\" at RKorr.X (line 19)")));
  EXPECT_THAT(configured("correction=\"relative\"", golden("ethernet.xml")), HasSubstr("HOLDON=\"1\" at RKorr.X"));
  EXPECT_THAT(configured("", "<ROOT/>"), HasSubstr("ROOT has no CONFIG"));
  EXPECT_THAT(configured("status=\"Stop\"", golden("ethernet.xml")),
              HasSubstr("SEND of ethernet.xml has no element \"Stop\""));
  EXPECT_THAT(configured("space=\"axis\"", golden("ethernet.xml")), HasSubstr("RECEIVE has no AKorr.A1"));
}

TEST(RsiRobotRefuses, AWireToTheOtherSpace) {
  const std::string axes = with_all(golden("ethernet.xml"), "RKorr.", "AKorr.A");
  std::string text = axes;
  const char* const letters = "XYZABC";
  for (int i = 0; i < 6; ++i)
    text = with(text, std::string("AKorr.A") + letters[i] + "\"", "AKorr.A" + std::to_string(i + 1) + "\"");
  EXPECT_THAT(configured("space=\"axis\"", text, mover), HasSubstr("is wired, but space is axis"));
}

/// What `start` says when these packets come, again and again.
std::string started(const std::string& attributes, int port, const std::vector<std::string>& packets) {
  Folder folder;
  folder.write("ethernet.xml", golden("ethernet.xml"));
  BlockRun pc(folder, Session::body(port, attributes));
  EXPECT_EQ(pc.errors(), "");
  HandRobot robot(port);
  auto done = std::async(std::launch::async, [&] { return pc.start(); });
  while (done.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
    for (const std::string& packet : packets) {
      robot.send(packet);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  EXPECT_FALSE(done.get());
  return pc.errors();
}

TEST(RsiRobotRefuses, AnAddressThatIsTakenOrNotItsOwn) {
  const int port = free_port();
  UdpSocket other;
  std::string problem;
  ASSERT_TRUE(other.bind_to("127.0.0.1", port, problem));
  EXPECT_THAT(started("", port, {}), AllOf(HasSubstr("error[block-start]"), HasSubstr("is in use by another program")));
  EXPECT_THAT(started("address=\"192.0.2.7\"", port, {}), HasSubstr("192.0.2.7 is no address of this machine"));
  EXPECT_THAT(started("address=\"here\"", port, {}), HasSubstr("\"here\" is no address such as"));
}

TEST(RsiRobotRefuses, ARobotThatIsSilentOrSpeaksOtherwise) {
  EXPECT_THAT(started("connect_timeout=\"50 ms\"", free_port(), {}),
              AllOf(HasSubstr("no packet came to 127.0.0.1:"), HasSubstr("RSI_ON"), HasSubstr("firewall")));
  EXPECT_THAT(started("connect_timeout=\"100 ms\"", free_port(), {with(telegram(4), "<IPOC>4</IPOC>", "")}),
              AllOf(HasSubstr("the last: it has no IPOC"), HasSubstr("this very ethernet file")));
  EXPECT_THAT(started("connect_timeout=\"100 ms\"", free_port(), {with(telegram(4), "RIst", "RIxt")}),
              HasSubstr("the last: RIst is not complete"));
}

TEST(RsiRobotRefuses, ARobotAtAnotherAddressThanItsPeer) {
  const std::string brief = "connect_timeout=\"100 ms\" peer=\"";
  EXPECT_THAT(started(brief + "127.0.0.9\"", free_port(), {telegram(1000), telegram(1004)}),
              HasSubstr("it comes from another address than `peer`"));
  EXPECT_THAT(started(brief + "robot\"", free_port(), {}), HasSubstr("\"robot\" is no address"));
}

TEST(RsiRobotRefuses, AStartThatMightBeAStep) {
  EXPECT_THAT(started("", free_port(), {telegram(1000, 520, 12), telegram(1004, 520, 12)}),
              AllOf(HasSubstr("without an answer for 12 cycles"), HasSubstr("start this run first, then the robot")));
  EXPECT_THAT(started("", free_port(), {telegram(1000, 540), telegram(1004, 540)}),
              HasSubstr("RSol and RIst are 20.000000 mm apart"));
}

/// What `start` says of a robot that stands and sends every `spacing` ms, IPOC growing by `step`.
std::string started_at_pace(double spacing, std::int64_t step, const std::string& attributes = "") {
  const int port = free_port();
  Folder folder;
  folder.write("ethernet.xml", golden("ethernet.xml"));
  BlockRun pc(folder, Session::body(port, "cycle_check=\"0.1 s\" " + attributes, ""));
  EXPECT_EQ(pc.errors(), "");
  HandRobot robot(port);
  auto done = std::async(std::launch::async, [&] { return pc.start(); });
  const std::int64_t begun = monotonic_now();
  for (std::int64_t k = 1; done.wait_for(std::chrono::nanoseconds(0)) != std::future_status::ready; ++k) {
    robot.send(telegram(1000 + k * step));
    const auto due = begun + static_cast<std::int64_t>(static_cast<double>(k) * spacing * 1e6);
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<std::int64_t>(due - monotonic_now(), 0)));
  }
  EXPECT_EQ(done.get(), pc.errors().empty());
  pc.stop();
  return pc.errors();
}

TEST(RsiRobotRefuses, ARobotOfAnotherCycle) {
  EXPECT_THAT(started_at_pace(12, 12), AllOf(HasSubstr("come every "), HasSubstr("IPOC grows by 12"),
                                             HasSubstr("`cycle` is 4.0 ms and IPOC should grow by 4")));
  EXPECT_THAT(started_at_pace(12, 4), AllOf(HasSubstr("come every "), HasSubstr("IPOC grows by 4,")));
  EXPECT_THAT(started_at_pace(4, 4, "cycle=\"12 ms\""), HasSubstr("`cycle` is 12.0 ms and IPOC should grow by 12"));
  EXPECT_THAT(started_at_pace(4, 4, "ipoc_step=\"1\""), HasSubstr("IPOC should grow by 1"));
}

TEST(RsiRobot, TakesAnIpocThatCountsMillisecondsOrCycles) {
  for (const std::int64_t step : {4, 1}) {
    std::string problem;
    for (int attempt = 0; attempt < 5; ++attempt) // a machine that keeps the sender waiting is another robot
      if (problem = started_at_pace(4, step); problem.empty()) break;
    EXPECT_EQ(problem, "") << step;
  }
}

TEST(RsiRobotRefuses, TelegramsThatDoNotAgree) {
  const std::string brief = "connect_timeout=\"100 ms\"";
  EXPECT_THAT(started(brief, free_port(), {telegram(1000)}), HasSubstr("IPOC does not go on"));
  EXPECT_THAT(started(brief, free_port(), {telegram(1000), telegram(900'000)}), HasSubstr("IPOC does not go on"));
  const auto at = [](std::int64_t ipoc, const char* x) {
    return with(telegram(ipoc), "RSol X=\"520.0\"", std::string("RSol X=\"") + x + "\"");
  };
  EXPECT_THAT(started(brief, free_port(), {at(1000, "520.0"), at(1004, "521.0")}),
              HasSubstr("no two telegrams to begin with"));
}

} // namespace
} // namespace hilda::kuka::test
