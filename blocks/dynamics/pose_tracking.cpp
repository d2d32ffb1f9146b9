// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

constexpr const char* pose_tracking_doc =
    "Wrench with which the drives of a body lead it after a commanded pose: m wn^2 times the error of the pose and "
    "2 m xi wn times that of the twist, no larger than the drives give. With `normal` it acts in a plane alone.";

struct PoseTracking : Block {
  Input<Pose> command_pose{*this, "command_pose", "Commanded: B in W"};
  Input<Twist> command_twist{*this, "command_twist", "Commanded"};
  Input<Pose> pose{*this, "pose", "Actual: B in W"};
  Input<Twist> twist{*this, "twist", "Actual"};
  Output<Wrench> thrust{*this, "thrust", "On B: force in W axes, torque about B's origin in B axes"};

  Parameter<double> mass{*this, "mass", "kg", "Of the body", above(0.0)};
  Parameter<double> inertia{*this, "inertia", "kg m2", "About each axis", rotational, above(0.0)};
  Parameter<double> natural_frequency{*this,         "natural_frequency",
                                      "rad/s",       "wn, \"1 Hz\" is read as 2 pi rad/s; 0: the body is left alone",
                                      at_least(0.0), by_default("0 rad/s")};
  Parameter<double> damping_ratio{*this, "damping_ratio", "", "xi", at_least(0.0), by_default("0.7")};
  Parameter<double> most_force{*this,         "most_force",       "N", "Largest size of the force",
                               at_least(0.0), by_default("inf N")};
  Parameter<double> most_torque{*this,      "most_torque",        "N m", "Largest size of the torque", at_least(0.0),
                                rotational, by_default("inf N m")};
  Parameter<Vector3> normal{*this, "normal", "", "Of the plane, W axes; 0 0 0: it acts in all six directions",
                            by_default("0 0 0")};

  State<double> out_of_plane{*this, "out_of_plane", "m", "Farthest that the command was out of the plane"};
  State<double> out_of_turn{*this, "out_of_turn", "rad", "Farthest that its axes were turned out of it"};
  State<double> off{*this, "off", "m", "Farthest that the body was from the command, in the plane"};

  void prepare(const Instance&) override {
    planar_ = (*normal).norm() > 0.0;
    n_ = planar_ ? Vector3((*normal).normalized()) : Vector3(Vector3::Zero());
  }
  void initialize(const Instance&) override { out_of_plane = 0.0, out_of_turn = 0.0, off = 0.0; }

  void output(const Tick&) override {
    const double k = *natural_frequency * *natural_frequency, d = 2.0 * *damping_ratio * *natural_frequency;
    const Quaternion q = (*pose).orientation;
    const Twist off_speed = *command_twist - *twist;
    const Vector3 force = *mass * (k * position_error() + d * Vector3(off_speed.linear()));
    const Vector3 torque = *inertia * (k * turn_error() + d * (q * Vector3(off_speed.angular())));
    const Vector3 about = planar_ ? Vector3(n_ * n_.dot(torque)) : torque;
    thrust = Wrench(within(Vector3(force - n_ * n_.dot(force)), *most_force),
                    Vector3(q.conjugate() * within(about, *most_torque)));
  }

  void update(const Tick&) override {
    const Vector3 error = position_error(), turn = turn_error();
    const Vector3 turn_out = turn - n_ * n_.dot(turn), flat = error - n_ * n_.dot(error);
    if (planar_) {
      out_of_plane = std::max(*out_of_plane, std::abs(n_.dot(error)));
      out_of_turn = std::max(*out_of_turn, turn_out.norm());
    }
    off = std::max(*off, flat.norm());
  }

  void summarize(const Summary& summary) const override {
    summary.number("tracking.largest_error", *off, "m");
    if (!planar_) return;
    summary.number("tracking.command_out_of_plane", *out_of_plane, "m");
    summary.number("tracking.command_turned_out_of_plane", *out_of_turn, "rad");
  }

private:
  Vector3 position_error() const { return (*command_pose).position - (*pose).position; }
  Vector3 turn_error() const { ///< rotation vector from the actual axes to the commanded ones, W axes
    const Quaternion q = (*pose).orientation;
    return q * rotation_log(q.conjugate() * (*command_pose).orientation);
  }
  static Vector3 within(const Vector3& a, double most) {
    const double size = a.norm();
    return size > most ? Vector3(a * (most / size)) : a;
  }

  // from the parameters, by prepare
  bool planar_ = false;
  Vector3 n_ = Vector3::Zero();
};
HILDA_BLOCK(PoseTracking, pose_tracking_doc)

} // namespace
} // namespace hilda
