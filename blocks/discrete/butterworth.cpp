// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

struct Butterworth : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "Smoothed signal"};
  Parameter<double> cutoff{*this, "cutoff", "rad/s", "Frequency of -3 dB; \"5 Hz\" is read as 10 pi rad/s", above(0.0)};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  State<Elements<>> w1{*this, "w1", "*s", "@u", "Delay line of the direct form II, transposed"};
  State<Elements<>> w2{*this, "w2", "*s", "@u", "Delay line of the direct form II, transposed"};

  void configure(const Instance& self) override {
    if (*cutoff * self.period() >= M_PI) {
      self.report("cutoff", "lies at or above half the sampling frequency, " + std::to_string(0.5 / self.period()) +
                                " Hz; choose a lower one or a shorter sample_time");
      return;
    }
    const double k = std::tan(*cutoff * self.period() / 2), norm = 1 / (1 + M_SQRT2 * k + k * k);
    b_ = k * k * norm;
    a1_ = 2 * (k * k - 1) * norm;
    a2_ = (1 - M_SQRT2 * k + k * k) * norm;
  }
  /// At rest at the first input, or at 0.
  void prime(const Tick&) override {
    if (*starts_at == StartsAt::zero) {
      (*w1).setZero(), (*w2).setZero();
      return;
    }
    w1 = (1 - b_) * *u;
    w2 = (b_ - a2_) * *u;
  }
  void output(const Tick&) override { y = b_ * *u + *w1; }
  void update(const Tick&) override {
    w1 = 2 * b_ * *u - a1_ * *y + *w2;
    w2 = b_ * *u - a2_ * *y;
  }

private:
  double b_ = 0, a1_ = 0, a2_ = 0;
};

HILDA_BLOCK(
    Butterworth,
    "Second-order Butterworth low-pass filter of each element, by the bilinear transform with its cutoff kept in place "
    "(Oppenheim and Schafer, Discrete-Time Signal Processing, section 7.1). It starts at rest at its first input, or "
    "at 0: starts_at.")
} // namespace
