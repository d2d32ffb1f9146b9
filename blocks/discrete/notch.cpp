// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/per_element.h>

#include <cmath>

namespace {
using namespace hilda;

constexpr const char* notch_doc =
    "Notch filter of each element, (s^2 + 2 depth damping w s + w^2) / (s^2 + 2 damping w s + w^2) by the bilinear "
    "transform "
    "with its frequency kept in place (Franklin, Powell and Workman, Digital Control of Dynamic Systems, section 6.1): "
    "at "
    "the frequency itself it lets depth through, at 0 and far away all. It starts at rest at its first input, or at 0: "
    "starts_at.";

struct Notch : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "Filtered signal"};
  Parameter<double> frequency{*this, "frequency", "rad/s", "Frequency to remove; \"5 Hz\" is read as 10 pi rad/s",
                              live,  above(0.0)};
  Parameter<double> damping{*this, "damping", "1", "Half the relative width", live, above(0.0), by_default("0.5")};
  Parameter<double> depth{
      *this, "depth", "1", "Share that is left at the frequency; 0: nothing", live, between(0.0, 1.0), by_default("0")};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  State<Elements<>> first{*this, "first", "*s", "@u", "First state of the transposed direct form II"};
  State<Elements<>> second{*this, "second", "*s", "@u", "Second state"};

  void prepare(const Instance& self) override {
    if (*frequency * self.period() >= M_PI)
      self.report("frequency", "is not below half the sampling frequency, " + std::to_string(1 / (2 * self.period())) +
                                   " Hz; lower it, or shorten the sample time");
    // A value that is refused during the run is used until the run has ended, and stays finite.
    const double k = std::tan(std::min(*frequency * self.period(), M_PI * (1 - 1e-9)) / 2);
    const double over = 1 + 2 * *damping * k + k * k, width = 2 * *depth * *damping * k;
    b0_ = (1 + width + k * k) / over;
    b1_ = a1_ = 2 * (k * k - 1) / over;
    b2_ = (1 - width + k * k) / over;
    a2_ = (1 - 2 * *damping * k + k * k) / over;
  }
  void prime(const Tick&) override {
    auto s1 = *first, s2 = *second;
    if (*starts_at == StartsAt::zero) {
      s1.setZero(), s2.setZero();
      return;
    }
    // At rest at u: y = u in each tick.
    const auto in = *u;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      s1[i] = (1 - b0_) * in[i];
      s2[i] = (b2_ - a2_) * in[i];
    }
  }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = b0_ * in[i] + first.data()[i];
  }
  void update(const Tick&) override {
    const auto in = *u;
    const auto out = *y;
    auto s1 = *first, s2 = *second;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      s1[i] = b1_ * in[i] - a1_ * out[i] + s2[i];
      s2[i] = b2_ * in[i] - a2_ * out[i];
    }
  }

private:
  double b0_ = 1, b1_ = 0, b2_ = 0, a1_ = 0, a2_ = 0;
};

HILDA_BLOCK(Notch, notch_doc)
} // namespace
