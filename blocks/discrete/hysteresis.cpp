#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Hysteresis : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Booleans> on{*this, "on", "*s", "", "The switch, element by element"};
  PerElement<Dynamic> lower{*this, "lower", "@u", "At or below it the switch goes off", live};
  PerElement<Dynamic> upper{*this, "upper", "@u", "At or above it the switch goes on", live};
  Parameter<bool> initial{*this, "initial", "The switch before the first tick", by_default("false")};
  State<Booleans> last{*this, "last", "*s", "", "The switch at the last tick"};

  void configure(const Instance& self) override {
    lower.check(self, u.rows(), u.cols());
    upper.check(self, u.rows(), u.cols());
    check_order(self, lower, upper);
  }
  void initialize(const Instance&) override { (*last).setConstant(*initial ? 1 : 0); }
  void output(const Tick&) override {
    const auto in = *u;
    const auto before = *last;
    auto out = *on;
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = in[i] >= upper[i] ? 1 : in[i] <= lower[i] ? 0 : before[i];
  }
  void update(const Tick&) override { last = *on; }
};

HILDA_BLOCK(Hysteresis,
            "A switch with two thresholds: on at or above upper, off at or below lower, unchanged in between.")
} // namespace
