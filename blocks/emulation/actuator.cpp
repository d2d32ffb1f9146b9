// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

struct Actuator : Block {
  Input<Vector> command{*this, "command", "n", "N m", "Desired torque", rotational, conditional, primes};
  Output<Vector> torque{*this, "torque", "n", "N m", "Torque", rotational, conditional};
  Parameter<double> bandwidth{
      *this, "bandwidth", "rad/s", "w_a; 0: ideal, the torque is the command", at_least(0.0), by_default("100 rad/s")};
  ContinuousState<Vector> state{*this, "state", "n", "N m", "Torque", rotational};

  bool feeds_through(const Instance&) const override { return *bandwidth == 0; }
  void prime(const Tick&) override { state = *command; }
  void state_output(const Tick&) override {
    if (*bandwidth > 0) torque = *state;
  }
  void output(const Tick&) override {
    if (*bandwidth == 0) torque = *command;
  }
  void derivative(const Tick&) override {
    auto rate = *state.dot();
    for (Eigen::Index i = 0; i < rate.size(); ++i) rate[i] = *bandwidth * ((*command)[i] - (*state)[i]);
  }
};
HILDA_BLOCK(Actuator,
            "First-order drive: dtau/dt = w_a (command - tau), from the first command on (Aghili, section 4.2).")

} // namespace
} // namespace hilda
