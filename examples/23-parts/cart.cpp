#include <hilda/block.h>

namespace {
using namespace hilda;

/// What a cart does. `Port` is Output in the cart, and Input in a block that reads it.
template <template <typename> class Port> struct CartState : Parts {
  using Parts::Parts;
  Port<double> position{*this, "position", "m", "Along the rail"};
  Port<double> velocity{*this, "velocity", "m/s", "Along the rail"};
};

/// m x'' = F
struct Cart : Block {
  Parameter<double> mass{*this, "mass", "kg", "Of the cart", above(0.0)};
  Parameter<double> initial{*this, "initial", "m", "Position at the start", by_default("0 m")};
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

/// Kinetic energy of a cart.
struct Energy : Block {
  Parameter<double> mass{*this, "mass", "kg", "Of the cart", above(0.0)};
  CartState<Input> state{*this, "state"};
  Output<double> energy{*this, "energy", "J", "Kinetic energy"};
  void output(const Tick&) override { energy = 0.5 * *mass * *state.velocity * *state.velocity; }
};
HILDA_BLOCK(Energy, "Kinetic energy of a cart.")

} // namespace
