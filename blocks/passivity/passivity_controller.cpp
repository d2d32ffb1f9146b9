// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Passivity observer and controller, impedance type, of the port through which a wrench acts on a moving body (De
/// Stefano, Balachandran and Secchi 2020, Eq. 13, 17 and 18 in closed form), updated in the step in which the wrench
/// acts. With F.V > 0 energy leaves the environment, and E(k) = W(k-1) - F.V T is what it still holds:
///   grouping axis  each axis by itself; where E_i < 0: F_c,i = F_i W_i(k-1)/(F_i V_i T), and W_i = 0 exactly
///   grouping port  one sum over all axes; where E < 0: F_c = F W(k-1)/(F.V T), and W = 0 exactly
/// The paper's gain alpha = (F - F_c)/V diverges as V -> 0; F_c does not: 0 <= F_c/F <= 1. Axis by axis locks a
/// rotation that starts at rest; the whole port lets one wall pay for another that touches at the same time.
struct PassivityController : Block {
  enum class Grouping { axis, port };

  Input<Wrench> wrench{*this, "wrench", "Measured: force in W axes, torque in B axes, on the tool"};
  Input<Twist> twist{*this, "twist", "As sent to the robot: v in W axes, w in B axes"};
  Output<Wrench> controlled{*this, "controlled", "F_c, to move the body with"};
  Output<Wrench> removed{*this, "removed", "F_pc = F - F_c"};
  Output<Vector6> alpha{*this, "alpha", "",
                        "F_pc/V of each axis (N s/m, N m s/rad); 0 where nothing is removed or V = 0"};
  Output<Vector6> energy_before{*this, "energy_before", "J", "E of each axis, before control"};
  Output<Vector6> energy{*this, "energy", "J",
                         "W of each axis, after it; with grouping port only the sum means anything"};
  Output<double> total_before{*this, "total_before", "J", "E of the port, before control"};
  Output<double> total{*this, "total", "J", "W of the port, after it"};

  Parameter<Grouping> grouping{*this, "grouping", "Part that is kept passive", by_default("axis")};
  Parameter<bool> enabled{*this, "enabled", "Off: observes, and lets the wrench pass unchanged", live,
                          by_default("on")};
  Parameter<Vector6> initial_energy{*this, "initial_energy", "J", "E0 of each axis", by_default("0 0 0 0 0 0")};

  State<Vector6> held{*this, "held", "J", "W of each axis, one tick ago"};
  State<double> total_held{*this, "total_held", "J", "W of the port, one tick ago"};
  State<double> lowest{*this, "lowest", "J", "Smallest E so far, of the axes or of the port"};

  void initialize(const Instance&) override {
    held = *initial_energy;
    total_held = (*initial_energy).sum();
    lowest = *grouping == Grouping::axis ? (*initial_energy).minCoeff() : *total_held;
  }

  void output(const Tick& t) override {
    const Wrench given = *wrench;
    const Vector6 work = t.period() * given.cwiseProduct(*twist);
    const Vector6 before = *held - work;
    const double sum = work.sum();
    energy_before = before;
    total_before = *total_held - sum;
    if (!*enabled)
      pass(given);
    else if (*grouping == Grouping::axis)
      control_axes(given, work);
    else
      control_port(given, sum, t.period());
    const Wrench taken(given - *controlled);
    removed = taken;
    alpha = gain(taken);
  }

  void update(const Tick&) override {
    held = *energy;
    total_held = *total;
    lowest = std::fmin(*lowest, *grouping == Grouping::axis ? (*energy_before).minCoeff() : *total_before);
  }

  void summarize(const Summary& summary) const override { summary.number("observer.min_before", *lowest, "J"); }

private:
  void pass(const Wrench& given) {
    controlled = given;
    energy = *energy_before;
    total = *total_before;
  }
  void control_axes(const Wrench& given, const Vector6& work) {
    Wrench acting = given;
    Vector6 after = *energy_before;
    for (Eigen::Index i = 0; i < 6; ++i) {
      if (after[i] >= 0.0) continue;
      acting[i] = (*held)[i] / work[i] * given[i];
      after[i] = 0.0;
    }
    controlled = acting;
    energy = after;
    total = after.sum();
  }
  void control_port(const Wrench& given, double sum, double T) {
    if (*total_before >= 0.0) {
      pass(given);
      return;
    }
    const Wrench acting(*total_held / sum * given);
    controlled = acting;
    energy = *held - T * acting.cwiseProduct(*twist);
    total = 0.0;
  }
  Vector6 gain(const Wrench& taken) const {
    const Twist v = *twist;
    Vector6 a = Vector6::Zero();
    for (Eigen::Index i = 0; i < 6; ++i)
      if (taken[i] != 0.0 && v[i] != 0.0) a[i] = taken[i] / v[i];
    return a;
  }
};
HILDA_BLOCK(PassivityController, "Passivity observer and controller of a port: per axis, or of the port as a whole "
                                 "(De Stefano, Balachandran and Secchi 2020, Eq. 13, 17 and 18).")

} // namespace
} // namespace hilda
