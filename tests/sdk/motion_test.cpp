// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and rotation vectors of the SDK against what they mean for the points of a body: no formula of the
// headers is written a second time.
#include <gtest/gtest.h>
#include <hilda/frames.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace hilda::test {
namespace {

class Drawn {
public:
  Vector3 vector(double size) { return size * Vector3(number_(source_), number_(source_), number_(source_)); }
  Quaternion rotation() {
    Quaternion q(number_(source_), number_(source_), number_(source_), number_(source_));
    q.normalize();
    return q;
  }
  Pose pose() { return {vector(3.0), rotation()}; }

private:
  std::mt19937_64 source_{20261123};
  std::uniform_real_distribution<double> number_{-1.0, 1.0};
};

Vector3 seen_from_outside(const Pose& body, const Vector3& point) { return body.position + body.orientation * point; }

TEST(Frames, ComposedIsOneAfterTheOther) {
  Drawn drawn;
  for (int i = 0; i < 100; ++i) {
    const Pose b = drawn.pose(), c = drawn.pose();
    const Vector3 point = drawn.vector(2.0);
    const Vector3 wanted = seen_from_outside(b, seen_from_outside(c, point));
    EXPECT_LT((seen_from_outside(composed(b, c), point) - wanted).norm(), 1e-14 * 20);
  }
}

TEST(Frames, InvertedTakesEveryPointBack) {
  Drawn drawn;
  for (int i = 0; i < 100; ++i) {
    const Pose b = drawn.pose();
    const Vector3 point = drawn.vector(2.0);
    EXPECT_LT((seen_from_outside(inverted(b), seen_from_outside(b, point)) - point).norm(), 1e-14 * 20);
    EXPECT_LT((seen_from_outside(b, seen_from_outside(inverted(b), point)) - point).norm(), 1e-14 * 20);
  }
}

TEST(Frames, APointMovesAsTheBodyCarriesIt) {
  Drawn drawn;
  const double h = 1e-5;
  for (int i = 0; i < 100; ++i) {
    const Pose b = drawn.pose();
    const Vector3 speed = drawn.vector(2.0), spin = drawn.vector(2.0), r = drawn.vector(1.0);
    const auto later = [&](double time) { // the angular velocity is in body axes: it turns behind the orientation
      return seen_from_outside({b.position + time * speed, b.orientation * rotation_exp(time * spin)}, r);
    };
    const PointState point = point_on(b, Twist(speed, spin), r);
    EXPECT_LT((point.position - later(0.0)).norm(), 1e-14 * 20);
    EXPECT_LT((point.velocity - (later(h) - later(-h)) / (2 * h)).norm(), 1e-8);
  }
}

TEST(RotationVector, TurnsByItsLengthAboutItself) {
  const Vector3 turned = rotation_exp(Vector3(0, 0, std::numbers::pi / 2)) * Vector3(1, 0, 0);
  EXPECT_LT((turned - Vector3(0, 1, 0)).norm(), 1e-15);
  Drawn drawn;
  for (double angle = 1e-9; angle < 3.1; angle *= 1.3) {
    const Vector3 axis = drawn.vector(1.0).normalized();
    const Eigen::Matrix3d wanted = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LT((rotation_exp(angle * axis).toRotationMatrix() - wanted).norm(), 3e-15) << angle;
  }
}

TEST(RotationVector, ComesBackFromItsQuaternionToTheLastBits) {
  Drawn drawn;
  for (double angle = 1e-9; angle < 3.14; angle *= 1.07) {
    const Vector3 phi = angle * drawn.vector(1.0).normalized();
    const Quaternion q = rotation_exp(phi);
    EXPECT_LT((rotation_log(q) - phi).norm(), 1e-14 * angle + 2e-15 * (angle > 1 ? 10 : 0)) << angle;
    const Quaternion same(-q.w(), -q.x(), -q.y(), -q.z()); // the same rotation
    EXPECT_EQ(rotation_log(same), rotation_log(q)) << angle;
  }
}

TEST(RotationVector, OfHalfATurnIsAboutTheQuaternionsOwnAxis) {
  EXPECT_EQ(rotation_log(Quaternion(0, 0, 0, 1)), Vector3(0, 0, std::numbers::pi));
  EXPECT_EQ(rotation_log(Quaternion(0, 0, -1, 0)), Vector3(0, -std::numbers::pi, 0));
}

/// Where the closed form would lose its digits a series is used: against the closed form in more digits.
TEST(RotationVector, JacobianOfASmallAngleIsExact) {
  static_assert(std::numeric_limits<long double>::digits > 60);
  Drawn drawn;
  for (long double angle = 2e-5L; angle < 1e-3L; angle *= 1.1L) {
    const Vector3 phi = static_cast<double>(angle) * drawn.vector(1.0).normalized(), rate = drawn.vector(1.0);
    const Vector3 cross = phi.cross(rate), twice = phi.cross(cross);
    const long double a2 = phi.dot(phi), a = std::sqrt(a2);
    const auto first = static_cast<double>((1 - std::cos(a)) / a2),
               second = static_cast<double>((a - std::sin(a)) / (a2 * a));
    EXPECT_LT((right_jacobian(phi, rate) - (rate - first * cross + second * twice)).norm(),
              angle < 1e-4L ? 2e-15 : 1e-12)
        << angle; // above it the closed form
  }
  for (long double a2 = 2e-5L; a2 < 1e-2L; a2 *= 1.1L) {
    const long double half = std::sqrt(a2) / 2, wanted = (1 - half * std::cos(half) / std::sin(half)) / a2;
    const double tolerance = a2 < 1e-4L ? 2e-14 : 1e-11;
    EXPECT_NEAR(detail::inverse_jacobian_coefficient(static_cast<double>(a2)), static_cast<double>(wanted), tolerance);
  }
}

TEST(RotationVector, JacobianIsTheRateOfTheRotation) {
  Drawn drawn;
  const double h = 1e-5;
  for (double angle = 1e-6; angle < 3.0; angle *= 1.5) {
    const Vector3 phi = angle * drawn.vector(1.0).normalized(), rate = drawn.vector(1.0);
    const Quaternion step = rotation_exp(phi - h * rate).conjugate() * rotation_exp(phi + h * rate);
    const Vector3 spin = right_jacobian(phi, rate);
    EXPECT_LT((spin - rotation_log(step) / (2 * h)).norm(), 1e-8) << angle;
    EXPECT_LT((inverse_right_jacobian(phi, spin) - rate).norm(), 1e-12) << angle;
    const Vector3 torque = drawn.vector(1.0); // power is the same in both coordinates
    EXPECT_NEAR(inverse_right_jacobian_transposed(phi, torque).dot(spin), torque.dot(rate), 1e-12) << angle;
  }
}

} // namespace
} // namespace hilda::test
