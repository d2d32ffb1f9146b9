// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

constexpr const char* virtual_contact_doc =
    "Hybrid contact: adds a virtual spring and damper to the measured contact force, F + (k depth + b rate) e, while "
    "the "
    "gate reports a contact (Zebenay, Boge, Krenn and Choukroun, arXiv 1309.3512: the feedback is a superposition of a "
    "measured and a virtual value). e is the direction of the measured force, depth the way of the tip along e since "
    "the last tick out of contact, rate its velocity along e. With the tip as the robot reports it the whole force is "
    "late by the "
    "robot's delay T, and the loop is m x'' + b x'(t - T) + k x(t - T) = 0 with the sums of both stiffnesses and "
    "dampings.";

struct VirtualContact : Block {
  Input<Wrench> wrench{*this, "wrench", "On the wall as measured, W axes, moment about the sensor's origin"};
  Input<bool> in_contact{*this, "in_contact", "Passes the wrench unchanged where false"};
  Input<Vector3> position{*this, "position", "m", "Tip, W axes"};
  Input<Vector3> velocity{*this, "velocity", "m/s", "Tip, W axes"};
  Output<Wrench> hybrid{*this, "hybrid", "Measured and virtual together, in the frame of the measured one"};
  Output<double> added{*this, "added", "N", "Virtual force along e; below 0: less force on the wall"};

  Parameter<double> stiffness{*this, "stiffness",        "N/m", "Of the virtual spring; below 0: a softer contact",
                              live,  by_default("0 N/m")};
  Parameter<double> damping{
      *this, "damping", "N s/m", "Of the virtual damper; below 0: it gives energy", live, by_default("0 N s/m")};
  Parameter<Vector3> sensor_origin{*this, "sensor_origin", "m", "About which the moment is given, W axes",
                                   by_default("0 0 0")};

  State<Vector3> outside{*this, "outside", "m", "Tip at the last tick out of contact, W axes"};
  State<bool> seen{*this, "seen", "Whether there was a tick out of contact"};

  [[gnu::flatten]] void output(const Tick&) override {
    const Wrench given = *wrench;
    const Vector3 force = given.force();
    const double size = force.norm();
    hybrid = given;
    added = 0.0;
    if (!*in_contact || size == 0.0) return;
    const Vector3 e = force / size, at = *position;
    const double depth = *seen ? (at - *outside).dot(e) : 0.0;
    const double push = *stiffness * depth + *damping * (*velocity).dot(e);
    const Vector3 more = push * e;
    hybrid = Wrench(force + more, Vector3(given.torque()) + (at - *sensor_origin).cross(more));
    added = push;
  }
  void update(const Tick&) override {
    if (*in_contact) return;
    outside = *position;
    seen = true;
  }
};
HILDA_BLOCK(VirtualContact, virtual_contact_doc)

} // namespace
} // namespace hilda
