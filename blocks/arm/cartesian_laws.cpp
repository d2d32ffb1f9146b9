// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/euler_angles.h"

#include <Eigen/LU>
#include <hilda/block.h>

namespace hilda {
namespace {

constexpr const char* admittance_doc =
    "Reference velocity of an end effector that gives way to forces: the integral of A_des + M_d^-1 (F + B_d (V_des - "
    "V) "
    "+ K_d (P_des - X)), each period after its output (Dyba et al. 2023, Eqs. 14, 15).";

/// Errors of angles are those of the coordinates one by one, as in the paper, each the shorter way round.
struct Admittance : Block {
  Input<Vector3> force{*this, "force", "N", "On the end effector", in_update};
  Input<Vector3> torque{*this,     "torque", "N m",     "On the end effector; 0 where nothing drives it",
                        in_update, optional, rotational};
  Input<Vector6> desired_position{*this, "desired_position", "", "P_des: m, rad", in_update};
  Input<Vector6> desired_velocity{*this, "desired_velocity", "", "V_des: m/s, rad/s", in_update};
  Input<Vector6> desired_acceleration{*this, "desired_acceleration", "", "A_des: m/s2, rad/s2", in_update};
  Input<Vector6> position{*this, "position", "", "X: coordinates of the end effector, m and rad", in_update};
  Input<Vector6> velocity{*this, "velocity", "", "V: its velocity and angular velocity, m/s and rad/s", in_update};
  Output<Vector6> reference{*this, "reference", "", "V_ref: m/s, rad/s; 0 at the start", from_state};
  Parameter<Matrix6> mass{*this, "mass",           "", "M_d: kg, kg m2; one number for all axes, or a matrix",
                          live,  by_default("800")};
  Parameter<Matrix6> damping{*this, "damping", "", "B_d: N s/m, N m s/rad", live, by_default("500")};
  Parameter<Matrix6> stiffness{*this, "stiffness", "", "K_d: N/m, N m/rad", live, by_default("600")};
  State<Vector6> integral{*this, "integral", "", "V_ref"};

  void configure(const Instance& self) override {
    if (!(std::abs((*mass).determinant()) > 0.0)) self.report("mass", "has no inverse; every axis needs a mass");
  }
  void prepare(const Instance&) override { inverse_ = (*mass).inverse(); }
  void state_output(const Tick&) override { reference = *integral; }
  void update(const Tick& t) override {
    Vector6 push;
    push << *force, torque.value_or(Vector3::Zero());
    push += *damping * (*desired_velocity - *velocity) + *stiffness * coordinate_change(*position, *desired_position);
    integral = Vector6(*integral + t.period() * (*desired_acceleration + inverse_ * push));
  }

private:
  Matrix6 inverse_ = Matrix6::Zero(); // of mass, by prepare
};
HILDA_BLOCK(Admittance, admittance_doc)

struct PoseControl : Block {
  Input<Vector6> desired{*this, "desired", "", "P_des: m, rad"};
  Input<Vector6> coordinates{*this, "coordinates", "", "X: m, rad, of EulerZYX"};
  Input<Pose> pose{*this, "pose", "The same as a pose"};
  Output<Vector6> velocity{*this, "velocity", "", "Desired: m/s, rad/s, in the end effector's axes"};
  Parameter<Matrix3> linear_gain{*this, "linear_gain", "1/s", "K_lin", live, by_default("3")};
  Parameter<Matrix3> angular_gain{*this, "angular_gain", "1/s", "K_eul", live, by_default("3")};

  void output(const Tick&) override {
    const Vector6 X = *coordinates, e = *desired - X;
    Vector6 V;
    V << (*pose).orientation.conjugate() * Vector3(*linear_gain * e.head<3>()),
        euler_rates_to_body(X.tail<3>()) * *angular_gain * e.tail<3>();
    velocity = V;
  }
};
HILDA_BLOCK(PoseControl, "Proportional control of the end effector: V = [R' K_lin e_p; T_eul K_eul e_eul] (Dyba et al. "
                         "2023, Eqs. 21, 22, where the printed R before T_eul turns twice).")

constexpr const char* difference_doc =
    "Backward difference of six coordinates (position and Euler angles) by the "
    "period; an angle that wraps at 180 degrees goes the shorter way. With the memory 0 at the start the "
    "first difference is the coordinates themselves over the period: a kick.";

struct CoordinateDifference : Block {
  enum class Initial { input, zero };

  Input<Vector6> coordinates{*this, "coordinates", "", "m, rad", primes};
  Output<Vector6> rate{*this, "rate", "", "m/s, rad/s"};
  Parameter<Initial> initial{*this, "initial", "Memory at the start: the first coordinates, or 0", by_default("input")};
  State<Vector6> previous{*this, "previous", "", "Coordinates one period ago"};

  void prime(const Tick&) override {
    if (*initial == Initial::input) previous = *coordinates;
  }
  void output(const Tick& t) override { rate = Vector6(coordinate_change(*previous, *coordinates) / t.period()); }
  void update(const Tick&) override { previous = *coordinates; }
};
HILDA_BLOCK(CoordinateDifference, difference_doc)

} // namespace
} // namespace hilda
