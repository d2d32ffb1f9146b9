// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Assert : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Input<Booleans> condition{*this, "condition", "*s", "", "What must hold at every tick, in all elements", in_update};
  Parameter<double> from{*this, "from", "s", "Time from which on it must hold", by_default("0")};

  void update(const Tick& t) override {
    if (t.time() >= *from && !(*condition != 0).all()) t.fail("the asserted condition does not hold");
  }
};

HILDA_BLOCK(Assert, "Fails the run at the first tick at which a condition does not hold.")
} // namespace
