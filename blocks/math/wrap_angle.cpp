// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct WrapAngle : Block {
  enum class Range { symmetric, positive };

  Input<Elements<>> u{*this, "u", "*s", "rad", "Angles"};
  Output<Elements<>> y{*this, "y", "*s", "rad", "The same angles within one turn"};
  Parameter<Range> range{*this, "range", "[-pi, pi] or [0, 2 pi)", by_default("symmetric")};

  void output(const Tick&) override {
    constexpr double turn = 2 * M_PI;
    const bool positive = *range == Range::positive;
    y = (*u).unaryExpr([positive](double x) {
      const double nearest = std::remainder(x, turn);
      if (!positive || nearest >= 0) return nearest;
      // A tiny negative angle rounds up to a whole turn.
      return nearest + turn < turn ? nearest + turn : 0.0;
    });
  }
};

HILDA_BLOCK(WrapAngle, "Takes whole turns away from each angle.")
} // namespace
