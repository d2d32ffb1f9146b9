// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/sampled_wave.h"

#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Triangle : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "bias + amplitude w(t)", from_state};
  Parameter<Elements<>> amplitude{
      *this, "amplitude", "*s", "@y", "Half the difference of peaks; its shape is that of the output",
      live,  difference};
  Parameter<double> repeat{*this, "repeat", "s", "Time from one peak to the next", above(0.0)};
  Parameter<double> rise{*this,
                         "rise",
                         "1",
                         "Share of the time in which it rises: 0.5 a triangle, 1 or 0 a sawtooth",
                         between(0.0, 1.0),
                         by_default("0.5")};
  Parameter<double> first{*this, "first", "s", "When it leaves its lowest value", by_default("0")};
  PerElement<Dynamic> bias{*this, "bias",         "@y", "Mean value: one number, or one for each element",
                           live,  by_default("0")};

  void configure(const Instance& self) override {
    bias.check(self, y.rows(), y.cols());
    check_sampled_wave(self, "repeat", 2 * M_PI / *repeat);
  }
  void state_output(const Tick& t) override {
    const double wave = 2 * height(t) - 1;
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = bias[i] + amplitude.data()[i] * wave;
  }

private:
  /// From 0 to 1 and back.
  double height(const Tick& t) const {
    const double periods = (t.time() - *first) / *repeat, rounding = 5e-7 * t.period() / *repeat;
    double share = periods - std::floor(periods);
    if (1 - share <= rounding) share = 0; // a time written in decimal may end a digit before the tick
    if (share < *rise) return share / *rise;
    return *rise == 1 ? 0 : (1 - share) / (1 - *rise);
  }
};

HILDA_BLOCK(Triangle,
            "A triangle wave or a sawtooth: rises evenly from bias - amplitude to bias + amplitude, and falls evenly.")
} // namespace
