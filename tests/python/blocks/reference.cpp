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

struct Switch : Block {
  Parameter<double> upper{*this, "upper", "@u", "Turns on above it", by_default("0.5")};
  Parameter<double> lower{*this, "lower", "@u", "Turns off below it", by_default("-0.5")};
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<bool> on{*this, "on", "Above the upper limit last"};
  State<bool> held{*this, "held", "The mode", modal};
  Crossing<double> distance{*this, "distance", "@u", "How far the signal is beyond the limit that counts now"};

  double beyond() const { return *held ? *u - *lower : *u - *upper; }
  void output(const Tick&) override {
    on = *held;
    distance = beyond();
  }
  void event(const Tick&, const Fired& fired) override {
    if (fired.none())
      held = beyond() > 0;
    else if (fired.direction(distance) != 0)
      held = fired.direction(distance) > 0;
  }
  void update(const Tick&) override { held = beyond() > 0; }
};
HILDA_BLOCK(Switch, "Turns on above one limit and off below another.")

struct Ball : Block {
  Output<double> y{*this, "y", "1", "Height", from_state};
  ContinuousState<double> h{*this, "h", "1", "Height"};
  ContinuousState<double> v{*this, "v", "1", "Velocity"};
  State<std::int64_t> bounces{*this, "bounces", "How many", modal};
  Crossing<double> ground{*this, "ground", "1", "Height"};

  void initialize(const Instance&) override { h = 1; }
  void state_output(const Tick&) override {
    y = *h;
    ground = *h;
  }
  void derivative(const Tick&) override {
    h.dot() = *v;
    v.dot() = -9.81;
  }
  void event(const Tick&, const Fired& fired) override {
    if (fired.direction(ground) >= 0) return;
    v = -0.5 * *v;
    bounces = *bounces + 1;
  }
};
HILDA_BLOCK(Ball, "Falls, and loses half of its speed on the ground.")

} // namespace
