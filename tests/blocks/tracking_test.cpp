// SPDX-License-Identifier: BSD-3-Clause
// Blocks of the later contact methods that any loop can use: tracking differentiator, predictive tracking, disturbance
// observer.
#include "tests/blocks/recursion.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

namespace hilda::test {
namespace {

using testing::HasSubstr;

/// Han's fst, as his papers before 2009 write it: the switching curve with its two branches and the saturation.
double fst(double x1, double x2, double r, double h) {
  const double d = r * h, d0 = h * d, y = x1 + h * x2;
  const double a =
      std::abs(y) > d0 ? x2 + (y > 0 ? 0.5 : -0.5) * (std::sqrt(d * d + 8 * r * std::abs(y)) - d) : x2 + y / h;
  return std::abs(a) > d ? (a > 0 ? -r : r) : -r * a / d;
}

/// From what the block itself gave a sample ago: the law amplifies rounding.
TEST(TrackingDifferentiator, IsTheRecursionOfHansEarlierPapers) {
  for (const double r : {50.0, 2e4})
    for (const double filter : {0.0, 0.012})
      for (const std::size_t divider : {1U, 5U}) {
        const std::string time = "sample_time=\"" + std::to_string(divider) + " ms\" ";
        const Trial trial = sound_trial(
            fed("discrete/TrackingDifferentiator",
                time + "acceleration=\"" + std::to_string(r) + " 1/s2\" filter=\"" + std::to_string(filter) + " s\"",
                time + "type=\"sources/Noise\" deviation=\"1 2; 3 4\""),
            {.duration = 0.4});
        const Trace &u = trial["u.y"], &y = trial["b.y"], &rate = trial["b.rate"];
        const double period = T * static_cast<double>(divider);
        for (std::size_t k = 0; k < u.ticks(); k += divider)
          for (std::size_t i = 0; i < 4; ++i) {
            const double x = k == 0 ? u.at(0, i) : y.at(k - divider, i), v = k == 0 ? 0 : rate.at(k - divider, i);
            const double a = fst(x - u.at(k, i), v, r, std::max(filter, period));
            ASSERT_NEAR(y.at(k, i), x + period * v, 1e-12 * std::max(1.0, std::abs(x))) << r << " tick " << k;
            ASSERT_NEAR(rate.at(k, i), v + period * a, 1e-11 * std::max(1.0, r * period)) << r << " tick " << k;
          }
      }
}

/// The time-optimal control of a double integrator goes a way s in 2 sqrt(s / a), and rests there.
TEST(TrackingDifferentiator, FollowsAStepInTheShortestTime) {
  for (const double size : {-3.0, 0.5}) {
    const Trial trial =
        sound_trial(fed("discrete/TrackingDifferentiator", "starts_at=\"zero\" acceleration=\"100 1/s2\"",
                        "type=\"sources/Step\" time=\"0 s\" after=\"" + std::to_string(size) + "\""),
                    {.duration = 0.6});
    const Trace& y = trial["b.y"];
    const double arrival = 2 * std::sqrt(std::abs(size) / 100);
    const auto tick = [&](double t) { return static_cast<std::size_t>(std::lround(t / T)); };
    EXPECT_NEAR(y.at(tick(arrival / 2)), size / 2, 0.02 * std::abs(size));
    EXPECT_LT(y.at(tick(0.9 * arrival)) / size, 0.99);
    EXPECT_NEAR(y.at(tick(arrival + 0.02)), size, 2e-3 * std::abs(size));
    for (std::size_t k = 0; k < y.ticks(); ++k) EXPECT_LE(y.at(k) / size, 1.0 + 1e-4) << "it overshoots at " << k;
  }
}

/// Of a slow sine the rate is its derivative, and noise comes through it less than through the difference quotient.
TEST(TrackingDifferentiator, GivesTheDerivativeWithLessNoise) {
  const double w = 2 * std::numbers::pi * 2;
  for (const double filter : {0.0, 0.01}) {
    const Trial trial = sound_trial(fed("discrete/TrackingDifferentiator",
                                        "acceleration=\"1e4 1/s2\" filter=\"" + std::to_string(filter) + " s\"",
                                        "type=\"sources/Sine\" amplitude=\"1\" frequency=\"2 Hz\""),
                                    {.duration = 1});
    double worst = 0;
    for (std::size_t k = 300; k < 1000; ++k)
      worst = std::max(worst, std::abs(trial["b.rate"].at(k) - w * std::cos(w * T * static_cast<double>(k))));
    EXPECT_LT(worst, (2.5 * filter + 0.003) * w * w) << filter;
  }
  const Trial noisy = sound_trial(fed("discrete/TrackingDifferentiator", "acceleration=\"100 1/s2\" filter=\"20 ms\"",
                                      "type=\"sources/Noise\" deviation=\"0.01\""),
                                  {.duration = 1});
  double rate = 0, quotient = 0;
  for (std::size_t k = 100; k < 1000; ++k) {
    rate += std::pow(noisy["b.rate"].at(k), 2);
    quotient += std::pow((noisy["u.y"].at(k) - noisy["u.y"].at(k - 1)) / T, 2);
  }
  EXPECT_LT(rate, 0.01 * quotient);
}

/// Written again: first-order filter of the innovation, whose expected part is cut to the dead zone where nothing is
/// measured.
TEST(DisturbanceObserver, IsTheFilteredDistanceFromTheModelOutsideOfTheDeadZone) {
  for (const double zone : {0.0, 1.5})
    for (const double hertz : {0.0, 20.0}) {
      const Trial trial = sound_trial(
          "<block name=\"u\" type=\"sources/Noise\" deviation=\"1 0.5\"/><block name=\"m\" type=\"sources/Noise\" "
          "deviation=\"2 1\" seed=\"8\"/><block name=\"some\" type=\"sources/Pulse\" high=\"1 1\" width=\"20 ms\" "
          "repeat=\"40 ms\"/><block name=\"seen\" type=\"math/Product\"/><block name=\"b\" "
          "type=\"estimation/DisturbanceObserver\" dead_zone=\"" +
              std::to_string(zone) + "\" bandwidth=\"" + std::to_string(hertz) + " Hz\"/>" + wire("m.y", "seen.a") +
              wire("some.y", "seen.b") + wire("seen.y", "b.measured") + wire("u.y", "b.expected"),
          {.duration = 0.3});
      const double keep = hertz > 0 ? std::exp(-2 * std::numbers::pi * hertz * T) : 0;
      double held[2] = {0, 0};
      bool cut = false;
      for (std::size_t k = 0; k < trial["u.y"].ticks(); ++k) {
        const double e[2] = {trial["u.y"].at(k, 0), trial["u.y"].at(k, 1)}, size = std::hypot(e[0], e[1]);
        const bool nothing = trial["seen.y"].at(k, 0) == 0 && trial["seen.y"].at(k, 1) == 0;
        for (std::size_t i = 0; i < 2; ++i) {
          double innovation = trial["seen.y"].at(k, i) - e[i];
          if (zone > 0 && nothing) innovation = size <= zone ? 0 : -(e[i] - zone * e[i] / size), cut = true;
          held[i] = keep * held[i] + (1 - keep) * innovation;
          ASSERT_NEAR(trial["b.disturbance"].at(k, i), held[i], 1e-12) << zone << " " << hertz << " tick " << k;
        }
      }
      EXPECT_EQ(cut, zone > 0);
    }
}

/// A Smith predictor of a static model: what comes late, and of it what the model does not have, is what it would be.
TEST(DisturbanceObserver, WithItsModelIsASmithPredictor) {
  const Trial trial = sound_trial(
      "<block name=\"u\" type=\"sources/Sine\" amplitude=\"1\" frequency=\"3 Hz\"/><block name=\"plant\" "
      "type=\"math/Gain\" gain=\"5\"/><block name=\"late\" type=\"discrete/Delay\" delay=\"20 ms\"/><block "
      "name=\"model\" type=\"math/Gain\" gain=\"4\"/><block name=\"late_model\" type=\"discrete/Delay\" delay=\"20 "
      "ms\"/><block name=\"b\" type=\"estimation/DisturbanceObserver\"/><block name=\"y\" type=\"math/Sum\"/>" +
          wire("u.y", "plant.u") + wire("plant.y", "late.u") + wire("late.y", "b.measured") + wire("u.y", "model.u") +
          wire("model.y", "late_model.u") + wire("late_model.y", "b.expected") + wire("model.y", "y.u[0]") +
          wire("b.disturbance", "y.u[1]"),
      {.duration = 0.3});
  const double w = 2 * std::numbers::pi * 3;
  for (std::size_t k = 20; k < trial["y.y"].ticks(); ++k) {
    const double t = T * static_cast<double>(k);
    ASSERT_NEAR(trial["y.y"].at(k), 4 * std::sin(w * t) + std::sin(w * (t - 0.02)), 1e-9) << k;
  }
}

struct Device {
  double dead_time, hertz, ratio; ///< s, Hz of the second order (0: none), its damping ratio
};

/// The device sample by sample, integrated in steps of a hundredth: what it does from a state under commands.
struct Simulated {
  Device device;
  double period;
  double value = 0, rate = 0;

  double step(double command) {
    if (device.hertz == 0) return value = command;
    const double w = 2 * std::numbers::pi * device.hertz, h = period / 100;
    const auto f = [&](double x, double v) { return w * w * (command - x) - 2 * device.ratio * w * v; };
    for (int i = 0; i < 100; ++i) { // Runge-Kutta of order 4
      const double k1 = rate, l1 = f(value, rate), k2 = rate + h / 2 * l1, l2 = f(value + h / 2 * k1, k2);
      const double k3 = rate + h / 2 * l2, l3 = f(value + h / 2 * k2, k3), k4 = rate + h * l3,
                   l4 = f(value + h * k3, k4);
      value += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    return value;
  }
};

/// The value at `ahead` of the polynomial through (0, -1, ..., -n; values): solved with its Vandermonde matrix.
double continued(const std::vector<double>& values, double ahead) {
  const auto n = static_cast<Eigen::Index>(values.size());
  Eigen::MatrixXd rows(n, n);
  Eigen::VectorXd right(n);
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    right[i] = values[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j) rows(i, j) = std::pow(-static_cast<double>(i), static_cast<double>(j));
  }
  const Eigen::VectorXd c = rows.colPivHouseholderQr().solve(right);
  for (Eigen::Index j = 0; j < n; ++j) sum += c[j] * std::pow(ahead, static_cast<double>(j));
  return sum;
}

std::string tracking(const Device& device, const std::string& more) {
  return "dead_time=\"" + std::to_string(device.dead_time) + " s\" natural_frequency=\"" +
         std::to_string(device.hertz) + " Hz\" damping_ratio=\"" + std::to_string(device.ratio) + "\" " + more;
}

/// The block's commands against the least squares problem of each sample, written out with all its commands and solved
/// by QR: the model is simulated for each unit command, and the polynomial comes from its Vandermonde matrix.
TEST(PredictiveTracking, SendsTheFirstOfTheBestCommandsOfTheHorizon) {
  constexpr std::size_t horizon = 6, order = 2;
  constexpr double weight = 0.7;
  for (const Device device : {Device{0.004, 0, 0.7}, Device{0.004, 20, 0.6}, Device{0, 15, 1.0}}) {
    const Trial trial =
        sound_trial(fed("discrete/PredictiveTracking",
                        tracking(device, "horizon=\"6\" weight=\"0.7\" order=\"2\" spacing=\"3 ms\" walk=\"0\""),
                        "type=\"sources/Sine\" amplitude=\"1\" frequency=\"4 Hz\" phase=\"50 deg\"") +
                        wire("u.y", "b.measured"),
                    {.duration = 0.06});
    const Trace &u = trial["u.y"], &y = trial["b.y"];
    const auto late = static_cast<std::size_t>(std::lround(device.dead_time / T));
    const std::size_t first = late + (device.hertz > 0 ? 1 : 0);
    Simulated model{device, T, u.at(0), 0}; // as far as the commands sent until now take it
    std::vector<double> sent{u.at(0), u.at(0)};
    for (std::size_t k = 0; k < u.ticks(); ++k) {
      Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(2 * horizon, horizon);
      Eigen::VectorXd right(2 * horizon);
      Simulated alone = model;
      for (std::size_t j = 0; j < horizon; ++j) {
        std::vector<double> points;
        for (std::size_t i = 0; i <= order && 3 * i <= k; ++i) points.push_back(u.at(k - 3 * i));
        const double free = device.hertz > 0 ? alone.step(0) : 0;
        right[static_cast<Eigen::Index>(j)] = continued(points, static_cast<double>(first + j) / 3.0) - free;
        right[static_cast<Eigen::Index>(horizon + j)] = 0;
      }
      for (std::size_t i = 0; i < horizon; ++i) {
        Simulated impulse{device, T, 0, 0};
        for (std::size_t j = 0; j < horizon; ++j)
          rows(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = impulse.step(j == i ? 1 : 0);
        const auto at = static_cast<Eigen::Index>(horizon + i), column = static_cast<Eigen::Index>(i);
        const double r = std::sqrt(weight);
        rows(at, column) = r;
        if (i + 1 < horizon) rows(at + 1, column) = -2 * r;
        if (i + 2 < horizon) rows(at + 2, column) = r;
      }
      const double one = sent.back(), two = sent[sent.size() - 2];
      right[horizon] = std::sqrt(weight) * (2 * one - two);
      right[horizon + 1] = -std::sqrt(weight) * one;
      const double wanted = rows.colPivHouseholderQr().solve(right)[0];
      ASSERT_NEAR(y.at(k), wanted, 1e-7) << device.dead_time << " s, " << device.hertz << " Hz, tick " << k;
      sent.push_back(wanted);
      model.step(wanted);
    }
  }
}

/// Without a weight and a second order nothing is left but the polynomial, a dead time ahead.
TEST(PredictiveTracking, WithoutWeightIsPolynomialExtrapolation) {
  const Trial trial =
      sound_trial("<block name=\"u\" type=\"sources/Sine\" amplitude=\"1 2\" frequency=\"3 Hz\"/><block name=\"b\" "
                  "type=\"discrete/PredictiveTracking\" dead_time=\"8 ms\" weight=\"0\" walk=\"0\"/><block name=\"p\" "
                  "type=\"discrete/PolynomialExtrapolation\" lead=\"8 ms\"/>" +
                      wire("u.y", "b.u") + wire("u.y", "b.measured") + wire("u.y", "p.u"),
                  {.duration = 0.2});
  for (std::size_t k = 0; k < trial["b.y"].ticks(); ++k)
    for (std::size_t i = 0; i < 2; ++i) ASSERT_NEAR(trial["b.y"].at(k, i), trial["p.y"].at(k, i), 1e-12) << k;
}

/// A device with an offset that the model lacks: the disturbance goes to it as the steady Kalman filter of one state
/// says, whose gain is the fixed point of its Riccati recursion.
TEST(PredictiveTracking, EstimatesWhatTheModelLacksByASteadyKalmanFilter) {
  constexpr double walk = 0.01, offset = 0.3;
  const Trial trial = sound_trial(
      "<block name=\"u\" type=\"sources/Constant\" value=\"1\"/><block name=\"more\" type=\"math/Bias\" bias=\"0.3\"/>"
      "<block name=\"b\" type=\"discrete/PredictiveTracking\" dead_time=\"5 ms\" walk=\"0.01\"/><block name=\"d\" "
      "type=\"discrete/Delay\" delay=\"5 ms\" initial=\"1\"/>" +
          wire("u.y", "b.u") + wire("b.y", "d.u") + wire("d.y", "more.u") + wire("more.y", "b.measured"),
      {.duration = 0.3});
  double variance = 1;
  for (int i = 0; i < 10000; ++i) variance = (variance + walk) / (variance + walk + 1);
  double estimate = 0;
  for (std::size_t k = 0; k < trial["b.y"].ticks(); ++k) {
    ASSERT_NEAR(trial["b.disturbance"].at(k), estimate, 1e-10) << k;
    if (k > 5) estimate += variance * (offset - estimate); // the gain is the variance over that of the noise, 1
  }
  EXPECT_NEAR(trial["more.y"].at(trial["b.y"].ticks() - 1), 1, 1e-6) << "and the device is where it should be";
}

/// At every sample time a slow motion arrives in time, with a second order, too.
TEST(PredictiveTracking, MakesALateDeviceFollow) {
  for (const char* period : {"0.5 ms", "1 ms", "2 ms"})
    for (const double hertz : {0.0, 15.0}) {
      const std::string device = "dead_time=\"20 ms\" natural_frequency=\"" + std::to_string(hertz) + " Hz\" ";
      const double w = 2 * std::numbers::pi * hertz, T2 = w > 0 ? 1 / (w * w) : 0, T1 = w > 0 ? 1.4 / w : 0;
      const Trial trial = sound_trial(
          "<block name=\"u\" type=\"sources/Sine\" amplitude=\"1\" frequency=\"1 Hz\"/><block name=\"b\" "
          "type=\"discrete/PredictiveTracking\" weight=\"0.1\" " +
              device + "/><block name=\"d\" type=\"discrete/Delay\" delay=\"20 ms\"/>" + wire("u.y", "b.u") +
              wire("b.y", "d.u") +
              (hertz > 0 ? "<block name=\"s\" type=\"continuous/TransferFunction\" numerator=\"1\" denominator=\"" +
                               std::to_string(T2 * 1e6) + "e-6 " + std::to_string(T1) + " 1\"/>" + wire("d.y", "s.u") +
                               wire("s.y", "b.measured")
                         : wire("d.y", "b.measured")),
          {.duration = 1, .period = period});
      const Trace& is = trial[hertz > 0 ? "s.y" : "d.y"];
      double worst = 0;
      for (std::size_t k = is.ticks() / 2; k < is.ticks(); ++k)
        worst = std::max(worst, std::abs(is.at(k) - trial["u.y"].at(k)));
      EXPECT_LT(worst, 5e-3) << period << " " << hertz; // uncompensated: 0.12 and 0.2
    }
}

TEST(PredictiveTracking, SaysWhatIsWrongWithItsParameters) {
  const auto errors = [](const std::string& more) {
    return run_trial(fed("discrete/PredictiveTracking", more) + wire("u.y", "b.measured")).errors;
  };
  EXPECT_THAT(errors("dead_time=\"1e5 s\""), HasSubstr("dead_time: needs more than 10 million samples"));
  EXPECT_THAT(errors("dead_time=\"1 ms\" spacing=\"1e5 s\""), HasSubstr("spacing: needs more than 10 million samples"));
  EXPECT_THAT(errors("dead_time=\"1 ms\" horizon=\"1\""), HasSubstr("horizon"));
}

} // namespace
} // namespace hilda::test
