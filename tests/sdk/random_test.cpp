// SPDX-License-Identifier: BSD-3-Clause
// Random numbers: SplitMix64's published sequence, and what it makes of a uniform and a normal number.
#include <cmath>
#include <gtest/gtest.h>
#include <hilda/random.h>

namespace hilda::test {
namespace {

TEST(Generator, GivesTheSequenceOfSplitMix64) { // of seed 1234567, as the reference in C prints it
  Generator generator(1234567);
  for (const std::uint64_t wanted :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u, 16408922859458223821u})
    EXPECT_EQ(generator.bits(), wanted);
}

TEST(Generator, SkipsToTheStateThatItWouldHaveCome) {
  Generator walked(42), skipped(Generator::skip(42, 5));
  for (int i = 0; i < 5; ++i) walked.bits();
  EXPECT_EQ(walked.bits(), skipped.bits());
  EXPECT_EQ(Generator::skip(42, 0), 42u);
}

TEST(Generator, UniformIsTheMiddleOfItsInterval) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Generator bits(seed), uniform(seed);
    const double number = uniform.uniform();
    EXPECT_EQ(number, (std::ldexp(static_cast<double>(bits.bits() >> 11), 1) + 1) * 0x1p-54);
    EXPECT_GT(number, 0);
    EXPECT_LT(number, 1);
  }
}

TEST(Generator, NormalIsThatOfBoxAndMuller) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Generator uniform(seed), normal(seed);
    const double length = uniform.uniform(), turn = uniform.uniform();
    double a = 0, b = 0;
    normal.normal(a, b);
    EXPECT_NEAR(a * a + b * b, -2 * std::log(length), 1e-12);
    const double angle = std::atan2(b, a) / (2 * M_PI);
    EXPECT_NEAR(angle < 0 ? angle + 1 : angle, turn, 1e-12);
  }
}

TEST(Generator, NormalHasMeanZeroAndVarianceOneAndItsTwoAreIndependent) {
  Generator generator(7);
  double sum[2] = {}, squares[2] = {}, product = 0;
  constexpr int count = 100'000;
  for (int i = 0; i < count; ++i) {
    double a = 0, b = 0;
    generator.normal(a, b);
    sum[0] += a, sum[1] += b;
    squares[0] += a * a, squares[1] += b * b;
    product += a * b;
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(sum[i] / count, 0, 0.015);
    EXPECT_NEAR(squares[i] / count, 1, 0.02);
  }
  EXPECT_NEAR(product / count, 0, 0.015);
}

} // namespace
} // namespace hilda::test
