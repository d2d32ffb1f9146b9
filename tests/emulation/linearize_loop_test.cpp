// SPDX-License-Identifier: BSD-3-Clause
// A loop is opened in the running system, before differences are taken of it.
#include "engine/analysis/margins.h"
#include "tests/emulation/linear_trial.h"
#include "tests/modules.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

LinearTrial opened(const std::string& diagram, const std::string& at) {
  return linearize_diagram(diagram, {}, {{}, {}, 0, LinearizeOptions().step, at});
}

Margins margins_of(const LinearModel& loop) { return margins(loop, sample_response(loop, band_of(loop))); }

/// (6.283 s + 400) (s + 100) / (0.01 s^3): a servo axis with its cascade.
constexpr const char* axis = R"(<diagram format="1" name="axis" period="1 ms">
  <block name="wanted" type="sources/Constant" value="0.3" sample_time="continuous"/>
  <block name="place" type="math/Sum" signs="+-"/> <block name="kv" type="math/Gain" gain="100 1/s"/>
  <block name="speed" type="math/Sum" signs="+-"/> <block name="kp" type="math/Gain" gain="6.283 s"/>
  <block name="ki" type="math/Gain" gain="400"/> <block name="i" type="continuous/Integrator"/>
  <block name="torque" type="math/Sum" signs="++"/> <block name="mass" type="math/Gain" gain="100 1/s2"/>
  <block name="v" type="continuous/Integrator" initial="0.2 1/s"/> <block name="x" type="continuous/Integrator" initial="0.1"/>
  <connect from="wanted.y" to="place.u[0]"/> <connect from="x.y" to="place.u[1]"/> <connect from="place.y" to="kv.u"/>
  <connect from="kv.y" to="speed.u[0]"/> <connect from="v.y" to="speed.u[1]"/> <connect from="speed.y" to="kp.u"/>
  <connect from="speed.y" to="ki.u"/> <connect from="ki.y" to="i.u"/> <connect from="kp.y" to="torque.u[0]"/>
  <connect from="i.y" to="torque.u[1]"/> <connect from="torque.y" to="mass.u"/> <connect from="mass.y" to="v.u"/>
  <connect from="v.y" to="x.u"/>
</diagram>)";

TEST(LinearizeLoop, OfAServoAxisHasTheMarginsOfItsClosedForm) {
  const LinearTrial trial = opened(axis, "torque.y");
  ASSERT_EQ(trial.errors, "");
  ASSERT_TRUE(trial.result && trial.result->opened_continuous);
  const LinearModel& loop = *trial.result->opened_continuous;
  for (const std::complex<double> pole : loop.poles()) EXPECT_EQ(pole, 0.0);
  const Margins found = margins_of(loop);
  ASSERT_EQ(found.gain.size(), 1u);
  const double kp = 6.283, ki = 400, kv = 100, mass = 0.01, a = kp * kv + ki, b = ki * kv;
  const double edge = mass * b / (kp * a); // of mass s^3 + K (kp s^2 + a s + b)
  EXPECT_NEAR(found.gain[0].factor, edge, 1e-6 * edge);
  EXPECT_NEAR(found.gain[0].factor, 0.0619, 5e-5);
  EXPECT_NEAR(found.gain[0].frequency, std::sqrt(b / kp), 1e-4);
  ASSERT_EQ(found.phase.size(), 1u);
  EXPECT_NEAR(found.phase[0].frequency, 639.1, 0.05);
  EXPECT_NEAR(found.phase[0].angle * 180 / 3.14159265358979, 75.42, 0.005);
  EXPECT_TRUE(found.stable);
  const Margins ticks = margins_of(*trial.result->opened_discrete); // the torque held for a tick
  ASSERT_FALSE(ticks.phase.empty());
  EXPECT_NEAR(ticks.phase[0].angle * 180 / 3.14159265358979, 75.42 - 639.1 * 0.0005 * 57.29578, 1);
}

TEST(LinearizeLoop, OfAGainAndAnIntegratorAtTicksIsFoundFarBelowTheTicks) {
  const LinearTrial trial = opened(R"(<diagram format="1" name="loop" period="1 ms">
    <block name="x" type="continuous/Integrator" initial="0.7"/>
    <block name="seen" type="discrete/ZeroOrderHold" sample_time="1 ms"/>
    <block name="k" type="math/Gain" gain="-2 1/s"/>
    <connect from="x.y" to="seen.u"/> <connect from="seen.y" to="k.u"/> <connect from="k.y" to="x.u"/>
  </diagram>)",
                                   "k.y");
  ASSERT_EQ(trial.errors, "");
  const LinearModel& loop = *trial.result->opened_discrete;
  const Margins found = margins_of(loop);
  ASSERT_EQ(found.phase.size(), 1u);
  EXPECT_NEAR(found.phase[0].frequency, 2, 1e-5);
  EXPECT_NEAR(found.phase[0].angle, 1.5707963 - std::asin(0.001), 1e-5);
  EXPECT_TRUE(found.stable);
}

TEST(LinearizeLoop, OpenedAndClosedAgainIsTheLoopThatRuns) {
  const LinearTrial trial = opened(axis, "torque.y");
  ASSERT_EQ(trial.errors, "");
  const LinearModel &loop = *trial.result->opened_continuous, &closed = *trial.result->continuous;
  for (const double w : {1.0, 80.0, 2000.0}) {
    const std::complex<double> there = closed.response(w)(0, 0), here = 1.0 / (1.0 + loop.response(w)(0, 0));
    EXPECT_LT(std::abs(there - here), 1e-6 * std::abs(here) + 1e-10); // the closed one's errors are of the size of 1
  }
}

} // namespace
} // namespace hilda::test
