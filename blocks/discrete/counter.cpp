// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Counter : Block {
  Input<bool> u{*this, "u", "Counts the ticks at which it is true"};
  Output<std::int64_t> count{*this, "count", "How many so far, this tick included"};
  State<std::int64_t> before{*this, "before", "How many up to the last tick"};

  void output(const Tick&) override { count = *before + (*u ? 1 : 0); }
  void update(const Tick&) override { before = *count; }
};

HILDA_BLOCK(Counter, "Counts ticks at which a boolean is true. For events, put an Edge before it.")
} // namespace
