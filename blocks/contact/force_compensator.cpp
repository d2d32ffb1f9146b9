// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Adds the force that the wall would have answered with, had the robot been where it was commanded to be, along the
/// measured force: F + (k dx + c dv) e (He and Shen 2022, Eq. 21 to 24). The moment follows both the shift of the point
/// and the added force: M + (p_des - p) x F_comp + (p - p_s) x F_err (Eq. 27; the other paper's minus is wrong).
struct ForceCompensator : Block {
  Input<Wrench> wrench{*this, "wrench", "On the wall, W axes, moment about the sensor's origin; delay undone"};
  Input<bool> in_contact{*this, "in_contact", "Passes the wrench unchanged where false"};
  Input<double> stiffness{*this, "stiffness", "N/m", "Of the contact"};
  Input<double> damping{*this, "damping", "N s/m", "Of the contact"};
  Input<Vector3> commanded_position{*this, "commanded_position", "m", "Tip as commanded, W axes"};
  Input<Vector3> commanded_velocity{*this, "commanded_velocity", "m/s", "Tip as commanded, W axes"};
  Input<Vector3> actual_position{*this, "actual_position", "m", "Tip as measured, W axes"};
  Input<Vector3> actual_velocity{*this, "actual_velocity", "m/s", "Tip as measured, W axes"};
  Output<Wrench> compensated{*this, "compensated", "In the same frame, at the commanded tip"};

  Parameter<Vector3> sensor_origin{*this, "sensor_origin", "m", "About which the moment is given, W axes",
                                   by_default("0 0 0")};

  [[gnu::flatten]] void output(const Tick&) override {
    const Wrench given = *wrench;
    const Vector3 force = given.force();
    const double size = force.norm();
    if (!*in_contact || size == 0.0) {
      compensated = given;
      return;
    }
    const Vector3 e = force / size, at = *actual_position, lag = *commanded_position - at;
    const double short_of = *stiffness * lag.dot(e) + *damping * (*commanded_velocity - *actual_velocity).dot(e);
    const Vector3 missing = short_of * e, whole = force + missing;
    compensated = Wrench(whole, Vector3(given.torque()) + lag.cross(whole) + (at - *sensor_origin).cross(missing));
  }
};
HILDA_BLOCK(ForceCompensator, "Adds the contact force that the robot's lag holds back, from stiffness and damping (He "
                              "and Shen 2022, Eq. 21 to 24).")

} // namespace
} // namespace hilda
