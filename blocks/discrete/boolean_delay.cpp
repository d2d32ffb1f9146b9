// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct BooleanDelay : Block {
  Input<Booleans> u{*this, "u", "*s", "", "Booleans of any shape", in_update};
  Output<Booleans> y{*this, "y", "*s", "", "u one sample time ago", from_state};
  Parameter<bool> initial{*this, "initial", "Output at the first tick", by_default("false")};
  State<Booleans> held{*this, "held", "*s", "", "The next output"};

  void initialize(const Instance&) override { (*held).setConstant(*initial ? 1 : 0); }
  void state_output(const Tick&) override { y = *held; }
  void update(const Tick&) override { held = *u; }
};

HILDA_BLOCK(BooleanDelay, "Delays booleans by one sample time: y(k) = u(k - 1). Breaks loops of feedthrough.")
} // namespace
