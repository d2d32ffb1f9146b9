// SPDX-License-Identifier: BSD-3-Clause
// Blocks that throw where they may.
#include <hilda/block.h>
#include <stdexcept>

namespace {
using namespace hilda;

struct ThrowInConfigure : Block {
  Output<double> y{*this, "y", "", "Nothing", from_state};
  void configure(const Instance&) override { throw std::runtime_error("the table has no rows"); }
  void state_output(const Tick&) override { y = 0; }
};
struct ThrowAnything : Block {
  Output<double> y{*this, "y", "", "Nothing", from_state};
  void configure(const Instance&) override { throw 42; }
  void state_output(const Tick&) override { y = 0; }
};
struct ThrowInStart : Block {
  Output<double> y{*this, "y", "", "Nothing", from_state};
  void start(const Instance&) override { throw std::runtime_error("no answer"); }
  void state_output(const Tick&) override { y = 0; }
};

HILDA_BLOCK(ThrowInConfigure, "Throws an std::exception in configure.")
HILDA_BLOCK(ThrowAnything, "Throws an int in configure.")
HILDA_BLOCK(ThrowInStart, "Throws in start.")
} // namespace
