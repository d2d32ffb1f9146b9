// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/kinematics/hexapod.h"

namespace hilda {
namespace {

constexpr const char* hexapod_forces_doc =
    "Forces of the six legs of a Stewart platform that hold a wrench on it, without their inertia and weight: "
    "J^T f = -wrench. Their power is that of the wrench with the other sign.";

struct HexapodForces : Block {
  Input<Pose> pose{*this, "pose", "Tool B on the platform, in W"};
  Input<Wrench> wrench{*this, "wrench", "On the platform: force in W axes, torque about B's origin in B axes"};
  Output<Legs> forces{*this, "forces", "N", "With which the legs push on the platform; below 0 they pull"};

  Hexapod hexapod{*this};
  State<double> largest{*this, "largest", "N", "Of any leg so far"};

  void configure(const Instance& self) override { hexapod.configure(self); }
  void prepare(const Instance&) override { hexapod.prepare(); }
  void initialize(const Instance&) override { largest = 0.0; }

  void output(const Tick&) override {
    const Matrix6 transposed = hexapod.at(*pose).jacobian.transpose();
    forces = Legs(-Eigen::PartialPivLU<Matrix6>(transposed).solve(Vector6((*wrench).matrix())));
  }
  void update(const Tick&) override { largest = std::max(*largest, Legs(*forces).cwiseAbs().maxCoeff()); }
  void summarize(const Summary& summary) const override { summary.number("legs.largest_force", *largest, "N"); }
};
HILDA_BLOCK(HexapodForces, hexapod_forces_doc)

} // namespace
} // namespace hilda
