#include <hilda/block.h>

namespace {
using namespace hilda;

struct Abs : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "|u|, element by element"};

  void output(const Tick&) override { y = (*u).abs(); }
};

HILDA_BLOCK(Abs, "Absolute value of each element: y_i = |u_i|. The length of a vector is Norm.")
} // namespace
