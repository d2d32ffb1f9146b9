// Poses in KUKA's numbers, corrections from poses and back, HOLDON as the controller takes it, IPOC.
#include "drivers/kuka_rsi/corrected_robot.h"
#include "drivers/kuka_rsi/ipoc_sequence.h"
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
    correction.begin(random_pose(random), kind, GetParam(), 0.96);
    for (const double value : correction.next(correction.rest(), false)) EXPECT_NEAR(value, 0, 1e-6);
  }
}

/// Increments that the robot takes, all but those that are lost, lead to the pose that is asked for.
TEST_P(InFrame, LostIncrementIsMadeUpForWithoutAStep) {
  std::mt19937 random(6);
  const Pose start = random_pose(random);
  CartesianCorrection correction;
  correction.begin(start, CorrectionKind::relative, GetParam(), std::exp(-0.04));
  Pose robot = start, wanted = start;
  bool lost = false;
  for (int k = 0; k < 1000; ++k) {
    if (k < 100) wanted.position.x() += 1e-4;
    const Six step = correction.next(wanted, lost);
    EXPECT_LT(Vector3(step[0], step[1], step[2]).norm(), 0.12) << k;
    lost = k >= 50 && k < 55;
    if (!lost) robot = corrected(robot, step, GetParam());
  }
  EXPECT_NEAR((robot.position - wanted.position).norm(), 0, 1e-9);
  EXPECT_NEAR(turned(robot.orientation, wanted.orientation), 0, 1e-6);
}

TEST(AxisCorrection, CountsFromTheStartOrFromTheLast) {
  Vector6 start, wanted;
  start << 0, -1.5, 1.5, 0, 0.1, 0;
  wanted = start;
  wanted[2] += 2 * degree;
  AxisCorrection absolute, relative;
  absolute.begin(start, CorrectionKind::absolute, 0.96);
  relative.begin(start, CorrectionKind::relative, 0.96);
  EXPECT_NEAR(absolute.next(wanted, false)[2], 2, 1e-9);
  EXPECT_NEAR(absolute.next(wanted, false)[2], 2, 1e-9);
  EXPECT_NEAR(relative.next(wanted, false)[2], 2, 1e-6);
  EXPECT_NEAR(relative.next(wanted, false)[2], 0, 1e-6);
  EXPECT_NEAR((relative.rest() - wanted).norm(), 0, 1e-7);
  EXPECT_NEAR((absolute.rest() - wanted).norm(), 0, 1e-12);
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

TEST(Ipoc, ALeapThatIsContinuedIsTheNewSequence) {
  IpocSequence sequence(4);
  sequence.take(1000);
  sequence.take(9'001'000);
  EXPECT_EQ(sequence.take(9'001'004), IpocVerdict::news);
  EXPECT_EQ(sequence.take(1008), IpocVerdict::outdated);
}

} // namespace
} // namespace hilda::kuka::test
