// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

struct Derivative : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u/s", "Its rate of change, filtered"};
  Parameter<double> time_constant{
      *this,         "time_constant", "s", "Of the filter; 0: the plain difference quotient", live,
      at_least(0.0), by_default("0")};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  State<Elements<>> previous{*this, "previous", "*s", "@u", "u at the last tick"};
  State<Elements<>> rate{*this, "rate", "*s", "@u/s", "y at the last tick"};

  void prime(const Tick&) override {
    if (*starts_at == StartsAt::zero)
      (*previous).setZero();
    else
      previous = *u;
  }
  void output(const Tick& t) override {
    const double tau = *time_constant, lag = tau + t.period();
    y = (tau * *rate + (*u - *previous)) / lag;
  }
  void update(const Tick&) override {
    previous = *u;
    rate = *y;
  }
};

HILDA_BLOCK(
    Derivative,
    "Rate of change of each element, with a first-order filter (backward Euler of s / (tau s + 1)): y(k) = (tau y(k-1) "
    "+ u(k) - u(k-1)) / (tau + T). The first output is 0, unless it starts_at zero.")
} // namespace
