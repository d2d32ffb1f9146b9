// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

struct LowPass : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "Smoothed signal"};
  Parameter<double> cutoff{*this, "cutoff",  "rad/s", "Corner frequency; \"5 Hz\" is read as 10 pi rad/s",
                           live,  above(0.0)};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  State<Elements<>> last{*this, "last", "*s", "@u", "y at the last tick"};

  void prime(const Tick&) override {
    if (*starts_at == StartsAt::zero)
      (*last).setZero();
    else
      last = *u;
  }
  void prepare(const Instance& self) override { share_ = -std::expm1(-*cutoff * self.period()); }
  void output(const Tick&) override { y = *last + share_ * (*u - *last); }
  void update(const Tick&) override { last = *y; }

private:
  double share_ = 0;
};

HILDA_BLOCK(
    LowPass,
    "First-order low-pass filter of each element, exact for signals that are held over a sample time: y(k) = y(k-1) + "
    "(1 - exp(-cutoff T)) (u(k) - y(k-1)). It starts at rest at its first input, or at 0: starts_at.")
} // namespace
