#include <hilda/block.h>

namespace {
using namespace hilda;

struct Exponential : Block {
  Input<Elements<>> u{*this, "u", "*s", "1", "Numbers without a unit"};
  Output<Elements<>> y{*this, "y", "*s", "1", "Value of the function"};
  Parameter<Choice> function{*this, "function", "exp|ln|log10|log2", "Which function", by_default("exp")};

  void output(const Tick&) override {
    switch (*function) {
    case 0: y = (*u).unaryExpr([](double x) { return std::exp(x); }); break;
    case 1: y = (*u).unaryExpr([](double x) { return std::log(x); }); break;
    case 2: y = (*u).unaryExpr([](double x) { return std::log10(x); }); break;
    default: y = (*u).unaryExpr([](double x) { return std::log2(x); }); break;
    }
  }
};

HILDA_PLUGIN(Exponential, "Exponential or logarithm of each element. The logarithm of 0 is -inf; that of a negative "
                          "number is NaN, which fails "
                          "the run at that tick.")
} // namespace
