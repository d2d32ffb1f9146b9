// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/dynamics/second_order.h"
#include <hilda/block.h>
#include <hilda/frames.h>
#include <hilda/whole_ticks.h>

namespace hilda {
namespace {

/// A simulated position-controlled robot: what it is commanded it does `response_delay` later, and then through
/// wn^2/(s^2 + 2 xi wn s + wn^2) (He, Shen, Gao and Zhang 2022, Eq. 15), discretised exactly for a held command.
/// follow = pose: pose and twist are delayed alike; before the first tick the motion was uniform, so the line holds the
/// first command extrapolated backwards and the second order starts on its steady ramp. The orientation's error goes
/// through it: the rotation vector from the held command to what comes out, which stays small however far both turn;
/// the twist is the derivative of what comes out. follow = twist: the twist is delayed (the line holds the first one),
/// filtered, and integrated from the first pose.
struct RobotSink : Block {
  enum class Follow { pose, twist };
  enum class PoseRule { backward, forward };

  Input<Pose> command_pose{*this, "command_pose", "Commanded tool pose in W", actuation, primes, conditional};
  Input<Twist> command_twist{*this, "command_twist", "Commanded tool twist", actuation, primes, conditional};
  Output<Pose> pose{*this, "pose", "Actual tool pose in W"};
  Output<Twist> twist{*this, "twist", "Actual tool twist"};

  Parameter<Follow> follow{*this, "follow", "What the robot is servoed to", by_default("pose")};
  Parameter<PoseRule> pose_rule{*this, "pose_rule",
                                "follow = twist: x(k) = x(k-1) + T V(k), or with V(k-1), which is one tick more delay",
                                by_default("backward")};
  Parameter<double> response_delay{*this, "response_delay", "s", "Dead time", at_least(0.0), by_default("0 s")};
  Parameter<double> natural_frequency{*this,         "natural_frequency", "Hz", "Of the second order; 0: none",
                                      at_least(0.0), by_default("0 Hz")};
  Parameter<double> damping_ratio{*this, "damping_ratio", "", "Of the second order", above(0.0), by_default("0.7")};
  Parameter<Fractional> fractional{
      *this, "fractional", "What to do with a dead time that is not a whole number of ticks", by_default("refuse")};

  Ring<> poses{*this, "poses", "7", "", "Commanded poses on their way"};
  Ring<> twists{*this, "twists", "6", "", "Commanded twists on their way"};
  State<Fixed<3, 2>> linear{*this, "linear", "", "Second order: position (follow = pose) or velocity, and its rate"};
  State<Fixed<3, 2>> angular{*this, "angular", "", "Second order: angular velocity, and with follow = twist its rate"};
  State<Quaternion> attitude{*this, "attitude", "Second order, follow = pose: the orientation that comes out"};
  State<Pose> integrated{*this, "integrated", "follow = twist: the pose before (backward) or at this tick (forward)"};
  State<bool> moving{*this, "moving", "follow = twist: the first tick is over"};

  bool feeds_through(const Instance&) const override {
    return *natural_frequency == 0.0 && (*response_delay == 0.0 || *fractional == Fractional::interpolate);
  }

  void configure(const Instance& instance) override {
    delay_ = whole_ticks(instance, "response_delay", *response_delay, *fractional);
    const std::int64_t kept = delay_.ticks + (delay_.fraction > 0.0 ? 1 : 0);
    poses.resize(kept);
    twists.resize(kept);
    if (*natural_frequency > 0.0)
      filter_ = SecondOrder::discretised(*natural_frequency, *damping_ratio, instance.period());
  }

  void prime(const Tick& t) override {
    const Pose first = *command_pose;
    const Twist speed = *command_twist;
    const Vector3 w = speed.angular(), v = speed.linear();
    const std::int64_t kept = poses.size();
    for (std::int64_t i = 0; i < kept; ++i) {
      const double before = *follow == Follow::pose ? -t.period() * static_cast<double>(kept - i) : 0.0;
      push(Pose{first.position + v * before, first.orientation * rotation_exp(w * before)}, speed);
    }
    attitude = first.orientation;
    integrated = first;
    moving = false;
    if (!filtered()) return;
    const Delayed arriving = delayed(first, speed);
    linear = *follow == Follow::pose ? filter_.steady(arriving.pose.position, v) : filter_.steady(v, Vector3::Zero());
    angular = filter_.steady(*follow == Follow::pose ? Vector3(Vector3::Zero()) : w, Vector3::Zero());
    if (*follow == Follow::pose) turn_to(arriving.pose.orientation, filter_.steady(Vector3::Zero(), w));
  }

  [[gnu::flatten]] void output(const Tick& t) override {
    if (*follow == Follow::pose) {
      if (filtered()) {
        pose = Pose{(*linear).col(0), *attitude};
        twist = Twist(Vector3((*linear).col(1)), Vector3((*angular).col(0)));
      } else {
        const Delayed now = arriving();
        pose = now.pose;
        twist = now.twist;
      }
      return;
    }
    const Twist now = filtered() ? Twist(Vector3((*linear).col(0)), Vector3((*angular).col(0))) : arriving().twist;
    twist = now;
    pose = *pose_rule == PoseRule::backward && *moving ? carried(*integrated, now, t.period()) : *integrated;
  }

  [[gnu::flatten]] void update(const Tick& t) override {
    if (filtered()) {
      const Delayed now = arriving();
      if (*follow == Follow::pose) {
        linear = filter_.stepped(*linear, now.pose.position);
        const Quaternion held = now.pose.orientation;
        turn_to(held, filter_.stepped(error_from(held), Vector3::Zero()));
      } else {
        linear = filter_.stepped(*linear, now.twist.linear());
        angular = filter_.stepped(*angular, now.twist.angular());
      }
    }
    integrated = *pose_rule == PoseRule::backward ? *pose : carried(*integrated, *twist, t.period());
    moving = true;
    push(*command_pose, *command_twist);
  }

private:
  struct Delayed {
    Pose pose;
    Twist twist;
  };
  bool filtered() const { return *natural_frequency > 0.0; } // rad/s: wires and records are SI

  /// What comes out, from the held command: rotation vector and its rate.
  SecondOrder::State error_from(const Quaternion& held) const {
    SecondOrder::State error;
    error.col(0) = rotation_log(held.conjugate() * *attitude);
    error.col(1) = inverse_right_jacobian(error.col(0), (*angular).col(0));
    return error;
  }
  void turn_to(const Quaternion& held, const SecondOrder::State& error) {
    SecondOrder::State velocity = SecondOrder::State::Zero();
    velocity.col(0) = right_jacobian(error.col(0), error.col(1));
    attitude = (held * rotation_exp(error.col(0))).normalized();
    angular = velocity;
  }

  static Pose carried(const Pose& from, const Twist& by, double T) {
    Pose to;
    to.position = from.position + Vector3(by.linear()) * T;
    to.orientation = (from.orientation * rotation_exp(Vector3(by.angular()) * T)).normalized();
    return to;
  }

  void push(const Pose& p, const Twist& w) {
    Fixed<7> entry;
    store_value(entry.data(), p);
    poses.push(entry.array());
    twists.push(w.array());
  }

  Delayed entry(std::int64_t i) const { return {load_value<Pose>(poses[i].data()), Twist(twists[i].matrix())}; }

  /// What the dead time lets through at this tick; reads the command only where it must.
  Delayed arriving() const {
    if (delay_.ticks > 0) return delay_.fraction > 0.0 ? between(entry(1), entry(0)) : entry(0);
    return delayed(*command_pose, *command_twist);
  }
  Delayed delayed(const Pose& p, const Twist& w) const {
    if (delay_.ticks > 0) return arriving();
    return delay_.fraction > 0.0 ? between({p, w}, entry(0)) : Delayed{p, w};
  }
  Delayed between(const Delayed& newer, const Delayed& older) const {
    const double f = delay_.fraction;
    Delayed d;
    d.pose.position = (1.0 - f) * newer.pose.position + f * older.pose.position;
    d.pose.orientation = newer.pose.orientation.slerp(f, older.pose.orientation);
    d.twist = (1.0 - f) * newer.twist + f * older.twist;
    return d;
  }

  // from the parameters, by configure
  Ticks delay_;
  SecondOrder filter_;
};
HILDA_BLOCK(
    RobotSink,
    "A simulated position-controlled robot: dead time and/or second order (He, Shen, Gao and Zhang 2022, Eq. 15).")

} // namespace
} // namespace hilda
