// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Atan2 : Block {
  Input<Elements<>> y{*this, "y", "*s", "@u", "Opposite side"};
  Input<Elements<>> x{*this, "x", "*s", "@u", "Adjacent side, of the same shape and unit"};
  Output<Elements<>> angle{*this, "angle", "*s", "rad", "Angle of the point (x, y), from -pi to pi"};

  void output(const Tick&) override {
    angle = (*y).binaryExpr(*x, [](double a, double b) { return std::atan2(a, b); });
  }
};

HILDA_BLOCK(Atan2, "Angle of a point from its coordinates, in all four quadrants; 0 for the origin.")
} // namespace
