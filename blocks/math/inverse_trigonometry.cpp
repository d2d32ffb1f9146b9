// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct InverseTrigonometry : Block {
  enum class Function { asin, acos, atan };

  Input<Elements<>> u{*this, "u", "*s", "1", "Sines, cosines or tangents"};
  Output<Elements<>> y{*this, "y", "*s", "rad", "The angles that have them"};
  Parameter<Function> function{*this, "function", "Which function"};

  void output(const Tick&) override {
    switch (*function) {
    case Function::asin: y = (*u).unaryExpr([](double x) { return std::asin(x); }); break;
    case Function::acos: y = (*u).unaryExpr([](double x) { return std::acos(x); }); break;
    case Function::atan: y = (*u).unaryExpr([](double x) { return std::atan(x); }); break;
    }
  }
};

HILDA_BLOCK(
    InverseTrigonometry,
    "The angle that has a given sine, cosine or tangent, for each element. A sine or cosine beyond 1 gives NaN, which "
    "fails the run at that tick.")
} // namespace
