// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/rational.h"
#include "tests/modules.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

TEST(Rational, NearIsTheSimplestFractionThatIsMeant) {
  EXPECT_EQ(Rational::near(1.0 / 3.0), Rational(1, 3));
  EXPECT_EQ(Rational::near(1e-3 / 3.0), Rational(1, 3000));
  EXPECT_EQ(Rational::near(1.0 / 44100.0), Rational(1, 44100));
  EXPECT_EQ(Rational::near(0.1 + 0.2), Rational(3, 10));
  EXPECT_EQ(Rational::near(7 * 1e-6), Rational(7, 1'000'000)); // one bit next to 7e-6
  EXPECT_EQ(Rational::near(-0.004), Rational(-1, 250));
  EXPECT_FALSE(Rational::near(1e-13));
  EXPECT_FALSE(Rational::near(1e10));
  EXPECT_FALSE(Rational::near(std::nan("")));
  EXPECT_FALSE(Rational::near(INFINITY));
}

TEST(Rational, NearIsExactForWholeNanoseconds) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const auto nanoseconds = static_cast<std::int64_t>(random() % 1'000'000'000'000U);
    const Rational exact(nanoseconds, 1'000'000'000);
    EXPECT_EQ(Rational::near(static_cast<double>(nanoseconds) / 1e9), exact) << nanoseconds;
    EXPECT_EQ(Rational::near(static_cast<double>(nanoseconds) * 1e-9), exact) << nanoseconds; // as "123456789 ns" is
  }
}

} // namespace
} // namespace hilda::test
