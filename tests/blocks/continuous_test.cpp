// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <cmath>

namespace hilda::test {
namespace {

using testing::HasSubstr;

constexpr double T = 1e-3;
double time_of(std::size_t tick) { return T * static_cast<double>(tick); }

constexpr const char* unit_step = "type=\"sources/Constant\" value=\"1\"";

TEST(Continuous, IntegratorOfASineIsACosine) {
  for (const char* amplitude : {"3", "3 3 3", "3 3 3 3 3 3", "3 3; 3 3"}) {
    const Trial trial = sound_trial(
        fed("continuous/Integrator", "initial=\"2 s\"",
            std::string("type=\"sources/Sine\" sample_time=\"continuous\" frequency=\"4 rad/s\" amplitude=\"") +
                amplitude + "\""),
        {.duration = 1});
    const Trace& y = trial["b.y"];
    for (std::size_t k = 0; k < y.ticks(); ++k)
      for (std::size_t i = 0; i < y.width; ++i)
        ASSERT_NEAR(y.at(k, i), 2 + 3.0 / 4 * (1 - std::cos(4 * time_of(k))), 1e-12);
  }
}

TEST(Continuous, EulerIsOfFirstOrderAndRungeKuttaOfFourth) {
  const auto error = [](SolverKind solver, const char* period, double step) {
    const Trial trial =
        sound_trial(fed("continuous/TransferFunction", "numerator=\"1\" denominator=\"0.1 1\"", unit_step),
                    {.duration = 0.2, .period = period, .solver = solver});
    const std::size_t last = trial["b.y"].ticks() - 1;
    return std::abs(trial["b.y"].at(last) - (1 - std::exp(-static_cast<double>(last) * step / 0.1)));
  };
  const double coarse = error(SolverKind::euler, "10 ms", 0.01), fine = error(SolverKind::euler, "5 ms", 0.005);
  EXPECT_NEAR(coarse / fine, 2, 0.3);
  EXPECT_LT(error(SolverKind::rk4, "10 ms", 0.01), 1e-6 * 5);
  EXPECT_NEAR(error(SolverKind::rk4, "20 ms", 0.02) / error(SolverKind::rk4, "10 ms", 0.01), 16, 6);
}

TEST(Continuous, IntegratorsStandStillAtTheirLimitsAndLeaveThemAtOnce) {
  const Trial trial = sound_trial(fed("continuous/Integrator", "upper=\"0.02 s\" lower=\"-0.01 s\"",
                                      "type=\"sources/Pulse\" high=\"1\" low=\"-1\" width=\"40 ms\" repeat=\"90 ms\""),
                                  {.duration = 0.2});
  for (std::size_t k = 0; k < 90; ++k) {
    const double t = time_of(k), y = t <= 0.04 ? std::min(t, 0.02) : std::max(0.02 - (t - 0.04), -0.01);
    EXPECT_NEAR(trial["b.y"].at(k), y, 1e-12) << k;
  }
}

TEST(Continuous, StepResponsesOfFirstAndSecondOrder) {
  const Trial first =
      sound_trial(fed("continuous/TransferFunction", "numerator=\"2\" denominator=\"0.05 1\" gain=\"3 m/N\"",
                      "type=\"sources/Constant\" value=\"1 2 N\""));
  EXPECT_EQ(first.units.at("b.y"), "m");
  const double wn = 30, zeta = 0.2, wd = wn * std::sqrt(1 - zeta * zeta);
  const Trial second = sound_trial(
      fed("continuous/TransferFunction", "numerator=\"900\" denominator=\"1 12 900\"", unit_step), {.duration = 0.5});
  for (std::size_t k = 0; k < 100; ++k)
    EXPECT_NEAR(first["b.y"].at(k, 1), 2 * 6 * (1 - std::exp(-time_of(k) / 0.05)), 1e-7);
  for (std::size_t k = 0; k < 500; ++k) {
    const double t = time_of(k);
    EXPECT_NEAR(second["b.y"].at(k),
                1 - std::exp(-zeta * wn * t) * (std::cos(wd * t) + zeta * wn / wd * std::sin(wd * t)), 1e-6);
  }
}

TEST(Continuous, NumeratorsOfEqualDegreeFeedThrough) {
  // (2 s + 3) / (s + 5) = 2 - 7 / (s + 5)
  const Trial trial = sound_trial(
      fed("continuous/TransferFunction", "numerator=\"2 3\" denominator=\"1 5\"", unit_step), {.duration = 0.5});
  for (std::size_t k = 0; k < 500; ++k)
    EXPECT_NEAR(trial["b.y"].at(k), 2 - 7.0 / 5 * (1 - std::exp(-5 * time_of(k))), 1e-10);
  EXPECT_THAT(
      run_trial(fed("continuous/TransferFunction", "numerator=\"1 2 3\" denominator=\"1 5\"", unit_step)).errors,
      HasSubstr("higher degree"));
  EXPECT_THAT(run_trial(fed("continuous/TransferFunction", "numerator=\"1\" denominator=\"0 5\"", unit_step)).errors,
              HasSubstr("begins with 0"));
}

TEST(Continuous, StateSpaceMeetsTheMatrixExponential) {
  // A rotation: x(t) = R(w t) x(0), and a decay driven by a constant.
  const Trial turn = sound_trial(
      fed("continuous/StateSpace", "A=\"0 -7; 7 0\" B=\"0; 0\" C=\"1 0; 0 1; 1 1\" initial=\"1 2\"", unit_step),
      {.duration = 1});
  const Trial decay = sound_trial(
      fed("continuous/StateSpace", "A=\"-3\" B=\"1 2;\" C=\"4\" D=\"0 5;\"", "type=\"sources/Constant\" value=\"1 1\""),
      {.duration = 1});
  for (std::size_t k = 0; k < 1000; ++k) {
    const double a = 7 * time_of(k), x = std::cos(a) - 2 * std::sin(a), y = std::sin(a) + 2 * std::cos(a);
    ASSERT_NEAR(turn["b.y"].at(k, 0), x, 1e-9);
    ASSERT_NEAR(turn["b.y"].at(k, 2), x + y, 1e-9);
    ASSERT_NEAR(decay["b.y"].at(k), 4 * (1 - std::exp(-3 * time_of(k))) + 5, 1e-9);
  }
  EXPECT_THAT(run_trial(fed("continuous/StateSpace", "A=\"-3\" B=\"1 2;\" C=\"4\" D=\"1 2 3;\"",
                            "type=\"sources/Constant\" value=\"1 1\""))
                  .errors,
              HasSubstr("a column for each of 2 inputs"));
}

TEST(Continuous, APlantWithoutDirectTermClosesALoop) {
  const Trial trial = sound_trial(
      "<block name=\"r\" type=\"sources/Constant\" value=\"1\"/><block name=\"e\" type=\"math/Sum\" signs=\"+-\"/>"
      "<block name=\"x\" type=\"continuous/Integrator\"/><block name=\"k\" type=\"math/Gain\" gain=\"8 1/s\"/>" +
          wire("r.y", "e.u[0]") + wire("x.y", "e.u[1]") + wire("e.y", "k.u") + wire("k.y", "x.u"),
      {.duration = 0.5});
  for (std::size_t k = 0; k < 500; ++k) EXPECT_NEAR(trial["x.y"].at(k), 1 - std::exp(-8 * time_of(k)), 1e-9);
}

TEST(Continuous, AResetStartsAnew) {
  const std::string trigger = "<block name=\"at\" type=\"sources/Pulse\" high=\"1\" width=\"1 ms\" first=\"50 "
                              "ms\"/><block name=\"again\" type=\"math/RealToBool\"/>" +
                              wire("at.y", "again.u");
  for (const std::string attributes : {"type=\"continuous/Integrator\" initial=\"3 s\"",
                                       "type=\"continuous/TransferFunction\" numerator=\"1\" denominator=\"1 9\"",
                                       "type=\"continuous/StateSpace\" A=\"-2\" B=\"1\" C=\"1\" initial=\"4\""}) {
    const Trial trial = sound_trial(trigger + "<block name=\"u\" " + unit_step +
                                    "/><block name=\"b\" reset=\"again.y\" " + attributes + "/>" + wire("u.y", "b.u"));
    for (std::size_t k = 0; k < 50; ++k) ASSERT_NEAR(trial["b.y"].at(k + 50), trial["b.y"].at(k), 1e-12) << attributes;
  }
}

} // namespace
} // namespace hilda::test
