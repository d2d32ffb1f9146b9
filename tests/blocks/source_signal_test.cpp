// SPDX-License-Identifier: BSD-3-Clause
// Sources of waves, bits, noise and motions.
#include "blocks/sources/shift_register.h"
#include "tests/blocks/references_compared.h"

#include <gmock/gmock.h>

#include <complex>
#include <set>

namespace hilda::test {
namespace {

using testing::HasSubstr;

std::string source(const std::string& type, const std::string& attributes) {
  return "<block name=\"s\" type=\"sources/" + type + "\" " + attributes + "/>\n";
}

TEST(Triangle, RisesAndFallsEvenlyForLong) {
  const Trial trial =
      sound_trial(source("Triangle", "amplitude=\"2 4\" bias=\"1\" repeat=\"10 ms\" rise=\"0.2\" first=\"3 ms\""),
                  {.duration = 20});
  for (std::size_t k = 0; k < trial["s.y"].ticks(); ++k) {
    const std::size_t phase = (k + 7) % 10;
    const double wave = phase < 2 ? -1 + static_cast<double>(phase) : 1 - static_cast<double>(phase - 2) / 4;
    ASSERT_NEAR(trial["s.y"].at(k, 1), 1 + 4 * wave, 1e-8) << k;
  }
  const Trial saw = sound_trial(source("Triangle", "amplitude=\"1 m\" repeat=\"8 ms\" rise=\"1\""));
  const Trial fall = sound_trial(source("Triangle", "amplitude=\"1 m\" repeat=\"8 ms\" rise=\"0\""));
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_NEAR(saw["s.y"].at(k), -1 + static_cast<double>(k % 8) / 4, 1e-9);
    EXPECT_NEAR(fall["s.y"].at(k), 1 - static_cast<double>(k % 8) / 4, 1e-9);
  }
}

TEST(Prbs, GoesThroughAllStatesOfItsRegister) {
  for (int order = 2; order <= 22; ++order) {
    const std::uint32_t taps = feedback_taps(order);
    std::uint32_t state = 1, steps = 0;
    do {
      state = shifted(state, order, taps);
      ++steps;
    } while (state != 1 && steps < (1u << 23));
    EXPECT_EQ(steps, (1u << order) - 1) << "order " << order;
  }
  // The longer ones: 2^order - 1 steps lead back, and none of its proper divisors by a prime does (by squaring).
  for (int order = 23; order <= 31; ++order) {
    using Square = std::vector<std::uint32_t>; // columns, as bits
    const auto times = [order](const Square& a, std::uint32_t v) {
      std::uint32_t sum = 0;
      for (int i = 0; i < order; ++i)
        if ((v >> i & 1u) != 0) sum ^= a[static_cast<std::size_t>(i)];
      return sum;
    };
    const auto power = [&](std::uint64_t exponent) {
      Square result, base;
      for (int i = 0; i < order; ++i) {
        result.push_back(1u << i);
        base.push_back(shifted(1u << i, order, feedback_taps(order)));
      }
      for (; exponent > 0; exponent >>= 1) {
        Square next;
        if ((exponent & 1u) != 0) {
          for (const std::uint32_t column : result) next.push_back(times(base, column));
          result = next;
          next.clear();
        }
        for (const std::uint32_t column : base) next.push_back(times(base, column));
        base = next;
      }
      return result;
    };
    const std::uint64_t whole = (std::uint64_t{1} << order) - 1;
    const Square identity = power(0);
    EXPECT_EQ(power(whole), identity) << order;
    std::uint64_t rest = whole;
    for (std::uint64_t prime = 2; prime * prime <= rest; ++prime) {
      if (rest % prime != 0) continue;
      while (rest % prime == 0) rest /= prime;
      EXPECT_NE(power(whole / prime), identity) << order << " by " << prime;
    }
    if (rest > 1 && rest < whole) { EXPECT_NE(power(whole / rest), identity) << order << " by " << rest; }
  }
}

TEST(Prbs, HasTheAutocorrelationOfAMaximalSequence) {
  const std::size_t length = 127;
  const Trial trial =
      sound_trial(source("Prbs", "amplitude=\"2 1\" bias=\"5\" order=\"7\" sample_time=\"3 ms\" seed=\"4\""),
                  {.duration = 3e-3 * 2 * length});
  const auto bit = [&](std::size_t i) { return (trial["s.y"].at(3 * (i % length), 0) - 5) / 2; };
  for (std::size_t k = 0; k < 3 * length; ++k) ASSERT_EQ(trial["s.y"].at(k + 3 * length), trial["s.y"].at(k));
  for (std::size_t lag = 0; lag < length; ++lag) {
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += bit(i) * bit(i + lag);
    EXPECT_EQ(sum, lag == 0 ? 127 : -1) << lag;
  }
  EXPECT_NE(trial["s.y"].row(0)[0] - 5, 2 * (trial["s.y"].row(0)[1] - 5) * 0) << "a bit is never 0";
  EXPECT_THAT(run_trial(source("Prbs", "amplitude=\"1\" order=\"40\"")).errors, HasSubstr("at most 31"));
}

TEST(BandLimitedNoise, HasTheSameAutocorrelationAtEverySampleTime) {
  for (const int divider : {1, 4}) {
    const Trial trial =
        sound_trial(source("BandLimitedNoise", "deviation=\"0.2 3 m\" bandwidth=\"40 rad/s\" sample_time=\"" +
                                                   std::to_string(divider) + " ms\""),
                    {.duration = 100});
    const Trace& y = trial["s.y"];
    EXPECT_EQ(trial.units.at("s.y"), "m");
    for (std::size_t i = 0; i < 2; ++i)
      for (const std::size_t lag : {0u, 8u, 40u}) {
        double sum = 0;
        const std::size_t count = y.ticks() - lag;
        for (std::size_t k = 0; k < count; ++k) sum += y.at(k, i) * y.at(k + lag, i) / static_cast<double>(count);
        // Its standard error is at most sqrt(2 / (bandwidth time)) of the variance.
        const double variance = i == 0 ? 0.04 : 9;
        EXPECT_NEAR(sum / variance, std::exp(-0.04 * static_cast<double>(lag)), 4 * std::sqrt(2 / (40 * 100.0))) << lag;
      }
  }
}

TEST(BandLimitedNoise, IsAnotherForEachElement) {
  const Trial trial =
      sound_trial(source("BandLimitedNoise", "deviation=\"1 1 1\" bandwidth=\"40 rad/s\""), {.duration = 100});
  const Trace& y = trial["s.y"];
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 2}, {0, 2}}) {
    double product = 0;
    for (std::size_t k = 0; k < y.ticks(); ++k) product += y.at(k, i) * y.at(k, j) / static_cast<double>(y.ticks());
    EXPECT_NEAR(product, 0, 4 / std::sqrt(40 * 100.0));
  }
}

TEST(BandLimitedNoise, IsStationaryFromItsFirstTickOn) {
  double sum = 0;
  for (int seed = 0; seed < 400; ++seed) {
    const Trial trial = run_trial(
        source("BandLimitedNoise", "deviation=\"2\" bandwidth=\"1 rad/s\" seed=\"" + std::to_string(seed) + "\""),
        {.duration = 2e-3});
    sum += trial["s.y"].at(0) * trial["s.y"].at(0) / 400;
  }
  EXPECT_NEAR(sum, 4, 4 * 4 * std::sqrt(2.0 / 400));
  EXPECT_THAT(run_trial(source("BandLimitedNoise", "deviation=\"2\" bandwidth=\"0\"")).errors, HasSubstr("above 0"));
}

std::string motion(const std::string& kind, const std::string& more = "") {
  return source("Trajectory",
                "times=\"0 1 2.5 3 4.2 6 s\" points=\"0 2 1.5 3 3 -1; 0 4 3 6 6 -2 m\" kind=\"" + kind + "\" " + more);
}

TEST(Trajectory, OfSplinesIsThatOfSciPy) {
  for (const bool clamped : {true, false}) {
    const Trial trial = sound_trial(motion(clamped ? "spline" : "natural_spline"), {.duration = 6, .period = "10 ms"});
    const auto& wanted = clamped ? reference::clamped_motion : reference::natural_motion;
    for (std::size_t i = 0; i < 40; ++i) {
      const std::size_t k = 15 * i;
      EXPECT_NEAR(trial["s.position"].at(k), wanted[3 * i], 1e-12) << k;
      EXPECT_NEAR(trial["s.velocity"].at(k, 1), 2 * wanted[3 * i + 1], 1e-11) << k;
      EXPECT_NEAR(trial["s.acceleration"].at(k), wanted[3 * i + 2], 1e-10) << k;
    }
    EXPECT_EQ(trial.units.at("s.acceleration"), "m/s2");
  }
}

TEST(Trajectory, ReachesEachPointInItsTimeAndHasTheDerivativesThatItTells) {
  for (const char* kind : {"linear", "minimum_jerk", "trapezoid", "spline", "natural_spline"}) {
    const Trial trial = sound_trial(motion(kind, "blend=\"0.3\""), {.duration = 6.5});
    const Trace &x = trial["s.position"], &v = trial["s.velocity"], &a = trial["s.acceleration"];
    const std::size_t times[] = {0, 1000, 2500, 3000, 4200, 6000};
    const double points[] = {0, 4, 3, 6, 6, -2};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(x.at(times[i], 1), points[i], 1e-12) << kind;
    EXPECT_EQ(trial["s.arrived"].at(5999), 0);
    EXPECT_EQ(trial["s.arrived"].at(6000), 1);
    EXPECT_EQ(v.at(6200), 0);
    EXPECT_EQ(x.at(6400), -1);
    for (std::size_t k = 1; k < 5990; ++k) {
      if (std::any_of(std::begin(times), std::end(times), [&](std::size_t t) { return k + 2 > t && k < t + 2; }))
        continue;
      ASSERT_NEAR((x.at(k + 1) - x.at(k - 1)) / 2e-3, v.at(k), 1e-2) << kind << " " << k;
      if (std::string(kind) != "trapezoid") { // its acceleration jumps
        ASSERT_NEAR((v.at(k + 1) - v.at(k - 1)) / 2e-3, a.at(k), 5e-3) << kind << " " << k;
      }
    }
  }
}

TEST(Trajectory, OfMinimumJerkAndOfATrapezoidHaveTheirClosedForms) {
  const std::string there = "times=\"1 3 s\" points=\"2 6; m\" ";
  const Trial smooth = sound_trial(source("Trajectory", there), {.duration = 4});
  EXPECT_EQ(smooth["s.position"].at(500), 2);
  EXPECT_NEAR(smooth["s.velocity"].at(2000), 1.875 * 4 / 2, 1e-12)
      << "Flash and Hogan: 1.875 times the mean at the middle";
  EXPECT_NEAR(smooth["s.position"].at(1500), 2 + 4 * (10 / 64.0 - 15 / 256.0 + 6 / 1024.0), 1e-12);
  const Trial even = sound_trial(source("Trajectory", there + "kind=\"trapezoid\" blend=\"0.25\""), {.duration = 4});
  EXPECT_NEAR(even["s.velocity"].at(2000), 4 / (2 * 0.75), 1e-12);
  EXPECT_NEAR(even["s.acceleration"].at(1200), 4 / (2 * 0.75) / 0.5, 1e-12);
  EXPECT_NEAR(even["s.position"].at(1500), 2 + 0.5 * 0.5 * 4 / (2 * 0.75), 1e-12);
}

TEST(Trajectory, OfBadTimesOrPointsIsRefused) {
  const auto errors = [](const std::string& attributes) { return run_trial(source("Trajectory", attributes)).errors; };
  EXPECT_THAT(errors("times=\"0 2 1 s\" points=\"0 1 2;\""), HasSubstr("does not rise from breakpoint 1 to 2"));
  EXPECT_THAT(errors("times=\"0 1 s\" points=\"0 1 2;\""), HasSubstr("parameter-sizes"));
  EXPECT_THAT(errors("times=\"1;\" points=\"1;\""), HasSubstr("one breakpoint"));
  EXPECT_THAT(errors("times=\"0 1 s\" points=\"0 1;\" blend=\"0.6\""), HasSubstr("at most 0.5"));
}

} // namespace
} // namespace hilda::test
