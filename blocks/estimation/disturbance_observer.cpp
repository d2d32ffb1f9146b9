// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* disturbance_observer_doc =
    "Disturbance observer with a dead zone: the difference of measured from a model, through a first-order filter. "
    "The measured signal is 0 where its size (the norm of all elements) was below dead_zone. Such a 0 says only that "
    "the size is below dead_zone: the disturbance is then the smallest one with which expected is within it. With an "
    "undelayed model added it is a Smith predictor: model(t) + disturbance, where expected is model(t - delay).";

struct DisturbanceObserver : Block {
  Input<Elements<>> measured{*this, "measured", "*s", "@u", "Behind the dead zone: 0 within it"};
  Input<Elements<>> expected{*this, "expected", "*s", "@u", "What the model says of the same moment"};
  Output<Elements<>> disturbance{*this, "disturbance", "*s", "@u", "What to add to the model"};

  Parameter<double> dead_zone{
      *this, "dead_zone", "@u",          "Size below which the measured signal was set to 0; 0: none",
      live,  difference,  at_least(0.0), by_default("0")};
  Parameter<double> bandwidth{
      *this,
      "bandwidth",
      "rad/s",
      "Of the filter, \"50 Hz\" is read as 100 pi rad/s; 0: none, the disturbance is what this sample says",
      live,
      at_least(0.0),
      by_default("0 Hz")};
  State<Elements<>> held{*this, "held", "*s", "@u", "Disturbance at the last sample"};

  void output(const Tick& t) override {
    const double share = *bandwidth > 0 ? -std::expm1(-*bandwidth * t.period()) : 1.0; // rad/s: parameters are SI
    const double size = (*expected).matrix().norm();
    const bool unseen = *dead_zone > 0 && (*measured).matrix().norm() == 0.0;
    const double beyond = !unseen ? 1.0 : size > *dead_zone ? 1.0 - *dead_zone / size : 0.0;
    disturbance = (1.0 - share) * *held + share * (*measured - beyond * *expected);
  }
  void update(const Tick&) override { held = *disturbance; }
};

HILDA_BLOCK(DisturbanceObserver, disturbance_observer_doc)
} // namespace
