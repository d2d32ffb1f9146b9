// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/flags.h>

namespace {
using namespace hilda;

struct Constant : Block {
  static constexpr std::uint32_t type_flags = HILDA_STEADY;
  Output<Elements<>> y{*this, "y", "*s", "@y", "The value", from_state};
  Parameter<Elements<>> value{*this, "value", "*s", "@y", "Number, vector or matrix, with its unit", live};

  void state_output(const Tick&) override { y = *value; }
};

HILDA_BLOCK(Constant, "A constant number, vector or matrix.")
} // namespace
