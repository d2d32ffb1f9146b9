// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Clock : Block {
  Output<double> time{*this, "time", "s", "Time since the start", from_state};

  void state_output(const Tick& t) override { time = t.time(); }
};

HILDA_BLOCK(Clock, "The time since the start of the run.")
} // namespace
