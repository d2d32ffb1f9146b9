// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Latch : Block {
  Input<bool> set{*this, "set", "Switches on"};
  Input<bool> clear{*this, "clear", "Switches off; wins over set", optional};
  Output<bool> on{*this, "on", "True from set on until clear"};
  Parameter<bool> initial{*this, "initial", "The switch before the first tick", by_default("false")};
  State<bool> last{*this, "last", "The switch at the last tick"};

  void initialize(const Instance&) override { last = *initial; }
  void output(const Tick&) override { on = !clear.value_or(false) && (*set || *last); }
  void update(const Tick&) override { last = *on; }
};

HILDA_BLOCK(Latch, "Remembers that something happened: on from the tick of set, off from the tick of clear.")
} // namespace
