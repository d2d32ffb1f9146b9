// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Trigonometry : Block {
  enum class Function { sin, cos, tan };

  Input<Elements<>> u{*this, "u", "*s", "rad", "Angles"};
  Output<Elements<>> y{*this, "y", "*s", "1", "Their sine, cosine or tangent"};
  Parameter<Function> function{*this, "function", "Which function"};

  void output(const Tick&) override {
    switch (*function) {
    case Function::sin: y = (*u).unaryExpr([](double x) { return std::sin(x); }); break;
    case Function::cos: y = (*u).unaryExpr([](double x) { return std::cos(x); }); break;
    case Function::tan: y = (*u).unaryExpr([](double x) { return std::tan(x); }); break;
    }
  }
};

HILDA_BLOCK(Trigonometry, "Sine, cosine or tangent of each element.")
} // namespace
