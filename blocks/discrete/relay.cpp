// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/discrete/two_thresholds.h"

namespace {
using namespace hilda;

struct Relay : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@y", "on_value or off_value, element by element"};
  PerElement<Dynamic> lower{*this, "lower", "@u", "At or below it the relay goes off", live};
  PerElement<Dynamic> upper{*this, "upper", "@u", "At or above it the relay turns on", live};
  PerElement<Dynamic> on_value{
      *this, "on_value", "@y", "Output while it is on: one number, or one for each element", live, by_default("1")};
  PerElement<Dynamic> off_value{*this, "off_value", "@y", "Output while it is off", live, by_default("0")};
  Parameter<bool> initial{*this, "initial", "Whether it is on before the first tick", by_default("false")};
  State<Booleans> on{*this, "on", "*s", "", "Whether it was on at the last tick"};

  Crossing<Elements<>> above{*this, "above", "*s", "@u", "How far u is above where the relay turns on"};
  Crossing<Elements<>> below{*this, "below", "*s", "@u", "How far u is below where it goes off"};

  void configure(const Instance& self) override {
    for (const auto* p : {&lower, &upper, &on_value, &off_value}) p->check(self, u.rows(), u.cols());
  }
  void prepare(const Instance& self) override { check_order(self, lower, upper); }
  void initialize(const Instance&) override { (*on).setConstant(*initial ? 1 : 0); }
  void output(const Tick& t) override {
    const auto in = *u;
    auto out = *y;
    if (t.located()) {
      for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = stands(i) ? on_value[i] : off_value[i];
      return;
    }
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = switched(i) ? on_value[i] : off_value[i];
  }
  void update(const Tick&) override {
    auto state = *on;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = switched(i) ? 1 : 0;
  }

  void event(const Tick&, const Fired& fired) override { switch_fired(on, fired, above, below); }

private:
  /// Between two events it does not change.
  bool stands(Eigen::Index i) {
    const double in = (*u)[i];
    above.positive(in - upper[i], i), below.positive(lower[i] - in, i);
    return above.side(i) == 0 || below.side(i) == 0 ? switched(i) : on.data()[i] != 0;
  }
  bool switched(Eigen::Index i) const {
    const double in = (*u)[i];
    return in >= upper[i] || (!(in <= lower[i]) && on.data()[i] != 0);
  }
};

HILDA_BLOCK(Relay,
            "A relay with hysteresis and numbers as its output, for each element: on_value from upper on, off_value "
            "from lower down, unchanged in between. For a boolean, discrete/Hysteresis is the same.")
} // namespace
