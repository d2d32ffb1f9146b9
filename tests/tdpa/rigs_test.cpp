// SPDX-License-Identifier: BSD-3-Clause
// Rigs are interchangeable: every scheme runs on the other's rig.

#include "tests/project_folders.h"
#include "tests/tdpa/tdpa_run.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

const std::string two_walls = source_folder() + "/diagrams/rigs/two_walls.xml";

class OnTwoWalls : public ::testing::TestWithParam<std::string> {};

TEST_P(OnTwoWalls, RunsAndBounces) {
  TdpaLoop loop({.diagram = GetParam(),
                 .settings = {"period=1 ms", "mass=279.07 kg", "velocity=0.02 0 0 m/s", "angular_velocity=0 0 0 rad/s",
                              "response_delay=10 ms", "stiffness=176.275 N/mm"},
                 .replaced = {},
                 .rig = two_walls});
  Runtime* const runtime = loop.runtime();
  ASSERT_NE(runtime, nullptr) << loop.errors();
  EXPECT_FALSE(loop.remarks().empty()) << "what the rig does not declare is dropped and said";
  const SystemSignal* twist = runtime->find_signal("body.twist");
  ASSERT_NE(twist, nullptr);
  double lowest = 0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_TRUE(runtime->step()) << runtime->ending().text;
    lowest = std::min(lowest, static_cast<const double*>(twist->span.data)[0]);
  }
  EXPECT_LT(lowest, -0.019) << "it has come back from the wall";
}

INSTANTIATE_TEST_SUITE_P(Tdpa, OnTwoWalls, ::testing::Values("tdpa_uncompensated", "tdpa", "tdpa_full"),
                         [](const auto& given) { return given.param; });

const std::string room = source_folder() + "/diagrams/rigs/room.xml";

class InTheRoom : public ::testing::TestWithParam<std::string> {};

TEST_P(InTheRoom, ComesBackFromASoftWallAsFast) {
  TdpaLoop loop({.diagram = GetParam(),
                 .settings = {"service_mass=50 kg", "target_mass=inf", "velocity=0.1 0 0 m/s", "stiffness=2000 N/m",
                              "response_delay=10 ms", "rig.half_size=0.2031 m"},
                 .replaced = {},
                 .rig = room});
  Runtime* const runtime = loop.runtime();
  ASSERT_NE(runtime, nullptr) << loop.errors();
  EXPECT_FALSE(loop.remarks().empty()) << "what the rig does not declare is dropped and said";
  const SystemSignal* velocity = runtime->find_signal("commanded_tip.velocity");
  ASSERT_NE(velocity, nullptr);
  for (int k = 0; k < 3000; ++k) ASSERT_TRUE(runtime->step()) << runtime->ending().text;
  // without compensation it would be -0.110
  EXPECT_NEAR(static_cast<const double*>(velocity->span.data)[0], -0.1, 0.002);
}

INSTANTIATE_TEST_SUITE_P(Contact, InTheRoom, ::testing::Values("pic", "dac", "pida"),
                         [](const auto& given) { return given.param; });

} // namespace
} // namespace hilda::test
