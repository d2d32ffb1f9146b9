// SPDX-License-Identifier: BSD-3-Clause
// Curves, tables, linear equations and estimators, against SciPy.
#include "tests/blocks/references_compared.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

/// A table looked up along a ramp from 0, a step of `rate` a tick.
Trial along(const std::string& table, double rate, const std::string& more = "") {
  char slope[40];
  std::snprintf(slope, sizeof slope, "%.17g 1/s", rate * 1000);
  return run_trial("<block name=\"u\" type=\"sources/Ramp\" slope=\"" + std::string(slope) +
                   "\"/><block name=\"b\" type=\"math/LookupTable\" " + table + " " + more + "/>" + wire("u.y", "b.u"));
}
constexpr const char* points = "x=\"0 1 2.5 3 4.2 6\" values=\"0 2 1.5 3 3 -1\"";

TEST(Curves, ThroughPointsAreThoseOfSciPy) {
  expect_trace(along(points, 0.15, "interpolation=\"spline\"")["b.y"], reference::spline_curve, 1e-12);
  expect_trace(along(points, 0.15, "interpolation=\"monotone\"")["b.y"], reference::monotone_curve, 1e-12);
  expect_trace(along("x=\"0 1 2.5\" values=\"0 2 1.5\"", 0.25, "interpolation=\"spline\"")["b.y"],
               reference::parabola_curve, 1e-13);
  const Trial two = along("x=\"0 2\" values=\"1 5\"", 0.01, "interpolation=\"spline\"");
  for (std::size_t k = 0; k < 100; ++k) EXPECT_NEAR(two["b.y"].at(k), 1 + 0.02 * static_cast<double>(k), 1e-12);
}

TEST(Curves, GoOnAsTheirEndsDo) {
  // Beyond 6: by the slope there.
  const Trial on = along(points, 0.1, "interpolation=\"spline\" outside=\"extrapolate\"");
  const double slope = (on["b.y"].at(99) - on["b.y"].at(80)) / (0.1 * 19);
  EXPECT_NEAR(on["b.y"].at(70) - on["b.y"].at(61), slope * 0.9, 1e-9);
  EXPECT_NEAR((on["b.y"].at(60) - on["b.y"].at(59)) / 0.1, slope, 0.5);
  EXPECT_EQ(along(points, 0.1, "interpolation=\"monotone\"")["b.y"].at(99), -1);
  const Trial nearest = along("x=\"0 1 2\" values=\"5 6 7\"", 0.125, "interpolation=\"nearest\"");
  EXPECT_EQ(nearest["b.y"].at(3), 5);
  EXPECT_EQ(nearest["b.y"].at(4), 6) << "halves go up";
  EXPECT_EQ(nearest["b.y"].at(90), 7);
  EXPECT_EQ(along(points, 0.1, "interpolation=\"spline\" outside=\"refuse\"").ending.kind, Ending::Kind::failed);
}

std::string coordinate(const std::string& name, const std::string& expression) {
  return "<block name=\"" + name + "\" type=\"math/Function\" expression=\"" + expression + "\"/>" +
         wire("clock.time", name + ".u");
}

TEST(Tables, OfThreeVariablesAreThoseOfSciPy) {
  const std::string body =
      "<block name=\"clock\" type=\"sources/Clock\"/>" + coordinate("p", "1.5 + 1.5*sin(300*t)") +
      coordinate("q", "0.5 + 1.5*sin(700*t)") + coordinate("r", "2 + 2*sin(1100*t)") +
      "<block name=\"b\" type=\"math/LookupTableND\" points_a=\"0 1 3\" points_b=\"-1 2\" points_c=\"0 0.5 1 4\" "
      "values=\"" +
      numbers(reference::grid_values) + "\"/>" + wire("p.y", "b.a") + wire("q.y", "b.b") + wire("r.y", "b.c");
  expect_trace(sound_trial(body)["b.y"], reference::grid_output, 1e-12);
}

TEST(Tables, OfOneToFourVariablesMeetWhatIsLinearInEach) {
  // x, x + 10 y ... at the corners 0 and 1: exact anywhere, beyond the border too.
  const double at[] = {0.25, 0.5, -0.5, 2};
  const char* const ports[] = {"a", "b", "c", "d"};
  std::string body, attributes = "outside=\"extrapolate\" points_a=\"0 1\"", wires;
  std::vector<double> values{0, 1};
  double wanted = at[0], weight = 1;
  for (std::size_t n = 1; n <= 4; ++n) {
    const std::string port = ports[n - 1];
    body += "<block name=\"" + port + "\" type=\"sources/Constant\" value=\"" + std::to_string(at[n - 1]) + "\"/>";
    wires += wire(port + ".y", "t." + port);
    if (n > 1) {
      weight *= 10;
      wanted += weight * at[n - 1];
      attributes += " points_" + port + "=\"0 1\"";
      std::vector<double> more;
      for (const double v : values) more.insert(more.end(), {v, v + weight});
      values = more;
    }
    std::string text;
    for (const double v : values) text += std::to_string(v) + " ";
    const Trial trial = sound_trial(body + "<block name=\"t\" type=\"math/LookupTableND\" " + attributes +
                                    " values=\"" + text + "\"/>" + wires);
    EXPECT_NEAR(trial["t.y"].at(3), wanted, 1e-11) << n;
  }
}

TEST(Tables, ThatDoNotFitTheirGridAreRefused) {
  const auto errors = [](const std::string& attributes) {
    return run_trial(fed("math/LookupTableND", attributes, "", "a")).errors;
  };
  EXPECT_THAT(errors("points_a=\"0 1 2\" values=\"1 2\""), HasSubstr("has 3 points; give one for each"));
  EXPECT_THAT(errors("points_a=\"0 1\" points_b=\"0 1\" values=\"1 2 3 4\""), HasSubstr("which nothing drives"));
  EXPECT_THAT(errors("points_a=\"1 0\" values=\"1 2\""), HasSubstr("does not rise"));
}

constexpr const char* matrix =
    "<block name=\"m\" type=\"sources/Constant\" value=\"0 2 1 3; 1 1 0 2; 4 0 2 -1; 2 5 3 1 N\"/>";

TEST(LinearEquations, AreSolvedAsBySciPy) {
  const Trial trial =
      sound_trial(std::string(matrix) +
                  "<block name=\"b\" type=\"sources/Constant\" value=\"1 2 3 4 N m\"/><block name=\"s\" "
                  "type=\"math/Solve\"/><block name=\"i\" type=\"math/MatrixInverse\"/>" +
                  wire("m.y", "s.matrix") + wire("b.y", "s.b") + wire("m.y", "i.u"));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(trial["s.x"].at(0, i), reference::solution[i], 1e-14);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(trial["i.y"].at(0, i), reference::inverse[i], 1e-14);
  EXPECT_EQ(trial.units.at("s.x"), "m");
  EXPECT_EQ(trial.units.at("i.y"), "1/N");
}

TEST(LinearEquations, ThatAreSingularFailTheRun) {
  for (const std::string type : {"MatrixInverse", "Solve"}) {
    const std::string port = type == "Solve" ? "matrix" : "u";
    const Trial trial = run_trial(
        "<block name=\"m\" type=\"sources/Constant\" value=\"1 2; 2 4\"/><block name=\"x\" type=\"math/" + type +
        "\"/>" + wire("m.y", "x." + port) +
        (type == "Solve" ? "<block name=\"b\" type=\"sources/Constant\" value=\"1 2\"/>" + wire("b.y", "x.b") : ""));
    ASSERT_EQ(trial.errors, "");
    EXPECT_EQ(trial.ending.kind, Ending::Kind::failed);
    EXPECT_EQ(trial.ending.text, "the matrix is singular");
  }
  EXPECT_THAT(run_trial(fed("math/MatrixInverse", "")).errors, HasSubstr("shapes"));
}

constexpr const char* tracker = "A=\"1 0.1; 0 1\" B=\"0.005; 0.1\" C=\"1 0;\" Q=\"1e-4 2e-4; 2e-4 1e-3\" R=\"0.04\" "
                                "initial=\"1 -1\" initial_covariance=\"4 2\"";

TEST(Kalman, FilterIsThatOfTheInformationForm) {
  const std::string body =
      wave("y") + wave("u", 2) +
      "<block name=\"there\" type=\"math/Function\" expression=\"abs(mod(1000*t + 0.5, 7) - 3.5) &gt; 0.4\"/>"
      "<block name=\"present\" type=\"math/RealToBool\"/><block name=\"b\" type=\"estimation/KalmanFilter\" " +
      tracker + "/>" + wire("clock_y.time", "there.u") + wire("there.y", "present.u") + wire("present.y", "b.present") +
      wire("y.y", "b.y") + wire("u.y", "b.u");
  const Trial trial = sound_trial(body);
  for (std::size_t k = 0; k < 40; ++k) {
    const double* const wanted = reference::kalman_rows + 5 * k;
    for (std::size_t i = 0; i < 2; ++i) ASSERT_NEAR(trial["b.estimate"].at(k, i), wanted[i], 1e-12) << k;
    ASSERT_NEAR(trial["b.covariance"].at(k, 0), wanted[2], 1e-12) << k;
    ASSERT_NEAR(trial["b.covariance"].at(k, 2), wanted[3], 1e-12) << k;
    ASSERT_NEAR(trial["b.covariance"].at(k, 3), wanted[4], 1e-12) << k;
    ASSERT_EQ(trial["b.covariance"].at(k, 1), trial["b.covariance"].at(k, 2)) << "symmetric to the bit";
    if (k % 7 == 3) { EXPECT_EQ(trial["b.innovation"].at(k), 0); }
  }
}

TEST(Kalman, FilterRefusesWhatIsNoCovariance) {
  const auto errors = [](const std::string& q, const std::string& r, const std::string& more = "") {
    return run_trial(wave("y") + "<block name=\"b\" type=\"estimation/KalmanFilter\" A=\"1 0.1; 0 1\" C=\"1 0;\" Q=\"" +
                     q + "\" R=\"" + r + "\" initial_covariance=\"1\" " + more + "/>" + wire("y.y", "b.y"))
        .errors;
  };
  EXPECT_THAT(errors("1 2; 3 1", "1"), HasSubstr("is not symmetric at [1,0]"));
  EXPECT_THAT(errors("1 0; 0 -1", "1"), HasSubstr("a variance below 0 at [1,1]"));
  EXPECT_THAT(errors("1", "1", "B=\"1; 1\""), HasSubstr("an input u that nothing drives"));
  EXPECT_EQ(errors("1", "1"), "");
  const Trial singular = run_trial(wave("y") +
                                   "<block name=\"b\" type=\"estimation/KalmanFilter\" A=\"1\" C=\"1\" Q=\"0\" R=\"0\" "
                                   "initial_covariance=\"0\"/>" +
                                   wire("y.y", "b.y"));
  EXPECT_EQ(singular.ending.kind, Ending::Kind::failed);
  EXPECT_THAT(singular.ending.text, HasSubstr("singular"));
}

std::string learner(const std::string& attributes) {
  return wave("w") +
         "<block name=\"cosine\" type=\"math/Function\" expression=\"cos(500*t)\"/><block name=\"one\" "
         "type=\"sources/Constant\" value=\"1\"/><block name=\"r\" type=\"routing/Mux\" inputs=\"3\"/>"
         "<block name=\"y\" type=\"math/Function\" expression=\"2*u - v + 0.5 + 0.1*sin(3100*t)\"/>"
         "<block name=\"b\" type=\"estimation/RecursiveLeastSquares\" " +
         attributes + "/>" + wire("clock_w.time", "cosine.u") + wire("w.y", "r.u[0]") + wire("cosine.y", "r.u[1]") +
         wire("one.y", "r.u[2]") + wire("w.y", "y.u") + wire("cosine.y", "y.v") + wire("r.y", "b.regressor") +
         wire("y.y", "b.y");
}

TEST(RecursiveLeastSquares, AreTheLeastSquaresOverAllTicksSoFar) {
  expect_trace(sound_trial(learner("forgetting=\"0.95\" initial_covariance=\"10\""))["b.theta"],
               reference::least_squares_rows, 1e-10);
}

TEST(RecursiveLeastSquares, StandStillWhereNothingIsToBeLearnt) {
  const Trial still =
      sound_trial(fed("estimation/RecursiveLeastSquares", "initial_covariance=\"3\" forgetting=\"0.9\" initial=\"7\"",
                      "type=\"sources/Constant\" value=\"0 0\"", "regressor") +
                  "<block name=\"y\" type=\"sources/Constant\" value=\"1\"/>" + wire("y.y", "b.y"));
  EXPECT_EQ(still["b.theta"].at(99, 1), 7);
  EXPECT_EQ(still["b.covariance"].at(99, 0), 3);
  // A regressor in one direction: without the limit the other's variance grows by 1 / 0.9 each tick.
  const Trial bounded =
      sound_trial(fed("estimation/RecursiveLeastSquares", "initial_covariance=\"3\" forgetting=\"0.9\" largest=\"50\"",
                      "type=\"sources/Constant\" value=\"1 0\"", "regressor") +
                      "<block name=\"y\" type=\"sources/Constant\" value=\"1\"/>" + wire("y.y", "b.y"),
                  {.duration = 1});
  EXPECT_NEAR(bounded["b.covariance"].at(999, 3), 50, 1e-9);
  EXPECT_NEAR(bounded["b.theta"].at(999, 0), 1, 1e-6);
  EXPECT_THAT(run_trial(learner("forgetting=\"1.1\" initial_covariance=\"10\"")).errors, HasSubstr("at most 1"));
}

TEST(ContinuousPid, IsWhatSciPyIntegrates) {
  const std::string attributes = "kp=\"8\" ki=\"6\" kd=\"1\" filter_time=\"50 ms\" upper=\"3\" lower=\"-3\" "
                                 "anti_windup=\"back_calculation\" tracking_time=\"0.5 s\"";
  const Trial trial = sound_trial(
      "<block name=\"r\" type=\"sources/Constant\" value=\"1\"/><block name=\"b\" type=\"continuous/Pid\" " +
          attributes +
          "/><block name=\"p\" type=\"continuous/TransferFunction\" numerator=\"1\" denominator=\"1 2 1\"/>" +
          wire("r.y", "b.setpoint") + wire("p.y", "b.measured") + wire("b.command", "p.u"),
      {.duration = 8.001});
  expect_trace(trial["p.y"], reference::limited_pid_output, 1e-6, 500);
}

/// What back-calculation takes away nothing would lead back: at its limit until 0.5 s, and 0.5 from then on.
TEST(Pids, WithoutAnIntegralGainLeaveTheirLimitAtOnce) {
  for (const char* type : {"continuous/Pid", "discrete/Pid"})
    for (const char* sizes : {"2", "2 3"}) {
      const Trial trial =
          sound_trial(fed(type, "kp=\"1\" upper=\"1\" lower=\"-1\" anti_windup=\"back_calculation\"",
                          "type=\"sources/Step\" before=\"" + std::string(sizes).substr(0, 1) + "\" after=\"" +
                              (std::string(sizes) == "2" ? "0.5" : "0.5 0.5") + "\" time=\"0.5 s\"",
                          "setpoint"),
                      {.duration = 1.0});
      EXPECT_EQ(trial["b.command"].at(400), 1) << type;
      EXPECT_EQ(trial["b.command"].at(900), 0.5) << type;
    }
}

TEST(ContinuousPid, HoldsItsIntegralAtALimitAndNeedsNoDerivative) {
  const auto run = [](const std::string& attributes) {
    return sound_trial(fed("continuous/Pid", "kp=\"1\" " + attributes,
                           "type=\"sources/Pulse\" high=\"2 2\" low=\"-2\" width=\"0.5 s\"", "setpoint") +
                           "<block name=\"zero\" type=\"sources/Constant\" value=\"0 0\"/>" +
                           wire("zero.y", "b.measured"),
                       {.duration = 1});
  };
  // e = 2, then -2; I = 4 t until kp e + I = 3 at 0.25 s, and stays there.
  const Trial clamp = run("ki=\"2\" upper=\"3\""), none = run("ki=\"2\" upper=\"3\" anti_windup=\"none\"");
  for (std::size_t k = 0; k < 999; ++k) {
    const double t = 1e-3 * static_cast<double>(k), back = std::max(t - 0.5, 0.0), e = k < 500 ? 2 : -2;
    ASSERT_NEAR(clamp["b.command"].at(k), std::min(e + 4 * std::min(t, 0.25) - 4 * back, 3.0), 5e-3) << k;
    ASSERT_NEAR(none["b.command"].at(k, 1), std::min(e + 4 * std::min(t, 0.5) - 4 * back, 3.0), 1e-9) << k;
  }
  // A tick far longer than the default filter's time: without kd it does not matter, with it it is refused.
  const std::string slow = "kp=\"1\" ki=\"1\"";
  const TrialOptions ticks = {.duration = 10, .period = "100 ms"};
  EXPECT_NEAR(
      sound_trial(fed("continuous/Pid", slow, "type=\"sources/Constant\" value=\"1\"", "setpoint"), ticks)["b.command"]
          .at(50),
      6, 1e-12);
  EXPECT_THAT(
      run_trial(fed("continuous/Pid", slow + " kd=\"1\"", "type=\"sources/Constant\" value=\"1\"", "setpoint"), ticks)
          .errors,
      HasSubstr("shorter than half the tick"));
}

} // namespace
} // namespace hilda::test
