// SPDX-License-Identifier: BSD-3-Clause
// Poses in KUKA's numbers, corrections from poses and back, HOLDON as the controller takes it, IPOC.
#include "drivers/kuka_rsi/answer_fate.h"
#include "drivers/kuka_rsi/corrected_robot.h"
#include "drivers/kuka_rsi/cycle_clock.h"
#include "drivers/kuka_rsi/ipoc_sequence.h"
#include "drivers/kuka_rsi/lost_cycles.h"
#include "drivers/kuka_rsi/telegram_writer.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <random>

namespace hilda::kuka::test {
namespace {

constexpr double degree = M_PI / 180;

double turned(const Quaternion& a, const Quaternion& b) { return a.angularDistance(b); }

Pose random_pose(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Pose pose;
  pose.position << normal(random), normal(random), normal(random);
  pose.orientation = Quaternion(normal(random), normal(random), normal(random), normal(random)).normalized();
  return pose;
}

TEST(KukaFrame, IsMillimetresAndRzRyRx) {
  const Pose pose = pose_from_wire({1000, -500, 250, 30, -40, 50});
  EXPECT_NEAR((pose.position - Vector3(1, -0.5, 0.25)).norm(), 0, 1e-15);
  const Eigen::Quaterniond expected = Eigen::AngleAxisd(30 * degree, Eigen::Vector3d::UnitZ()) *
                                      Eigen::AngleAxisd(-40 * degree, Eigen::Vector3d::UnitY()) *
                                      Eigen::AngleAxisd(50 * degree, Eigen::Vector3d::UnitX());
  EXPECT_NEAR(turned(pose.orientation, Quaternion(expected)), 0, 1e-12);
  // By hand: A = 90 turns x to y; then B = 90 about the new y takes x to -z.
  const Pose upright = pose_from_wire({0, 0, 0, 90, 0, 0});
  EXPECT_NEAR((upright.orientation * Vector3(1, 0, 0) - Vector3(0, 1, 0)).norm(), 0, 1e-12);
  const Pose down = pose_from_wire({0, 0, 0, 90, 90, 0});
  EXPECT_NEAR((down.orientation * Vector3(1, 0, 0) - Vector3(0, 0, -1)).norm(), 0, 1e-12);
}

TEST(KukaFrame, GoesBothWays) {
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = random_pose(random), back = pose_from_wire(wire_from_pose(pose));
    EXPECT_NEAR((back.position - pose.position).norm(), 0, 1e-12);
    EXPECT_NEAR(turned(back.orientation, pose.orientation), 0, 1e-7);
  }
  for (const double b : {90.0, -90.0, 89.9999999, -89.9999999}) {
    const Pose pose = pose_from_wire({0, 0, 0, 25, b, 40});
    EXPECT_NEAR(turned(pose_from_wire(wire_from_pose(pose)).orientation, pose.orientation), 0, 5e-7) << b;
  }
}

class InFrame : public testing::TestWithParam<CorrectionFrame> {};
INSTANTIATE_TEST_SUITE_P(Each, InFrame, testing::Values(CorrectionFrame::base, CorrectionFrame::tool),
                         [](const testing::TestParamInfo<CorrectionFrame>& each) {
                           return std::string(each.param == CorrectionFrame::base ? "base" : "tool");
                         });

TEST_P(InFrame, CorrectionLeadsFromOnePoseToTheOther) {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const Pose from = random_pose(random), to = random_pose(random);
    const Pose there = corrected(from, correction_between(from, to, GetParam()), GetParam());
    EXPECT_NEAR((there.position - to.position).norm(), 0, 1e-12);
    EXPECT_NEAR(turned(there.orientation, to.orientation), 0, 1e-7);
  }
}

TEST_P(InFrame, RestIsNoCorrection) {
  for (const CorrectionKind kind : {CorrectionKind::absolute, CorrectionKind::relative}) {
    std::mt19937 random(5);
    CartesianCorrection correction;
    correction.begin(random_pose(random), kind, GetParam());
    for (const double value : correction.next(correction.rest())) EXPECT_NEAR(value, 0, 1e-6);
  }
}

/// Whatever the robot does not take is taken back: the next correction counts from what the robot has.
TEST_P(InFrame, CountsFromWhatTheRobotHas) {
  for (const CorrectionKind kind : {CorrectionKind::absolute, CorrectionKind::relative}) {
    std::mt19937 random(6);
    const Pose start = random_pose(random);
    CartesianCorrection correction;
    correction.begin(start, kind, GetParam());
    Pose robot = start, wanted = start;
    for (int k = 0; k < 1000; ++k) {
      wanted.position.x() += 1e-4;
      wanted.orientation = wanted.orientation * Quaternion(Eigen::AngleAxisd(1e-4, Vector3::UnitY()));
      const Six step = correction.next(wanted);
      if (k % 10 < 7)
        robot = corrected(kind == CorrectionKind::absolute ? start : robot, step, GetParam());
      else
        correction.undo();
      EXPECT_NEAR((correction.taken().position - robot.position).norm(), 0, 1e-12);
      const Pose held = corrected(kind == CorrectionKind::absolute ? start : robot, correction.hold(), GetParam());
      EXPECT_NEAR((held.position - robot.position).norm(), 0, 1e-8);
      EXPECT_NEAR((correction.rest().position - robot.position).norm(), 0, 1e-8) << "where nothing moves it";
      if (k % 10 < 7) { EXPECT_NEAR((robot.position - wanted.position).norm(), 0, 1e-8) << k; }
    }
  }
}

TEST(AxisCorrection, CountsFromTheStartOrFromTheLast) {
  Vector6 start, wanted;
  start << 0, -1.5, 1.5, 0, 0.1, 0;
  wanted = start;
  wanted[2] += 2 * degree;
  AxisCorrection absolute, relative;
  absolute.begin(start, CorrectionKind::absolute);
  relative.begin(start, CorrectionKind::relative);
  EXPECT_NEAR(absolute.next(wanted)[2], 2, 1e-9);
  EXPECT_NEAR(absolute.next(wanted)[2], 2, 1e-9);
  EXPECT_NEAR(relative.next(wanted)[2], 2, 1e-6);
  EXPECT_NEAR(relative.next(wanted)[2], 0, 1e-6);
  EXPECT_NEAR((relative.rest() - wanted).norm(), 0, 1e-7);
  EXPECT_NEAR((absolute.rest() - wanted).norm(), 0, 1e-12);
  const Vector6 farther = 2 * wanted;
  for (AxisCorrection* each : {&absolute, &relative}) {
    each->next(farther);
    each->undo();
    EXPECT_NEAR((each->rest() - wanted).norm(), 0, 1e-7) << "the last one was not taken";
  }
}

CorrectionRules rules(CorrectionKind kind, bool hold) {
  CorrectionRules made;
  made.kind = kind;
  made.hold.fill(hold);
  made.limit.fill(100);
  return made;
}

/// Ten answers of 0.6 mm, then a hundred cycles without one.
double after_silence(CorrectionKind kind, bool hold) {
  HeldCorrection correction;
  const CorrectionRules how = rules(kind, hold);
  const Six step{0.6, 0, 0, 0, 0, 0};
  EXPECT_TRUE(correction.take(step, 0x3F, how));
  for (int k = 0; k < 99; ++k) EXPECT_TRUE(correction.take({}, 0, how));
  return correction.sum[0];
}

TEST(HeldCorrection, FollowsHoldOn) {
  EXPECT_DOUBLE_EQ(after_silence(CorrectionKind::absolute, true), 0.6);
  EXPECT_DOUBLE_EQ(after_silence(CorrectionKind::absolute, false), 0);
  EXPECT_NEAR(after_silence(CorrectionKind::relative, true), 60, 1e-9) << "0.6 mm becomes 60 mm";
  EXPECT_DOUBLE_EQ(after_silence(CorrectionKind::relative, false), 0.6);
}

TEST(HeldCorrection, StopsAtTheMonitor) {
  HeldCorrection correction;
  CorrectionRules how = rules(CorrectionKind::relative, false);
  how.limit.fill(5);
  EXPECT_TRUE(correction.take({3, 0, 0, 0, 0, 0}, 0x3F, how));
  EXPECT_FALSE(correction.take({3, 0, 0, 0, 0, 0}, 0x3F, how));
}

using IpocVerdict = IpocSequence::Verdict;

TEST(Ipoc, OnlyGrows) {
  IpocSequence sequence(4);
  EXPECT_EQ(sequence.take(1000), IpocVerdict::news);
  EXPECT_EQ(sequence.take(1004), IpocVerdict::news);
  EXPECT_EQ(sequence.missing(), 0);
  EXPECT_FALSE(sequence.jumped());
  EXPECT_EQ(sequence.take(1004), IpocVerdict::outdated);
  EXPECT_EQ(sequence.take(996), IpocVerdict::outdated);
  EXPECT_EQ(sequence.take(1016), IpocVerdict::news);
  EXPECT_EQ(sequence.missing(), 2);
  EXPECT_TRUE(sequence.jumped());
  EXPECT_EQ(sequence.take(1008), IpocVerdict::outdated) << "came late: no way back";
}

TEST(Ipoc, ALeapThatIsNotContinuedDoesNotShutOutTheRest) {
  IpocSequence sequence(4);
  sequence.take(1000);
  EXPECT_EQ(sequence.take(9'001'000), IpocVerdict::news);
  EXPECT_EQ(sequence.missing(), 0);
  EXPECT_EQ(sequence.take(1000), IpocVerdict::outdated);
  EXPECT_EQ(sequence.take(1008), IpocVerdict::news);
  EXPECT_EQ(sequence.missing(), 1);
  EXPECT_EQ(sequence.take(1012), IpocVerdict::news);
  EXPECT_FALSE(sequence.jumped());
}

TEST(Ipoc, ALeapThatIsContinuedIsAnotherCount) {
  IpocSequence sequence(4);
  sequence.take(1000);
  sequence.take(9'001'000);
  EXPECT_TRUE(sequence.leapt());
  EXPECT_FALSE(sequence.restarted());
  EXPECT_EQ(sequence.take(9'001'004), IpocVerdict::news);
  EXPECT_FALSE(sequence.leapt());
  EXPECT_TRUE(sequence.restarted());
  EXPECT_EQ(sequence.leapt_by(), 9'000'000);
  EXPECT_EQ(sequence.take(1008), IpocVerdict::outdated);
}

TEST(Ipoc, ALeapsPacketThatComesTwiceIsNoWayBack) {
  IpocSequence sequence(4);
  sequence.take(1000, 1);
  EXPECT_EQ(sequence.take(1044, 1), IpocVerdict::news);
  EXPECT_EQ(sequence.take(1044, 0), IpocVerdict::outdated);
  EXPECT_FALSE(sequence.restarted());
  EXPECT_EQ(sequence.take(1048, 1), IpocVerdict::news);
  EXPECT_EQ(sequence.missing(), 0);
  EXPECT_TRUE(sequence.restarted());
}

TEST(Ipoc, TwoLeapsOfWhichNoneGoesOnAreNoNewCount) {
  IpocSequence sequence(4);
  sequence.take(1000, 1);
  sequence.take(9'000, 1);
  sequence.take(90'000, 1);
  EXPECT_EQ(sequence.take(1012, 1), IpocVerdict::news);
  EXPECT_EQ(sequence.missing(), 2);
  EXPECT_FALSE(sequence.restarted());
}

TEST(Ipoc, ThatGoesOnWithTheClockOverALongSilenceIsNoLeap) {
  IpocSequence sequence(4);
  sequence.take(1000, 1);
  sequence.take(1000 + 4 * 700, 700);
  EXPECT_FALSE(sequence.leapt());
  EXPECT_EQ(sequence.missing(), 699);
}

TEST(Ipoc, APacketThatALeapOvertookIsNoWayBack) {
  IpocSequence sequence(4);
  sequence.take(1000, 1);
  EXPECT_EQ(sequence.take(1048, 2), IpocVerdict::news);
  EXPECT_EQ(sequence.take(1044, 0), IpocVerdict::outdated);
  EXPECT_EQ(sequence.take(1052, 1), IpocVerdict::news);
}

TEST(Ipoc, TheWayBackFromALeapIsAsLongAsTheTimeThatPassed) {
  IpocSequence sequence(4);
  sequence.take(1000, 1);
  EXPECT_EQ(sequence.take(1200, 10), IpocVerdict::news);
  EXPECT_EQ(sequence.take(1080, 6), IpocVerdict::outdated) << "20 cycles later, and 16 have passed";
  EXPECT_EQ(sequence.take(1064, 6), IpocVerdict::news);
  EXPECT_EQ(sequence.missing(), 15);
  EXPECT_EQ(sequence.take(1068, 1), IpocVerdict::news) << "no leap again";
  EXPECT_FALSE(sequence.jumped());
}

TEST(Ipoc, GoesOnWhereItsNumberOfBitsIsOver) {
  for (const std::int64_t turn : {std::int64_t{1} << 31, std::int64_t{1} << 32}) {
    IpocSequence sequence(4);
    sequence.take(turn - 4);
    EXPECT_EQ(sequence.take(0), IpocVerdict::news);
    EXPECT_FALSE(sequence.jumped());
    EXPECT_EQ(sequence.take(turn - 8), IpocVerdict::outdated);
    EXPECT_EQ(sequence.take(8), IpocVerdict::news);
    EXPECT_EQ(sequence.missing(), 1);
    EXPECT_EQ(sequence.position(), turn + 8);
  }
}

TEST(Ipoc, ThatFallsAndCountsOnFromThereBeganAnew) {
  IpocSequence sequence(4);
  sequence.take(500'000);
  sequence.take(400);
  sequence.take(404);
  EXPECT_FALSE(sequence.restarted());
  sequence.take(408);
  EXPECT_TRUE(sequence.restarted());
  EXPECT_EQ(sequence.fallen_to(), 408);
  sequence.take(500'004);
  EXPECT_TRUE(sequence.restarted()) << "for good: it reaches the old count again by counting";
}

TEST(Ipoc, LatePacketsThatComeAtOnceAreNoNewCount) {
  IpocSequence sequence(4);
  sequence.take(500'000, 1);
  for (const std::int64_t late : {400, 404, 408, 412}) sequence.take(late, 1);
  EXPECT_FALSE(sequence.restarted());
  for (const std::int64_t k : {0, 1, 2}) sequence.take(800 + 4 * k, 2 + k);
  EXPECT_TRUE(sequence.restarted());
}

/// Against a robot that counts: every combination of what can happen in ten cycles after an answer.
TEST(AnswerFate, FollowsFromDelay) {
  for (const bool in_a_row : {false, true})
    for (std::int64_t before = 0; before < 9; ++before)
      for (std::int64_t cycles = 1; cycles < 9; ++cycles)
        for (const bool taken : {false, true}) {
          std::int64_t delay = taken ? (in_a_row ? 0 : before) : before + 1;
          delay += cycles - 1;
          const AnswerFate fate = answer_fate({cycles, cycles, before, delay, true, in_a_row});
          EXPECT_EQ(fate.cycles, cycles);
          EXPECT_EQ(fate.fate, !taken        ? HILDA_FATE_LOST
                               : cycles == 1 ? HILDA_FATE_TAKEN
                                             : HILDA_FATE_STOOD)
              << in_a_row << before << cycles;
        }
  EXPECT_EQ(answer_fate({1, 1, 3, -1, true, false}).fate, HILDA_FATE_UNKNOWN);
  EXPECT_EQ(answer_fate({1, 1, 3, 9, true, false}).fate, HILDA_FATE_UNKNOWN);
  EXPECT_EQ(answer_fate({40, 1, 3, 3, false, false}).fate, HILDA_FATE_TAKEN) << "IPOC leapt";
  EXPECT_EQ(answer_fate({40, 1, 3, 3, false, false}).cycles, 1);
  // IPOC leapt, and Delay counts from the answer that was taken: the robot was at rest for a cycle since.
  EXPECT_EQ(answer_fate({6, 2, 1, 1, true, true, 2}).fate, HILDA_FATE_STOOD);
  EXPECT_EQ(answer_fate({6, 2, 1, 1, true, true, 2}).cycles, 2);
  EXPECT_EQ(answer_fate({6, 2, 3, 3, true, false, 2}).fate, HILDA_FATE_UNKNOWN) << "it must have risen";
  // IPOC did not rise for a cycle, or the wire repeated a telegram.
  EXPECT_EQ(answer_fate({1, 2, 3, 4, true, false, 1, 1}).fate, HILDA_FATE_UNKNOWN);
  EXPECT_EQ(answer_fate({1, 2, 3, 4, true, false, 1, 0}).fate, HILDA_FATE_LOST) << "late";
  EXPECT_EQ(answer_fate({1, 1, 3, 3, true, false, 1, 1}).fate, HILDA_FATE_TAKEN) << "Delay did not rise";
}

TEST(AnswerFate, ASilenceThatDelayDidNotCountWasARestart) {
  for (const std::int64_t cycles : {6, 7, 30, 300}) {
    EXPECT_TRUE(counted_on({cycles, cycles, 3, 3 + cycles}));
    EXPECT_TRUE(counted_on({cycles, cycles, 3, cycles - 1})) << "in a row";
    EXPECT_TRUE(counted_on({cycles, cycles + 1, 3, cycles - 1}));
    EXPECT_TRUE(counted_on({1, cycles, 3, 3})) << "the robot stood still itself";
    EXPECT_TRUE(counted_on({cycles, cycles, 3, -1})) << "not readable";
    EXPECT_FALSE(counted_on({cycles, cycles, 0, 0}));
    EXPECT_FALSE(counted_on({cycles, cycles, 3, 3}));
  }
}

TEST(CycleClock, FindsADriftThroughJitterAndNoneInAPause) {
  for (const double drift : {0.0, 0.015, -0.015})
    for (const double most : {0.1e6, 5e6}) {
      std::mt19937 random(11);
      std::uniform_real_distribution<> jitter(0, most);
      CycleClock clock;
      clock.begin(4'000'000);
      double found = 0, at = 1e9;
      for (int k = 0; k < 5000; ++k) {
        const bool stalls = most < 1e6 && random() % 20 == 0; // what a busy controller adds up to
        at += 4e6 * (1 + drift) + (k % 900 == 500 ? 60e6 : 0) + (stalls ? 2.5e6 : 0);
        clock.add(static_cast<std::int64_t>(at + jitter(random)), 1);
        if (std::fabs(clock.drift()) > std::fabs(found)) found = clock.drift();
      }
      EXPECT_NEAR(found, drift, 0.003) << drift << ' ' << most;
    }
}

TEST(LostCycles, CountInARowAndAsAShare) {
  LostCycles lost;
  lost.begin({5, 0.1, 2, 4e-3});
  lost.lost(LostCycles::answer, 5);
  EXPECT_FALSE(lost.too_many_in_a_row());
  lost.took();
  EXPECT_EQ(lost.in_a_row(), 0);
  for (int k = 0; k < 1000; ++k) k % 9 == 0 ? lost.lost(LostCycles::telegram, 1) : lost.took();
  EXPECT_TRUE(lost.too_large_a_share());
  EXPECT_NEAR(lost.share(), 1 / 9.0, 0.01);
  Sentence said;
  lost.say_share(said);
  EXPECT_NE(std::string(said.text()).find("for telegrams of the robot that did not come"), std::string::npos);
  for (int k = 0; k < 1000; ++k) k % 12 == 0 ? lost.lost(LostCycles::process, 1) : lost.took();
  EXPECT_FALSE(lost.too_large_a_share());
}

} // namespace
} // namespace hilda::kuka::test
