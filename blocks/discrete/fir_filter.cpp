// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

struct FirFilter : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@gain*@u", "Filtered signal"};
  Parameter<Vector> coefficients{*this, "coefficients", "b", "1", "b0 b1 ..., from the newest sample to the oldest"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1"), difference};
  Ring<> line{*this, "line", "*s", "@u", "The samples before the newest"};

  void configure(const Instance& self) override {
    if (coefficients.size() > 1'000'000)
      self.report("coefficients", "are more than a million; choose a longer sample_time, or a recursive filter");
    line.resize(coefficients.size() - 1);
  }
  void output(const Tick&) override {
    auto out = *y;
    out = coefficients.data()[0] * *u;
    for (std::int64_t k = 1; k < coefficients.size(); ++k) out += coefficients.data()[k] * line[line.size() - k];
    out *= *gain;
  }
  void update(const Tick&) override { line.push(*u); }
};

HILDA_BLOCK(FirFilter,
            "A filter of finite impulse response, for each element, at rest at the start: y(k) = gain (b0 u(k) + "
            "b1 u(k-1) + b2 u(k-2) + ...).")
} // namespace
