// SPDX-License-Identifier: BSD-3-Clause
// The energy ledger where more than one axis takes part: where what it settles acts, and which account pays for what.

#include "tests/diagrams/diagram_run.h"

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Eigen::Vector3d;
using Settings = std::vector<std::string>;

DiagramRun run(const std::string& diagram, const Settings& settings, const Settings& observed, double duration) {
  DiagramRun result = run_diagram({diagram, settings, observed, duration});
  EXPECT_EQ(result.errors, "");
  return result;
}

/// Force, and moment about W's origin, of a wrench on a tool that is at a pose.
struct Push {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();

  void add(const DiagramRun& r, const std::string& wrench, const std::string& pose, std::size_t k) {
    const auto three = [&](const std::string& signal, std::size_t width, std::size_t first) {
      return Vector3d(r.at(signal, k, width, first), r.at(signal, k, width, first + 1),
                      r.at(signal, k, width, first + 2));
    };
    const Eigen::Quaterniond turned(r.at(pose, k, 7, 3), r.at(pose, k, 7, 4), r.at(pose, k, 7, 5), r.at(pose, k, 7, 6));
    const Vector3d f = three(wrench, 6, 0);
    force += f;
    moment += turned * three(wrench, 6, 3) + three(pose, 7, 0).cross(f);
  }
};

/// Whatever the method did: once the contact is settled, the satellite has got an impulse along the measured one, about
/// W's origin, though the tool has moved on meanwhile. 0.2 m/s along the wall carry it 0.15 m to the side.
TEST(EnergyLedger, LeavesAnImpulseAlongTheMeasuredOneWhereTheContactWas) {
  const std::string given = "ledger.controlled", felt = "rig.on_tool.wrench", commanded = "satellites.motion.pose",
                    reported = "rig.encoders.reported_pose", settled = "ledger.settled";
  const DiagramRun r = run("dac_ledger",
                           {"response_delay=20 ms", "velocity=0.02 0.2 0.05 m/s", "tip=0 0.05 0.02 m", "contacts=0",
                            "figures.ideal.horizon=1 ms"},
                           {given, felt, commanded, reported, settled}, 1.6);
  Push whole, measured;
  const std::size_t ticks = r.signals.at(settled).size();
  for (std::size_t k = 0; k < ticks; ++k) {
    whole.add(r, given, commanded, k);
    measured.add(r, felt, reported, k);
  }
  ASSERT_GT(measured.force.norm(), 1e3);
  ASSERT_EQ(r.at(settled, ticks - 1), 1.0);
  const double share = whole.force.dot(measured.force) / measured.force.squaredNorm();
  EXPECT_GT(share, 0.5);
  EXPECT_LT((whole.force - share * measured.force).norm(), 5e-6 * measured.force.norm());
  EXPECT_LT((whole.moment - share * measured.moment).norm(), 5e-6 * measured.force.norm());
}

const Settings in_room{"integrator=symplectic",          "service_mass=50 kg",        "target_mass=inf",
                       "service_inertia=18 20 22 kg m2", "stiffness=2000 N/m",        "contacts=0",
                       "rig.half_size=0.2031 m",         "velocity=0.1 0.15 0.2 m/s", "figures.ideal.horizon=1 ms",
                       "ledger_grouping=axis",           "response_delay=40 ms"};

/// The moment of DAC's force is that of the delayed robot's place: at 40 ms it spins the satellite up on smooth walls,
/// though no sensor feels a moment. Nothing of it is left once the ledger has settled.
TEST(EnergyLedger, TakesBackASpinThatNoSensorFelt) {
  const std::string energy = "satellites.service.kinetic_energy", settled = "ledger.settled",
                    twist = "satellites.motion.twist";
  const DiagramRun r = run_diagram({"dac_ledger", in_room, {energy, settled, twist}, 30.0, "room"});
  ASSERT_EQ(r.errors, "");
  double spun = 0.0, left = 0.0, gained = 0.0;
  std::size_t free = 0;
  for (std::size_t k = 0; k < r.signals.at(energy).size(); ++k) {
    const double spin = Vector3d(r.at(twist, k, 6, 3), r.at(twist, k, 6, 4), r.at(twist, k, 6, 5)).norm();
    spun = std::max(spun, spin);
    if (r.at(settled, k) == 0.0) continue;
    ++free;
    left = std::max(left, spin), gained = std::max(gained, std::abs(r.at(energy, k) / r.at(energy, 0) - 1.0));
  }
  EXPECT_GT(spun, 0.02);
  EXPECT_GT(free, 5000u);
  EXPECT_LT(left, 1e-4 * spun);
  EXPECT_LT(gained, 1e-4);
}

} // namespace
} // namespace hilda::test
