// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct DeadZone : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "How far u lies outside the zone"};
  PerElement<Dynamic> lower{*this, "lower",   "@u", "Lower end of the zone: one number, or one for each element",
                            live,  difference};
  PerElement<Dynamic> upper{*this, "upper",   "@u", "Upper end of the zone: one number, or one for each element",
                            live,  difference};
  Crossing<Elements<>> above{*this, "above", "*s", "@u", "How far u is above the zone"};
  Crossing<Elements<>> below{*this, "below", "*s", "@u", "How far u is below the zone"};

  void configure(const Instance& self) override {
    lower.check(self, u.rows(), u.cols());
    upper.check(self, u.rows(), u.cols());
  }
  void prepare(const Instance& self) override { check_order(self, lower, upper); }
  void output(const Tick& t) override {
    if (t.located()) return measure_as_sides_say();
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      if (in[i] >= lower[i] && in[i] <= upper[i])
        out[i] = 0;
      else
        out[i] = in[i] - (in[i] < lower[i] ? lower[i] : upper[i]);
    }
  }

private:
  void measure_as_sides_say() {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const bool low = below.positive(lower[i] - in[i], i), high = above.positive(in[i] - upper[i], i);
      out[i] = low ? in[i] - lower[i] : high ? in[i] - upper[i] : 0;
    }
  }
};

HILDA_BLOCK(DeadZone,
            "Gives 0 within a zone and the distance from the zone outside: y = u - upper above, u - lower below.")
} // namespace
