// SPDX-License-Identifier: BSD-3-Clause
// Filters by their sections, taps, zeros and poles, against SciPy.
#include "tests/blocks/references_compared.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

TEST(FilterForms, ACascadeIsWhatSciPyMakesOfItsSections) {
  const Trial trial =
      sound_trial(waved("discrete/BiquadCascade", "sections=\"" + numbers(reference::elliptic_sections, 6) + "\""));
  expect_trace(trial["b.y"], reference::elliptic_output, 1e-13);
  // A row that is not divided by its a0, and a gain with a unit.
  const Trial scaled = sound_trial(fed("discrete/BiquadCascade", "sections=\"2 0 0 4 0 0;\" gain=\"3 m/N\"",
                                       "type=\"sources/Constant\" value=\"1 2 N\""));
  EXPECT_EQ(scaled["b.y"].at(5, 1), 3);
  EXPECT_EQ(scaled.units.at("b.y"), "m");
  EXPECT_THAT(run_trial(waved("discrete/BiquadCascade", "sections=\"1 0 0 0 1 0;\"")).errors,
              HasSubstr("a0 = 0 in row 0"));
  EXPECT_THAT(run_trial(waved("discrete/BiquadCascade", "sections=\"1 0 0 1 1;\"")).errors, HasSubstr("sections"));
}

TEST(FilterForms, AFiniteImpulseResponseIsItsTaps) {
  expect_trace(
      sound_trial(waved("discrete/FirFilter", "coefficients=\"" + numbers(reference::window_taps) + "\""))["b.y"],
      reference::window_output, 1e-14);
  const Trial impulse = sound_trial(fed("discrete/FirFilter", "coefficients=\"5 4 3\" gain=\"2\" sample_time=\"5 ms\"",
                                        "type=\"sources/Pulse\" high=\"1; 2\" width=\"5 ms\" first=\"10 ms\""));
  const double wanted[] = {0, 0, 10, 8, 6, 0, 0};
  for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(impulse["b.y"].at(5 * k, 1), 2 * wanted[k]) << k;
  EXPECT_EQ(sound_trial(waved("discrete/FirFilter", "coefficients=\"2\""))["b.y"].at(0), std::sin(1.0));
}

TEST(FilterForms, ZerosAndPolesInZAreTheirPolynomial) {
  const std::string both = "zeros=\"-0.5 0.2+0.3j 0.2-0.3j\" poles=\"0.9 0.4 0.5+0.4j 0.5-0.4j -0.2\" gain=\"0.7\"";
  expect_trace(sound_trial(waved("discrete/DiscreteZeroPoleGain", both))["b.y"], reference::zero_pole_output, 1e-12);
  // As many zeros as poles: it feeds through. (z - 0.5) / (z - 0.25), by hand.
  const Trial direct = sound_trial(waved("discrete/DiscreteZeroPoleGain", "zeros=\"0.5\" poles=\"0.25\""));
  double before = 0, y = 0;
  for (std::size_t k = 0; k < 50; ++k) {
    const double u = direct["u.y"].at(k);
    y = 0.25 * y + u - 0.5 * before;
    before = u;
    ASSERT_NEAR(direct["b.y"].at(k), y, 1e-14);
  }
  EXPECT_EQ(sound_trial(waved("discrete/DiscreteZeroPoleGain", "poles=\"none\" gain=\"3\""))["b.y"].at(0),
            1.5 * std::sin(1.0));
}

TEST(FilterForms, ZerosAndPolesInSAreTheirStepResponse) {
  const Trial trial =
      sound_trial(fed("continuous/ZeroPoleGain", "zeros=\"-3\" poles=\"-1 -2+5j -2-5j -8\" gain=\"40 m/N\"",
                      "type=\"sources/Constant\" value=\"1 N\""),
                  {.duration = 2.01});
  expect_trace(trial["b.y"], reference::zero_pole_step, 1e-10, 100);
  EXPECT_EQ(trial.units.at("b.y"), "m");
  // (s + 2) / (s + 5) = 1 - 3 / (s + 5): feeds through.
  const Trial direct = sound_trial(
      fed("continuous/ZeroPoleGain", "zeros=\"-2\" poles=\"-5\"", "type=\"sources/Constant\" value=\"1 2\""));
  for (std::size_t k = 0; k < 100; ++k)
    EXPECT_NEAR(direct["b.y"].at(k, 1), 2 - 6.0 / 5 * (1 - std::exp(-5e-3 * static_cast<double>(k))), 1e-11);
}

TEST(FilterForms, BadRootsAreToldWithWhatToDo) {
  for (const std::string type : {"continuous/ZeroPoleGain", "discrete/DiscreteZeroPoleGain"}) {
    const auto errors = [&](const std::string& attributes) { return run_trial(waved(type, attributes)).errors; };
    EXPECT_THAT(errors("poles=\"-1+2j\""), HasSubstr("whose conjugate is missing"));
    EXPECT_THAT(errors("poles=\"-1 x\""), HasSubstr("holds \"x\""));
    EXPECT_THAT(errors("poles=\"-1 1+2\""), HasSubstr("holds \"1+2\""));
    EXPECT_THAT(errors("poles=\"-1 inf\""), HasSubstr("holds \"inf\""));
    EXPECT_THAT(errors("zeros=\"-1 -2\" poles=\"-1\""), HasSubstr("more than the 1 poles"));
    std::string many;
    for (int i = 0; i < 65; ++i) many += "-0.1 ";
    EXPECT_THAT(errors("poles=\"" + many + "\""), HasSubstr("more than 64 numbers"));
  }
}

TEST(FilterForms, ANotchTakesOutItsFrequency) {
  expect_trace(sound_trial(waved("discrete/Notch", "frequency=\"60 Hz\" damping=\"0.4\" depth=\"0.1\""))["b.y"],
               reference::notch_output, 1e-12);
  const Trial trial = sound_trial(fed("discrete/Notch", "frequency=\"50 Hz\"",
                                      "type=\"sources/Sine\" amplitude=\"1 2\" frequency=\"50 Hz\" bias=\"5\""),
                                  {.duration = 1});
  EXPECT_NEAR(trial["b.y"].at(0), 5, 1e-12) << "starts at rest at its first input";
  for (std::size_t k = 800; k < 1000; ++k) ASSERT_NEAR(trial["b.y"].at(k, 1), 5, 1e-9);
  EXPECT_THAT(run_trial(waved("discrete/Notch", "frequency=\"500 Hz\"")).errors,
              HasSubstr("half the sampling frequency"));
}

} // namespace
} // namespace hilda::test
