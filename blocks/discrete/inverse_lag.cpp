// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

constexpr const char* inverse_lag_doc =
    "The inverse of a first-order lag, element by element: y(k) = a u(k) - (a - 1) u(k-1) with a = 1 + time_constant / "
    "T, T the sample time. It undoes "
    "x(k) = x(k-1) + (c(k) - x(k-1)) / a exactly, and a dead time of time_constant to first order. It is used as the "
    "inverse compensation of "
    "real-time hybrid simulation (Chen and Ricles 2009; that this is their actuator is a guess, as their text was not "
    "read). It amplifies noise and jumps by up to 2 a - 1.";

struct InverseLag : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "What the lag turns into u"};
  Parameter<double> time_constant{*this, "time_constant", "s", "Of the lag", live, at_least(0.0)};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  State<Elements<>> previous{*this, "previous", "*s", "@u", "u at the last sample"};

  void prime(const Tick&) override {
    if (*starts_at == StartsAt::zero)
      (*previous).setZero();
    else
      previous = *u;
  }
  void output(const Tick& t) override { y = *u + *time_constant / t.period() * (*u - *previous); }
  void update(const Tick&) override { previous = *u; }
};

HILDA_BLOCK(InverseLag, inverse_lag_doc)
} // namespace
