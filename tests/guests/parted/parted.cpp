// SPDX-License-Identifier: BSD-3-Clause
// A port with parts, declared once for the blocks on both sides of the wire.
#include <hilda/block.h>

namespace {
using namespace hilda;

template <template <typename> class Port> struct CartState : Parts {
  using Parts::Parts;
  Port<double> position{*this, "position", "m", "Along the rail"};
  Port<double> velocity{*this, "velocity", "m/s", "Along the rail"};
};

template <template <typename> class Port> struct Telemetry : Parts {
  using Parts::Parts;
  CartState<Port> cart{*this, "cart"};
  Port<Vector3> force{*this, "force", "N", "On the cart"};
};

/// m x'' = F
struct Cart : Block {
  Parameter<double> mass{*this, "mass", "kg", "Of the cart", by_default("2 kg"), above(0.0)};
  Parameter<double> initial{*this, "initial", "m", "Position at the first tick", by_default("0.3 m")};
  Input<double> force{*this, "force", "N", "Along the rail", in_update};
  CartState<Output> state{*this, "state", from_state};
  ContinuousState<double> x{*this, "x", "m", "Position"};
  ContinuousState<double> v{*this, "v", "m/s", "Velocity"};
  void initialize(const Instance&) override { x = *initial; }
  void state_output(const Tick&) override {
    state.position = *x;
    state.velocity = *v;
  }
  void derivative(const Tick&) override {
    x.dot() = *v;
    v.dot() = *force / *mass;
  }
};
HILDA_BLOCK(Cart, "A mass on a rail.")

struct Control : Block {
  Parameter<double> stiffness{*this, "stiffness", "N/m", "Of the spring", by_default("8 N/m"), live};
  Parameter<double> damping{*this, "damping", "N s/m", "Of the damper", by_default("4 N s/m"), live};
  CartState<Input> state{*this, "state"};
  Output<double> force{*this, "force", "N", "On the cart"};
  void output(const Tick&) override { force = -*stiffness * *state.position - *damping * *state.velocity; }
};
HILDA_BLOCK(Control, "A spring and a damper at the origin.")

struct Sender : Block {
  Input<double> force{*this, "force", "N", "Along the rail"};
  CartState<Input> state{*this, "state"};
  Telemetry<Output> all{*this, "all"};
  void output(const Tick&) override {
    all.cart.position = *state.position;
    all.cart.velocity = *state.velocity;
    all.force = Vector3(*force, 0, 0);
  }
};
HILDA_BLOCK(Sender, "Puts the state and the force of a cart together.")

struct Receiver : Block {
  Telemetry<Input> all{*this, "all"};
  Output<double> power{*this, "power", "W", "Of the force"};
  void output(const Tick&) override { power = (*all.force)[0] * *all.cart.velocity; }
};
HILDA_BLOCK(Receiver, "The power of a force on a cart.")
} // namespace
