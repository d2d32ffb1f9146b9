// SPDX-License-Identifier: BSD-3-Clause
// The equations of my_blocks.py in C++.
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Filter : Block {
  Input<double> u{*this, "u", "@u", "Signal", in_update};
  Output<double> y{*this, "y", "@u", "Filtered", from_state};
  Parameter<double> tau{*this, "tau", "s", "Time constant", above(0.0), live, by_default("10 ms")};
  State<double> x{*this, "x", "@u", "Value"};

  void state_output(const Tick&) override { y = *x; }
  void update(const Tick& t) override { x = *x + t.period() / *tau * (*u - *x); }
};
HILDA_BLOCK(Filter, "First-order filter.")

struct Oscillator : Block {
  Input<double> u{*this, "u", "1", "Push", in_update};
  Output<double> y{*this, "y", "1", "Position", from_state};
  Parameter<double> stiffness{*this, "stiffness", "1", "Of the spring", by_default("40")};
  Parameter<double> damping{*this, "damping", "1", "Of the damper", by_default("0.3")};
  ContinuousState<double> x{*this, "x", "1", "Position"};
  ContinuousState<double> v{*this, "v", "1", "Velocity"};

  void initialize(const Instance&) override { x = 0.25; }
  void state_output(const Tick&) override { y = *x; }
  void derivative(const Tick&) override {
    x.dot() = *v;
    v.dot() = *u - *stiffness * *x - *damping * *v;
  }
};
HILDA_BLOCK(Oscillator, "Mass with spring and damper.")

struct Smooth : Block {
  Input<Vector> u{*this, "u", "n", "@u", "Signals"};
  Output<Vector> y{*this, "y", "n", "@u", "Smoothed"};
  Parameter<double> share{*this, "share", "1", "Of what is new", between(0.0, 1.0), by_default("0.25")};
  State<Vector> x{*this, "x", "n", "@u", "Values"};

  void output(const Tick&) override { y = *x + *share * (*u - *x); }
  void update(const Tick&) override { x = *y; }
};
HILDA_BLOCK(Smooth, "Smooths each of several signals.")

} // namespace
