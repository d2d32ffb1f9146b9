// SPDX-License-Identifier: BSD-3-Clause
// How values lie in a row of numbers (docs/conventions.md), and what they are before anyone has set them.
#include <gmock/gmock.h>
#include <hilda/block.h>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;

template <typename T> std::vector<double> numbers(const T& value, int count) {
  std::vector<double> all(static_cast<std::size_t>(count) + 1, -1.0);
  store_value(all.data(), value);
  EXPECT_EQ(all.back(), -1) << "nothing behind it is written";
  all.pop_back();
  return all;
}

TEST(Codec, OfMatricesIsColumnByColumn) {
  Fixed<2, 3> m;
  m << 1, 2, 3, 4, 5, 6;
  EXPECT_THAT(numbers(m, 6), ElementsAre(1, 4, 2, 5, 3, 6));
  const double row[] = {1, 4, 2, 5, 3, 6};
  EXPECT_EQ((load_value<Fixed<2, 3>>(row)), m);
  EXPECT_THAT(numbers(2.5, 1), ElementsAre(2.5));
  EXPECT_EQ(load_value<double>(row + 1), 4);
}

TEST(Codec, OfAWrenchIsForceAndTorque) {
  EXPECT_THAT(numbers(Wrench(Vector3(1, 2, 3), Vector3(4, 5, 6)), 6), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(Wrench(), Vector6::Zero());
  const double row[] = {1, 2, 3, 4, 5, 6};
  Wrench wrench = load_value<Wrench>(row);
  EXPECT_EQ(wrench.force(), Vector3(1, 2, 3));
  wrench.torque() = Vector3(7, 8, 9);
  wrench.force() *= 2;
  EXPECT_THAT(numbers(wrench, 6), ElementsAre(2, 4, 6, 7, 8, 9));
}

TEST(Codec, OfATwistIsLinearAndAngular) {
  EXPECT_THAT(numbers(Twist(Vector3(1, 2, 3), Vector3(4, 5, 6)), 6), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(Twist(), Vector6::Zero());
  const double row[] = {1, 2, 3, 4, 5, 6};
  Twist twist = load_value<Twist>(row);
  EXPECT_EQ(twist.linear(), Vector3(1, 2, 3));
  EXPECT_EQ(twist.angular(), Vector3(4, 5, 6));
  twist.angular() *= 2;
  twist.linear() = Vector3(0, 0, 1);
  EXPECT_THAT(numbers(twist, 6), ElementsAre(0, 0, 1, 8, 10, 12));
}

TEST(Codec, OfAPoseIsPositionAndQuaternionWithItsRealPartFirst) {
  Pose pose;
  EXPECT_THAT(numbers(pose, 7), ElementsAre(0, 0, 0, 1, 0, 0, 0));
  pose.position = Vector3(1, 2, 3);
  pose.orientation = Quaternion(0.1, 0.2, 0.3, 0.4); // w x y z
  const std::vector<double> row = numbers(pose, 7);
  EXPECT_THAT(row, ElementsAre(1, 2, 3, 0.1, 0.2, 0.3, 0.4));
  const Pose again = load_value<Pose>(row.data());
  EXPECT_EQ(again.position, pose.position);
  EXPECT_EQ(again.orientation.coeffs(), pose.orientation.coeffs());
  EXPECT_THAT(numbers(pose.orientation, 4), ElementsAre(0.1, 0.2, 0.3, 0.4));
  EXPECT_EQ(load_value<Quaternion>(row.data() + 3).w(), 0.1);
  EXPECT_EQ(load_value<Quaternion>(row.data() + 3).z(), 0.4);
}

TEST(Codec, OfIntegersAndBooleans) {
  std::int64_t integer = 0;
  store_value<std::int64_t>(&integer, -5);
  EXPECT_EQ(integer, -5);
  EXPECT_EQ(load_value<std::int64_t>(&integer), -5);
  std::uint64_t natural = 0;
  store_value<std::uint64_t>(&natural, 1ull << 63);
  EXPECT_EQ(natural, 1ull << 63);
  EXPECT_EQ(load_value<std::uint64_t>(&natural), 1ull << 63);
  std::uint8_t truth = 7;
  EXPECT_TRUE(load_value<bool>(&truth));
  store_value<bool>(&truth, true);
  EXPECT_EQ(truth, 1);
  store_value<bool>(&truth, false);
  EXPECT_EQ(truth, 0);
  EXPECT_FALSE(load_value<bool>(&truth));
}

} // namespace
} // namespace hilda::test
