// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Reshape : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Matrix> y{*this, "y", "rows cols", "@u", "The same elements, column by column"};
  Parameter<std::int64_t> rows{*this, "rows", "Rows of the output", at_least(1)};
  Parameter<std::int64_t> cols{*this, "cols", "Columns of the output", at_least(1), by_default("1")};

  void configure(const Instance& self) override {
    if (u.size() == y.size()) return;
    self.report("rows", "times cols is " + std::to_string(y.size()) + ", but the input has " +
                            std::to_string(u.size()) + " elements; they must be as many");
  }
  void output(const Tick&) override {
    const auto in = *u;
    std::copy_n(in.data(), in.size(), y.data());
  }
};

HILDA_BLOCK(Reshape, "Gives the elements of a signal another shape. They are taken and laid out column by column.")
} // namespace
