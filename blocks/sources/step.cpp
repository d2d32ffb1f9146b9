// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/onset.h"

#include <hilda/flags.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Step : Block {
  static constexpr std::uint32_t type_flags = HILDA_STEADY;
  Output<Elements<>> y{*this, "y", "*s", "@y", "before, then after", from_state};
  Parameter<double> time{*this, "time",         "s", "When it happens; that tick has the new value already",
                         live,  by_default("0")};
  Parameter<Elements<>> after{*this, "after", "*s", "@y", "Value from then on; its shape is that of the output", live};
  PerElement<Dynamic> before{*this, "before",       "@y", "Value until then: one number, or one for each element",
                             live,  by_default("0")};

  Crossing<double> due{*this, "due", "s", "How long ago it happened, between two ticks"};

  void configure(const Instance& self) override { before.check(self, y.rows(), y.cols()); }
  void state_output(const Tick& t) override {
    const bool come = has_happened(t);
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = come ? after.data()[i] : before[i];
  }

private:
  /// Within a step it happens at its end at the most, where that is located.
  bool has_happened(const Tick& t) {
    const bool come = has_come(*time, t.time(), t.period());
    if (!t.located()) return come;
    const bool after = due.positive(t.time() - *time + last_digits(*time));
    return due.side() == 0 ? come : after;
  }
};

HILDA_BLOCK(Step, "Changes from one value to another at a given time.")
} // namespace
