// SPDX-License-Identifier: BSD-3-Clause
// estimation/ExtendedKalmanFilter against the linear filter, closed forms and NumPy.
#include "tests/blocks/references_compared.h"

#include <gmock/gmock.h>
#include <utility>
#include <vector>

namespace hilda::test {
namespace {

using testing::HasSubstr;

/// A filter `f` with these elements inside.
std::string filter(const std::string& attributes, const std::string& inside) {
  return "<block name=\"f\" type=\"estimation/ExtendedKalmanFilter\" " + attributes + ">" + inside + "</block>";
}

std::string equation(const std::string& is) { return "<equation is=\"" + is + "\"/>"; }

/// Constant velocity with a known push, position measured, every seventh sample without a measurement.
const std::string measured = wave("y") + wave("u", 2) +
                             "<block name=\"there\" type=\"math/Function\" "
                             "expression=\"abs(mod(1000*t + 0.5, 7) - 3.5) &gt; 0.4\"/>"
                             "<block name=\"present\" type=\"math/RealToBool\"/>" +
                             wire("clock_y.time", "there.u") + wire("there.y", "present.u");

TEST(ExtendedKalman, OfALinearSystemIsTheKalmanFilter) {
  const Trial trial = sound_trial(
      measured +
      "<block name=\"l\" type=\"estimation/KalmanFilter\" A=\"1 0.1; 0 1\" B=\"0.005; 0.1\" C=\"1 0;\" "
      "Q=\"1e-4 0; 0 1e-3\" R=\"0.04;\" initial=\"1 -1\" initial_covariance=\"4 0; 0 2.25\"/>" +
      filter("p_deviation=\"2\" v_deviation=\"1.5\" p_noise=\"0.01\" v_noise=\"0.0316227766016837933\" z_noise=\"0.2\"",
             "<input name=\"u\"/><parameter name=\"T\" value=\"0.1\"/><state name=\"p\" initial=\"1\"/>"
             "<state name=\"v\" initial=\"-1\"/><output name=\"z\"/>" +
                 equation("p+ = p + T*v + T^2/2*u") + equation("v+ = v + T*u") + equation("z = p")) +
      wire("y.y", "l.y") + wire("u.y", "l.u") + wire("present.y", "l.present") + wire("y.y", "f.z_measured") +
      wire("u.y", "f.u") + wire("present.y", "f.present"));
  for (std::size_t k = 0; k < 100; ++k) {
    ASSERT_NEAR(trial["f.p"].at(k), trial["l.estimate"].at(k, 0), 1e-12) << k;
    ASSERT_NEAR(trial["f.v"].at(k), trial["l.estimate"].at(k, 1), 1e-12) << k;
    ASSERT_NEAR(trial["f.z_innovation"].at(k), trial["l.innovation"].at(k), 1e-12) << k;
    for (std::size_t i = 0; i < 4; ++i)
      ASSERT_NEAR(trial["f.covariance"].at(k, i), trial["l.covariance"].at(k, i), 1e-12) << k;
    if (k % 7 == 3) { EXPECT_EQ(trial["f.distance"].at(k), 0); }
  }
}

/// What a prediction makes of a variance of 1 is the square of the equation's slope.
TEST(ExtendedKalman, DerivesEachFunctionExactly) {
  const double x = 0.7;
  const std::pair<const char*, double> slopes[] = {
      {"sin(x)", std::cos(x)},
      {"cos(x)", -std::sin(x)},
      {"tan(x)", 1 / std::pow(std::cos(x), 2)},
      {"asin(x)", 1 / std::sqrt(1 - x * x)},
      {"acos(x)", -1 / std::sqrt(1 - x * x)},
      {"atan(x)", 1 / (1 + x * x)},
      {"sinh(x)", std::cosh(x)},
      {"cosh(x)", std::sinh(x)},
      {"tanh(x)", 1 - std::pow(std::tanh(x), 2)},
      {"exp(x)", std::exp(x)},
      {"ln(x) + log(x) + 5", 2 / x},
      {"log10(x) + 2", 1 / (x * std::log(10.0))},
      {"sqrt(x)", 0.5 / std::sqrt(x)},
      {"abs(-x)", 1},
      {"x + floor(x) + ceil(x) + round(x) + sign(x)", 1},
      {"atan2(x, 2)", 2 / (4 + x * x)},
      {"atan2(2, x)", -2 / (4 + x * x)},
      {"hypot(x, 2*x)", std::sqrt(5.0)},
      {"mod(5, x)", -7},
      {"mod(5*x, 2)", 5},
      {"x^3", 3 * x * x},
      {"x^2.5 + pow(x, 2)", 2.5 * std::pow(x, 1.5) + 2 * x},
      {"2^x", std::pow(2, x) * std::log(2.0)},
      {"x^x", std::pow(x, x) * (std::log(x) + 1)},
      {"min(x, 3) + max(x, 0.2) + max(2*x, x)", 4},
      {"x > 0.5 ? x*x : x", 2 * x},
      {"(1 - x)/(1 + x) - x", -2 / std::pow(1 + x, 2) - 1},
      {"norm(vector(x, 2*x, 2*x))", 3},
      {"dot(vector(x, 1), vector(x, x))", 2 * x + 1},
      {"sum(cross(vector(x, 1, 2), vector(3, x, 1)))", 2 * x - 3},
      {"sum(transpose(vector(x, x*x))*vector(x, 1))", 4 * x},
      {"sum(divide(times(vector(x, x), vector(x, 1)), vector(2, 4)))", x + 0.25}};
  for (const auto& [text, slope] : slopes) {
    std::string escaped = text;
    for (std::size_t at = escaped.find('>'); at != std::string::npos; at = escaped.find('>', at + 4))
      escaped.replace(at, 1, "&gt;");
    const Trial trial = sound_trial("<block name=\"z\" type=\"sources/Constant\" value=\"0\"/>"
                                    "<block name=\"no\" type=\"sources/BooleanConstant\" value=\"false\"/>" +
                                        filter("x_deviation=\"1\" x_noise=\"0\" z_noise=\"1\"",
                                               "<state name=\"x\" initial=\"0.7\"/><output name=\"z\"/>" +
                                                   equation("x+ = " + escaped) + equation("z = x")) +
                                        wire("z.y", "f.z_measured") + wire("no.y", "f.present"),
                                    {.duration = 0.002});
    EXPECT_NEAR(trial["f.covariance"].at(1), slope * slope, 1e-12 * std::max(1.0, slope * slope)) << text;
  }
}

/// A moving target by range and by sine and cosine of its bearing; NumPy has Jacobians written by hand.
TEST(ExtendedKalman, TracksByRangeAndBearingAsNumPyDoes) {
  const Trial trial = sound_trial(
      wave("a") + wave("b", 3) +
      "<block name=\"r\" type=\"math/Function\" expression=\"8 + 0.2*u\"/>"
      "<block name=\"s\" type=\"math/Function\" expression=\"0.6 + 0.02*u\"/>" +
      wire("a.y", "r.u") + wire("b.y", "s.u") +
      filter(
          "x_deviation=\"2\" y_deviation=\"2\" vx_deviation=\"1\" vy_deviation=\"1\" x_noise=\"0.01\" y_noise=\"0.01\" "
          "vx_noise=\"0.1\" vy_noise=\"0.1\" range_noise=\"0.3\" bearing_noise=\"0.05\"",
          "<parameter name=\"T\" value=\"0.1\"/><state name=\"x\" initial=\"6\"/><state name=\"y\" initial=\"4\"/>"
          "<state name=\"vx\"/><state name=\"vy\"/><output name=\"range\"/><output name=\"bearing\"/>" +
              equation("x+ = x + T*vx") + equation("y+ = y + T*vy") + equation("vx+ = vx - 0.02*T*vx*hypot(vx, vy)") +
              equation("vy+ = vy - 0.02*T*vy*hypot(vx, vy)") + equation("range = hypot(x, y)") +
              equation("bearing = atan2(y, x)")) +
      wire("r.y", "f.range_measured") + wire("s.y", "f.bearing_measured"));
  for (std::size_t k = 0; k < 40; ++k) {
    const double* const wanted = reference::range_bearing_rows + 8 * k;
    const char* const names[] = {"f.x", "f.y", "f.vx", "f.vy"};
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_NEAR(trial[names[i]].at(k), wanted[i], 1e-11) << names[i] << " " << k;
      ASSERT_NEAR(trial["f.covariance"].at(k, 5 * i), wanted[4 + i], 1e-11) << i << " " << k;
    }
  }
}

/// A pendulum whose horizontal deflection is measured; the states are one vector.
TEST(ExtendedKalman, FollowsAPendulumAsNumPyDoes) {
  const Trial trial =
      sound_trial(wave("a") + "<block name=\"m\" type=\"math/Function\" expression=\"0.5*u\"/>" + wire("a.y", "m.u") +
                  filter("s_deviation=\"0.5 1\" s_noise=\"0.001 0.02\" z_noise=\"0.1\"",
                         "<parameter name=\"T\" value=\"0.05\"/><state name=\"s\" shape=\"2\" initial=\"0.3 "
                         "0\"/><output name=\"z\"/>" +
                             equation("s+ = vector(s[0] + T*s[1], s[1] - T*(9.81*sin(s[0]) + 0.1*s[1]))") +
                             equation("z = sin(s[0])")) +
                  wire("m.y", "f.z_measured"));
  for (std::size_t k = 0; k < 40; ++k) {
    const double* const wanted = reference::pendulum_rows + 5 * k;
    for (std::size_t i = 0; i < 2; ++i) ASSERT_NEAR(trial["f.s"].at(k, i), wanted[i], 1e-11) << k;
    ASSERT_NEAR(trial["f.covariance"].at(k, 0), wanted[2], 1e-11) << k;
    ASSERT_NEAR(trial["f.covariance"].at(k, 2), wanted[3], 1e-11) << k;
    ASSERT_NEAR(trial["f.covariance"].at(k, 3), wanted[4], 1e-11) << k;
    ASSERT_EQ(trial["f.covariance"].at(k, 1), trial["f.covariance"].at(k, 2)) << "symmetric to the bit";
  }
}

TEST(ExtendedKalman, LeavesOutWhatLiesBeyondItsGate) {
  const auto run = [](const std::string& gate) {
    return sound_trial("<block name=\"s\" type=\"sources/Step\" time=\"5 ms\" before=\"1 m\" after=\"50 m\"/>" +
                       filter("x_deviation=\"2 m\" x_noise=\"0 m\" z_noise=\"1 m\" " + gate,
                              "<state name=\"x\" unit=\"m\"/><output name=\"z\" unit=\"m\"/>" + equation("x+ = x") +
                                  equation("z = x")) +
                       wire("s.y", "f.z_measured"));
  };
  const Trial open = run(""), gated = run("gate=\"5\"");
  EXPECT_EQ(open.units.at("f.x"), "m");
  // of z = 1 m with a variance of 1 m2, upon 0 with 4 m2
  EXPECT_NEAR(open["f.x"].at(0), 0.8, 1e-15);
  EXPECT_NEAR(open["f.covariance"].at(0), 0.8, 1e-15);
  EXPECT_NEAR(open["f.distance"].at(0), 1 / std::sqrt(5.0), 1e-15);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(open["f.x"].at(k), gated["f.x"].at(k)) << k;
  EXPECT_GT(open["f.x"].at(5), 5);
  for (std::size_t k = 5; k < 100; ++k) {
    EXPECT_EQ(gated["f.x"].at(k), gated["f.x"].at(4)) << k;
    EXPECT_GT(gated["f.distance"].at(k), 40) << k;
    EXPECT_NEAR(gated["f.z_innovation"].at(k), 50 - gated["f.x"].at(4), 1e-12) << k;
  }
  // the gate is the distance itself
  const double distance = open["f.distance"].at(5);
  const Trial beyond = run("gate=\"" + std::to_string(distance * 0.999) + "\""),
              within = run("gate=\"" + std::to_string(distance * 1.001) + "\"");
  EXPECT_EQ(beyond["f.x"].at(5), open["f.x"].at(4));
  EXPECT_EQ(within["f.x"].at(5), open["f.x"].at(5));
}

TEST(ExtendedKalman, SaysWhatItCannotFilter) {
  const auto errors = [](const std::string& inside, const std::string& attributes = "") {
    return run_trial("<block name=\"z\" type=\"sources/Constant\" value=\"0\"/>" + filter(attributes, inside) +
                     wire("z.y", "f.z_measured"))
        .errors;
  };
  const std::string state = "<state name=\"x\"/>", output = "<output name=\"z\"/>" + equation("z = x");
  EXPECT_THAT(errors(state + output + equation("x' = -x")), HasSubstr("the filter steps from sample to sample"));
  EXPECT_THAT(errors(state + output + "<equation when=\"x &gt; 1\" is=\"x+ = 0\"/>"),
              HasSubstr("the filter predicts at every sample"));
  EXPECT_THAT(errors(state + equation("x+ = x")), HasSubstr("has no measurement"));
  EXPECT_THAT(errors("<parameter name=\"x\" value=\"1\"/>" + output), HasSubstr("has no states to estimate"));
  EXPECT_THAT(errors(state + "<parameter name=\"gate\" value=\"1\"/>" + output + equation("x+ = x")),
              HasSubstr("which the filter has itself"));
  EXPECT_THAT(errors("<state name=\"x_noise\"/>" + equation("x_noise+ = x_noise")),
              HasSubstr("a name that does not end with _noise"));
  EXPECT_THAT(errors(state + output + equation("x+ = x")), HasSubstr("has no 'x_deviation'"));
  EXPECT_THAT(errors(state + output + equation("x+ = x"), "x_deviation=\"1\" x_noise=\"-1\" z_noise=\"1\""),
              HasSubstr("must be at least 0"));
  EXPECT_THAT(errors(state + output + equation("x+ = x"), "x_deviation=\"1\" x_noise=\"1 m\" z_noise=\"1\""),
              HasSubstr("unit-mismatch"));
  const Trial singular =
      run_trial("<block name=\"z\" type=\"sources/Constant\" value=\"0\"/>" +
                filter("x_deviation=\"0\" x_noise=\"0\" z_noise=\"0\"", state + output + equation("x+ = x")) +
                wire("z.y", "f.z_measured"));
  EXPECT_EQ(singular.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(singular.ending.block, "f");
  EXPECT_THAT(singular.ending.text, HasSubstr("is singular"));
  const Trial steep = run_trial("<block name=\"z\" type=\"sources/Constant\" value=\"0\"/>" +
                                filter("x_deviation=\"1\" x_noise=\"0\" z_noise=\"1\"",
                                       state + "<output name=\"z\"/>" + equation("z = sqrt(x)") + equation("x+ = x")) +
                                wire("z.y", "f.z_measured"));
  EXPECT_EQ(steep.ending.kind, Ending::Kind::failed);
  EXPECT_THAT(steep.ending.text, HasSubstr("the slope of a measurement is not finite at the estimate"));
}

} // namespace
} // namespace hilda::test
