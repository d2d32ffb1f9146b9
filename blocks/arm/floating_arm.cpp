// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/model_of_block.h"
#include "blocks/arm/mujoco_evaluator.h"

namespace hilda {
namespace {

constexpr const char* floating_arm_doc =
    "Serial arm on a free base, moved by joint torques and by a wrench at its force/torque sensor. M(q) dnu/dt + c = "
    "[0; 0; u] + J' F (Dyba et al. 2023, Eqs. 1 to 4, with the contact that Eqs. 3 and 4 leave out), without gravity.";

struct FloatingArm : Block {
  enum class Evaluator { own, mujoco };

  Input<Vector> torque{*this, "torque", "n", "N m", "Joint torques", rotational};
  Input<Wrench> wrench{*this, "wrench", "At the sensor's frame, exerted on the arm; 0 where nothing drives it",
                       optional};
  Output<Pose> base_pose{*this, "base_pose", "Centre of mass of the base and its axes, inertial", from_state};
  Output<Twist> base_twist{*this, "base_twist", "Of the base's centre of mass, inertial; w in base axes", from_state};
  Output<Vector> joint_position{*this, "joint_position", "n", "rad", "Joint angles", from_state};
  Output<Vector> joint_velocity{*this, "joint_velocity", "n", "rad/s", "Joint velocities", from_state};
  Output<Pose> pose{*this, "pose", "End effector, inertial", from_state};
  Output<Twist> twist{*this, "twist", "Of the end effector's origin, inertial; w in its own axes", from_state};
  Output<Pose> sensor_pose{*this, "sensor_pose", "Frame of the force/torque sensor, inertial", from_state};
  Output<Vector> acceleration{*this, "acceleration", "n+6", "",
                              "Of the base's centre of mass (m/s2), of the base (rad/s2), both inertial axes, of the "
                              "joints (rad/s2)"};
  Output<Vector3> sensor_force{*this, "sensor_force", "N",
                               "Of the links before the sensor on those behind it, sensor axes"};
  Output<Vector3> sensor_torque{*this, "sensor_torque", "N m", "The same about the sensor's origin", rotational};
  Output<Vector3> applied_force{*this, "applied_force", "N", "Of the wrench, inertial axes"};
  Output<Vector3> applied_moment{*this, "applied_moment", "N m",
                                 "Of the wrench about the inertial origin, inertial axes", rotational};

  Parameter<Path> table{*this, "table", "Links, masses, inertias: see diagrams/tables/dyba_2023.txt for the form"};
  Parameter<double> base_mass_scale{*this,      "base_mass_scale", "", "Multiplies the base's mass and inertia",
                                    above(0.0), by_default("1")};
  Parameter<Evaluator> evaluator{*this, "evaluator",
                                 "What computes M and c; mujoco where the plugin was built with it, for cross-checks",
                                 by_default("own")};
  Parameter<Vector> initial_position{*this, "initial_position", "n", "rad", "Joint angles at the start"};
  Parameter<Elements<>> initial_velocity{*this,
                                         "initial_velocity",
                                         "*initial_velocity",
                                         "rad/s",
                                         "Joint velocities at the start: one number, or one for each joint",
                                         by_default("0")};
  Parameter<Vector3> base_position{*this, "base_position", "m", "Centre of mass at the start, inertial",
                                   by_default("0 0 0")};
  Parameter<Quaternion> base_orientation{*this, "base_orientation", "Base axes to inertial axes at the start",
                                         by_default("1 0 0 0")};
  Parameter<Vector3> base_velocity{*this, "base_velocity", "m/s", "At the start, inertial axes", by_default("0 0 0")};
  Parameter<Vector3> base_angular_velocity{*this, "base_angular_velocity", "rad/s", "At the start, base axes",
                                           by_default("0 0 0")};

  ContinuousState<Vector3> p{*this, "p", "m", "Centre of mass of the base, inertial"};
  ContinuousState<Quaternion> o{*this, "o", "Base axes to inertial axes"};
  ContinuousState<Vector> q{*this, "q", "n", "rad", "Joint angles"};
  ContinuousState<Vector3> v{*this, "v", "m/s", "Velocity of the base's centre of mass, inertial axes"};
  ContinuousState<Vector3> w{*this, "w", "rad/s", "Angular velocity of the base, inertial axes"};
  ContinuousState<Vector> qd{*this, "qd", "n", "rad/s", "Joint velocities"};

  void infer(const Instance& self, const Inference& inference) override { infer_joints(self, inference, *table); }

  void configure(const Instance& self) override {
    model_ = model_from(self, *table, *base_mass_scale);
    if (!model_) return;
    if (std::abs((*base_orientation).norm() - 1.0) > 1e-6)
      self.report("base_orientation", "is not a unit quaternion; scale it to length 1");
    if (initial_velocity.size() != 1 && initial_velocity.size() != model_->joints())
      self.report("initial_velocity", "has " + std::to_string(initial_velocity.size()) + " numbers for " +
                                          std::to_string(model_->joints()) + " joints; give one, or one a joint");
    if (!self.continuous()) self.report(nullptr, "an arm moves continuously: take its sample_time away");
    if (*evaluator == Evaluator::own) return;
    std::string error;
    mujoco_ = MujocoEvaluator::create(model_->table(), error);
    if (!mujoco_) self.report("evaluator", error);
  }

  void initialize(const Instance&) override {
    p = *base_position;
    o = (*base_orientation).normalized();
    q = *initial_position;
    v = *base_velocity;
    w = Vector3((*base_orientation).normalized() * *base_angular_velocity);
    auto rates = *qd;
    for (Eigen::Index i = 0; i < rates.size(); ++i)
      rates[i] = initial_velocity.data()[initial_velocity.size() == 1 ? 0 : i];
  }

  void state_output(const Tick&) override {
    const Quaternion turn = orientation();
    place(turn);
    base_pose = Pose{*p, turn};
    base_twist = Twist(*v, Vector3(turn.conjugate() * *w));
    joint_position = *q;
    joint_velocity = *qd;
    const ArmFrame &end = model_->end_effector(), &at = model_->sensor();
    pose = Pose{*p + end.origin, Quaternion(end.axes)};
    sensor_pose = Pose{*p + at.origin, Quaternion(at.axes)};
    const Vector6 motion = model_->end_effector_jacobian().lazyProduct(velocity());
    twist = Twist(motion.head<3>(), Vector3(end.axes.transpose() * motion.tail<3>()));
  }

  void output(const Tick&) override {
    const Quaternion turn = orientation();
    place(turn);
    const ArmFrame& at = model_->sensor();
    const Wrench contact = wrench.value_or(Wrench());
    const Vector3 force = contact.force(), moment = at.axes * Vector3(contact.torque());
    const ArmVector nu = velocity();
    if (mujoco_) mujoco_->evaluate(*p, turn, *q, nu, model_->mass_storage(), model_->bias_storage());
    const ArmVector& rate = mujoco_ ? model_->acceleration_from_storage(*torque, force, moment)
                                    : model_->acceleration(nu, *torque, force, moment);
    acceleration = rate;
    const SensorLoad load = model_->sensor_load(nu, rate, force, moment);
    sensor_force = load.force;
    sensor_torque = load.torque;
    applied_force = force;
    applied_moment = Vector3(Vector3(*p + at.origin).cross(force) + moment);
  }

  void derivative(const Tick&) override {
    const auto rate = *acceleration;
    const Quaternion turn = *o;
    const Vector3 spin = *w, axis = turn.vec(), vec = 0.5 * (turn.w() * spin + spin.cross(axis));
    p.dot() = *v;
    o.dot() = Quaternion(-0.5 * spin.dot(axis), vec.x(), vec.y(), vec.z());
    q.dot() = *qd;
    v.dot() = Vector3(rate.head<3>());
    w.dot() = Vector3(rate.segment<3>(3));
    qd.dot() = rate.tail(model_->joints());
  }

  void project(const Tick&) override { o = (*o).normalized(); }

private:
  /// At minor steps the state has left the unit sphere by a little.
  Quaternion orientation() const { return (*o).normalized(); }
  void place(const Quaternion& turn) { model_->place(Matrix3(turn.toRotationMatrix()), *q); }
  ArmVector velocity() const {
    ArmVector nu(model_->velocities());
    nu.head<3>() = *v;
    nu.segment<3>(3) = *w;
    nu.tail(model_->joints()) = *qd;
    return nu;
  }

  std::unique_ptr<ArmModel> model_; // from the table; holds nothing from one call to the next
  std::unique_ptr<MujocoEvaluator> mujoco_;
};
HILDA_BLOCK(FloatingArm, floating_arm_doc)

} // namespace
} // namespace hilda
