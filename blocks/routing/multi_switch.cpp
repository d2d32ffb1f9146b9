// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct MultiSwitch : Block {
  Input<std::int64_t> index{*this, "index", "Which one, counted from 0"};
  Inputs<Elements<>> u{*this, "u", "*s", "@u", "Signals of one shape and unit", as_many_as("inputs")};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u[index]"};
  Parameter<std::int64_t> inputs{*this, "inputs", "How many signals", at_least(1), by_default("2")};

  void output(const Tick& t) override {
    if (*index >= 0 && *index < u.size())
      y = u[*index];
    else
      t.fail("index names no input", static_cast<double>(*index));
  }
};

HILDA_BLOCK(MultiSwitch, "Passes one of several signals: y = u[index]. An index beyond the last input fails the run.")
} // namespace
