// SPDX-License-Identifier: BSD-3-Clause
// Filters with their own state.
#include "tests/blocks/recursion.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace hilda::test {
namespace {

using testing::HasSubstr;

TEST(Discrete, TransferFunctionsFollowTheirDifferenceEquation) {
  // y(k) = (b0 u(k) + b1 u(k-1) + b2 u(k-2) - a1 y(k-1) - a2 y(k-2)) / a0: the direct form I, another realisation.
  const auto direct = [](double b0, double b1, double b2, double a0, double a1, double a2) {
    return [=](double, double) {
      return [=, u1 = 0.0, u2 = 0.0, y1 = 0.0, y2 = 0.0](double u) mutable {
        const double y = (b0 * u + b1 * u1 + b2 * u2 - a1 * y1 - a2 * y2) / a0;
        u2 = std::exchange(u1, u);
        y2 = std::exchange(y1, y);
        return y;
      };
    };
  };
  const auto expect = [&](const std::string& b, const std::string& a, const auto& make) {
    expect_recursion("discrete/DiscreteTransferFunction", "numerator=\"" + b + "\" denominator=\"" + a + "\"", "y",
                     make, false);
  };
  expect("0.2 0.3 0.1", "2 -1.2 0.6", direct(0.2, 0.3, 0.1, 2, -1.2, 0.6));
  expect("0 0.3 0.1", "1 -1.2 0.6", direct(0, 0.3, 0.1, 1, -1.2, 0.6));
  expect("0 0.5", "1 -0.5 0", direct(0, 0.5, 0, 1, -0.5, 0));
  expect("0.5", "1 -0.5", direct(0.5, 0, 0, 1, -0.5, 0));
  expect("3", "2", direct(3, 0, 0, 2, 0, 0));
}

TEST(Discrete, TransferFunctionsOfHigherOrder) {
  const Trial trial = sound_trial(fed("discrete/DiscreteTransferFunction",
                                      "numerator=\"1 2 3 4 5\" denominator=\"1 0 0 0 0\" gain=\"2 m/N\"",
                                      "type=\"sources/Step\" after=\"1 2 N\""));
  for (std::size_t k = 0; k < 10; ++k)
    EXPECT_EQ(trial["b.y"].at(k, 1), 4 * (k > 3 ? 15 : static_cast<double>((k + 1) * (k + 2)) / 2));
  EXPECT_EQ(trial.units.at("b.y"), "m");
  EXPECT_THAT(run_trial(fed("discrete/DiscreteTransferFunction", "numerator=\"1 2 3\" denominator=\"1 0\"")).errors,
              HasSubstr("append zeros"));
  EXPECT_THAT(run_trial(fed("discrete/DiscreteTransferFunction", "numerator=\"1\" denominator=\"0 1\"")).errors,
              HasSubstr("begins with 0"));
}

TEST(Discrete, AFilterWithoutDirectTermBreaksALoop) {
  const Trial trial = sound_trial(
      "<block name=\"r\" type=\"sources/Constant\" value=\"1\"/><block name=\"e\" type=\"math/Sum\" signs=\"+-\"/>"
      "<block name=\"p\" type=\"discrete/DiscreteTransferFunction\" numerator=\"0 0.1\" denominator=\"1 -1\"/>" +
      wire("r.y", "e.u[0]") + wire("p.y", "e.u[1]") + wire("e.y", "p.u"));
  for (std::size_t k = 0; k < 50; ++k)
    EXPECT_NEAR(trial["p.y"].at(k), 1 - std::pow(0.9, static_cast<double>(k)), 1e-14);
}

TEST(Discrete, DerivativeIsFilteredAndStartsWithoutAPeak) {
  expect_recursion("discrete/Derivative", "time_constant=\"10 ms\"", "y", [](double period, double first) {
    return [last = first, y = 0.0, period](double u) mutable {
      y = (0.01 * y + u - last) / (0.01 + period);
      last = u;
      return y;
    };
  });
  const Trial trial = sound_trial(
      fed("discrete/Derivative", "time_constant=\"10 ms\"", "type=\"sources/Ramp\" slope=\"3 m/s\" initial=\"1 m\""),
      {.duration = 0.3});
  EXPECT_EQ(trial["b.y"].at(0), 0);
  EXPECT_NEAR(trial["b.y"].at(299), 3, 1e-9);
  EXPECT_EQ(trial.units.at("b.y"), "m/s");
}

TEST(Discrete, LowPassMeetsTheContinuousStepResponseAtTheSamples) {
  expect_recursion("discrete/LowPass", "cutoff=\"30 rad/s\"", "y", [](double period, double first) {
    return [y = first, period](double u) mutable { return y += (1 - std::exp(-30 * period)) * (u - y); };
  });
  const Trial trial =
      sound_trial(fed("discrete/LowPass", "cutoff=\"5 Hz\"", "type=\"sources/Step\" time=\"1 ms\" after=\"2\""));
  for (std::size_t k = 1; k < 100; ++k)
    EXPECT_NEAR(trial["b.y"].at(k), 2 * (1 - std::exp(-10 * M_PI * T * static_cast<double>(k))), 1e-13);
}

TEST(Discrete, ButterworthHasMinusThreeDecibelsAtItsCutoff) {
  const Trial trial = sound_trial(fed("discrete/Butterworth", "cutoff=\"20 Hz\"",
                                      "type=\"sources/Sine\" amplitude=\"1\" frequency=\"20 Hz\" bias=\"5\""),
                                  {.duration = 2});
  double largest = 0;
  for (std::size_t k = 1000; k < 2000; ++k) largest = std::max(largest, trial["b.y"].at(k) - 5);
  EXPECT_NEAR(largest, M_SQRT1_2, 1e-3);
  EXPECT_NEAR(trial["b.y"].at(0), 5, 1e-12) << "starts at rest at its first input";
  EXPECT_THAT(run_trial(fed("discrete/Butterworth", "cutoff=\"500 Hz\"")).errors,
              HasSubstr("half the sampling frequency"));
}

TEST(Discrete, MovingAverageIsTheMeanOfTheWindowForEver) {
  expect_recursion("discrete/MovingAverage", "window=\"7\"", "y", [](double, double first) {
    return [line = std::deque<double>(7, first)](double u) mutable {
      line.pop_front();
      line.push_back(u);
      double sum = 0;
      for (const double v : line) sum += v;
      return sum / 7;
    };
  });
  // A running sum would keep the rounding error of the large numbers.
  const Trial trial =
      sound_trial(fed("discrete/MovingAverage", "window=\"10\"",
                      "type=\"sources/Pulse\" high=\"1e16\" low=\"0.1\" width=\"20 ms\" first=\"30 ms\""));
  EXPECT_NEAR(trial["b.y"].at(99), 0.1, 1e-15);
}

} // namespace
} // namespace hilda::test
