// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/kinematics/hexapod.h"

namespace hilda {
namespace {

constexpr const char* hexapod_forward_doc =
    "Pose of a Stewart platform from the lengths of its six legs, by Newton's method from the pose of the tick before, "
    "and its twist from their rates. The run ends where the method does not converge, and where the legs come near a "
    "pose in which they do not hold the platform.";

/// A system of six legs has up to 40 poses (Husty 1996): the method finds the one that is connected with the last.
/// Where the determinant of the Jacobian passes 0, two of them meet.
struct HexapodForward : Block {
  Input<Legs> lengths{*this, "lengths", "m", "Of the legs"};
  Input<Legs> rates{*this, "rates", "m/s", "Of the legs"};
  Output<Pose> pose{*this, "pose", "Platform B in W"};
  Output<Twist> twist{*this, "twist", "v of B's origin in W axes, w in B axes"};
  Output<double> dexterity{*this, "dexterity", "",
                           "Determinant of the Jacobian per that at the start; 0 where the legs do not hold the "
                           "platform"};

  Output<std::int64_t> steps{*this, "steps", "Of the method at this tick"};

  Hexapod hexapod{*this};
  Parameter<Vector3> position{*this, "position", "m", "B's origin in W near which the platform begins",
                              by_default("0 0 0")};
  Parameter<Quaternion> orientation{*this, "orientation", "B axes to W axes near which it begins",
                                    by_default("1 0 0 0")};
  Parameter<double> tolerance{*this,      "tolerance",
                              "m",        "Of the lengths, at which one last step of the method is taken",
                              above(0.0), by_default("1 um")};
  Parameter<std::int64_t> iterations{*this, "iterations", "Most steps of the method in a tick", between(1, 1000),
                                     by_default("20")};
  Parameter<double> least_dexterity{
      *this, "least_dexterity", "", "Below this dexterity the run ends", between(0.0, 1.0), by_default("0.05")};

  State<Pose> last{*this, "last", "Pose of the tick before"};
  State<double> lowest{*this, "lowest", "", "Lowest dexterity so far"};
  State<std::int64_t> most{*this, "most", "Most steps of the method in a tick so far"};

  void configure(const Instance& self) override {
    hexapod.configure(self);
    check_unit_length(self, orientation, "orientation");
  }
  void prepare(const Instance& self) override {
    hexapod.prepare();
    at_start_ = hexapod.stiffness_of(hexapod.at(begun()).jacobian);
    if (!(std::abs(at_start_) > 1e-6))
      self.report("platform_joints",
                  "and 'base_joints' do not hold the platform at the start: the determinant of the "
                  "Jacobian is " +
                      std::to_string(at_start_) +
                      "; two similar hexagons do that, turn one of them or make pairs of its joints");
  }
  void initialize(const Instance&) override { last = begun(), lowest = 1.0, most = 0; }

  void output(const Tick& t) override {
    const Found found = solved();
    if (!found.converged)
      return t.fail("no pose of the platform has these lengths of the legs, or the method needs more 'iterations'; a "
                    "leg is off by (m)",
                    found.off);
    pose = found.pose;
    if (!(found.dexterity >= *least_dexterity))
      return t.fail("the platform comes near a singular pose, where its legs do not hold it; its dexterity is",
                    found.dexterity);
    const Vector6 moved = Eigen::PartialPivLU<Matrix6>(found.state.jacobian).solve(Vector6(*rates));
    twist = Twist(Vector3(moved.head<3>()), Vector3(moved.tail<3>()));
    dexterity = found.dexterity;
    steps = found.steps;
  }

  void update(const Tick&) override {
    last = *pose;
    lowest = std::min(*lowest, *dexterity);
    most = std::max<std::int64_t>(*most, *steps);
  }

  void summarize(const Summary& summary) const override {
    summary.number("platform.lowest_dexterity", *lowest);
    summary.number("platform.most_steps", static_cast<double>(*most));
  }

private:
  struct Found {
    Pose pose;
    Hexapod::State state;
    double off = 0.0, dexterity = 0.0;
    std::int64_t steps = 0;
    bool converged = false;
  };

  Pose begun() const { return Pose{*position, (*orientation).normalized()}; }

  /// Quadratic: the step after the first residual below `tolerance` leaves one of its square.
  Found solved() const {
    Found f;
    f.pose = *last;
    f.state = hexapod.at(f.pose);
    while (!f.converged && f.steps < *iterations) {
      const Legs missing = *lengths - f.state.lengths;
      f.off = missing.cwiseAbs().maxCoeff();
      if (!std::isfinite(f.off)) return f;
      f.converged = f.off <= *tolerance;
      const Vector6 step = Eigen::PartialPivLU<Matrix6>(f.state.jacobian).solve(missing);
      f.pose.position += Vector3(step.head<3>());
      f.pose.orientation = (f.pose.orientation * rotation_exp(Vector3(step.tail<3>()))).normalized();
      f.state = hexapod.at(f.pose);
      ++f.steps;
    }
    f.dexterity = hexapod.stiffness_of(f.state.jacobian) / at_start_;
    return f;
  }

  double at_start_ = 1.0; // from the parameters, by prepare
};
HILDA_BLOCK(HexapodForward, hexapod_forward_doc)

} // namespace
} // namespace hilda
