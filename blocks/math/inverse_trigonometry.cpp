#include <hilda/block.h>

namespace {
using namespace hilda;

struct InverseTrigonometry : Block {
  Input<Elements<>> u{*this, "u", "*s", "1", "Sines, cosines or tangents"};
  Output<Elements<>> y{*this, "y", "*s", "rad", "The angles that have them"};
  Parameter<Choice> function{*this, "function", "asin|acos|atan", "Which function"};

  void output(const Tick&) override {
    switch (*function) {
    case 0: y = (*u).unaryExpr([](double x) { return std::asin(x); }); break;
    case 1: y = (*u).unaryExpr([](double x) { return std::acos(x); }); break;
    default: y = (*u).unaryExpr([](double x) { return std::atan(x); }); break;
    }
  }
};

HILDA_PLUGIN(
    InverseTrigonometry,
    "The angle that has a given sine, cosine or tangent, for each element. A sine or cosine beyond 1 gives NaN, which "
    "fails the run at that tick.")
} // namespace
