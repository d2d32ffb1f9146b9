// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

constexpr const char* arm_metrics_doc =
    "Figures of an arm's run for the summary: largest torque of each joint, position error at "
    "the end, contact, momentum, "
    "and how far the momentum is from the impulse of the contact.";

struct ArmMetrics : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;

  Input<Vector> torque{*this, "torque", "n", "N m", "Joint torques", in_update, rotational, optional};
  Input<Vector6> desired{*this, "desired", "", "Desired coordinates", in_update, optional};
  Input<Vector6> coordinates{*this, "coordinates", "", "Actual coordinates", in_update, optional};
  Input<Vector3> force{*this, "force", "N", "Contact force", in_update, optional};
  Input<Vector3> linear_momentum{*this, "linear_momentum", "kg m/s", "Of the whole system", in_update};
  Input<Vector3> angular_momentum{*this,     "angular_momentum", "kg m2/s", "About the inertial origin",
                                  in_update, rotational};
  Input<Vector3> linear_impulse{*this, "linear_impulse", "N s", "Integral of the applied force", in_update, optional};
  Input<Vector3> angular_impulse{*this,     "angular_impulse", "N m s", "Integral of the applied moment",
                                 in_update, rotational,        optional};
  Parameter<double> torque_limit{
      *this,      "torque_limit",      "N m", "The summary reports when any joint's torque exceeds it", above(0.0),
      rotational, by_default("20 N m")};

  State<Vector> torque_max{*this, "torque_max", "n", "N m", "Largest so far", rotational};
  State<double> limit_time{*this, "limit_time", "s", "When a torque passed the limit; below 0: not yet"};
  State<Vector3> error{*this, "error", "m", "Of position, of the last tick"};
  State<double> first_time{*this, "first_time", "s", "Of contact; below 0: none yet"};
  State<double> peak_force{*this, "peak_force", "N", "Largest so far"};
  State<double> impulse{*this, "impulse", "N s", "Integral of the force's size"};
  State<Vector3> impulse_vector{*this, "impulse_vector", "N s", "Integral of the force"};
  State<double> duration{*this, "duration", "s", "Of contact so far"};
  State<bool> started{*this, "started", "The first tick is over"};
  State<Vector6> initial{*this, "initial", "", "Momentum at the start: kg m/s, kg m2/s"};
  State<double> linear_max{*this, "linear_max", "kg m/s", "Largest linear momentum so far"};
  State<double> angular_max{*this, "angular_max", "kg m2/s", "Largest angular momentum so far", rotational};
  State<double> residual{*this, "residual", "", "Largest component of momentum minus impulse so far; N s or N m s"};

  void initialize(const Instance&) override {
    limit_time = -1.0;
    first_time = -1.0;
  }

  void update(const Tick& t) override {
    if (torque.connected()) torques(t);
    if (desired.connected() && coordinates.connected())
      error = Vector3((*desired).head<3>() - (*coordinates).head<3>());
    if (force.connected()) contact(t);
    momentum();
    started = true;
  }

  void summarize(const Summary& summary) const override {
    if (torque.connected()) {
      const auto largest = *torque_max;
      for (Eigen::Index i = 0; i < largest.size(); ++i)
        summary.number(("joint_torque_max.j" + std::to_string(i + 1)).c_str(), largest[i], "N m");
      summary.number("torque_limit_time", *limit_time < 0.0 ? NAN : *limit_time, "s");
    }
    if (desired.connected() && coordinates.connected()) vector(summary, "position_error_final", *error, "m");
    if (force.connected()) {
      summary.number("contact.first_time", *first_time < 0.0 ? NAN : *first_time, "s");
      summary.number("contact.peak_force", *peak_force, "N");
      summary.number("contact.impulse", *impulse, "N s");
      vector(summary, "contact.impulse_vector", *impulse_vector, "N s");
      summary.number("contact.duration", *duration, "s");
    }
    summary.number("momentum.linear_max", *linear_max, "kg m/s");
    summary.number("momentum.angular_max", *angular_max, "kg m2/s");
    summary.number("momentum.residual", *residual);
  }

private:
  static void vector(const Summary& summary, const std::string& key, const Vector3& v, const char* unit) {
    constexpr const char* axes[] = {".x", ".y", ".z"};
    for (int i = 0; i < 3; ++i) summary.number((key + axes[i]).c_str(), v[i], unit);
  }

  void torques(const Tick& t) {
    const auto u = *torque;
    auto largest = *torque_max;
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      largest[i] = std::max(largest[i], std::abs(u[i]));
      if (*limit_time < 0.0 && std::abs(u[i]) > *torque_limit) limit_time = t.time();
    }
  }

  void contact(const Tick& t) {
    const Vector3 f = *force;
    const double size = f.norm();
    if (size == 0.0) return;
    if (*first_time < 0.0) first_time = t.time();
    peak_force = std::max(*peak_force, size);
    impulse = *impulse + t.period() * size;
    impulse_vector = Vector3(*impulse_vector + t.period() * f);
    duration = *duration + t.period();
  }

  void momentum() {
    Vector6 now, pushed = Vector6::Zero();
    now << *linear_momentum, *angular_momentum;
    if (!*started) initial = now;
    if (linear_impulse.connected()) pushed.head<3>() = *linear_impulse;
    if (angular_impulse.connected()) pushed.tail<3>() = *angular_impulse;
    linear_max = std::max(*linear_max, now.head<3>().norm());
    angular_max = std::max(*angular_max, now.tail<3>().norm());
    residual = std::max(*residual, Vector6(now - *initial - pushed).lpNorm<Eigen::Infinity>());
  }
};
HILDA_BLOCK(ArmMetrics, arm_metrics_doc)

} // namespace
} // namespace hilda
