// SPDX-License-Identifier: BSD-3-Clause
// What brings a signal forward in time: extrapolation, the inverse of a lag, the adaptive time series.
#include "tests/blocks/recursion.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace hilda::test {
namespace {

using testing::HasSubstr;

/// The value at `ahead` of the polynomial through (0, -1, ..., -n; values), by Neville's scheme.
double through(std::vector<double> values, double ahead) {
  for (std::size_t n = 1; n < values.size(); ++n)
    for (std::size_t i = 0; i + n < values.size(); ++i) {
      const double newer = ahead + static_cast<double>(i), older = newer + static_cast<double>(n);
      values[i] = (older * values[i] - newer * values[i + 1]) / static_cast<double>(n);
    }
  return values[0];
}

/// Extrapolation by hand, at samples of `period`.
Recursion extrapolated(std::size_t order, double lead, double spacing, double period) {
  const auto step = static_cast<std::size_t>(std::max(1.0, std::round(spacing / period)));
  return [=, past = std::vector<double>()](double u) mutable {
    past.push_back(u);
    std::vector<double> points;
    for (std::size_t i = 0; i <= order && i * step < past.size(); ++i)
      points.push_back(past[past.size() - 1 - i * step]);
    return through(points, lead / (static_cast<double>(step) * period));
  };
}

TEST(PolynomialExtrapolation, IsThePolynomialThroughThePastAtEveryOrder) {
  for (const std::size_t order : {0U, 1U, 3U, 6U})
    for (const double lead : {0.01, 0.015})
      expect_recursion("discrete/PolynomialExtrapolation",
                       "order=\"" + std::to_string(order) + "\" lead=\"" + std::to_string(lead) + " s\"", "y",
                       [=](double period, double) { return extrapolated(order, lead, lead, period); });
}

/// A lead of less than half a sample time has points that are one apart.
TEST(PolynomialExtrapolation, OfAShortLeadIsThatOfNeighbours) {
  for (const double lead : {0.0001, 0.0004})
    expect_recursion("discrete/PolynomialExtrapolation", "order=\"2\" lead=\"" + std::to_string(lead) + " s\"", "y",
                     [=](double period, double) { return extrapolated(2, lead, lead, period); });
}

TEST(PolynomialExtrapolation, HasASpacingOfItsOwn) {
  for (const double lead : {0.004, 0.0123})
    expect_recursion("discrete/PolynomialExtrapolation",
                     "order=\"2\" spacing=\"5 ms\" lead=\"" + std::to_string(lead) + " s\"", "y",
                     [=](double period, double) { return extrapolated(2, lead, 0.005, period); });
}

/// Horiuchi's weights of order 3 are 4, -6, 4, -1: an impulse shows them.
TEST(PolynomialExtrapolation, OfOrderThreeHasThePublishedWeights) {
  const Trial trial = sound_trial(fed("discrete/PolynomialExtrapolation", "lead=\"10 ms\"",
                                      "type=\"sources/Pulse\" high=\"1\" first=\"50 ms\" width=\"1 ms\""));
  const Trace& y = trial["b.y"];
  const std::pair<std::size_t, double> weights[] = {{50, 4}, {60, -6}, {70, 4}, {80, -1}, {55, 0}, {90, 0}};
  for (const auto& [tick, weight] : weights) EXPECT_NEAR(y.at(tick), weight, 1e-12) << tick;
}

/// After a dead time of the lead a polynomial of its order is what it was, at every sample time.
TEST(PolynomialExtrapolation, ACubicComesThroughADelayInTime) {
  for (const char* period : {"0.25 ms", "1 ms", "5 ms"}) {
    const Trial trial =
        sound_trial("<block name=\"t\" type=\"sources/Clock\"/><block name=\"u\" type=\"math/Function\" "
                    "expression=\"2*u^3 - u^2 + 3*u\"/>"
                    "<block name=\"b\" type=\"discrete/PolynomialExtrapolation\" lead=\"20 ms\"/>"
                    "<block name=\"d\" type=\"discrete/Delay\" delay=\"20 ms\"/><block name=\"bare\" "
                    "type=\"math/Gain\" gain=\"1 1/s\"/>" +
                        wire("t.time", "bare.u") + wire("bare.y", "u.u") + wire("u.y", "b.u") + wire("b.y", "d.u"),
                    {.duration = 0.3, .period = period});
    const Trace &u = trial["u.y"], &y = trial["d.y"];
    const std::size_t from = u.ticks() / 3; // 60 ms for the points, 20 ms for the delay
    for (std::size_t k = from; k < u.ticks(); ++k) ASSERT_NEAR(y.at(k), u.at(k), 1e-12) << period << " tick " << k;
  }
}

/// |y/u - exp(jw lead)| of a sine is |1 - exp(-jw lead)|^(order + 1): the remainder of the binomial series.
TEST(PolynomialExtrapolation, OfASineHasTheErrorOfTheBinomialSeries) {
  constexpr double lead = 0.01;
  for (const double hertz : {1.0, 4.0, 10.0})
    for (const int order : {1, 2, 3}) {
      const double w = 2 * std::numbers::pi * hertz;
      const Trial trial =
          sound_trial(fed("discrete/PolynomialExtrapolation", "lead=\"10 ms\" order=\"" + std::to_string(order) + "\"",
                          "type=\"sources/Sine\" amplitude=\"1\" frequency=\"" + std::to_string(hertz) + " Hz\""),
                      {.duration = 1.1});
      double worst = 0;
      for (std::size_t k = 100; k < trial["b.y"].ticks(); ++k)
        worst = std::max(worst, std::abs(trial["b.y"].at(k) - std::sin(w * (1e-3 * static_cast<double>(k) + lead))));
      EXPECT_NEAR(worst, std::pow(2 * std::sin(w * lead / 2), order + 1), 2e-3 * worst + 1e-12)
          << hertz << " Hz, order " << order;
    }
}

TEST(PolynomialExtrapolation, RefusesASpacingThatIsNoWholeNumberOfSamples) {
  const std::string errors =
      run_trial(fed("discrete/PolynomialExtrapolation", "lead=\"10 ms\" spacing=\"2.5 ms\"")).errors;
  EXPECT_THAT(errors, HasSubstr("spacing: is 2.500000 sample times of 1.000000 ms"));
  EXPECT_THAT(errors, HasSubstr("give a whole number of them, or 0 s for the lead rounded to one"));
  EXPECT_THAT(run_trial(fed("discrete/PolynomialExtrapolation", "lead=\"10000 s\"")).errors,
              HasSubstr("10 million samples"));
  EXPECT_THAT(run_trial(fed("discrete/PolynomialExtrapolation", "lead=\"1 ms\" order=\"7\"")).errors,
              HasSubstr("order"));
}

TEST(InverseLag, IsTheInverseRecursion) {
  for (const double tau : {0.0, 0.004, 0.05})
    expect_recursion("discrete/InverseLag", "time_constant=\"" + std::to_string(tau) + " s\" starts_at=\"input\"", "y",
                     [tau](double period, double first) {
                       return [=, before = first](double u) mutable {
                         const double a = 1 + tau / period;
                         return a * u - (a - 1) * std::exchange(before, u);
                       };
                     });
}

/// The actuator of the inverse compensation: x(k) = x(k-1) + (c(k) - x(k-1)) / a, a = 1 + tau / T.
TEST(InverseLag, IsUndoneByTheLagAtEverySampleTime) {
  for (const int divider : {1, 2, 10}) {
    const double T = 1e-3 * divider, a = 1 + 0.03 / T;
    const std::string time = "sample_time=\"" + std::to_string(divider) + " ms\" ";
    const Trial trial = sound_trial(fed("discrete/InverseLag", time + "time_constant=\"30 ms\"",
                                        time + "type=\"sources/Noise\" deviation=\"1 2 3\"") +
                                        "<block name=\"lag\" type=\"discrete/DiscreteTransferFunction\" " + time +
                                        "numerator=\"" + std::to_string(1 / a) + " 0\" denominator=\"1 " +
                                        std::to_string(1 / a - 1) + "\"/>" + wire("b.y", "lag.u"),
                                    {.duration = 0.5});
    const Trace &u = trial["u.y"], &y = trial["lag.y"];
    // The lag begins at rest at 0, and its coefficients are written with six digits.
    for (std::size_t k = 400; k < u.ticks(); k += static_cast<std::size_t>(divider))
      for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(y.at(k, i), u.at(k, i), 2e-3) << divider << " tick " << k;
  }
}

/// A device that is late by `late`, in a loop with the compensator, which begins with `guess`.
Trial learning(const std::string& source, double late, double guess, const std::string& more = "",
               const std::string& period = "1 ms", double duration = 4) {
  return sound_trial(
      "<block name=\"u\" " + source + "/><block name=\"b\" type=\"estimation/AdaptiveTimeSeries\" delay=\"" +
          std::to_string(guess) + " s\" " + more + "/><block name=\"d\" type=\"discrete/Delay\" delay=\"" +
          std::to_string(late) + " s\"/>" + wire("u.y", "b.u") + wire("b.y", "d.u") + wire("d.y", "b.measured"),
      {.duration = duration, .period = period});
}

const std::string chirp = "type=\"sources/Chirp\" amplitude=\"1\" from=\"0.2 Hz\" to=\"3 Hz\" duration=\"4 s\"";

/// Of a sine of frequency w, exp(jw late) = a0 - w^2 a2 + jw a1: the series is cut off, and a1 is sin(w late) / w.
TEST(AdaptiveTimeSeries, LearnsTheDelayOfADevice) {
  const double w = 2 * std::numbers::pi * 2;
  const std::string sine = "type=\"sources/Sine\" amplitude=\"1\" frequency=\"2 Hz\"";
  for (const char* period : {"0.5 ms", "1 ms", "2 ms"})
    for (const double late : {0.01, 0.04}) {
      const Trial trial =
          learning(sine, late, period[0] == '1' ? 1.3 * late : 0.7 * late, "longest=\"0.1 s\"", period, 3);
      const std::size_t end = trial["b.a1"].ticks() - 1;
      EXPECT_NEAR(trial["b.a1"].at(end), std::sin(w * late) / w, 0.01 * late) << period << " " << late;
      EXPECT_NEAR(trial["b.a0"].at(end) - w * w * trial["b.a2"].at(end), std::cos(w * late), 0.02)
          << period << " " << late;
    }
}

TEST(AdaptiveTimeSeries, TracksBetterThanWhatItBeganWith) {
  const auto error = [](const Trial& trial) {
    double worst = 0;
    for (std::size_t k = 3000; k < trial["u.y"].ticks(); ++k)
      worst = std::max(worst, std::abs(trial["d.y"].at(k) - trial["u.y"].at(k)));
    return worst;
  };
  const double learned = error(learning(chirp, 0.02, 0.01, "longest=\"0.1 s\""));
  const double fixed =
      error(learning(chirp, 0.02, 0.01, "longest=\"0.1 s\" a0_rate=\"0 1/s\" a1_rate=\"0\" a2_rate=\"0 s\""));
  EXPECT_LT(learned, 0.1 * fixed);
}

/// One fit by Eigen's QR of the window's rows, from the same samples: no sums, no Cholesky.
TEST(AdaptiveTimeSeries, TheFirstFitIsTheLeastSquaresOne) {
  const std::string loose =
      "window=\"0.5 s\" every=\"5\" longest=\"1 s\" least_a0=\"-100\" most_a0=\"100\" a0_rate=\"1e6 1/s\" "
      "a1_rate=\"1e6\" a2_rate=\"1e6 s\"";
  const Trial trial = learning(chirp, 0.02, 0.013, loose, "1 ms", 0.52);
  const Trace &y = trial["b.y"], &m = trial["d.y"];
  Eigen::MatrixXd rows(100, 3);
  Eigen::VectorXd sent(100);
  for (Eigen::Index k = 0; k < 100; ++k) {
    const auto at = static_cast<std::size_t>(5 * (k + 1)); // the first sample is that of tick 5
    rows.row(k) << m.at(at), (m.at(at) - m.at(at - 1)) / 1e-3, (m.at(at) - 2 * m.at(at - 1) + m.at(at - 2)) / 1e-6;
    sent[k] = y.at(at);
  }
  const Eigen::VectorXd wanted = rows.colPivHouseholderQr().solve(sent);
  EXPECT_EQ(trial["b.a1"].at(500), 0.013);
  EXPECT_NEAR(trial["b.a0"].at(501), wanted[0], 1e-3);
  EXPECT_NEAR(trial["b.a1"].at(501), wanted[1], 1e-2 * wanted[1]);
}

TEST(AdaptiveTimeSeries, KeepsItsLimitsAndItsRates) {
  const Trial bounded = learning(chirp, 0.04, 0.01, "longest=\"15 ms\"");
  const Trace& a1 = bounded["b.a1"];
  double highest = 0, fastest = 0;
  for (std::size_t k = 1; k < a1.ticks(); ++k) {
    highest = std::max(highest, a1.at(k));
    fastest = std::max(fastest, std::abs(a1.at(k) - a1.at(k - 1)));
  }
  EXPECT_EQ(highest, 0.015);
  EXPECT_NEAR(fastest, 0.05 * 16e-3, 1e-12); // its rate over 16 samples
}

/// Of what a device that is late by more than `longest` seems to ask for.
TEST(AdaptiveTimeSeries, KeepsTheLimitsOfEachCoefficient) {
  const auto range = [](const Trial& trial, const std::string& output) {
    const std::vector<double>& all = trial[output].values;
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return std::pair(*least, *most);
  };
  for (const std::string rates : {"", "a0_rate=\"1e3 1/s\" a1_rate=\"1e3\" a2_rate=\"1e3 s\""}) {
    const Trial late = learning(chirp, 0.08, 0.01, "longest=\"15 ms\" least_a0=\"0.95\" most_a0=\"1.02\" " + rates);
    const auto [a0_least, a0_most] = range(late, "b.a0");
    EXPECT_EQ(a0_least, 0.95) << rates; // it is reached
    EXPECT_LE(a0_most, 1.02);
    const auto [a1_least, a1_most] = range(late, "b.a1");
    EXPECT_GE(a1_least, 0);
    EXPECT_EQ(a1_most, 0.015);
    const auto [a2_least, a2_most] = range(late, "b.a2");
    EXPECT_GE(a2_least, 0);
    EXPECT_DOUBLE_EQ(a2_most, 0.015 * 0.015 / 2) << rates;
  }
}

TEST(AdaptiveTimeSeries, EachElementLearnsFromItself) {
  const double w = 2 * std::numbers::pi * 2, late = 0.02;
  const Trial trial =
      learning("type=\"sources/Sine\" amplitude=\"0 1 3\" frequency=\"2 Hz\"", late, 0.013, "longest=\"0.1 s\"");
  const Trace& a1 = trial["b.a1"];
  const std::size_t end = a1.ticks() - 1;
  EXPECT_EQ(a1.at(end, 0), 0.013) << "it stands still";
  for (const std::size_t i : {1, 2}) EXPECT_NEAR(a1.at(end, i), std::sin(w * late) / w, 0.01 * late) << i;
}

TEST(AdaptiveTimeSeries, StartsAgainAtAReset) {
  const Trial trial =
      sound_trial("<block name=\"at\" type=\"sources/Pulse\" high=\"1\" width=\"1 ms\" first=\"1 s\"/>"
                  "<block name=\"again\" type=\"math/RealToBool\"/>" +
                      wire("at.y", "again.u") +
                      "<block name=\"u\" type=\"sources/Sine\" amplitude=\"1 2\" frequency=\"2 Hz\" phase=\"90 deg\"/>"
                      "<block name=\"b\" type=\"estimation/AdaptiveTimeSeries\" delay=\"20 ms\" window=\"0.3 s\" "
                      "reset=\"again.y\"/>"
                      "<block name=\"d\" type=\"discrete/Delay\" delay=\"40 ms\" reset=\"again.y\"/>" +
                      wire("u.y", "b.u") + wire("b.y", "d.u") + wire("d.y", "b.measured"),
                  {.duration = 2});
  const Trace& a1 = trial["b.a1"];
  for (const std::size_t begin : {0, 1000})
    for (std::size_t k = 0; k <= 288; ++k) // until the window of 18 samples is full
      for (const std::size_t i : {0, 1}) ASSERT_EQ(a1.at(begin + k, i), 0.02) << begin << " " << k;
  EXPECT_NE(a1.at(999), 0.02);
  for (const std::size_t i : {0, 1}) EXPECT_NEAR(a1.at(1289, i), a1.at(289, i), 1e-9);
}

TEST(AdaptiveTimeSeries, DoesNotLearnFromLessThanItsThreshold) {
  const Trial trial =
      learning("type=\"sources/Sine\" amplitude=\"0.1\" frequency=\"2 Hz\"", 0.02, 0.01, "threshold=\"0.3\"");
  EXPECT_EQ(trial["b.a1"].at(trial["b.a1"].ticks() - 1), 0.01);
}

TEST(AdaptiveTimeSeries, SaysWhatIsWrongWithItsParameters) {
  const auto errors = [](const std::string& more) {
    return run_trial(fed("estimation/AdaptiveTimeSeries", more) + wire("u.y", "b.measured")).errors;
  };
  EXPECT_THAT(errors("delay=\"10 ms\" least_a0=\"2\""), HasSubstr("least_a0: is above most_a0; exchange the two"));
  EXPECT_THAT(errors("delay=\"10 ms\" longest=\"5 ms\""),
              HasSubstr("longest: is below delay, with which a1 starts; give a longer one"));
  EXPECT_THAT(errors("delay=\"10 ms\" window=\"10 ms\""),
              HasSubstr("window: has room for 0.000000 samples; give 6 to a million"));
}

} // namespace
} // namespace hilda::test
