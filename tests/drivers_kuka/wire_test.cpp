// SPDX-License-Identifier: BSD-3-Clause
// The limits hold on the wire: of every answer that a robot takes, from the position and the velocity that it then has,
// whatever is lost on the way. What counts is what the robot's end saw.
#include "engine/session/executor.h"
#include "tests/drivers_kuka/block_run.h"
#include "tests/drivers_kuka/golden_files.h"
#include "tests/drivers_kuka/wire_robot.h"
#include "tests/modules.h"

#include <atomic>
#include <gmock/gmock.h>
#include <random>
#include <thread>

namespace hilda::kuka::test {
namespace {

using testing::HasSubstr;
using Faults = std::function<CycleFault(std::int64_t)>;

constexpr double speed_limit = 0.25, acceleration_limit = 5, position_limit = 0.1;
/// A cart goes back and forth by 30 mm: 0.188 m/s, 2.4 m/s2.
constexpr const char* cart =
    "<block name=\"where\" type=\"sources/Sine\" amplitude=\"15 0 0 mm\" frequency=\"2 Hz\" phase=\"-90 deg\" "
    "bias=\"535 -12.5 810.25 mm\"/>"
    "<block name=\"way\" type=\"sources/Constant\" value=\"0 0 0 rad\"/>"
    "<block name=\"wanted\" type=\"kinematics/MakePose\"/>"
    "<connect from=\"where.y\" to=\"wanted.position\"/><connect from=\"way.y\" to=\"wanted.rotation\"/>"
    "<connect from=\"wanted.pose\" to=\"robot.command_pose\"/>"
    "<limits on=\"robot.command_pose\" position=\"0.1 m\" rotation=\"10 deg\" speed=\"0.25 m/s\" "
    "angular_speed=\"0.5 rad/s\" acceleration=\"5 m/s2\" angular_acceleration=\"5 rad/s2\" stop_time=\"0.1 s\"/>";

std::string ethernet_file(bool relative) {
  const std::string absolute =
      with(golden("ethernet.xml"), "<ELEMENT TAG=\"RKorr.X\"",
           "<ELEMENT TAG=\"Stop\" TYPE=\"BOOL\" INDX=\"9\" HOLDON=\"0\"/><ELEMENT TAG=\"RKorr.X\"");
  return relative ? with_all(absolute, "HOLDON=\"1\"", "HOLDON=\"0\"") : absolute;
}

/// A run against a robot in step with it, on a loop with a separate thread.
struct WireRun {
  WireRun(bool relative, const Faults& faults, double seconds, const std::string& attributes = "",
          const std::function<void(WireRobot&)>& prepare = {})
      : port(free_port()), robot(port, ethernet_file(relative), relative) {
    if (prepare) prepare(robot);
    folder.write("ethernet.xml", ethernet_file(relative));
    std::atomic<bool> done{false};
    std::thread pc([&] {
      run(relative, seconds, attributes);
      done = true;
    });
    std::int64_t moving = 0; // cycles: the faults begin when it moves, the start is another matter
    robot.run([&] { return done.load(); },
              [&](std::int64_t) {
                moving += robot.seen().speed > 0 ? 1 : 0;
                return moving > 20 ? faults(moving - 21) : CycleFault{};
              });
    pc.join();
  }

  void run(bool relative, double seconds, const std::string& attributes) {
    RuntimeOptions options;
    Executor executor;
    options.separate = options.hardware = true;
    options.simulated = false;
    options.observer = &executor.timer();
    pc_run = std::make_unique<BlockRun>(
        folder,
        "<block name=\"robot\" type=\"kuka_rsi/RsiRobot\" ethernet=\"ethernet.xml\" cycle_check=\"0 s\" "
        "clock_drift=\"0\" connect_timeout=\"5 s\" correction=\"" +
            std::string(relative ? "relative" : "absolute") + "\" port=\"" + std::to_string(port) + "\" " + attributes +
            "/>\n" + cart,
        "4 ms", options);
    ASSERT_EQ(pc_run->errors(), "");
    Diagnostics problems;
    ASSERT_TRUE(executor.prepare(pc_run->runtime(), problems)) << problems.text();
    ASSERT_TRUE(pc_run->start()) << pc_run->errors();
    PacedOptions paced;
    paced.loop.duration = seconds;
    paced.loop.operated = paced.loop.armed = true;
    result = executor.run(pc_run->runtime(), nullptr, paced).run;
    pc_run->stop();
  }

  void expect_limits_held() const {
    const WireRobot::Seen& seen = robot.seen();
    EXPECT_GT(seen.taken, 50);
    EXPECT_LE(seen.speed, speed_limit * (1 + 1e-6) + 1e-6);
    EXPECT_LE(seen.acceleration, acceleration_limit * (1 + 1e-6) + 3e-4); // what the decimals on the wire may add
    EXPECT_LE(seen.distance, position_limit);
  }
  bool failed() const { return result.ending.kind == Ending::Kind::failed; }

  Folder folder;
  int port;
  WireRobot robot;
  std::unique_ptr<BlockRun> pc_run;
  SimulationResult result;
};

class Wire : public testing::TestWithParam<bool> {};

std::string correction_name(const testing::TestParamInfo<bool>& each) { return each.param ? "relative" : "absolute"; }
INSTANTIATE_TEST_SUITE_P(Correction, Wire, testing::Bool(), correction_name);

TEST_P(Wire, WithoutAFaultTheRobotGoesWhereItIsSent) {
  const WireRun run(
      GetParam(), [](std::int64_t) { return CycleFault{}; }, 1.5);
  EXPECT_FALSE(run.failed()) << run.result.ending.text;
  run.expect_limits_held();
  EXPECT_NEAR(run.robot.seen().furthest_along, 0.030, 0.0003);
  EXPECT_GT(run.robot.seen().speed, 0.18);
}

/// The robot keeps time: what happens in a cycle without a new IPOC only the clock can tell.
TEST_P(Wire, HoldsEveryLimitWhereIpocStandsStillOrATelegramComesTwice) {
  for (const bool in_a_row : {false, true})
    for (const bool repeat : {false, true}) {
      std::int64_t next = 20, faults = 0;
      WireRobot* end = nullptr;
      const WireRun run(
          GetParam(),
          [&](std::int64_t k) {
            CycleFault fault;
            const bool begins = k >= next && end->punctual(); // else one would not know which telegram came late
            if (begins) next = k + 40, ++faults;
            if (begins && !repeat) fault.ipoc_leap = -1;
            fault.repeat = repeat && k == next - 39;
            return fault;
          },
          1.2, "lost_in_a_row=\"50\" lost_share=\"1\"",
          [&](WireRobot& robot) {
            end = &robot;
            robot.keeps_time = true, robot.in_a_row = in_a_row;
          });
      EXPECT_LE(run.robot.seen().speed, speed_limit * (1 + 1e-6) + 1e-6);
      EXPECT_LE(run.robot.seen().acceleration, acceleration_limit * (1 + 1e-6) + 3e-4) << repeat << in_a_row;
      if (run.failed()) continue; // a machine so busy that it held up the robot's end for many cycles
      EXPECT_GT(run.robot.seen().taken, 50) << "it goes on";
      EXPECT_GE(faults, 1);
    }
}

/// A fault for `length` cycles in every 100, at each phase of the motion.
Faults now_and_then(std::int64_t length, std::int64_t phase, bool CycleFault::*what) {
  return [=](std::int64_t k) {
    CycleFault fault;
    fault.*what = (k + phase) % 100 < length;
    return fault;
  };
}

TEST_P(Wire, HoldsEveryLimitOverLostTelegramsAndAnswers) {
  for (bool CycleFault::*what : {&CycleFault::drop_telegram, &CycleFault::drop_answer, &CycleFault::behind_next,
                                 &CycleFault::twice, &CycleFault::garble_delay, &CycleFault::garble_pose})
    for (const std::int64_t length : {1, 2, 3, 5}) {
      const WireRun run(GetParam(), now_and_then(length, length * 37, what), 1.5,
                        "lost_in_a_row=\"50\" lost_share=\"1\""); // a busy machine adds some cycles
      EXPECT_FALSE(run.failed()) << run.result.ending.text << ", " << length;
      run.expect_limits_held();
      EXPECT_NEAR(run.robot.seen().furthest_along, 0.030, 0.004) << length;
    }
}

TEST_P(Wire, HoldsEveryLimitUnderChance) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    std::mt19937 dice(seed);
    const auto chance = [&dice](double p) { return std::uniform_real_distribution<>(0, 1)(dice) < p; };
    const double p = 0.02 * seed;
    const WireRun run(
        GetParam(),
        [&](std::int64_t) {
          CycleFault fault;
          fault.drop_telegram = chance(p), fault.drop_answer = chance(p), fault.behind_next = chance(p / 2);
          fault.twice = chance(p), fault.garble_delay = chance(p / 4), fault.garble_pose = chance(p / 2);
          fault.ipoc_leap = chance(p / 8) ? 3 : 0;
          return fault;
        },
        3, "lost_in_a_row=\"50\" lost_share=\"1\"");
    run.expect_limits_held();
  }
}

// But for a leap by one cycle in the very cycle whose answer is lost: IPOC and Delay then are what they are where that
// cycle's telegram was lost, to the last digit (docs/kuka_rsi.md).
TEST_P(Wire, HoldsEveryLimitWhereIpocLeapsAndAnAnswerIsLostWithIt) {
  for (const std::int64_t leap : {1, 3, 10, 1000})
    for (const int lost : {-1, 0, 1}) // the cycle whose answer is lost, from the one before the leap
      for (const bool in_a_row : {false, true}) {
        if (leap == 1 && lost == 0) continue;
        const WireRun run(
            GetParam(),
            [=](std::int64_t k) {
              CycleFault fault;
              fault.ipoc_leap = k % 60 == 30 ? leap : 0;
              fault.drop_answer = k % 60 == 30 + lost;
              return fault;
            },
            1.2, "lost_in_a_row=\"50\" lost_share=\"1\"", [=](WireRobot& robot) { robot.in_a_row = in_a_row; });
        SCOPED_TRACE(testing::Message() << "leap " << leap << ", lost " << lost << ", in a row " << in_a_row);
        run.expect_limits_held();
      }
}

// From IPOC that leaps or falls, or from a silence that Delay did not count.
TEST_P(Wire, SendsNothingAnyMoreWhereRsiWasStartedAnew) {
  constexpr std::int64_t anew = 60;
  for (const std::int64_t leap : {10, 1000, -40, 0}) {
    const std::int64_t silent = leap == 0 ? 14 : 0; // cycles before
    const WireRun run(
        GetParam(),
        [=](std::int64_t k) {
          CycleFault fault;
          fault.ipoc_leap = k == anew - 1 ? leap : 0;
          fault.drop_telegram = k >= anew - silent && k < anew;
          fault.anew = k == anew;
          return fault;
        },
        3, "lost_in_a_row=\"50\" lost_share=\"1\"");
    SCOPED_TRACE(leap);
    EXPECT_TRUE(run.failed());
    EXPECT_THAT(run.result.ending.text, HasSubstr("RSI was restarted on the robot"));
    EXPECT_EQ(run.robot.seen().taken_anew, 0);
    run.expect_limits_held();
  }
}

TEST_P(Wire, HoldsEveryLimitWhereDelayCountsInARow) {
  std::mt19937 dice(7);
  const WireRun run(
      GetParam(),
      [&](std::int64_t) {
        CycleFault fault;
        fault.drop_telegram = dice() % 20 == 0, fault.drop_answer = dice() % 20 == 0;
        return fault;
      },
      2, "lost_share=\"1\"", [](WireRobot& robot) { robot.in_a_row = true; });
  run.expect_limits_held();
}

TEST_P(Wire, EndsWhereAnswersAreLostForTooLongAndSaysSo) {
  for (const std::int64_t phase : {0, 30, 60}) {
    const WireRun run(
        GetParam(),
        [=](std::int64_t k) {
          CycleFault fault;
          fault.drop_answer = k > 100 + phase;
          return fault;
        },
        5);
    EXPECT_TRUE(run.failed());
    EXPECT_THAT(run.result.ending.text, HasSubstr("6 cycles in a row in which the robot took no answer"));
    EXPECT_THAT(run.result.ending.text, HasSubstr("6 for answers that did not reach the robot in time"));
    run.expect_limits_held();
  }
}

TEST_P(Wire, EndsWhereTelegramsAreLostForTooLongAndSaysSo) {
  for (const std::int64_t length : {7, 30, 1'000'000}) {
    const WireRun run(
        GetParam(),
        [=](std::int64_t k) {
          CycleFault fault;
          fault.drop_telegram = k > 120 && k <= 120 + length;
          return fault;
        },
        5);
    EXPECT_TRUE(run.failed());
    EXPECT_THAT(run.result.ending.text, HasSubstr("for telegrams of the robot that did not come")) << length;
    run.expect_limits_held();
  }
}

TEST_P(Wire, EndsWhereTooManyAreLostByChance) {
  std::mt19937 dice(3);
  const WireRun run(
      GetParam(),
      [&](std::int64_t) {
        CycleFault fault;
        fault.drop_answer = dice() % 5 == 0;
        return fault;
      },
      10, "lost_in_a_row=\"50\"");
  EXPECT_TRUE(run.failed());
  EXPECT_THAT(run.result.ending.text, HasSubstr("% of the cycles of the last 2.0 s"));
  run.expect_limits_held();
}

TEST_P(Wire, GoesOnWhereIpocBeginsAtZeroAgain) {
  for (const std::int64_t turn : {std::int64_t{1} << 31, std::int64_t{1} << 32}) {
    std::int64_t begin = 0;
    WireRobot* end = nullptr;
    const WireRun run(
        GetParam(),
        [&](std::int64_t) {
          if (end->ipoc >= turn) end->ipoc -= turn;
          return CycleFault{};
        },
        2, "",
        [&](WireRobot& robot) {
          end = &robot;
          robot.ipoc = begin = turn - 4 * 500;
        });
    EXPECT_FALSE(run.failed()) << run.result.ending.text;
    run.expect_limits_held();
    EXPECT_LT(run.robot.ipoc, begin);
  }
}

TEST_P(Wire, EndsWhereIpocFallsBackAndSaysWhatHappened) {
  WireRobot* end = nullptr;
  const WireRun run(
      GetParam(),
      [&](std::int64_t k) {
        if (k == 150) end->ipoc = 400;
        return CycleFault{};
      },
      5, "",
      [&](WireRobot& robot) {
        end = &robot;
        robot.ipoc = 500'000;
      });
  EXPECT_TRUE(run.failed());
  EXPECT_THAT(run.result.ending.text, HasSubstr("RSI was restarted on the robot"));
  run.expect_limits_held();
}

TEST_P(Wire, EndsBeforeTheCommandComesBackToAnAxisThatTheRobotCutsOff) {
  for (const double clamp : {0.004, 0.010, 0.020}) {
    const WireRun run(
        GetParam(), [](std::int64_t) { return CycleFault{}; }, 5, "", [=](WireRobot& robot) { robot.clamp = clamp; });
    EXPECT_TRUE(run.failed()) << clamp;
    EXPECT_THAT(run.result.ending.text, HasSubstr("does not move along x"));
    EXPECT_NEAR(run.result.ending.value, clamp, 1e-6);
    run.expect_limits_held();
  }
}

TEST_P(Wire, TheProbeOfDelaySeesWhatItCountsAndDoesNoHarm) {
  for (const bool in_a_row : {false, true}) {
    const WireRun run(
        GetParam(), [](std::int64_t) { return CycleFault{}; }, 0.6, "probe_delay=\"true\"",
        [=](WireRobot& robot) { robot.in_a_row = in_a_row; });
    EXPECT_FALSE(run.failed()) << run.result.ending.text;
    EXPECT_EQ(run.pc_run->value("robot.delay_counts"), in_a_row ? 2 : 1);
    EXPECT_EQ(run.pc_run->value("robot.unanswered"), 0) << "it is not a lost cycle of the run";
    run.expect_limits_held();
  }
}

TEST_P(Wire, TheLastAnswersAskTheRobotToEndAndHoldItWhereItIs) {
  const WireRun run(
      GetParam(), [](std::int64_t) { return CycleFault{}; }, 0.6, "stop_channel=\"Stop\"",
      [](WireRobot& robot) { robot.stop_channel = 0; });
  EXPECT_FALSE(run.failed()) << run.result.ending.text;
  EXPECT_TRUE(run.robot.seen().stopped);
  run.expect_limits_held();
}

} // namespace
} // namespace hilda::kuka::test
