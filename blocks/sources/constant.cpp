#include <hilda/block.h>

namespace {
using namespace hilda;

struct Constant : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "The value", from_state};
  Parameter<Elements<>> value{*this, "value", "*s", "@y", "Number, vector or matrix, with its unit", live};

  void state_output(const Tick&) override { y = *value; }
};

HILDA_BLOCK(Constant, "A constant number, vector or matrix.")
} // namespace
