// SPDX-License-Identifier: BSD-3-Clause
// One C++ block, built by several compilers with several flags: y = factor u + the sum of all u so far.
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Scale : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal"};
  Input<Wrench> wrench{*this, "wrench", "Wrench", optional};
  Output<Elements<>> y{*this, "y", "*s", "@u", "Scaled and summed up"};
  Output<Wrench> doubled{*this, "doubled", "Twice the wrench"};
  Parameter<double> factor{*this, "factor", "1", "Factor", above(0.0), by_default("2")};
  State<Elements<>> sum{*this, "sum", "*s", "@u", "Sum of the inputs before this tick"};

  void configure(const Instance& self) override {
    if (*factor == 13) self.report("factor", "is unlucky; take another number");
  }
  void output(const Tick&) override {
    y = *factor * *u + *sum;
    doubled = 2.0 * wrench.value_or(Wrench());
  }
  void update(const Tick&) override {
    auto total = *sum;
    total += *u;
  }
};

HILDA_BLOCK(Scale, "Scales a signal and adds what came before.")
} // namespace
