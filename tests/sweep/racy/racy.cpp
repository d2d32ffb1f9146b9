// SPDX-License-Identifier: BSD-3-Clause
// A block that races with itself where two threads run it: ThreadSanitizer must say so, or it looks at nothing.
#include <hilda/block.h>
using namespace hilda;

namespace {

std::int64_t ticks_of_all = 0;

struct Counter : Block {
  Output<double> y{*this, "y", "", "Ticks of all of these blocks"};
  void output(const Tick&) override { y = static_cast<double>(++ticks_of_all); }
};
HILDA_BLOCK(Counter, "Counts the ticks of all threads in one variable.")

} // namespace
