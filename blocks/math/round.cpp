#include <hilda/block.h>

namespace {
using namespace hilda;

struct Round : Block {
  Input<Elements<>> u{*this, "u", "*s", "1", "Numbers of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "1", "Whole numbers"};
  Parameter<Choice> to{*this, "to", "nearest|down|up|zero", "Towards what; halves go away from 0",
                       by_default("nearest")};

  void output(const Tick&) override {
    switch (*to) {
    case 0: y = (*u).unaryExpr([](double x) { return std::round(x); }); break;
    case 1: y = (*u).unaryExpr([](double x) { return std::floor(x); }); break;
    case 2: y = (*u).unaryExpr([](double x) { return std::ceil(x); }); break;
    default: y = (*u).unaryExpr([](double x) { return std::trunc(x); }); break;
    }
  }
};

HILDA_PLUGIN(Round, "Rounds each element to a whole number. For what has a unit, or other steps, see Quantizer.")
} // namespace
