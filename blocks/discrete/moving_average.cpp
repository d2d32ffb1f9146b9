// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

struct MovingAverage : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "Mean of the window"};
  Parameter<std::int64_t> window{*this, "window", "How many samples, the newest included", between(1, 1e7)};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  Ring<> line{*this, "line", "*s", "@u", "The samples in the window"};
  State<Elements<>> sum{*this, "sum", "*s", "@u", "Sum of the line"};
  State<Elements<>> fresh{*this, "fresh", "*s", "@u", "Sum of the samples since the line was last summed again"};
  State<std::int64_t> count{*this, "count", "How many those are"};

  void configure(const Instance&) override { line.resize(*window); }
  void prime(const Tick&) override {
    (*fresh).setZero();
    if (*starts_at == StartsAt::zero) {
      line.fill(*fresh);
      (*sum).setZero();
    } else {
      line.fill(*u);
      sum = static_cast<double>(*window) * *u;
    }
    count = std::int64_t{0};
  }
  void output(const Tick&) override { y = (*sum - line[0] + *u) / static_cast<double>(*window); }
  void update(const Tick&) override {
    sum = *sum - line[0] + *u;
    fresh = *fresh + *u;
    line.push(*u);
    count = *count + 1;
    if (*count < *window) return;
    // Rounding errors of the running sum live for one window and no longer.
    sum = *fresh;
    (*fresh).setZero();
    count = std::int64_t{0};
  }
};

HILDA_BLOCK(
    MovingAverage,
    "Mean of the last samples of each element: y(k) = (u(k) + ... + u(k - window + 1)) / window. Before the first tick "
    "the window is full of the first input, or of 0: starts_at.")
} // namespace
