// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <cmath>
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* tracking_differentiator_doc =
    "Tracking differentiator (Han 2009): y follows u and rate follows its rate of change, element by element. Each "
    "sample y and rate move as the time-optimal control of a double integrator, whose acceleration is at most "
    "acceleration, would bring y to u. In that control the sample time is replaced by filter, which takes away noise "
    "and makes y late by about filter. After a step y arrives in 2 sqrt(step / acceleration) and does not overshoot. A "
    "signal whose second derivative is above acceleration is not followed.";

/// Han's fhan: the acceleration that takes (distance, rate) to (0, 0) in the fewest steps of `step`, at most `r`.
double fastest(double distance, double rate, double r, double step) {
  const double d = r * step * step, ahead = step * rate, y = distance + ahead;
  const double root = std::sqrt(d * (d + 8 * std::abs(y)));
  const double a = std::abs(y) < d ? ahead + y : ahead + std::copysign(root - d, y) / 2;
  return std::abs(a) <= d ? -r * a / d : -std::copysign(r, a);
}

struct TrackingDifferentiator : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "Follows u"};
  Output<Elements<>> rate{*this, "rate", "*s", "@u/s", "Rate of change of y"};
  Parameter<double> acceleration{
      *this, "acceleration", "@u/s^2",  "Largest second derivative of y; the same for every element",
      live,  difference,     above(0.0)};
  Parameter<double> filter{*this,
                           "filter",
                           "s",
                           "Longer: less noise, and later; below the sample time: the sample time",
                           live,
                           at_least(0.0),
                           by_default("0 s")};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  State<Elements<>> followed{*this, "followed", "*s", "@u", "y at the last sample"};
  State<Elements<>> speed{*this, "speed", "*s", "@u/s", "rate at the last sample"};

  void prime(const Tick&) override {
    if (*starts_at == StartsAt::zero)
      (*followed).setZero();
    else
      followed = *u;
    (*speed).setZero();
  }
  void output(const Tick& t) override {
    const double T = t.period(), step = std::fmax(*filter, T);
    const auto in = *u;
    auto x = *followed, v = *speed;
    auto out = *y;
    auto slope = *rate;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      out[i] = x[i] + T * v[i];
      slope[i] = v[i] + T * fastest(x[i] - in[i], v[i], *acceleration, step);
    }
  }
  void update(const Tick&) override {
    followed = *y;
    speed = *rate;
  }
};

HILDA_BLOCK(TrackingDifferentiator, tracking_differentiator_doc)
} // namespace
