// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Edge : Block {
  enum class Direction { rising, falling, both };

  Input<bool> u{*this, "u", "Boolean"};
  Output<bool> y{*this, "y", "True at the tick of a change"};
  Parameter<Direction> direction{*this, "direction", "Which changes", by_default("rising")};
  Parameter<bool> initial{*this, "initial", "u before the first tick", by_default("false")};
  State<bool> last{*this, "last", "u at the last tick"};

  void initialize(const Instance&) override { last = *initial; }
  void output(const Tick&) override {
    const bool rises = *u && !*last, falls = !*u && *last;
    y = (*direction != Direction::falling && rises) || (*direction != Direction::rising && falls);
  }
  void update(const Tick&) override { last = *u; }
};

HILDA_BLOCK(Edge, "Finds the ticks at which a boolean changes.")
} // namespace
