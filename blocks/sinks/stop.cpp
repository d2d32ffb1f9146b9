// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Stop : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Input<bool> condition{*this, "condition", "Ends the run when it is true", in_update};

  void update(const Tick& t) override {
    if (*condition) t.stop("the stop condition holds");
  }
};

HILDA_BLOCK(Stop, "Ends the run as planned, after the first tick at which a condition holds.")
} // namespace
