// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/onset.h"
#include "blocks/sources/sampled_wave.h"

#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Pulse : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "high within a pulse, else low", from_state};
  Parameter<Elements<>> high{*this, "high", "*s", "@y", "Value within a pulse; its shape is that of the output", live};
  PerElement<Dynamic> low{*this, "low",          "@y", "Value between pulses: one number, or one for each element",
                          live,  by_default("0")};
  Parameter<double> repeat{*this,      "repeat",         "s", "Time from one pulse to the next; inf: there is one",
                           above(0.0), by_default("inf")};
  Parameter<double> width{*this, "width", "s", "How long a pulse lasts", above(0.0)};
  Parameter<double> first{*this, "first", "s", "When the first one begins", by_default("0")};

  Crossing<double> left{*this, "left", "s", "Until the pulse ends; below zero until the next begins"};

  void configure(const Instance& self) override {
    low.check(self, y.rows(), y.cols());
    if (*width > *repeat)
      self.report("width", "is longer than repeat, so that one pulse would run into the next; shorten it");
    check_sampled_part(self, "width", *width);
    check_sampled_part(self, "repeat", *repeat - *width);
  }
  void state_output(const Tick& t) override {
    const bool up = t.located() ? within_step(t) : within(t);
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = up ? high.data()[i] : low[i];
  }

private:
  /// The same between two ticks: each edge is located, and is the end of a step.
  bool within_step(const Tick& t) {
    const double since = t.time() - *first + last_digits(std::max(t.time(), *first));
    const bool again = std::isfinite(*repeat) && since >= 0;
    const double phase = again ? since - std::floor(since / *repeat) * *repeat : since;
    const double next = since < 0 ? -since : *repeat - phase;
    const bool up = phase >= 0 && phase < *width;
    const bool held = left.positive(up ? *width - phase : -std::min(next, 1e300));
    return left.side() == 0 ? within(t) : held;
  }
  bool within(const Tick& t) const {
    if (!has_come(*first, t.time(), t.period())) return false;
    const double since = t.time() - *first;
    // The pulse that began last, by the same measure for "has come".
    double begun = 0;
    if (std::isfinite(*repeat)) {
      begun = std::floor(since / *repeat) * *repeat;
      if (has_come(begun + *repeat, since, t.period())) begun += *repeat;
    }
    return !has_come(begun + *width, since, t.period());
  }
};

HILDA_BLOCK(Pulse, "A train of rectangular pulses, or a single one.")
} // namespace
