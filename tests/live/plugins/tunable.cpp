// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

#include <cstdint>
#include <stdexcept>

namespace hilda::test {
namespace {

/// Takes some values only while the loop is paused, and refuses others.
struct Tunable : Block {
  Input<double> u{*this, "u", "1", "Signal", in_update};
  Output<double> y{*this, "y", "1", "The sum, times the number of stages"};
  Parameter<std::int64_t> stages{*this, "stages", "Factor", reconfigure, by_default("1")};
  Parameter<Text> label{*this, "label", "A text that says that it may change, which no record allows", live,
                        by_default("none")};
  Parameter<double> step{*this, "step", "1", "Refused below 0, and thrown at above 100", live, by_default("1")};
  State<double> sum{*this, "sum", "1", "Of all steps"};

  void prepare(const Instance& self) override {
    if (*step < 0) self.report("step", "is below 0");
    if (*step > 100) throw std::runtime_error("too long a step");
  }
  void output(const Tick&) override { y = *sum * static_cast<double>(*stages); }
  void update(const Tick&) override { sum = *sum + *u * *step; }
};
HILDA_BLOCK(Tunable, "Adds up.")

} // namespace
} // namespace hilda::test
