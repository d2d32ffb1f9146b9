#include "tests/blocks/trial.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>

namespace hilda::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double T = 1e-3;

/// A filter by hand: the next output from the next input.
using Recursion = std::function<double(double)>;

/// Feeds noise of several shapes through a block and compares every element with a recursion, at two sample times.
/// `make` builds one for an element from the sample time and its first input.
void expect_recursion(const std::string& type, const std::string& attributes, const std::string& port,
                      const std::function<Recursion(double period, double first)>& make, bool matrices = true) {
  for (const char* deviation : {"2", "1 2 3", "1 2 3 4 5 6", "1 2; 3 4; 5 6"}) {
    if (!matrices && std::string(deviation).find(';') != std::string::npos) continue;
    for (const int divider : {1, 5}) {
      const std::string time = "sample_time=\"" + std::to_string(divider) + " ms\" ";
      const Trial trial =
          sound_trial(fed(type, time + attributes, time + "type=\"sources/Noise\" deviation=\"" + deviation + "\""),
                      {.duration = 0.4});
      const Trace &u = trial["u.y"], &y = trial["b." + port];
      ASSERT_EQ(u.width, y.width);
      for (std::size_t i = 0; i < u.width; ++i) {
        const Recursion next = make(T * divider, u.at(0, i));
        for (std::size_t k = 0; k < u.ticks(); k += static_cast<std::size_t>(divider)) {
          const double wanted = next(u.at(k, i));
          ASSERT_NEAR(y.at(k, i), wanted, 1e-12 * std::max(1.0, std::abs(wanted)))
              << type << " tick " << k << " element " << i;
        }
      }
    }
  }
}

std::string wire(const std::string& from, const std::string& to) {
  return "<connect from=\"" + from + "\" to=\"" + to + "\"/>\n";
}

TEST(Discrete, UnitDelayGivesTheInputOfTheLastSample) {
  expect_recursion("discrete/UnitDelay", "initial=\"7\"", "y",
                   [](double, double) { return [held = 7.0](double u) mutable { return std::exchange(held, u); }; });
}

TEST(Discrete, DelayIsALineOfSamples) {
  for (const int samples : {0, 1, 2, 17})
    expect_recursion("discrete/Delay", "samples=\"" + std::to_string(samples) + "\" initial=\"-1\"", "y",
                     [samples](double, double) {
                       return [line = std::deque<double>(static_cast<std::size_t>(samples), -1.0)](double u) mutable {
                         line.push_back(u);
                         const double y = line.front();
                         line.pop_front();
                         return y;
                       };
                     });
}

TEST(Discrete, DelayIsGivenAsATimeToo) {
  const Trial trial = sound_trial(fed("discrete/Delay", "delay=\"20 ms\""));
  EXPECT_EQ(trial["b.y"].row(19), std::vector<double>(3, 0.0));
  for (std::size_t k = 20; k < trial["u.y"].ticks(); ++k) EXPECT_EQ(trial["b.y"].row(k), trial["u.y"].row(k - 20));
}

TEST(Discrete, ADelayThatIsNoWholeNumberOfSamplesIsRefusedRoundedOrInterpolated) {
  EXPECT_THAT(run_trial(fed("discrete/Delay", "delay=\"2.25 ms\"")).errors, HasSubstr("fractional"));
  EXPECT_EQ(run_trial(fed("discrete/Delay", "delay=\"2.0000000000001 ms\"")).errors, "");
  const Trial rounded = sound_trial(fed("discrete/Delay", "delay=\"2.25 ms\" fractional=\"round\""));
  EXPECT_EQ(rounded["b.y"].row(10), rounded["u.y"].row(8));
  const Trial between = sound_trial(fed("discrete/Delay", "delay=\"2.25 ms\" fractional=\"interpolate\""));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(between["b.y"].at(10, i), 0.75 * between["u.y"].at(8, i) + 0.25 * between["u.y"].at(7, i), 1e-15);
  const Trial short_one = sound_trial(fed("discrete/Delay", "delay=\"0.25 ms\" fractional=\"interpolate\""));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(short_one["b.y"].at(10, i), 0.75 * short_one["u.y"].at(10, i) + 0.25 * short_one["u.y"].at(9, i),
                1e-15);
  EXPECT_THAT(run_trial(fed("discrete/Delay", "delay=\"2 ms\" samples=\"3\"")).errors, HasSubstr("one of the two"));
}

/// As the rigs do: a delay that rounding would make nothing of is not quietly none, with feedthrough.
TEST(Discrete, ADelayIsNotRoundedToNothing) {
  for (const char* delay : {"0.3 ms", "0.49 ms", "1 us"})
    EXPECT_THAT(run_trial(fed("discrete/Delay", std::string("fractional=\"round\" delay=\"") + delay + "\"")).errors,
                HasSubstr("rounded to nothing"))
        << delay;
  const Trial one = sound_trial(fed("discrete/Delay", "delay=\"0.6 ms\" fractional=\"round\""));
  EXPECT_EQ(one["b.y"].row(10), one["u.y"].row(9));
  const Trial none = sound_trial(fed("discrete/Delay", "delay=\"0 s\" fractional=\"round\""));
  EXPECT_EQ(none["b.y"].row(10), none["u.y"].row(10));
  const Trial nearly = sound_trial(fed("discrete/Delay", "delay=\"1e-16 s\"")); // within 1e-9 of a whole sample
  EXPECT_EQ(nearly["b.y"].row(10), nearly["u.y"].row(10));
}

TEST(Discrete, ADelayBreaksALoopAndOneOfZeroDoesNot) {
  const auto loop = [](const std::string& delay) {
    return run_trial("<block name=\"g\" type=\"math/Sum\" signs=\"-+\"/>" + wire("d.y", "g.u[0]") +
                     "<block name=\"z\" type=\"sources/Constant\" value=\"0 0\"/>" + wire("z.y", "g.u[1]") +
                     "<block name=\"d\" type=\"discrete/Delay\" initial=\"1\" " + delay + "/>" + wire("g.y", "d.u"));
  };
  EXPECT_THAT(loop("delay=\"0 s\"").errors, HasSubstr("d"));
  const Trial broken = loop("delay=\"2 ms\"");
  EXPECT_EQ(broken.errors, "");
  EXPECT_THAT(broken["d.y"].row(2), ElementsAre(-1, -1));
  EXPECT_EQ(loop("delay=\"1.5 ms\" fractional=\"interpolate\"").errors, "");
}

TEST(Discrete, TheLineIsFilledWithWhatIsWiredToFill) {
  const std::string body = fed("discrete/Delay", "delay=\"5 ms\"") + wire("u.y", "b.fill");
  const Trial trial = sound_trial(body);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(trial["b.y"].row(k), trial["u.y"].row(0));
  EXPECT_EQ(trial["b.y"].row(6), trial["u.y"].row(1));
}

TEST(Discrete, ZeroOrderHoldKeepsTheLastSample) {
  const Trial trial = sound_trial(fed("discrete/ZeroOrderHold", "sample_time=\"4 ms\""));
  for (std::size_t k = 0; k < trial["u.y"].ticks(); ++k) EXPECT_EQ(trial["b.y"].row(k), trial["u.y"].row(k / 4 * 4));
}

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

TEST(Discrete, ABooleanIsDelayedFromItsInitialValueOn) {
  for (const bool initial : {true, false}) {
    const Trial trial =
        sound_trial(fed("discrete/BooleanDelay", initial ? "initial=\"true\"" : "",
                        "type=\"sources/BooleanConstant\" value=\"" + std::string(initial ? "false" : "true") + "\""));
    EXPECT_EQ(trial["b.y"].at(0), initial);
    for (std::size_t k = 1; k < 100; ++k) EXPECT_EQ(trial["b.y"].at(k), !initial);
  }
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
