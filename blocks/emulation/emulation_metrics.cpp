// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/emulation/planar_arm.h"

namespace hilda {
namespace {

struct EmulationMetrics : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Input<Vector> force{*this, "force", "n", "N", "Of the environment on the arm's tip", in_update};
  Input<Vector> ideal{*this, "ideal", "n", "N", "On the target itself, in the same place", in_update};
  Input<Vector> error{*this, "error", "n", "m", "x_r - x of the controller", in_update};
  Input<Vector> clik_error{*this, "clik_error", "n", "m", "x_r - k(q) of inverse kinematics", in_update, optional};
  Input<Vector> multiplier{*this, "lambda", "n", "N", "Of the constraint", in_update, optional};
  State<double> force_error{*this, "force_error", "N", "Largest so far"};
  State<double> force_error_l1{*this, "force_error_l1", "N s", "Its integral"};
  State<double> ideal_max{*this, "ideal_max", "N", "Largest ideal force so far"};
  State<double> constraint_error{*this, "constraint_error", "m", "Largest so far"};
  State<double> inverse_error{*this, "inverse_error", "m", "Largest error of inverse kinematics so far"};
  State<double> multiplier_error{*this, "multiplier_error", "N", "Largest lambda - f so far"};
  State<double> first_time{*this, "first_time", "s", "Of contact; below 0: none yet"};
  State<Vector> last{*this, "last", "n", "N", "Force of the last tick"};
  State<Vector> ideal_last{*this, "ideal_last", "n", "N", "Ideal force of the last tick"};

  void initialize(const Instance&) override { first_time = -1.0; }

  void update(const Tick& t) override {
    const Axes f = *force, wanted = *ideal;
    const double off = (f - wanted).norm();
    force_error = std::max(*force_error, off);
    force_error_l1 = *force_error_l1 + t.period() * off;
    ideal_max = std::max(*ideal_max, wanted.norm());
    constraint_error = std::max(*constraint_error, Axes(*error).norm());
    if (clik_error.connected()) inverse_error = std::max(*inverse_error, Axes(*clik_error).norm());
    if (multiplier.connected()) multiplier_error = std::max(*multiplier_error, Axes(*multiplier - f).norm());
    if (*first_time < 0 && f.norm() > 0) first_time = t.time();
    last = f;
    ideal_last = wanted;
  }

  void summarize(const Summary& summary) const override {
    constexpr const char* axes[] = {"x", "y", "z", "4", "5", "6"};
    summary.number("force_error.max", *force_error, "N");
    summary.number("force_error.l1", *force_error_l1, "N s");
    summary.number("constraint_error_max", *constraint_error, "m");
    if (clik_error.connected()) summary.number("inverse_kinematics_error_max", *inverse_error, "m");
    if (multiplier.connected()) summary.number("multiplier_error_max", *multiplier_error, "N");
    const auto f = *last, wanted = *ideal_last;
    for (Eigen::Index i = 0; i < f.size(); ++i) {
      summary.number((std::string("final_force.") + axes[i]).c_str(), f[i], "N");
      summary.number((std::string("ideal_force.final.") + axes[i]).c_str(), wanted[i], "N");
    }
    summary.number("ideal_force.max", *ideal_max, "N");
    summary.number("contact.first_time", *first_time < 0 ? NAN : *first_time, "s");
  }
};
HILDA_BLOCK(EmulationMetrics,
            "Figures of an emulation for the summary: how far the force is from that on the target itself.")

} // namespace
} // namespace hilda
