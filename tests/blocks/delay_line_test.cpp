// SPDX-License-Identifier: BSD-3-Clause
// Delays that change, and delays between ticks.
#include "tests/blocks/references_compared.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

constexpr double T = 1e-3;

/// A wave through a VariableDelay whose delay is an expression of the time.
std::string delayed(const std::string& attributes, const std::string& delay, const std::string& sample_time = "1 ms") {
  return wave() + "<block name=\"clock\" type=\"sources/Clock\" sample_time=\"" + sample_time +
         "\"/><block name=\"late\" type=\"math/Function\" expression=\"" + delay +
         "\"/><block name=\"b\" type=\"discrete/VariableDelay\" sample_time=\"" + sample_time + "\" " + attributes +
         "/>" + wire("clock.time", "late.u") + wire("u.y", "b.u") + wire("late.y", "b.delay");
}

/// u of `age` samples before tick k, by hand.
double sample(const Trace& u, std::size_t k, double age, std::size_t every, double initial) {
  const double at = static_cast<double>(k) - age * static_cast<double>(every);
  return at < 0 ? initial : u.at(static_cast<std::size_t>(std::llround(at)));
}

TEST(DelayLines, FollowADelayThatChanges) {
  for (const bool linear : {true, false})
    for (const std::size_t every : {1u, 4u}) {
      const double period = T * static_cast<double>(every);
      const Trial trial = sound_trial(
          delayed("longest=\"30 ms\" initial=\"7\" between=\"" + std::string(linear ? "linear" : "newest") + "\"",
                  "0.02 + 0.015*sin(80*t)", std::to_string(every) + " ms"),
          {.duration = 0.3});
      for (std::size_t k = 0; k < 300; k += every) {
        const double delay = std::min(0.02 + 0.015 * std::sin(80 * T * static_cast<double>(k)), 0.03);
        const double age = delay / period, older = std::ceil(age - 1e-9), share = older - age;
        const Trace& u = trial["u.y"];
        const double old = sample(u, k, older, every, 7);
        const double wanted =
            !linear || share < 1e-9 ? old : (1 - share) * old + share * sample(u, k, older - 1, every, 7);
        ASSERT_NEAR(trial["b.y"].at(k), wanted, 1e-10) << "tick " << k;
      }
    }
}

TEST(DelayLines, OfNoDelayFeedThroughAndOfASampleBreakALoop) {
  const Trial none = sound_trial(delayed("longest=\"30 ms\"", "0"));
  EXPECT_EQ(none["b.y"].values, none["u.y"].values);
  const auto loop = [](const std::string& attributes) {
    return run_trial(
        "<block name=\"late\" type=\"sources/Constant\" value=\"2 ms\"/><block name=\"e\" type=\"math/Bias\" "
        "bias=\"1\"/><block name=\"b\" type=\"discrete/VariableDelay\" longest=\"5 ms\" " +
        attributes + "/>" + wire("late.y", "b.delay") + wire("b.y", "e.u") + wire("e.y", "b.u"));
  };
  EXPECT_THAT(loop("").errors, HasSubstr("algebraic-loop"));
  const Trial sound = loop("shortest=\"1 ms\"");
  ASSERT_EQ(sound.errors + sound.audit, "");
  for (std::size_t k = 0; k < 50; ++k) EXPECT_EQ(sound["b.y"].at(k), static_cast<double>(k / 2));
}

TEST(DelayLines, KeepToTheirBounds) {
  const Trial clipped = sound_trial(delayed("longest=\"5 ms\" shortest=\"2 ms\"", "t"));
  for (std::size_t k = 10; k < 100; ++k) EXPECT_EQ(clipped["b.y"].at(k), clipped["u.y"].at(k - 5));
  const Trial refused = run_trial(delayed("longest=\"5 ms\" beyond=\"refuse\"", "t"));
  EXPECT_EQ(refused.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(refused.ending.text, "the delay is not between shortest and longest");
  EXPECT_NEAR(refused.ending.time, 0.006, 1e-9);
  EXPECT_THAT(run_trial(delayed("longest=\"1 ms\" shortest=\"2 ms\"", "t")).errors, HasSubstr("below shortest"));
  EXPECT_THAT(run_trial(delayed("longest=\"inf\"", "t")).errors, HasSubstr("10 million sample times"));
  const Trial nothing = run_trial(delayed("longest=\"5 ms\"", "0/0*t"));
  EXPECT_EQ(nothing.ending.kind, Ending::Kind::failed) << "a delay that is not a number";
}

TEST(DelayLines, MayBeginAsIfTheirFirstInputHadAlwaysBeenThere) {
  const Trial trial = sound_trial(delayed("longest=\"50 ms\"", "0.01") + wire("u.y", "b.fill"));
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(trial["b.y"].at(k), trial["u.y"].at(0));
}

/// dx/dt = -x(t - delay), x = 1 before: by steps, on [(n - 1) d, n d], sum (-1)^j (t - (j - 1) d)^j / j!.
double by_steps(double t, double delay) {
  double sum = 1, factorial = 1;
  for (int j = 1; t > (j - 1) * delay; ++j) {
    factorial *= j;
    sum += std::pow(-(t - (j - 1) * delay), j) / factorial;
  }
  return sum;
}

double worst(const std::string& period, double step, const std::string& delay, double seconds,
             const std::string& between) {
  const Trial trial =
      sound_trial("<block name=\"x\" type=\"continuous/Integrator\" initial=\"1 s\"/><block name=\"b\" "
                  "type=\"continuous/TransportDelay\" initial=\"1 s\" delay=\"" +
                      delay + "\" between=\"" + between + "\"/><block name=\"k\" type=\"math/Gain\" gain=\"-1 1/s\"/>" +
                      wire("x.y", "b.u") + wire("b.y", "k.u") + wire("k.y", "x.u"),
                  {.duration = 4, .period = period});
  double most = 0;
  for (std::size_t k = 0; k < trial["x.y"].ticks(); ++k)
    most = std::max(most, std::abs(trial["x.y"].at(k) - by_steps(step * static_cast<double>(k), seconds)));
  return most;
}

TEST(DelayLines, OfContinuousTimeConvergeWithTheTick) {
  // A whole number of ticks. The solution's second derivative jumps at 1 s, where the cubic's four values see both
  // sides.
  const double coarse = worst("20 ms", 0.02, "1 s", 1, "cubic"), fine = worst("10 ms", 0.01, "1 s", 1, "cubic");
  EXPECT_LT(fine, 3e-8);
  EXPECT_NEAR(std::log2(coarse / fine), 3, 0.2);
  const double lines = worst("20 ms", 0.02, "1 s", 1, "linear"), finer = worst("10 ms", 0.01, "1 s", 1, "linear");
  EXPECT_LT(finer, 2e-5);
  EXPECT_NEAR(std::log2(lines / finer), 2, 0.2);
  // No whole number: the kinks at multiples of the delay lie within ticks, and are stepped over.
  for (const std::string between : {"linear", "cubic"}) {
    EXPECT_LT(worst("10 ms", 0.01, "0.733 s", 0.733, between), 2e-5) << between;
    EXPECT_LT(worst("2500 us", 0.0025, "0.733 s", 0.733, between), 2e-5 / 16) << between;
  }
}

TEST(DelayLines, OfContinuousTimeShiftWhatTheyGet) {
  const auto shifted = [](const std::string& delay, const std::string& between) {
    return sound_trial(
        "<block name=\"u\" type=\"sources/Sine\" sample_time=\"continuous\" amplitude=\"1 2\" "
        "frequency=\"30 rad/s\"/><block name=\"b\" type=\"continuous/TransportDelay\" initial=\"3\" delay=\"" +
            delay + "\" between=\"" + between + "\"/>" + wire("u.y", "b.u"),
        {.duration = 0.4});
  };
  for (const double delay : {0.001, 0.0105, 0.0123, 0.1})
    for (const bool cubic : {true, false}) {
      const Trial trial = shifted(std::to_string(delay) + " s", cubic ? "cubic" : "linear");
      for (std::size_t k = 0; k < 400; ++k) {
        const double at = T * static_cast<double>(k) - delay;
        const double wanted = at < -1e-9 ? 3 : 2 * std::sin(30 * at);
        ASSERT_NEAR(trial["b.y"].at(k, 1), wanted, cubic ? 2e-6 : 3e-4) << delay << " s, tick " << k;
      }
    }
  EXPECT_THAT(run_trial(fed("continuous/TransportDelay", "delay=\"0.5 ms\"")).errors,
              HasSubstr("shorter than the tick"));
  EXPECT_THAT(run_trial(fed("continuous/TransportDelay", "delay=\"1e9 s\"")).errors, HasSubstr("10 million ticks"));
}

/// While it is disabled its time is stopped, as that of a Delay is.
TEST(DelayLines, OfATransportGoOnWhereTheyWereDisabled) {
  for (const char* between : {"linear", "cubic"}) {
    const Trial trial = sound_trial(
        "<block name=\"p\" type=\"sources/Pulse\" high=\"1\" repeat=\"20 ms\" width=\"12 ms\" first=\"3 ms\"/>"
        "<block name=\"on\" type=\"math/RealToBool\"/><block name=\"s\" type=\"sources/Ramp\" slope=\"1000 1/s\"/>"
        "<block name=\"b\" type=\"continuous/TransportDelay\" delay=\"4 ms\" enable=\"on.y\" between=\"" +
            std::string(between) + "\"/><block name=\"d\" type=\"discrete/Delay\" delay=\"4 ms\" enable=\"on.y\"/>" +
            wire("p.y", "on.u") + wire("s.y", "b.u") + wire("s.y", "d.u"),
        {.duration = 0.1});
    for (std::size_t k = 0; k < 100; ++k) EXPECT_NEAR(trial["b.y"].at(k), trial["d.y"].at(k), 1e-9) << between << k;
  }
}

} // namespace
} // namespace hilda::test
