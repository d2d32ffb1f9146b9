// SPDX-License-Identifier: BSD-3-Clause
// Play, relays and friction.
#include "tests/blocks/recursion.h"
#include "tests/blocks/references_compared.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

TEST(Play, IsCrossedBeforeTheDrivenSideMoves) {
  expect_recursion("discrete/Backlash", "width=\"1.5\" initial=\"0.2\"", "y", [](double, double) {
    return [y = 0.2](double u) mutable { return y = std::min(std::max(y, u - 0.75), u + 0.75); };
  });
  // Back and forth: the loop of the driven side lags by half the width on either side, the textbook's picture.
  const Trial trial = sound_trial(fed("discrete/Backlash", "width=\"0.5 mm\"",
                                      "type=\"sources/Triangle\" amplitude=\"1 mm\" repeat=\"40 ms\" bias=\"1 mm\""),
                                  {.duration = 0.08});
  EXPECT_NEAR(trial["b.y"].at(30), 1e-3 + 0.25e-3, 1e-12) << "falling";
  EXPECT_NEAR(trial["b.y"].at(50), 1e-3 - 0.25e-3, 1e-12) << "rising";
  EXPECT_EQ(trial.units.at("b.y"), "m");
  EXPECT_THAT(run_trial(fed("discrete/Backlash", "width=\"-1\"")).errors, HasSubstr("at least 0"));
}

TEST(Relay, SwitchesBetweenTwoNumbers) {
  expect_recursion("discrete/Relay", "lower=\"-0.5\" upper=\"1\" on_value=\"3\" off_value=\"-2\"", "y",
                   [](double, double) {
                     return [on = false](double u) mutable {
                       on = u >= 1 || (u > -0.5 && on);
                       return on ? 3.0 : -2.0;
                     };
                   });
  const Trial trial = sound_trial(
      fed("discrete/Relay", "lower=\"-1e9\" upper=\"1e9\" initial=\"true\" on_value=\"1 2 3 N\" off_value=\"0\""));
  EXPECT_EQ(trial["b.y"].at(50, 2), 3);
  EXPECT_EQ(trial.units.at("b.y"), "N");
  EXPECT_THAT(run_trial(fed("discrete/Relay", "lower=\"1\" upper=\"-1\"")).errors, HasSubstr("exchange the two"));
  EXPECT_THAT(run_trial(fed("discrete/Relay", "lower=\"-1\" upper=\"1\" on_value=\"1 2\"")).errors,
              HasSubstr("on_value"));
}

TEST(Friction, FallsFromBreakawayToSlidingAndRisesWithTheVelocity) {
  const auto force = [](const std::string& attributes, const std::string& velocity) {
    return sound_trial(
               fed("math/Friction", attributes, "type=\"sources/Constant\" value=\"" + velocity + "\"", "v"))["b.force"]
        .row(0);
  };
  const std::string full = "coulomb=\"2 N\" breakaway=\"3 N\" viscous=\"4 N s/m\" stribeck_velocity=\"0.1 m/s\"";
  const std::vector<double> all = force(full, "0.05 -0.05 0 10 m/s");
  const double slow = 2 + std::exp(-0.25) + 0.2;
  EXPECT_NEAR(all[0], slow, 1e-14);
  EXPECT_NEAR(all[1], -slow, 1e-14);
  EXPECT_EQ(all[2], 0);
  EXPECT_NEAR(all[3], 42, 1e-12);
  EXPECT_NEAR(force(full + " exponent=\"1\"", "0.05 m/s")[0], 2 + std::exp(-0.5) + 0.2, 1e-14);
  EXPECT_NEAR(force("coulomb=\"2 N\" smoothing_velocity=\"0.1 m/s\"", "0.05 m/s")[0], 2 * std::tanh(0.5), 1e-14);
  EXPECT_EQ(force("coulomb=\"2 N\"", "-7 m/s")[0], -2);
  EXPECT_THAT(run_trial(fed("math/Friction", "coulomb=\"2\" breakaway=\"1\"", "", "v")).errors,
              HasSubstr("below coulomb"));
}

TEST(Friction, OfBristlesIsThatOfTheirStiffnessAtFirstAndOfSlidingAtLast) {
  // At an even velocity z' = v - s0 |v| z / g: z = g / s0 (1 - exp(-s0 v t / g)).
  const double v = 0.02, g = 1 + 0.5 * std::exp(-4.0), s0 = 1000;
  const Trial trial = sound_trial(fed("continuous/LuGreFriction",
                                      "coulomb=\"1 N\" breakaway=\"1.5 N\" stribeck_velocity=\"0.01 m/s\" "
                                      "stiffness=\"1000 N/m\" damping=\"3 N s/m\" "
                                      "viscous=\"0.4 N s/m\"",
                                      "type=\"sources/Constant\" value=\"0.02 -0.02 m/s\"", "v"),
                                  {.duration = 0.5});
  for (std::size_t k = 0; k < 500; ++k) {
    const double fade = std::exp(-s0 * v / g * 1e-3 * static_cast<double>(k));
    ASSERT_NEAR(trial["b.force"].at(k), g * (1 - fade) + 3 * v * fade + 0.4 * v, 1e-9);
    ASSERT_EQ(trial["b.force"].at(k, 1), -trial["b.force"].at(k));
  }
  EXPECT_NEAR(trial["b.fast_motion"].at(3), s0 * v / g, 1e-9);
  EXPECT_EQ(trial.units.at("b.force"), "N");
}

TEST(Friction, OfBristlesSticksAndSlips) {
  const std::string body =
      "<block name=\"pull\" type=\"sources/Ramp\" slope=\"0.1 m/s\" sample_time=\"continuous\"/>"
      "<block name=\"stretch\" type=\"math/Sum\" signs=\"+-\"/><block name=\"spring\" type=\"math/Gain\" gain=\"2 "
      "N/m\"/>"
      "<block name=\"total\" type=\"math/Sum\" signs=\"+-\"/><block name=\"mass\" type=\"math/Gain\" gain=\"1 1/kg\"/>"
      "<block name=\"v\" type=\"continuous/Integrator\"/><block name=\"x\" type=\"continuous/Integrator\"/>"
      "<block name=\"f\" type=\"continuous/LuGreFriction\" coulomb=\"1 N\" breakaway=\"1.5 N\" stribeck_velocity=\"1 "
      "mm/s\" "
      "stiffness=\"1e5 N/m\" damping=\"316.22776601683796 N s/m\" viscous=\"0.4 N s/m\"/>" +
      wire("pull.y", "stretch.u[0]") + wire("x.y", "stretch.u[1]") + wire("stretch.y", "spring.u") +
      wire("spring.y", "total.u[0]") + wire("f.force", "total.u[1]") + wire("total.y", "mass.u") +
      wire("mass.y", "v.u") + wire("v.y", "x.u") + wire("v.y", "f.v");
  const Trial trial = sound_trial(body, {.duration = 20.001, .period = "20 us"});
  for (std::size_t i = 0; i <= 20; ++i)
    EXPECT_NEAR(trial["x.y"].at(50000 * i), reference::stick_slip_position[i], 2e-6) << i << " s";
}

} // namespace
} // namespace hilda::test
