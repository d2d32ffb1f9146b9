// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct AnyAll : Block {
  Input<Booleans> u{*this, "u", "*s", "", "Booleans of any shape"};
  Output<bool> any{*this, "any", "True where at least one element is"};
  Output<bool> all{*this, "all", "True where every element is"};

  void output(const Tick&) override {
    const auto in = *u;
    any = (in != 0).any();
    all = (in != 0).all();
  }
};

HILDA_BLOCK(AnyAll, "Reduces a vector of booleans to one: whether any of them is true, and whether all are.")
} // namespace
