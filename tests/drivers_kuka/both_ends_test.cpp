// SPDX-License-Identifier: BSD-3-Clause
// Driver and controller against each other over the loopback, in one thread and without pacing.
#include "drivers/net/datagram_socket.h"
#include "tests/drivers_kuka/block_run.h"
#include "tests/drivers_kuka/golden_files.h"

#include <future>
#include <gmock/gmock.h>

namespace hilda::kuka::test {
namespace {

using testing::HasSubstr;

struct Wire {
  std::string correction = "absolute";
  std::string frame = "base";
  std::string faults = "";
  std::string robot = "timeout=\"1 s\" ";
};

/// The PC's diagram moves the tool by a slow sine about its start; the robot follows at once.
class Loop {
public:
  explicit Loop(const Wire& wire) {
    const std::string hold = wire.correction == "absolute" ? "1" : "0";
    folder.write("ethernet.xml", with_all(golden("ethernet.xml"), "HOLDON=\"1\"", "HOLDON=\"" + hold + "\""));
    const std::string common = "ethernet=\"ethernet.xml\" port=\"" + std::to_string(port) + "\" correction=\"" +
                               wire.correction + "\" frame=\"" + wire.frame + "\" ";
    cell = std::make_unique<BlockRun>(folder, "<block name=\"robot\" type=\"kuka_rsi/RsiController\" " + common +
                                                  "start_position=\"0.5 0 0.8 m\" start_orientation=\"0 1 0 0\" "
                                                  "timeout_cycles=\"100000\" " +
                                                  wire.faults + "/>");
    pc = std::make_unique<BlockRun>(
        folder, "<block name=\"robot\" type=\"kuka_rsi/RsiRobot\" connect_timeout=\"5 s\" cycle_check=\"0 s\" "
                "clock_drift=\"0\" lost_in_a_row=\"1000\" lost_share=\"1\" " +
                    common + wire.robot +
                    "/><block name=\"where\" type=\"sources/Sine\" amplitude=\"3 2 -3 mm\" frequency=\"0.5 Hz\" "
                    "bias=\"500 0 800 mm\"/>"
                    "<block name=\"way\" type=\"sources/Sine\" amplitude=\"0 2 0 deg\" frequency=\"0.5 Hz\" bias=\"180 "
                    "0 0 deg\"/>"
                    "<block name=\"wanted\" type=\"kinematics/MakePose\"/>"
                    "<connect from=\"where.y\" to=\"wanted.position\"/><connect from=\"way.y\" to=\"wanted.rotation\"/>"
                    "<connect from=\"wanted.pose\" to=\"robot.command_pose\"/>");
    EXPECT_EQ(cell->errors() + pc->errors(), "");
    EXPECT_TRUE(cell->start());
    auto started = std::async(std::launch::async, [this] { return pc->start(); });
    while (started.wait_for(std::chrono::milliseconds(2)) != std::future_status::ready) cell->tick();
    EXPECT_TRUE(started.get()) << pc->errors();
    while (pc->await("robot", 5) == HILDA_CYCLE_CAME) {}
    cell->tick(); // the cycle that was reported as lost at the end of that
  }
  /// One cycle of both; false: the PC's run ended. A lost packet is a tick with held values and without an answer.
  bool cycle() {
    const std::int64_t began = net::monotonic_now();
    cell->tick();
    late += pc->await("robot", 2) == HILDA_CYCLE_LATE ? 1 : 0;
    const bool runs = pc->tick();
    // A telegram that has waited for more than two cycles is not answered any more: on a busy machine the test itself
    // may be held up for that long.
    held_up += net::monotonic_now() - began > 8'000'000 ? 1 : 0;
    return runs;
  }
  double apart() const { return (cell->pose("robot.command_pose").position - pc->pose("robot.sent").position).norm(); }

  Folder folder;
  int port = free_port();
  std::unique_ptr<BlockRun> cell, pc;
  int late = 0;
  int held_up = 0; ///< cycles that took longer than two
};

struct Kind {
  const char* correction;
  const char* frame;
};
class BothEnds : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Each, BothEnds,
                         testing::Values(Kind{"absolute", "base"}, Kind{"absolute", "tool"}, Kind{"relative", "base"},
                                         Kind{"relative", "tool"}),
                         [](const testing::TestParamInfo<Kind>& each) {
                           return std::string(each.param.correction) + "_" + each.param.frame;
                         });

TEST_P(BothEnds, AgreeOnThePose) {
  Loop loop({.correction = GetParam().correction, .frame = GetParam().frame});
  ASSERT_TRUE(loop.cycle() && loop.cycle()); // what the start left unanswered has been counted
  const double delay = loop.cell->value("robot.delay");
  int compared = 0, quiet = 0; // a cycle that was held up has no answer, so the next ones are not those of a sound wire
  for (int k = 0; k < 6000 && compared < 600; ++k) {
    const int held_up = loop.held_up;
    const Pose before = loop.pc->pose("robot.sent");
    ASSERT_TRUE(loop.cycle());
    quiet = loop.held_up == held_up ? quiet + 1 : 0;
    if (quiet < 4) continue;
    ++compared;
    const Pose there = loop.cell->pose("robot.command_pose");
    ASSERT_NEAR((there.position - before.position).norm(), 0, 3e-9) << k;
    ASSERT_NEAR(there.orientation.angularDistance(before.orientation), 0, 1e-7) << k;
  }
  EXPECT_EQ(compared, 600);
  EXPECT_LE(loop.late, loop.held_up);
  EXPECT_LE(loop.cell->value("robot.delay"), delay + loop.held_up);
  EXPECT_LE(loop.pc->value("robot.lost"), loop.held_up);
  EXPECT_EQ(loop.pc->value("robot.malformed"), 0);
}

class FaultyWire : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Each, FaultyWire,
                         testing::Values("drop=\"0.05\"", "duplicate=\"0.2\"", "reorder=\"0.05\"", "corrupt=\"0.05\"",
                                         "truncate=\"0.05\"", "nan=\"0.05\"",
                                         "packet_delay=\"12 ms\" delay_probability=\"0.05\"", "late_reply=\"0.05\"",
                                         "steal_at=\"0.4 s\""),
                         [](const testing::TestParamInfo<const char*>& each) {
                           const std::string text = each.param;
                           return text.substr(0, text.find('='));
                         });

/// Whatever the wire does, the robot never goes where no one sent it, and both agree again once it is quiet.
TEST_P(FaultyWire, IsSurvived) {
  for (const char* correction : {"absolute", "relative"}) {
    Loop loop({.correction = correction, .faults = std::string("fault_seed=\"11\" ") + GetParam()});
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(loop.cycle()) << loop.pc->runtime().ending().text << " at " << k;
      // 15 mm/s at most, 0.06 mm a cycle: a few cycles are some tenths of a millimetre.
      ASSERT_LT(loop.apart(), 0.6e-3 + 0.06e-3 * loop.held_up) << correction << " " << k;
      ASSERT_EQ(loop.cell->value("robot.stopped"), 0) << k;
    }
    const double seen = loop.pc->value("robot.lost") + loop.pc->value("robot.outdated") +
                        loop.pc->value("robot.foreign") + loop.pc->value("robot.malformed") +
                        loop.pc->value("robot.jumps") + loop.pc->value("robot.delay");
    EXPECT_GT(seen, 5) << "the fault was noticed";
  }
}

TEST(FaultyWireEnds, ByDisconnecting) {
  Loop loop({.faults = "disconnect_at=\"2 s\"", .robot = "timeout=\"40 ms\" "});
  int cycles = 0;
  while (cycles < 2000 && loop.cycle()) ++cycles;
  EXPECT_LT(cycles, 520);
  EXPECT_THAT(loop.pc->runtime().ending().text, HasSubstr("has sent nothing"));
}

TEST(FaultyWireEnds, ByAnIpocThatLeaps) {
  Loop loop({.faults = "fault_seed=\"11\" ipoc_jump=\"0.02\""});
  int cycles = 0;
  while (cycles < 1000 && loop.cycle()) ASSERT_LT(loop.apart(), 0.6e-3) << ++cycles;
  EXPECT_LT(cycles, 1000);
  EXPECT_THAT(loop.pc->runtime().ending().text, HasSubstr("IPOC leapt ahead of the clock"));
}

TEST(FaultyWireEnds, ByBrakesThatFollowingErrorSees) {
  Loop loop({.faults = "brake_at=\"2 s\"", .robot = "timeout=\"1 s\" following_error=\"1 mm\" response_time=\"0 s\" "});
  int cycles = 0;
  while (cycles < 2000 && loop.cycle()) ++cycles;
  EXPECT_LT(cycles, 700);
  EXPECT_THAT(loop.pc->runtime().ending().text, HasSubstr("sent and actual position differ"));
}

} // namespace
} // namespace hilda::kuka::test
