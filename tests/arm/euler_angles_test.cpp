// SPDX-License-Identifier: BSD-3-Clause
// Euler angles turn back into the rotation that they are of, also where roll and yaw turn about the same axis.
#include "blocks/arm/euler_angles.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

Matrix3 rotation(const Vector3& angles) {
  return (Eigen::AngleAxisd(angles.z(), Vector3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vector3::UnitY()) *
          Eigen::AngleAxisd(angles.x(), Vector3::UnitX()))
      .toRotationMatrix();
}

TEST(EulerAngles, TurnBackIntoTheirRotationAtEveryPitch) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-M_PI, M_PI);
  for (const double from_vertical :
       {0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 0.014, 0.02, 0.1, 0.7, 1.5, 1.57})
    for (int trial = 0; trial < 200; ++trial) {
      const double pitch = (trial % 2 == 0 ? 1 : -1) * (M_PI / 2 - from_vertical);
      // A quaternion that was turned and normalised, as poses have it.
      const Matrix3 R =
          (Eigen::Quaterniond(rotation({any(random), pitch, 0.3})) * Eigen::Quaterniond(rotation({0, 0, 0})))
              .normalized()
              .toRotationMatrix();
      const Matrix3 turned = rotation({0, 0, any(random)}) * R;
      for (const Matrix3& each : {R, turned})
        EXPECT_LT((rotation(euler_angles(each)) - each).norm(), 2e-13) << from_vertical << " rad from vertical";
    }
}

TEST(EulerAngles, AreTheAnglesWhereOnlyOneSetIs) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> any(-3, 3), steep(-1.565, 1.565);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector3 angles(any(random), steep(random), any(random));
    EXPECT_LT((euler_angles(rotation(angles)) - angles).norm(), 1e-12 / std::cos(angles.y()));
  }
}

} // namespace
} // namespace hilda::test
