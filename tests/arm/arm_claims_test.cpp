// SPDX-License-Identifier: BSD-3-Clause
// Table 5 of Dyba et al. 2023 and what its text claims, in the bands that were measured once.

#include "tests/diagrams/diagram_run.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Torques = std::array<double, 7>;
constexpr Torques cartesian_paper{1.89, 4.21, 2.72, 0.72, 1.55, 0.35, 0.027};
constexpr Torques cartesian_measured{1.860, 4.257, 2.735, 0.726, 1.562, 0.356, 0.0267};
constexpr Torques printed_measured{0.798, 2.732, 1.804, 0.739, 1.069, 0.189, 0.0276};
constexpr Torques kick_paper{1.50, 2.45, 1.68, 0.86, 1.10, 0.17, 0.036};
constexpr Torques kick_measured{1.408, 2.258, 1.646, 0.817, 1.090, 0.207, 0.0335};

DiagramRun run(const std::string& diagram, const std::vector<std::string>& settings = {}, double duration = 17.0) {
  DiagramRun r = run_diagram({diagram, settings, {}, duration});
  EXPECT_EQ(r.errors, "");
  EXPECT_EQ(r.ending.kind, Ending::Kind::none) << r.ending.text;
  return r;
}

Torques torques(const DiagramRun& r) {
  Torques all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = r.figures.at("joint_torque_max.j" + std::to_string(i + 1));
  return all;
}

void expect_within(const Torques& mine, const Torques& wanted, double share, const char* what) {
  for (std::size_t i = 0; i < mine.size(); ++i)
    EXPECT_NEAR(mine[i], wanted[i], share * wanted[i]) << what << ", joint " << i + 1;
}

void expect_error(const DiagramRun& r, double x, double y, double z) {
  EXPECT_NEAR(1e3 * r.figures.at("position_error_final.x"), x, 0.05);
  EXPECT_NEAR(1e3 * r.figures.at("position_error_final.y"), y, 0.05);
  EXPECT_NEAR(1e3 * r.figures.at("position_error_final.z"), z, 0.05);
}

TEST(Table5, CartesianControlIsThePapers) {
  const DiagramRun r = run("cartesian_control");
  expect_within(torques(r), cartesian_paper, 0.05, "paper");
  expect_within(torques(r), cartesian_measured, 0.02, "measured");
  expect_error(r, -30.86, 0.64, 19.50);
  EXPECT_NEAR(r.figures.at("contact.first_time"), 4.617, 0.005);
  EXPECT_NEAR(r.figures.at("contact.peak_force"), 8.289, 0.01);
}

TEST(Table5, ForceTorqueControlAsPrinted) {
  const DiagramRun r = run("force_torque_control");
  expect_within(torques(r), printed_measured, 0.02, "measured");
  expect_error(r, -0.21, -0.26, -1.11);
  EXPECT_NEAR(r.figures.at("contact.first_time"), 4.276, 0.005);
  EXPECT_NEAR(r.figures.at("contact.peak_force"), 8.003, 0.01);
}

TEST(Table5, ForceTorqueControlIsNearerToThePaperWithTheInitialMemory) {
  const DiagramRun kicked = run("force_torque_control", {"initial_memory=on"});
  const Torques printed = torques(run("force_torque_control")), kick = torques(kicked);
  expect_within(kick, kick_measured, 0.02, "measured");
  EXPECT_NEAR(kicked.figures.at("contact.first_time"), 1.461, 0.005);
  EXPECT_NEAR(kicked.figures.at("contact.peak_force"), 8.710, 0.01);
  const auto worst = [](const Torques& mine) {
    double share = 0.0;
    for (std::size_t i = 0; i < mine.size(); ++i) share = std::max(share, std::abs(mine[i] / kick_paper[i] - 1.0));
    return share;
  };
  EXPECT_LT(worst(kick), worst(printed));
}

TEST(Stiffness, SofterGainsGiveLowerForcesNotHigher) {
  const auto peak = [](double share) {
    const auto scaled = [&](const char* name, double full) {
      return std::string(name) + "=" + std::to_string(share * full);
    };
    return run("force_torque_control", {scaled("mass", 800), scaled("damping", 500), scaled("stiffness", 600)})
        .figures.at("contact.peak_force");
  };
  EXPECT_NEAR(peak(0.5), 7.837, 0.01);
  EXPECT_NEAR(peak(0.25), 7.543, 0.01);
  EXPECT_NEAR(peak(0.1), 6.873, 0.01);
}

TEST(LongRun, MomentumDrivesTheArmIntoASingularity) {
  const double cartesian = run("cartesian_control", {}, 24.0).figures.at("torque_limit_time");
  const double kick = run("force_torque_control", {"initial_memory=on"}, 24.0).figures.at("torque_limit_time");
  EXPECT_NEAR(cartesian, 22.20, 0.1);
  EXPECT_NEAR(kick, 22.99, 0.1);
}

TEST(Sphere, PathThroughItsCentreIsUnstableSideways) {
  const Torques straight = torques(run("cartesian_control"));
  const Torques aside = torques(run("cartesian_control", {"sphere_offset=0 0.5 -15 mm"}));
  EXPECT_NEAR(aside[0] / straight[0], 1.555, 0.01);
  for (const std::size_t stable : {1u, 2u, 4u}) EXPECT_NEAR(aside[stable] / straight[stable], 1.0, 0.03) << stable + 1;
}

TEST(Period, Of10MsDiverges) {
  const DiagramRun r = run_diagram({"force_torque_control", {"period=10ms"}, {}, 17.0});
  EXPECT_EQ(r.errors, "");
  const bool failed = r.ending.kind == Ending::Kind::failed;
  EXPECT_TRUE(failed || r.figures.at("joint_torque_max.j1") > 20.0);
}

TEST(PseudoInverse, EveryMethodGivesTheSameRun) {
  const Torques svd = torques(run("cartesian_control"));
  for (const char* method : {"pseudo_inverse=orthogonal", "pseudo_inverse=normal"})
    expect_within(torques(run("cartesian_control", {method})), svd, 1e-4, method);
}

} // namespace
} // namespace hilda::test
