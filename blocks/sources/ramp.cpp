// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Ramp : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "initial + slope (t - start)", from_state};
  Parameter<Elements<>> slope{*this,     "slope", "*s", "@y/s", "Rate of change; its shape is that of the output",
                              difference};
  Parameter<double> start_time{*this, "start", "s", "When it begins to rise", by_default("0")};
  Parameter<double> end_time{*this, "end", "s", "When it stops rising", by_default("inf")};
  PerElement<Dynamic> initial{*this, "initial", "@y", "Value until then: one number, or one for each element",
                              by_default("0")};

  void configure(const Instance& self) override {
    initial.check(self, y.rows(), y.cols());
    if (*end_time < *start_time) self.report("end", "lies before start; exchange the two");
  }
  void state_output(const Tick& t) override {
    const double run = std::max(0.0, std::min(t.time(), *end_time) - *start_time);
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = initial[i] + slope.data()[i] * run;
  }
};

HILDA_BLOCK(Ramp, "Rises or falls evenly between two times: y = initial + slope (t - start).")
} // namespace
