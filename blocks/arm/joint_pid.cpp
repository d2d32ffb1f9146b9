// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace hilda {
namespace {

constexpr const char* joint_pid_doc =
    "Joint velocity controllers that start softly: torque = min((t / ramp)^2, 1) (kp e + ki I + kd (e - e_previous) / "
    "T), "
    "then I += T e. The integral is not ramped; the first difference is 0 (Dyba et al. 2023, Table 4 and section 4).";

struct JointPid : Block {
  Input<Vector> error{*this, "error", "n", "rad/s", "Desired minus actual joint velocity", primes};
  Output<Vector> torque{*this, "torque", "n", "N m", "Joint torques", rotational};
  PerElement<Dynamic> kp{*this, "kp", "N m s/rad", "Proportional gain: one number, or one for each joint", rotational};
  PerElement<Dynamic> ki{*this, "ki", "N m/rad", "Integral gain", rotational, by_default("0")};
  PerElement<Dynamic> kd{*this, "kd", "N m s2/rad", "Derivative gain", rotational, by_default("0")};
  Parameter<double> ramp{*this,         "ramp",
                         "s",           "Time over which the torque grows to its full size; 0: none",
                         at_least(0.0), by_default("1 s")};
  State<Vector> integral{*this, "integral", "n", "rad", "I"};
  State<Vector> previous{*this, "previous", "n", "rad/s", "Error one period ago"};

  void configure(const Instance& self) override {
    for (const auto* gain : {&kp, &ki, &kd}) gain->check(self, error.rows(), error.cols());
  }
  void prime(const Tick&) override { previous = *error; }
  void output(const Tick& t) override {
    const double share = *ramp > 0.0 ? std::min(t.time() * t.time() / (*ramp * *ramp), 1.0) : 1.0;
    const auto e = *error;
    auto u = *torque;
    for (Eigen::Index i = 0; i < u.size(); ++i)
      u[i] = share * (kp[i] * e[i] + ki[i] * integral.data()[i] + kd[i] * (e[i] - previous.data()[i]) / t.period());
  }
  void update(const Tick& t) override {
    const auto e = *error;
    auto sum = *integral, last = *previous;
    for (Eigen::Index i = 0; i < sum.size(); ++i) {
      sum[i] += t.period() * e[i];
      last[i] = e[i];
    }
  }
};
HILDA_BLOCK(JointPid, joint_pid_doc)

} // namespace
} // namespace hilda
