// SPDX-License-Identifier: BSD-3-Clause
// The cases of De Stefano, Balachandran and Secchi 2020, figure by figure, against the undelayed truth.

#include "tests/tdpa/ideal.h"

#include <gtest/gtest.h>
#include <numbers>

namespace hilda::test {
namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

TdpaRun run_of(const std::string& diagram, const std::vector<std::string>& settings = {}) {
  TdpaRun run = run_tdpa({.diagram = diagram, .settings = settings, .replaced = {}, .rig = {}});
  EXPECT_EQ(run.errors, "");
  return run;
}

TEST(Figure4, UncompensatedContactsGainEnergy) {
  const TdpaRun run = run_of("tdpa_uncompensated");
  EXPECT_NEAR(run.translation(run.rows[0].body), 1.8125, 1e-12);
  EXPECT_NEAR(run.translation(run.last().body), 7.30, 0.02);
  for (const auto& contact : run.tables.at("contacts")) EXPECT_NEAR(contact.at("cor"), 1.104, 0.001);
}

TEST(Figure12, TheControllerBoundsIt) {
  const TdpaRun run = run_of("tdpa");
  EXPECT_NEAR(run.translation(run.last().body), 1.92, 0.01);
  EXPECT_NEAR(run.figures.at("energy.kinetic_final"), run.kinetic(run.last().body), 1e-12);
  EXPECT_GE(run.figures.at("observer.min_after"), -1e-12);
  EXPECT_LT(run.figures.at("observer.min_before"), -1e-3);
  EXPECT_LE(run.figures.at("observer.port_identity_error"), 1e-12);
}

TEST(Figure12, OnADampedWallItDoesNotFollowTheIdeal) {
  const TdpaRun run = run_of("tdpa", {"damping=10 N s/m"});
  EXPECT_NEAR(run.translation(run.last().body), 1.914, 0.005);
  Ideal ideal;
  ideal.mass = 50, ideal.inertia = Eigen::Vector3d(18, 20, 22).asDiagonal();
  ideal.stiffness = 2000, ideal.damping = 10, ideal.half.setConstant(0.2031);
  ideal.rotational_stiffness = 800, ideal.rotational_half.setConstant(0.0207);
  Ideal::State start;
  start.twist = run.rows[0].body;
  const auto truth = ideal.run(start, run.period, run.rows.size() - 1, 1);
  EXPECT_NEAR(run.translation(truth.back().twist), 1.177, 0.003);
}

struct DriftCase {
  double period;
  bool integrator;
  double first, last; ///< m, drift before 32 s and at the end
};
class Figures5And6And16 : public ::testing::TestWithParam<DriftCase> {};

TEST_P(Figures5And6And16, DriftUnderAHeldForce) {
  const DriftCase& given = GetParam();
  const TdpaRun run =
      run_of("integrator_drift", {"period=" + std::to_string(given.period) + " s",
                                  std::string("passive_integrator=") + (given.integrator ? "on" : "off")});
  const auto exact = [](double t) {
    const auto pushed = [&](double from, double to, double force) {
      const double during = std::max(0.0, std::min(t, to) - from);
      return force / 30.0 * (during * during / 2 + std::max(0.0, t - to) * (to - from));
    };
    return pushed(2, 5, 10) + pushed(32, 35, 20);
  };
  const TdpaRun::Row& before = run.rows[static_cast<std::size_t>(std::lround(31.0 / given.period))];
  EXPECT_NEAR(before.position.x() - exact(before.time), given.first, 1e-6);
  EXPECT_NEAR(run.last().position.x() - exact(run.last().time), given.last, 1e-6);
}

TEST_P(Figures5And6And16, EnergyThatTheIntegrationMakes) {
  const DriftCase& given = GetParam();
  const TdpaRun run =
      run_of("integrator_drift", {"period=" + std::to_string(given.period) + " s",
                                  std::string("passive_integrator=") + (given.integrator ? "on" : "off")});
  EXPECT_NEAR(run.figures.at("integrator.sum_dh_translation"), 25.0 * given.period, 1e-9);
  double held = 0.0, worst = 0.0, pair = 0.0;
  for (std::size_t k = 1; k < run.rows.size(); ++k) {
    held += run.period * run.rows[k - 1].applied.head<3>().dot(run.rows[k].commanded.head<3>());
    worst = std::max(worst, std::abs(run.translation(run.rows[k].body) - held));
    pair += run.period * run.rows[k].applied.head<3>().dot(run.rows[k].commanded.head<3>());
  }
  if (!given.integrator) return;
  EXPECT_LE(worst, 1e-10) << "H(V_s) = T sum F(k-1).V_c(k)";
  const double off = run.translation(run.last().body) - pair;
  EXPECT_NEAR(off, given.period == 0.1 ? 4.9167 : 0.4992, 1e-3) << "with the pair F(k), V_c(k) it is not";
}

INSTANTIATE_TEST_SUITE_P(Periods, Figures5And6And16,
                         ::testing::Values(DriftCase{0.1, false, 0.05, 0.15}, DriftCase{0.01, false, 0.005, 0.015},
                                           DriftCase{0.1, true, 0, 0}, DriftCase{0.01, true, 0, 0}),
                         [](const auto& given) {
                           return std::string(given.param.integrator ? "passive" : "plain") +
                                  (given.param.period > 0.05 ? "100ms" : "10ms");
                         });

TEST(Figures7And8And17, EnergyOfRotationIsProportionalToThePeriod) {
  const double coarse = run_of("integrator_drift", {"period=100 ms"}).figures.at("integrator.sum_dh_rotation");
  const double fine = run_of("integrator_drift", {"period=10 ms"}).figures.at("integrator.sum_dh_rotation");
  EXPECT_NEAR(coarse / fine, 10.0, 0.05);
}

TEST(Figures7And8And17, ThePassiveIntegratorTakesTheAngleErrorBack) {
  Ideal ideal;
  ideal.mass = 30, ideal.inertia = Eigen::Vector3d(18, 20, 22).asDiagonal();
  ideal.held = [](double t) {
    Vector6d F = Vector6d::Zero();
    const double at = t + 1e-9;
    if (at >= 2 && at < 5) F.tail<3>() << 0.2, 0.1, 0;
    if (at >= 20 && at < 23) F.tail<3>() << 0, 0.1, 0.2;
    if (at >= 32 && at < 35) F.tail<3>() << -0.1, 0, 0.2;
    return F;
  };
  const auto truth = ideal.run({}, 1e-3, 50000, 1);
  const auto error = [&](const std::string& diagram) {
    const TdpaRun run = run_of(diagram, {"period=100 ms"});
    return angle_between(run.last().orientation, truth.back().orientation) * degrees;
  };
  EXPECT_NEAR(error("integrator_drift"), 0.186, 0.003);
  EXPECT_NEAR(error("passive_integrator"), 0.007, 0.002);
}

TEST(Figures20To22, FullArchitecture) {
  const TdpaRun run = run_of("tdpa_full");
  Vector6d given = Vector6d::Zero();
  double least_z = 0, least = 0, fastest = 0, turning = 0;
  for (const TdpaRun::Row& row : run.rows) {
    given -= run.period * row.measured.cwiseProduct(row.commanded);
    least_z = std::min(least_z, given[2]);
    least = std::min(least, given.head<3>().sum());
    fastest = std::max(fastest, (row.body - row.commanded).head<3>().cwiseAbs().maxCoeff());
    turning = std::max(turning, (row.body - row.commanded).tail<3>().norm());
  }
  EXPECT_NEAR(least_z, -0.295, 0.001);
  EXPECT_NEAR(least, -0.453, 0.001);
  EXPECT_NEAR(run.figures.at("integrator.sum_dh_translation"), 0.024, 0.0005);
  EXPECT_NEAR(run.figures.at("integrator.sum_dh_rotation"), 3.6e-4, 0.1e-4);
  EXPECT_NEAR(fastest, 2.1e-4, 0.05e-4);
  EXPECT_NEAR(turning, 8e-5, 0.5e-5);
}

TEST(Figures20To22, ReallyWithoutControl) {
  const TdpaRun run = run_of("tdpa_full", {"controller=off", "passive_integrator=off"});
  Vector6d given = Vector6d::Zero();
  double least_z = 0, least = 0;
  for (const TdpaRun::Row& row : run.rows) {
    given -= run.period * row.measured.cwiseProduct(row.commanded);
    least_z = std::min(least_z, given[2]);
    least = std::min(least, given.head<3>().sum());
  }
  EXPECT_NEAR(least_z, -0.693, 0.001);
  EXPECT_NEAR(least, -0.674, 0.001);
  EXPECT_NEAR(run.figures.at("integrator.sum_dh_translation"), 0.051, 0.0005);
  EXPECT_NEAR(run.figures.at("integrator.sum_dh_rotation"), 1.4e-3, 0.1e-3);
}

/// Largest errors against the undelayed truth.
struct Errors {
  double velocity = 0, angular = 0, position = 0;
};

Errors docking_errors(const TdpaRun& run) {
  Ideal ideal;
  ideal.mass = 700, ideal.inertia = Eigen::Vector3d(116, 160, 160).asDiagonal();
  ideal.stiffness = 3000;
  ideal.points = {{{0.25, 0.15, -0.4}, {0, 0, 1}, -0.4213}, {{-0.3, 0.1, 0.4}, {0, 0, -1}, -0.4317}};
  Ideal::State start;
  start.twist = run.rows[0].body;
  const auto truth = ideal.run(start, run.period, run.rows.size() - 1, 4);
  EXPECT_NEAR(0.5 * truth.back().twist.tail<3>().dot(ideal.inertia * truth.back().twist.tail<3>()), 0.116, 0.001);
  Errors worst;
  for (std::size_t k = 0; k < run.rows.size(); ++k) {
    worst.velocity = std::max(worst.velocity, (run.rows[k].body - truth[k].twist).head<3>().norm());
    worst.angular =
        std::max(worst.angular, (run.rows[k].body - truth[k].twist).tail<3>().cwiseAbs().maxCoeff() * degrees);
    worst.position = std::max(worst.position, (run.rows[k].position - truth[k].position).norm() * 1e3);
  }
  return worst;
}

TEST(Figures23To27, DockingWithTheWholePort) {
  const Errors worst = docking_errors(run_of("tdpa_docking"));
  EXPECT_NEAR(worst.velocity, 2.1e-3, 0.1e-3);
  EXPECT_NEAR(worst.angular, 0.13, 0.005);
  EXPECT_NEAR(worst.position, 7.4, 0.1);
}

TEST(Figures23To27, DockingWithTheOtherSign) {
  EXPECT_NEAR(docking_errors(run_of("tdpa_docking", {"sign=-1"})).position, 0.5, 0.06);
}

TEST(Figures23To27, AxisByAxisLocksTheRotation) {
  const TdpaRun run = run_of("tdpa_docking", {"grouping=axis"});
  double most = 0;
  for (const TdpaRun::Row& row : run.rows) most = std::max(most, run.rotation(row.body));
  EXPECT_LT(most, 1e-6);
}

} // namespace
} // namespace hilda::test
