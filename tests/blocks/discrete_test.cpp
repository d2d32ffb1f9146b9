// SPDX-License-Identifier: BSD-3-Clause
// Integrators, controllers, limits and switches in discrete time.
#include "tests/blocks/recursion.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace hilda::test {
namespace {

using testing::HasSubstr;

TEST(Discrete, RateLimiterFollowsNoFasterThanAllowed) {
  expect_recursion("discrete/RateLimiter", "rising=\"300 1/s\" falling=\"100 1/s\"", "y",
                   [](double period, double first) {
                     return [y = first, period](double u) mutable {
                       return y += std::min(std::max(u - y, -100 * period), 300 * period);
                     };
                   });
}

TEST(Discrete, HysteresisSwitchesAtTwoThresholds) {
  expect_recursion("discrete/Hysteresis", "lower=\"-0.5\" upper=\"1\"", "on", [](double, double) {
    return [on = false](double u) mutable { return on = u >= 1 || (on && u > -0.5); };
  });
}

TEST(Discrete, IntegratorsByThreeMethodsAndWithLimits) {
  expect_recursion("discrete/DiscreteIntegrator", "initial=\"2 s\"", "y", [](double period, double) {
    return [x = 2.0, period](double u) mutable { return std::exchange(x, x + period * u); };
  });
  expect_recursion("discrete/DiscreteIntegrator", "method=\"backward\"", "y", [](double period, double) {
    return [x = 0.0, period](double u) mutable { return x += period * u; };
  });
  expect_recursion("discrete/DiscreteIntegrator", "method=\"trapezoidal\"", "y", [](double period, double) {
    return [x = 0.0, period](double u) mutable {
      const double y = x + period / 2 * u;
      x = y + period / 2 * u;
      return y;
    };
  });
  expect_recursion("discrete/DiscreteIntegrator", "lower=\"-4 ms\" upper=\"2 ms\"", "y", [](double period, double) {
    return [x = 0.0, period](double u) mutable { return std::exchange(x, std::clamp(x + period * u, -0.004, 0.002)); };
  });
}

TEST(Discrete, TheTrapezoidalIntegralOfARampIsExact) {
  const Trial trial = sound_trial(
      fed("discrete/DiscreteIntegrator", "method=\"trapezoidal\"", "type=\"sources/Ramp\" slope=\"2 m/s\""));
  for (std::size_t k = 0; k < trial["b.y"].ticks(); ++k)
    EXPECT_NEAR(trial["b.y"].at(k), std::pow(T * static_cast<double>(k), 2), 1e-15);
}

/// The controller of the block's documentation, by hand, for one element.
struct HandPid {
  double kp, ki, kd, tau, lower, upper, tracking;
  int windup;
  bool of_measured;
  double period;
  double integral = 0, slope = 0, previous = 0;

  double tracked(double r, double y) const { return of_measured ? -y : r - y; }
  double step(double r, double y) {
    const double e = r - y, d = (tau * slope + kd * (tracked(r, y) - previous)) / (tau + period);
    const double sum = kp * e + integral + d, u = std::min(std::max(sum, lower), upper);
    const double add = ki * period * e;
    if (windup == 1)
      integral += add - (sum - u) * period / tracking;
    else if (windup == 2 || (sum - u) * add <= 0)
      integral += add;
    slope = d, previous = tracked(r, y);
    return u;
  }
};

TEST(Discrete, PidFollowsTheLoopWrittenByHand) {
  const char* const windups[] = {"clamp", "back_calculation", "none"};
  for (const char* deviation : {"1", "1 2 3", "1 2 3 4 5 6", "1 2; 3 4"})
    for (int windup = 0; windup < 3; ++windup)
      for (const bool of_measured : {false, true}) {
        const std::string noise = std::string(" type=\"sources/Noise\" deviation=\"") + deviation + "\"/>";
        const Trial trial = sound_trial("<block name=\"r\"" + noise + "<block name=\"y\"" + noise +
                                        "<block name=\"c\" type=\"discrete/Pid\" kp=\"2\" ki=\"300 1/s\" kd=\"4 ms\" "
                                        "filter_time=\"3 ms\" lower=\"-2\" upper=\"3\" "
                                        "tracking_time=\"20 ms\" anti_windup=\"" +
                                        windups[windup] + "\" derivative_of=\"" + (of_measured ? "measured" : "error") +
                                        "\"/>" + wire("r.y", "c.setpoint") + wire("y.y", "c.measured"));
        const Trace &r = trial["r.y"], &y = trial["y.y"], &u = trial["c.command"];
        for (std::size_t i = 0; i < r.width; ++i) {
          HandPid hand{2, 300, 0.004, 3e-3, -2, 3, 20e-3, windup, of_measured, T};
          hand.previous = hand.tracked(r.at(0, i), y.at(0, i));
          for (std::size_t k = 0; k < r.ticks(); ++k)
            ASSERT_NEAR(u.at(k, i), hand.step(r.at(k, i), y.at(k, i)), 1e-12) << k;
        }
      }
}

TEST(Discrete, AClampedIntegralLeavesItsLimitAtOnce) {
  const auto loop = [](const std::string& windup) {
    return sound_trial(
        "<block name=\"r\" type=\"sources/Pulse\" high=\"10\" low=\"-1\" width=\"50 ms\"/>"
        "<block name=\"c\" type=\"discrete/Pid\" kp=\"1\" ki=\"100 1/s\" lower=\"-1\" upper=\"1\" anti_windup=\"" +
        windup + "\"/>" + wire("r.y", "c.setpoint"));
  };
  EXPECT_LT(loop("clamp")["c.command"].at(51), 0);
  EXPECT_EQ(loop("none")["c.command"].at(51), 1);
}

TEST(Discrete, StateSpaceFollowsItsMatrices) {
  const Trial trial =
      sound_trial(fed("discrete/DiscreteStateSpace",
                      "A=\"0.9 0.1; -0.2 0.8\" B=\"1 0 0; 0 2 1\" C=\"1 0; 0 1; 1 1; 2 -1\" initial=\"1 -1\""));
  const Trial direct = sound_trial(fed("discrete/DiscreteStateSpace", "A=\"0.5\" B=\"1\" C=\"2\" D=\"3\"",
                                       "type=\"sources/Noise\" deviation=\"1\""));
  double x0 = 1, x1 = -1, z = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    ASSERT_NEAR(trial["b.y"].at(k, 3), 2 * x0 - x1, 1e-12);
    ASSERT_NEAR(trial["b.y"].at(k, 2), x0 + x1, 1e-12);
    const auto u = trial["u.y"].row(k);
    const double next = 0.9 * x0 + 0.1 * x1 + u[0];
    x1 = -0.2 * x0 + 0.8 * x1 + 2 * u[1] + u[2];
    x0 = next;
    ASSERT_NEAR(direct["b.y"].at(k), 2 * z + 3 * direct["u.y"].at(k), 1e-12);
    z = 0.5 * z + direct["u.y"].at(k);
  }
  EXPECT_THAT(run_trial(fed("discrete/DiscreteStateSpace", "A=\"0.5\" B=\"1 1 1\" C=\"2\" D=\"3\"")).errors,
              HasSubstr("a column for each of 3 inputs"));
}

TEST(Discrete, BooleansAreDelayedLatchedCountedAndTheirEdgesFound) {
  const Trial trial =
      sound_trial("<block name=\"p\" type=\"sources/Pulse\" high=\"1\" repeat=\"10 ms\" width=\"3 ms\" first=\"2 "
                  "ms\"/><block name=\"u\" type=\"math/RealToBool\"/>" +
                  wire("p.y", "u.u") + "<block name=\"d\" type=\"discrete/BooleanDelay\" initial=\"true\"/>" +
                  wire("u.y", "d.u") + "<block name=\"r\" type=\"discrete/Edge\"/>" + wire("u.y", "r.u") +
                  "<block name=\"f\" type=\"discrete/Edge\" direction=\"falling\"/>" + wire("u.y", "f.u") +
                  "<block name=\"e\" type=\"discrete/Edge\" direction=\"both\"/>" + wire("u.y", "e.u") +
                  "<block name=\"n\" type=\"discrete/Counter\"/>" + wire("r.y", "n.u") +
                  "<block name=\"l\" type=\"discrete/Latch\"/>" + wire("u.y", "l.set") + wire("f.y", "l.clear"));
  for (std::size_t k = 0; k < 40; ++k) {
    const bool up = k % 10 >= 2 && k % 10 < 5;
    ASSERT_EQ(trial["u.y"].at(k), up);
    EXPECT_EQ(trial["d.y"].at(k), k == 0 ? 1 : trial["u.y"].at(k - 1));
    EXPECT_EQ(trial["r.y"].at(k), k % 10 == 2);
    EXPECT_EQ(trial["f.y"].at(k), k % 10 == 5);
    EXPECT_EQ(trial["e.y"].at(k), k % 10 == 2 || k % 10 == 5);
    EXPECT_EQ(trial["n.count"].at(k), static_cast<double>((k + 8) / 10));
    EXPECT_EQ(trial["l.on"].at(k), up);
  }
}

TEST(Discrete, ARateMayBeNoughtAndEachElementsOwnButNothingElse) {
  const auto limiter = [](const std::string& rates) {
    return fed("discrete/RateLimiter", rates, "type=\"sources/Sine\" amplitude=\"1 2 3\" frequency=\"20 Hz\"");
  };
  const Trial held = sound_trial(limiter("rising=\"0 1/s\" falling=\"0 1/s\""));
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(held["b.y"].row(k), held["u.y"].row(0)) << k;
  const Trial slow = sound_trial(limiter("rising=\"0.5 0.25 0.125 1/s\" falling=\"0.5 1/s\""));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(slow["b.y"].at(10, i), 5e-3 / (1 << i), 1e-15) << i;
  EXPECT_THAT(run_trial(limiter("rising=\"-1e-9 1/s\" falling=\"1 1/s\"")).errors, HasSubstr("'rising'"));
  EXPECT_THAT(run_trial(limiter("rising=\"1 1/s\" falling=\"-1e-9 1/s\"")).errors, HasSubstr("'falling'"));
  EXPECT_THAT(run_trial(limiter("rising=\"1 2 1/s\" falling=\"1 1/s\"")).errors,
              HasSubstr("rising: has 2 values for a signal of 3"));
  EXPECT_THAT(run_trial(limiter("rising=\"1 1/s\" falling=\"1 2 1/s\"")).errors,
              HasSubstr("falling: has 2 values for a signal of 3"));
}

TEST(Discrete, AResetStartsEveryBlockAnew) {
  const std::string reset = " reset=\"again.y\"";
  const std::string trigger = "<block name=\"at\" type=\"sources/Pulse\" high=\"1\" width=\"1 ms\" first=\"50 "
                              "ms\"/><block name=\"again\" type=\"math/RealToBool\"/>" +
                              wire("at.y", "again.u");
  const std::string source = "type=\"sources/Sine\" amplitude=\"1 2 3\" frequency=\"20 Hz\" phase=\"90 deg\"";
  for (const std::string block :
       {"discrete/UnitDelay\" initial=\"3", "discrete/Delay\" delay=\"5 ms\" initial=\"2",
        "discrete/RateLimiter\" rising=\"9 1/s\" falling=\"9 1/s", "discrete/DiscreteIntegrator\" initial=\"1 s",
        "discrete/Derivative\" time_constant=\"8 ms", "discrete/LowPass\" cutoff=\"9 Hz",
        "discrete/Butterworth\" cutoff=\"9 Hz", "discrete/MovingAverage\" window=\"6",
        "discrete/PolynomialExtrapolation\" lead=\"5 ms", "discrete/InverseLag\" time_constant=\"8 ms",
        "discrete/TrackingDifferentiator\" acceleration=\"900 1/s2",
        "discrete/DiscreteTransferFunction\" numerator=\"1 1\" denominator=\"1 -0.5"}) {
    const std::size_t quote = block.find('"');
    const std::string attributes = block.substr(quote + 2) + "\"" + reset;
    const Trial trial = sound_trial(trigger + fed(block.substr(0, quote), attributes, source));
    // One period of the sine has passed, so that the reset block sees its first inputs again.
    for (std::size_t k = 0; k < 50; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        ASSERT_NEAR(trial["b.y"].at(k + 50, i), trial["b.y"].at(k, i), 1e-11) << block << " tick " << k;
  }
}

} // namespace
} // namespace hilda::test
