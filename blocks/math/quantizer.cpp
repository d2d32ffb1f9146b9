// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Quantizer : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "The nearest multiple of the step"};
  PerElement<Dynamic> step{*this,      "step",    "@u", "Resolution: one number, or one for each element",
                           above(0.0), difference};
  State<Elements<>> level{*this, "level", "*s", "", "Steps in y since the last event, where those are located", modal};

  Crossing<Elements<>> inside{*this, "inside", "*s", "@u", "How far u is from where that level ends"};

  void configure(const Instance& self) override { step.check(self, u.rows(), u.cols()); }
  void output(const Tick& t) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i)
      out[i] = step[i] * (t.located() && holds(i) ? (*level)[i] : std::round(in[i] / step[i]));
  }
  void event(const Tick&, const Fired& fired) override {
    auto held = *level;
    for (Eigen::Index i = 0; i < held.size(); ++i) {
      const double in = (*u)[i], nearest = std::round(in / step[i]);
      if (fired.none() || (fired.direction(inside, i) < 0 && nearest != held[i]))
        held[i] = nearest;
      else if (fired.direction(inside, i) < 0)
        held[i] += in > step[i] * held[i] ? 1 : -1; // at the very border
    }
  }

private:
  bool holds(Eigen::Index i) {
    const double in = (*u)[i];
    inside.positive(0.5 * step[i] - std::abs(in - step[i] * (*level)[i]), i);
    return inside.side(i) > 0 && !std::isnan(in);
  }
};

HILDA_BLOCK(Quantizer, "Rounds each element to a whole number of steps, halves away from 0: y = step round(u / step).")
} // namespace
