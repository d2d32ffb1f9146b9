// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// How far the total momentum of some bodies has moved from where it was at the start, relative to the sums of m|v| and
/// of |p| m|v| + |I w| at that time (absolute where such a sum is 0).
struct MomentumBalance : Block {
  Inputs<Vector> position{*this, "position", "3", "m", "Centre of mass of each body, inertial"};
  Inputs<Vector> momentum{*this, "momentum", "3", "kg m/s", "Linear momentum of each body"};
  Inputs<Vector> angular_momentum{
      *this, "angular_momentum", "3", "kg m2/s", "Angular momentum of each body about the inertial origin", rotational};
  Output<double> linear_error{*this, "linear_error", "", "Now, relative"};
  Output<double> angular_error{*this, "angular_error", "", "Now, relative"};

  Parameter<bool> closed{*this, "closed", "Off where another body takes part, such as one of infinite mass: no figure",
                         by_default("on")};

  State<bool> started{*this, "started", "The totals at the start are known"};
  State<Vector3> linear_start{*this, "linear_start", "kg m/s", "Total at the start"};
  State<Vector3> angular_start{*this, "angular_start", "kg m2/s", "Total at the start", rotational};
  State<double> linear_scale{*this, "linear_scale", "kg m/s", "What the error is relative to"};
  State<double> angular_scale{*this, "angular_scale", "kg m2/s", "What the error is relative to", rotational};
  State<double> linear_worst{*this, "linear_worst", "", "Largest so far"};
  State<double> angular_worst{*this, "angular_worst", "", "Largest so far"};

  void configure(const Instance& instance) override {
    if (position.size() != momentum.size() || momentum.size() != angular_momentum.size())
      instance.report("momentum", "each body needs its position, momentum and angular_momentum wired");
  }

  [[gnu::flatten]] void output(const Tick&) override {
    linear_error = *started && *closed ? (total(momentum) - *linear_start).norm() / *linear_scale : 0.0;
    angular_error = *started && *closed ? (total(angular_momentum) - *angular_start).norm() / *angular_scale : 0.0;
  }

  [[gnu::flatten]] void update(const Tick&) override {
    if (!*started) remember();
    linear_worst = std::max(*linear_worst, *linear_error);
    angular_worst = std::max(*angular_worst, *angular_error);
  }

  void summarize(const Summary& summary) const override {
    summary.number("momentum_error.linear", *closed ? *linear_worst : NAN);
    summary.number("momentum_error.angular", *closed ? *angular_worst : NAN);
  }

private:
  static Vector3 total(const Inputs<Vector>& of) {
    Vector3 sum = Vector3::Zero();
    for (Eigen::Index i = 0; i < of.size(); ++i) sum += of[i];
    return sum;
  }
  void remember() {
    double linear = 0.0, angular = 0.0;
    for (Eigen::Index i = 0; i < momentum.size(); ++i) {
      const Vector3 p = position[i], mv = momentum[i], l = angular_momentum[i];
      linear += mv.norm();
      angular += p.norm() * mv.norm() + (l - p.cross(mv)).norm();
    }
    linear_start = total(momentum);
    angular_start = total(angular_momentum);
    linear_scale = linear > 0.0 ? linear : 1.0;
    angular_scale = angular > 0.0 ? angular : 1.0;
    started = true;
  }
};
HILDA_BLOCK(MomentumBalance, "How far the total momentum of some bodies has drifted.")

} // namespace
} // namespace hilda
