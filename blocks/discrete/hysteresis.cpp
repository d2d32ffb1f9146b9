// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/discrete/two_thresholds.h"

namespace {
using namespace hilda;

struct Hysteresis : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Booleans> on{*this, "on", "*s", "", "The switch, element by element"};
  PerElement<Dynamic> lower{*this, "lower", "@u", "At or below it the switch goes off", live};
  PerElement<Dynamic> upper{*this, "upper", "@u", "At or above it the switch turns on", live};
  Parameter<bool> initial{*this, "initial", "The switch before the first tick", by_default("false")};
  State<Booleans> last{*this, "last", "*s", "", "The switch at the last tick"};

  Crossing<Elements<>> above{*this, "above", "*s", "@u", "How far u is above where the switch turns on"};
  Crossing<Elements<>> below{*this, "below", "*s", "@u", "How far u is below where it goes off"};

  void configure(const Instance& self) override {
    lower.check(self, u.rows(), u.cols());
    upper.check(self, u.rows(), u.cols());
  }
  void prepare(const Instance& self) override { check_order(self, lower, upper); }
  void initialize(const Instance&) override { (*last).setConstant(*initial ? 1 : 0); }
  void output(const Tick& t) override {
    const auto in = *u;
    const auto before = *last;
    auto out = *on;
    if (t.located()) {
      for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = stands(i);
      return;
    }
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = in[i] >= upper[i] ? 1 : in[i] <= lower[i] ? 0 : before[i];
  }
  void update(const Tick&) override { last = *on; }
  void event(const Tick&, const Fired& fired) override { switch_fired(last, fired, above, below); }

private:
  /// Between two events it does not change.
  std::uint8_t stands(Eigen::Index i) {
    const double in = (*u)[i];
    above.positive(in - upper[i], i), below.positive(lower[i] - in, i);
    if (above.side(i) != 0 && below.side(i) != 0) return last.data()[i];
    return in >= upper[i] ? 1 : in <= lower[i] ? 0 : last.data()[i];
  }
};

HILDA_BLOCK(Hysteresis,
            "A switch with two thresholds: on at or above upper, off at or below lower, unchanged in between.")
} // namespace
