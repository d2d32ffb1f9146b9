// SPDX-License-Identifier: BSD-3-Clause
// The pose of a frame from its twist, by both rules, against x0 + n T v and q0 exp(n T w).

#include "tests/diagrams/diagram_run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

void expect_poses(const std::string& rule, double moved_at_tick_1) {
  const DiagramRun run = run_diagram({R"(<diagram format="1" name="turn" period="10 ms">
<block name="v" type="sources/Step" time="10 ms" before="1 0 0 m/s" after="2 0 0 m/s"/>
<block name="w" type="sources/Constant" value="0 0 0.5 rad/s"/>
<block name="twist" type="kinematics/MakeTwist"/>
<block name="pose" type="kinematics/PoseIntegrator" position="1 2 3 m" orientation="0 0 0 2" pose_rule=")" +
                                          rule + R"("/>
<connect from="v.y" to="twist.linear"/>
<connect from="w.y" to="twist.angular"/>
<connect from="twist.twist" to="pose.twist"/>
</diagram>)",
                                      {},
                                      {"pose.pose"},
                                      1.0});
  ASSERT_EQ(run.errors, "");
  ASSERT_EQ(run.signals.at("pose.pose").size(), 700u);
  for (std::size_t k = 0; k < 100; ++k) {
    const double ticks = static_cast<double>(k), half = 0.5 * 0.01 * 0.5 * ticks;
    const double moved = k == 0 ? 0.0 : moved_at_tick_1 + (ticks - 1) * 0.02;
    EXPECT_NEAR(run.at("pose.pose", k, 7, 0), 1 + moved, 1e-12) << rule << ", tick " << k;
    EXPECT_NEAR(run.at("pose.pose", k, 7, 1), 2, 1e-12);
    // Half a turn about z, then on: (w, z) = (cos, sin) of half the angle.
    EXPECT_NEAR(run.at("pose.pose", k, 7, 3), -std::sin(half), 1e-12) << rule << ", tick " << k;
    EXPECT_NEAR(run.at("pose.pose", k, 7, 6), std::cos(half), 1e-12) << rule << ", tick " << k;
  }
}

TEST(PoseIntegrator, IsCarriedByThisTicksTwistOrByTheLast) {
  expect_poses("backward", 0.02);
  expect_poses("forward", 0.01);
}

} // namespace
} // namespace hilda::test
