// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda::test {
namespace {

enum class Grouping { axis, port };
enum class Fault { clamped, flipped, guarded, tick_late };

/// A passivity controller, axis by axis, that is wrong in one way:
///   clamped    sets its account to zero and lets the wrench pass
///   flipped    takes the energy that flows in for that which flows out
///   guarded    does nothing while |V| is small, as one would to spare alpha its division
///   tick_late  controls with the energy of the tick before
struct FaultyController : Block {
  Input<Wrench> wrench{*this, "wrench", "Measured"};
  Input<Twist> twist{*this, "twist", "As sent"};
  Output<Wrench> controlled{*this, "controlled", "As the fault leaves it"};
  Output<Vector6> energy_before{*this, "energy_before", "J", "Its account before control"};
  Output<Vector6> energy{*this, "energy", "J", "Its account after control"};
  Output<double> total_before{*this, "total_before", "J", "Sum"};
  Output<double> total{*this, "total", "J", "Sum"};
  Parameter<Grouping> grouping{*this, "grouping", "Only axis", by_default("axis")};
  Parameter<bool> enabled{*this, "enabled", "As of the right one", by_default("on")};
  Parameter<Vector6> initial_energy{*this, "initial_energy", "J", "At the start", by_default("0 0 0 0 0 0")};
  Parameter<Fault> fault{*this, "fault", "What is wrong"};
  State<Vector6> held{*this, "held", "J", "One tick ago"};
  State<Vector6> late{*this, "late", "J", "Work of one tick ago"};

  void output(const Tick& t) override {
    const Wrench given = *wrench;
    const Twist moving = *twist;
    Wrench acting = given;
    Vector6 work = t.period() * given.cwiseProduct(moving);
    if (*fault == Fault::flipped) work = Vector6(-work);
    if (*fault == Fault::tick_late) work = *late;
    Vector6 after = *held - work;
    energy_before = after;
    for (Eigen::Index i = 0; i < 6; ++i) {
      if (after[i] >= 0.0 || (*fault == Fault::guarded && std::abs(moving[i]) < 5e-3)) continue;
      if (*fault != Fault::clamped) acting[i] = (*held)[i] / work[i] * given[i];
      after[i] = 0.0;
    }
    controlled = acting;
    energy = after;
    total_before = (*energy_before).sum();
    total = after.sum();
  }
  void update(const Tick& t) override {
    held = *energy;
    late = t.period() * (*wrench).cwiseProduct(*twist);
  }
};
HILDA_BLOCK(FaultyController, "A passivity controller that is wrong on purpose.")

} // namespace
} // namespace hilda::test
