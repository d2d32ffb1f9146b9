// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Power : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Bases, in SI"};
  Output<Elements<>> y{*this, "y", "*s", "@y", "u_i^exponent, in SI"};
  Parameter<double> exponent{*this, "exponent", "1", "Exponent", live};

  void output(const Tick&) override {
    const double e = *exponent;
    y = (*u).unaryExpr([e](double x) { return std::pow(x, e); });
  }
};

HILDA_BLOCK(
    Power,
    "Power of each element: y_i = u_i^exponent. A negative base with a broken exponent gives NaN, which fails the "
    "run at that tick. For roots and squares, Sqrt and Square also know the unit.")
} // namespace
