// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/flags.h>

namespace {
using namespace hilda;

struct BooleanConstant : Block {
  static constexpr std::uint32_t type_flags = HILDA_STEADY;
  Output<bool> y{*this, "y", "The value", from_state};
  Parameter<bool> value{*this, "value", "true or false", live};

  void state_output(const Tick&) override { y = *value; }
};

HILDA_BLOCK(BooleanConstant, "A constant boolean; as a live parameter, a switch for the person at the loop.")
} // namespace
