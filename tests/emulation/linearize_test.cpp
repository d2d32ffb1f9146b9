// SPDX-License-Identifier: BSD-3-Clause
// What linearisation gives for systems whose linear model is known.

#include "tests/emulation/linear_trial.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

namespace hilda::test {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;

LinearModel discrete(const std::string& diagram, const std::string& from, const std::string& to, double time = 0) {
  const LinearTrial trial = linearize_diagram(diagram, {}, {{from}, {to}, time, 1e-4});
  EXPECT_EQ(trial.errors, "");
  return trial.result ? trial.result->discrete : LinearModel();
}

constexpr const char* oscillator = R"(<diagram format="1" name="oscillator" period="1 ms">
  <block name="u" type="sources/Constant" value="0 m/s2" sample_time="continuous"/>
  <block name="sum" type="math/Sum" signs="+-" sample_time="continuous"/>
  <block name="v" type="continuous/Integrator" initial="0 m/s"/>
  <block name="x" type="continuous/Integrator" initial="0.3 m"/>
  <block name="spring" type="math/Gain" gain="400 1/s2" sample_time="continuous"/>
  <connect from="u.y" to="sum.u[0]"/> <connect from="spring.y" to="sum.u[1]"/>
  <connect from="sum.y" to="v.u"/> <connect from="v.y" to="x.u"/> <connect from="x.y" to="spring.u"/>
</diagram>)";

TEST(Linearize, GivesTheContinuousModelOfAnOscillator) {
  const LinearTrial trial = linearize_diagram(oscillator, {}, {{"u.y"}, {"x.y"}, 0, 1e-4});
  ASSERT_EQ(trial.errors, "");
  ASSERT_TRUE(trial.result->continuous);
  const LinearModel& model = *trial.result->continuous;
  EXPECT_THAT(model.states, ElementsAre("v.x", "x.x"));
  const auto poles = model.poles();
  ASSERT_EQ(poles.size(), 2u);
  EXPECT_NEAR(std::abs(poles[0] - std::complex<double>(0, -20)), 0, 1e-6);
  EXPECT_NEAR(std::abs(model.response(10)(0, 0) - 1.0 / 300.0), 0, 1e-9);
  EXPECT_LT(model.error(), 1e-4);
  // RK4 over 1 ms gives exp(A T) to the fifth order.
  const auto z = trial.result->discrete.poles();
  EXPECT_NEAR(std::abs(z[0] - std::exp(std::complex<double>(0, -0.02))), 0, 1e-7);
}

constexpr const char* line = R"(<diagram format="1" name="line" period="1 ms">
  <block name="u" type="sources/Sine" amplitude="2" frequency="7 rad/s"/>
  <block name="delay" type="discrete/Delay" samples="3"/>
  <block name="y" type="math/Gain" gain="5"/>
  <connect from="u.y" to="delay.u"/> <connect from="delay.y" to="y.u"/>
</diagram>)";

TEST(Linearize, UnrollsADelayLineFromItsOldestEntry) {
  const LinearModel model = discrete(line, "u.y", "y.y", 0.005); // five ticks on: the head is inside the line
  EXPECT_DOUBLE_EQ(model.period, 1e-3);
  EXPECT_THAT(model.states, ElementsAre("delay.line[0][0]", "delay.line[1][0]", "delay.line[2][0]"));
  Eigen::Matrix3d shift = Eigen::Matrix3d::Zero();
  shift(0, 1) = shift(1, 2) = 1;
  EXPECT_LT((model.A - shift).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((model.B - Eigen::Vector3d(0, 0, 1)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((model.C - Eigen::RowVector3d(5, 0, 0)).cwiseAbs().maxCoeff(), 1e-8);
  const std::complex<double> G = model.response(100)(0, 0);
  EXPECT_NEAR(std::abs(G - 5.0 * std::exp(std::complex<double>(0, -0.3))), 0, 1e-8);
}

constexpr const char* rates = R"(<diagram format="1" name="rates" period="1 ms">
  <block name="u" type="sources/Constant" value="0"/>
  <block name="fast" type="discrete/UnitDelay" sample_time="2 ms"/>
  <block name="slow" type="discrete/UnitDelay" sample_time="3 ms"/>
  <connect from="u.y" to="fast.u"/> <connect from="fast.y" to="slow.u"/>
</diagram>)";

TEST(Linearize, TakesSeveralRatesOverTheirHyperperiod) {
  const LinearModel model = discrete(rates, "u.y", "slow.y");
  EXPECT_DOUBLE_EQ(model.period, 6e-3);
  // At 3 ms the slow block samples what the fast one put out at 2 ms: the input.
  ASSERT_EQ(model.states.size(), 1u);
  EXPECT_THAT(model.states, ElementsAre(HasSubstr("slow.")));
  EXPECT_LT(std::abs(model.A(0, 0)), 1e-9);
  EXPECT_NEAR(model.B(0, 0), 1, 1e-9);
}

TEST(Linearize, HoldsWhatIsNoRealNumberAndNamesIt) {
  // The noise continues from the same place each time, or its size would drown the differences.
  const LinearTrial trial = linearize_diagram(R"(<diagram format="1" name="noisy" period="1 ms">
    <block name="u" type="sources/Constant" value="0"/>
    <block name="noise" type="sources/Noise" deviation="1000" seed="3"/>
    <block name="sum" type="math/Sum" signs="++"/>
    <block name="memory" type="discrete/UnitDelay"/>
    <block name="high" type="math/Compare" operation="greater"/>
    <block name="counter" type="discrete/Counter"/>
    <connect from="u.y" to="sum.u[0]"/> <connect from="noise.y" to="sum.u[1]"/> <connect from="sum.y" to="memory.u"/>
    <connect from="noise.y" to="high.a"/> <connect from="u.y" to="high.b"/> <connect from="high.y" to="counter.u"/>
  </diagram>)",
                                              {}, {{"u.y"}, {"memory.y"}, 0.005, LinearizeOptions().step});
  ASSERT_EQ(trial.errors, "");
  EXPECT_THAT(trial.result->held, testing::IsSupersetOf({"noise.generator"}));
  EXPECT_THAT(trial.result->held, testing::Contains(testing::StartsWith("counter.")));
  const LinearModel& model = trial.result->discrete;
  EXPECT_THAT(model.states, ElementsAre(testing::StartsWith("memory.")));
  EXPECT_NEAR(model.B(0, 0), 1, 1e-7);
  EXPECT_LT(model.error(), 1e-6);
}

TEST(Linearize, JoinsTheLoopAroundAnInput) {
  const LinearTrial trial = linearize_diagram(oscillator, {}, {{"x.y"}, {"spring.y"}, 0, 1e-4});
  ASSERT_EQ(trial.errors, "");
  // u is added behind x: spring = 400 (x + u), x'' = -400 (x + u), so spring/u = 400 s^2/(s^2 + 400).
  const std::complex<double> G = trial.result->continuous->response(10)(0, 0);
  EXPECT_NEAR(std::abs(G - 400.0 * -100.0 / 300.0), 0, 1e-5);
}

TEST(Linearize, NamesWhatItDoesNotFind) {
  const LinearTrial trial = linearize_diagram(line, {}, {{"u.y"}, {"delai.y"}, 0, 1e-4});
  EXPECT_FALSE(trial.result);
  EXPECT_THAT(trial.errors,
              testing::AllOf(HasSubstr("linearize-signal"), HasSubstr("'delai.y'"), HasSubstr("delay.y")));
}

TEST(Linearize, SaysWhenTheRunEndsBefore) {
  const LinearTrial trial =
      linearize_diagram("cartesian_control", {"period=20ms"}, {{"pid.torque"}, {"pid.torque"}, 10, 1e-4});
  EXPECT_FALSE(trial.result);
  EXPECT_THAT(trial.errors, HasSubstr("linearize-ended"));
}

TEST(Linearize, TellsTheMarginAgainstADelay) {
  // Integrator with gain 10/s and a dead time T in the loop: unstable from 10 T = pi/2 on.
  const auto growth = [](int ticks) {
    const std::string text = R"(<diagram format="1" name="loop" period="1 ms">
      <block name="u" type="sources/Constant" value="0"/>
      <block name="sum" type="math/Sum" signs="+-"/>
      <block name="gain" type="math/Gain" gain="10 1/s"/>
      <block name="delay" type="discrete/Delay" samples=")" +
                             std::to_string(ticks) + R"("/>
      <block name="plant" type="continuous/Integrator" initial="0"/>
      <block name="sensor" type="discrete/ZeroOrderHold" sample_time="1 ms"/>
      <connect from="u.y" to="sum.u[0]"/> <connect from="sensor.y" to="sum.u[1]"/> <connect from="sum.y" to="gain.u"/>
      <connect from="gain.y" to="delay.u"/> <connect from="delay.y" to="plant.u"/> <connect from="plant.y" to="sensor.u"/>
    </diagram>)";
    const LinearModel model = discrete(text, "u.y", "plant.y");
    EXPECT_EQ(model.A.rows(), ticks + 1);
    return std::abs(model.poles().front());
  };
  EXPECT_LT(growth(150), 1.0);
  EXPECT_GT(growth(162), 1.0);
}

} // namespace
} // namespace hilda::test
