// SPDX-License-Identifier: BSD-3-Clause
// Stability edges and force transmissivity of Aghili's emulation, found by linearising the diagrams.

#include "tests/emulation/linear_trial.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Settings = std::vector<std::string>;

/// Largest real part of the poles in contact; a pole at 0, which a velocity as input brings, counts as none.
double growth(const std::string& diagram, Settings settings, double inertia_ratio) {
  settings.push_back("inertia_ratio=" + std::to_string(inertia_ratio));
  settings.push_back("velocity=0 m/s");
  const LinearTrial trial =
      linearize_diagram(diagram, settings, {{"emulator.disturbance.y"}, {"emulator.wall.force"}, 0, 1e-4});
  EXPECT_EQ(trial.errors, "");
  if (!trial.result || !trial.result->continuous) {
    ADD_FAILURE() << "no continuous model";
    return NAN;
  }
  for (const std::complex<double> pole : trial.result->continuous->poles())
    if (std::abs(pole) > 1e-3) return pole.real();
  return NAN;
}

/// Between a share below and above of this inertia ratio lies the border.
void expect_lower_edge(const std::string& diagram, const Settings& settings, double edge, double share = 0.005) {
  EXPECT_GT(growth(diagram, settings, edge * (1 - share)), 0) << diagram << " " << edge;
  EXPECT_LT(growth(diagram, settings, edge * (1 + share)), 0) << diagram << " " << edge;
}
void expect_upper_edge(const std::string& diagram, const Settings& settings, double edge, double share = 0.005) {
  EXPECT_LT(growth(diagram, settings, edge * (1 - share)), 0) << diagram << " " << edge;
  EXPECT_GT(growth(diagram, settings, edge * (1 + share)), 0) << diagram << " " << edge;
}

// All in contact with the wall, 10 mm deep.
Settings in_contact(Settings more = {}) {
  more.push_back("start=0.06 m");
  return more;
}

TEST(StabilityEdges, OfTheConstrainedSchemeAtACompliantWall) {
  const Settings without = in_contact({"accommodation=0 m/s/N"});
  expect_lower_edge("emulation_constrained", without, 0.0470);
  expect_upper_edge("emulation_constrained", without, 1.789);
  expect_lower_edge("emulation_constrained", in_contact(), 0.0512);
  expect_upper_edge("emulation_constrained", in_contact(), 1.734);
}

TEST(StabilityEdges, OfTheUnconstrainedSchemeLieALittleHigher) {
  expect_upper_edge("emulation_unconstrained", in_contact(), 1.957);
}

// A target whose joint transmits nothing, and drives that are switched off, is one rigid link.
const Settings rigid{"joint_stiffness=1e-9 N m/rad", "joint_damping=0 N m s/rad", "kv=0 N m s/rad", "kp=0 N m/rad"};
// The same the other way round: a drive without mass on a joint that hardly gives, with poles up to 1e8 1/s.
const Settings stiff{"joint_stiffness=2e7 N m/rad", "joint_damping=1e5 N m s/rad", "drive_inertia=1e-3 kg m2",
                     "kv=0 N m s/rad", "kp=0 N m/rad"};

TEST(StabilityEdges, OfARigidTargetAreTheSameInBothSchemes) {
  for (const char* diagram : {"emulation_constrained", "emulation_unconstrained"}) {
    expect_lower_edge(diagram, in_contact(rigid), 0.05233, 0.001);
    expect_upper_edge(diagram, in_contact(rigid), 1.9014, 0.001);
  }
}

TEST(StabilityEdges, OfATargetThatIsAllButRigidAreThoseOfARigidOne) {
  expect_lower_edge("emulation_constrained", in_contact(stiff), 0.05233, 0.002);
  expect_upper_edge("emulation_constrained", in_contact(stiff), 1.9014, 0.002);
}

TEST(StabilityEdges, OfTheUnconstrainedSchemeWithALockedMotorGiveWayToTheJointsStiffness) {
  // A drive of endless inertia, no damper in the joint, an all but rigid wall: (g_p - k / Mbar_s) / (g_v w_a).
  for (const double k : {200.0, 500.0}) {
    const double edge = (100 - k / 10) / (20 * 100);
    const Settings locked{"joint_stiffness=" + std::to_string(k) + " N m/rad",
                          "joint_damping=0 N m s/rad",
                          "drive_inertia=1e12 kg m2",
                          "kv=0 N m s/rad",
                          "kp=0 N m/rad",
                          "wall_stiffness=1e9 N/m",
                          "wall_damping=1e6 N s/m",
                          "start=0.0500001 m"};
    expect_lower_edge("emulation_unconstrained", locked, edge, 0.001);
  }
}

LinearModel transmissivity(double inertia_ratio) {
  const LinearTrial trial = linearize_diagram(
      "emulation_transmissivity", {"inertia_ratio=" + std::to_string(inertia_ratio)}, {{"lambda.y"}, {"f.y"}, 0, 1e-4});
  EXPECT_EQ(trial.errors, "");
  EXPECT_TRUE(trial.result && trial.result->continuous);
  return trial.result ? trial.result->continuous.value_or(LinearModel()) : LinearModel();
}

TEST(RigidWall, IsStableFromTheRatioOfEq33On) {
  // g_p / (g_v w_a) = 100 / (20 * 100)
  EXPECT_NEAR(transmissivity(0.9 * 0.05).poles().front().real(), 0.1974, 2e-4);
  EXPECT_NEAR(transmissivity(1.1 * 0.05).poles().front().real(), -0.2023, 2e-4);
  EXPECT_NEAR(transmissivity(0.05).poles().front().real(), 0, 1e-6);
  EXPECT_GT(transmissivity(0.05 * (1 - 1e-4)).poles().front().real(), 0);
  EXPECT_LT(transmissivity(0.05 * (1 + 1e-4)).poles().front().real(), 0);
}

TEST(RigidWall, TransmitsForcesAsFigure5Shows) {
  const auto peak = [](double Q) {
    const LinearModel model = transmissivity(Q);
    double highest = 0;
    for (double log = 0; log < 3; log += 5e-4)
      highest = std::max(highest, std::abs(model.response(std::pow(10, log))(0, 0)));
    for (double low = 1e-3; low < 1; low *= 2) highest = std::max(highest, std::abs(model.response(low)(0, 0)));
    return 20 * std::log10(highest);
  };
  EXPECT_NEAR(peak(0.051), 41.06, 0.1);
  EXPECT_NEAR(peak(0.06), 21.82, 0.02);
  EXPECT_NEAR(peak(0.1), 10.55, 0.02);
  EXPECT_NEAR(peak(0.2), 5.31, 0.02);
  EXPECT_NEAR(peak(1), 1.267, 0.01);
  EXPECT_NEAR(peak(5), 0.293, 0.01);
}

TEST(RigidWall, TransmissivityIsThatOfEq34) {
  const double Q = 0.2;
  const LinearModel model = transmissivity(Q);
  for (const double w : {0.1, 1.0, 10.0, 30.0, 300.0}) {
    const std::complex<double> s(0, w), H = 100.0 / (s + 100.0), D = (20.0 * s + 100.0) / (s * s);
    const std::complex<double> T = H * (1.0 + D) * Q / (1.0 - H + H * (1.0 + D) * Q);
    EXPECT_NEAR(std::abs(model.response(w)(0, 0) - T), 0, 1e-6) << w;
  }
}

std::complex<double> transfer(const LinearModel& model, double w, Eigen::Index output) {
  return model.response(w)(output, 0);
}

TEST(Disturbance, MovesTheUnconstrainedArmOffItsTargetAsEq27HasIt) {
  const LinearTrial trial = linearize_diagram("emulation_unconstrained", {"actuator_bandwidth=0", "velocity=0 m/s"},
                                              {{"emulator.disturbance.y"}, {"emulator.control.error"}, 0, 1e-4});
  ASSERT_EQ(trial.errors, "");
  for (const double w : {1.0, 10.0, 100.0}) {
    const std::complex<double> s(0, w), expected = 1.0 / ((s * s + 20.0 * s + 100.0) * 5.0); // Mbar_r 5 kg, l 1 m
    EXPECT_LT(std::abs(transfer(*trial.result->continuous, w, 0) - expected), 1e-6 * std::abs(expected)) << w;
  }
}

TEST(Disturbance, PartsMultiplierAndForceOfTheConstrainedSchemeAsEq28HasIt) {
  const LinearTrial trial =
      linearize_diagram("emulation_constrained", {"actuator_bandwidth=0", "velocity=0 m/s", "start=0.06 m"},
                        {{"emulator.disturbance.y"}, {"emulator.constraint.lambda", "emulator.wall.force"}, 0, 1e-4});
  ASSERT_EQ(trial.errors, "");
  for (const double w : {1.0, 10.0, 100.0}) {
    const std::complex<double> s(0, w), expected = s * s / (s * s + 20.0 * s + 100.0) / 0.5; // Q 0.5
    const std::complex<double> apart =
        transfer(*trial.result->continuous, w, 0) - transfer(*trial.result->continuous, w, 1);
    EXPECT_LT(std::abs(apart - expected), 1e-6 * std::abs(expected)) << w;
  }
}

} // namespace
} // namespace hilda::test
