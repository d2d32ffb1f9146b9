#include <hilda/block.h>

namespace {
using namespace hilda;

struct Trigonometry : Block {
  Input<Elements<>> u{*this, "u", "*s", "rad", "Angles"};
  Output<Elements<>> y{*this, "y", "*s", "1", "Their sine, cosine or tangent"};
  Parameter<Choice> function{*this, "function", "sin|cos|tan", "Which function"};

  void output(const Tick&) override {
    switch (*function) {
    case 0: y = (*u).unaryExpr([](double x) { return std::sin(x); }); break;
    case 1: y = (*u).unaryExpr([](double x) { return std::cos(x); }); break;
    default: y = (*u).unaryExpr([](double x) { return std::tan(x); }); break;
    }
  }
};

HILDA_PLUGIN(Trigonometry, "Sine, cosine or tangent of each element.")
} // namespace
