#include <hilda/block.h>

namespace {
using namespace hilda;

/// A mass on a spring that stiffens: m x'' = F - k x - h x^3 (G. Duffing, Erzwungene Schwingungen, 1918).
struct Duffing : Block {
  Input<double> force{*this, "force", "N", "On the mass", in_update};
  Output<double> position{*this, "position", "m", "Of the mass", from_state};
  Output<double> velocity{*this, "velocity", "m/s", "Of the mass", from_state};
  Output<double> energy{*this, "energy", "J", "Of the mass and the spring", from_state};

  Parameter<double> mass{*this, "mass", "kg", "m", above(0.0)};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "k, where the spring is at rest"};
  Parameter<double> hardening{*this, "hardening", "N/m^3", "h", by_default("0")};
  Parameter<double> initial{*this, "initial", "m", "Position at the start", by_default("0")};

  ContinuousState<double> x{*this, "x", "m", "Position"};
  ContinuousState<double> v{*this, "v", "m/s", "Velocity"};

  void initialize(const Instance&) override {
    x = *initial;
    v = 0.0;
  }
  void state_output(const Tick&) override {
    position = *x;
    velocity = *v;
    energy = *mass * *v * *v / 2 + *stiffness * *x * *x / 2 + *hardening * *x * *x * *x * *x / 4;
  }
  void derivative(const Tick&) override {
    x.dot() = *v;
    v.dot() = (*force - *stiffness * *x - *hardening * *x * *x * *x) / *mass;
  }
};
HILDA_BLOCK(Duffing, "A mass on a spring that stiffens with the square of its elongation.")

} // namespace
