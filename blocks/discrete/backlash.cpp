// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Backlash : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape: the driving side"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "The driven side"};
  PerElement<Dynamic> width{*this, "width",       "@u",      "Whole play: one number, or one for each element",
                            live,  at_least(0.0), difference};
  PerElement<Dynamic> initial{*this, "initial", "@u", "The driven side before the first tick", by_default("0")};
  State<Elements<>> last{*this, "last", "*s", "@u", "The driven side at the last tick"};

  void configure(const Instance& self) override {
    width.check(self, u.rows(), u.cols());
    initial.check(self, u.rows(), u.cols());
  }
  void initialize(const Instance&) override {
    auto state = *last;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void output(const Tick&) override {
    const auto in = *u;
    const auto before = *last;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double highest = in[i] + width[i] / 2, lowest = in[i] - width[i] / 2;
      // NaN of the input passes by the last branch.
      out[i] = before[i] > highest ? highest : before[i] >= lowest ? before[i] : lowest;
    }
  }
  void update(const Tick&) override { last = *y; }
};

HILDA_BLOCK(Backlash,
            "Play between a driving and a driven side, for each element: the driven side is at rest while the driving "
            "one crosses the play, and is taken along at its ends: y(k) = min(max(y(k-1), u - width/2), u + width/2).")
} // namespace
