// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string equations(const std::string& body, const std::string& attributes = "") {
  return "<block name=\"b\" type=\"math/Equations\"" + attributes + ">\n" + body + "</block>\n";
}
std::string is(const std::string& text) { return "<equation is=\"" + text + "\"/>\n"; }

constexpr const char* oscillator = "<output name=\"y\" unit=\"m\"/><output name=\"energy\" unit=\"J\"/>"
                                   "<parameter name=\"k\" value=\"100 N/m\"/><parameter name=\"m\" value=\"4 kg\"/>"
                                   "<state name=\"x\" initial=\"20 mm\"/><state name=\"v\" unit=\"m/s\"/>";

const std::string swing =
    is("x' = v") + is("v' = -spring/m") + is("spring = k*x") + is("y = x") + is("energy = m*v^2/2 + k*x^2/2");

TEST(Equations, SolveAnOscillatorAsItsClosedForm) {
  const Trial trial = sound_trial(equations(oscillator + swing), {.duration = 1});
  for (const std::size_t tick : {0u, 1u, 250u, 999u})
    EXPECT_NEAR(trial["b.y"].at(tick), 0.02 * std::cos(5 * 1e-3 * static_cast<double>(tick)), 1e-12) << tick;
  EXPECT_EQ(trial.units.at("b.energy"), "J");
  EXPECT_NEAR(trial["b.energy"].at(500), 0.5 * 100 * 0.02 * 0.02, 1e-12);
}

/// x' = (g u - x)/T over gains and time constants, as a textbook writes it: bare numbers.
TEST(Equations, CountTimeAsAPlainNumberWhereNothingHasAUnit) {
  for (const double gain : {-3.0, 1.0, 20.0})
    for (const double constant : {0.05, 1.0}) {
      const std::string body = "<output name=\"y\"/><output name=\"late\"/><parameter name=\"g\" value=\"" +
                               std::to_string(gain) + "\"/><parameter name=\"T\" value=\"" + std::to_string(constant) +
                               "\"/><state name=\"x\"/>" + is("x' = (g - x)/T") + is("y = x") + is("late = 2*t + x");
      const Trial trial = sound_trial(equations(body), {.duration = 0.5});
      for (const std::size_t tick : {1u, 100u, 499u}) {
        const double time = 1e-3 * static_cast<double>(tick), x = gain * (1 - std::exp(-time / constant));
        EXPECT_NEAR(trial["b.y"].at(tick), x, 1e-8);
        EXPECT_NEAR(trial["b.late"].at(tick), 2 * time + x, 1e-8);
      }
    }
}

TEST(Equations, CountTimeInSecondsWhereOneThingHasAUnit) {
  for (const char* unit : {"N", "1/s", "rad"}) {
    const std::string body = std::string("<output name=\"y\"/><parameter name=\"p\" unit=\"") + unit +
                             "\" value=\"1\"/><state name=\"x\"/>" + is("x' = -x") + is("y = x");
    EXPECT_THAT(run_trial(equations(body)).errors, HasSubstr("time is a plain number")) << unit;
  }
}

TEST(Equations, ConvergeWithTheFourthPowerOfTheSampleTime) {
  const auto error = [](const std::string& period, std::size_t ticks) {
    const Trial trial = sound_trial(equations(oscillator + swing), {.duration = 1, .period = period});
    return std::fabs(trial["b.y"].at(ticks) - 0.02 * std::cos(5 * 0.8));
  };
  const double coarse = error("40 ms", 20), fine = error("20 ms", 40);
  EXPECT_GT(coarse / fine, 13);
  EXPECT_LT(coarse / fine, 19);
}

TEST(Equations, AreTheSameForVariableSteps) {
  for (const SolverKind solver : {SolverKind::dopri5, SolverKind::rosenbrock}) {
    const Trial trial = sound_trial(equations(oscillator + swing), {.duration = 1, .solver = solver});
    EXPECT_NEAR(trial["b.y"].at(999), 0.02 * std::cos(5 * 0.999), 1e-6);
  }
}

TEST(Equations, HaveParametersThatAttributesAndSettingsGive) {
  const std::string body = "<output name=\"y\" unit=\"N\"/><parameter name=\"k\" unit=\"N/m\"/>"
                           "<parameter name=\"x\" value=\"3 mm\"/>" +
                           is("y = k*x");
  EXPECT_THAT(sound_trial(equations(body, " k=\"2 N/mm\""))["b.y"].row(0), ElementsAre(6));
  EXPECT_THAT(run_trial(equations(body)).errors, HasSubstr("'b' of type math/Equations has no 'k'"));
}

TEST(Equations, TakeVectorsAndMatrices) {
  const Trial trial = sound_trial(
      equations("<input name=\"u\" unit=\"N\" shape=\"2\"/><output name=\"y\" unit=\"N m\" shape=\"2\"/>"
                "<output name=\"s\" unit=\"N\"/><output name=\"d\" unit=\"N^2\"/><output name=\"e\" unit=\"N\"/>"
                "<parameter name=\"A\" value=\"1 2; 3 4 m\"/>" +
                is("y = A*u + A*vector(0, u[0])") + is("s = sum(u) + max(u)") + is("d = dot(u, u)") +
                is("e = A[1,0]*u[1]/A[0,0]")) +
      "<block name=\"c\" type=\"sources/Constant\" value=\"5 7 N\"/>" + wire("c.y", "b.u"));
  EXPECT_THAT(trial["b.y"].row(0), ElementsAre(5 + 14 + 10, 15 + 28 + 20));
  EXPECT_THAT(trial["b.s"].row(0), ElementsAre(19));
  EXPECT_THAT(trial["b.d"].row(0), ElementsAre(74));
  EXPECT_THAT(trial["b.e"].row(0), ElementsAre(21));
}

TEST(Equations, SetNextValuesFromThoseBefore) {
  const Trial trial = sound_trial(equations("<output name=\"y\"/><state name=\"a\" initial=\"0\"/>"
                                            "<state name=\"b\" initial=\"1\"/>" +
                                            is("a+ = b") + is("b+ = a + b") + is("y = a")));
  for (const auto& [tick, fibonacci] : {std::pair{0u, 0.0}, {1u, 1.0}, {5u, 5.0}, {10u, 55.0}, {30u, 832040.0}})
    EXPECT_EQ(trial["b.y"].at(tick), fibonacci) << tick;
}

TEST(Equations, ActWhenAConditionBecomesTrue) {
  const Trial trial =
      sound_trial(equations("<output name=\"y\"/><state name=\"n\"/><parameter name=\"T\" value=\"10 ms\"/>"
                            "<equation when=\"mod(t, T) &lt; T/2\" is=\"n+ = n + 1\"/>" +
                            is("y = n")));
  EXPECT_EQ(trial["b.y"].at(9), 0); // true at the start: it has not become so
  EXPECT_NEAR(trial["b.y"].at(55), 5, 1);
}

TEST(Equations, FeedThroughOnlyWhatAnOutputFollowsFrom) {
  const std::string loop =
      "<block name=\"g\" type=\"math/Gain\" gain=\"-3\"/>" + wire("b.y", "g.u") + wire("g.y", "b.u");
  const std::string ports = "<input name=\"u\" unit=\"1/s\"/><output name=\"y\"/>";
  const std::string state = ports + "<state name=\"x\" initial=\"1\"/><parameter name=\"T\" value=\"1 s\"/>";
  EXPECT_EQ(run_trial(equations(state + is("x' = u") + is("y = x")) +
                      "<block name=\"g\" type=\"math/Gain\" gain=\"-3 1/s\"/>" + wire("b.y", "g.u") +
                      wire("g.y", "b.u"))
                .errors,
            "");
  EXPECT_THAT(run_trial(equations("<input name=\"u\"/><output name=\"y\"/>" + is("y = 2*u")) + loop).errors,
              HasSubstr("algebraic-loop"));
}

TEST(Equations, KnowTheWordsOfFunction) {
  const Trial trial = sound_trial(
      equations("<output name=\"y\"/><parameter name=\"a\" value=\"0.3\"/><parameter name=\"b\" value=\"${ln(2)}\"/>" +
                is("y = b + ln(a) + log(a) + hypot(3, 4) - 2^-1 + -2^2 + (a > 0.2 &amp;&amp; !(a == 1) ? 10 : 20) + "
                   "max(1, a, 3)")));
  EXPECT_NEAR(trial["b.y"].at(0), std::log(2) + 2 * std::log(0.3) + 5 - 0.5 - 4 + 10 + 3, 1e-14);
}

} // namespace
} // namespace hilda::test
