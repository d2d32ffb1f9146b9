// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/sensor_flaws.h"

namespace hilda {
namespace {

/// A simulated six-axis force and torque sensor: pure delay, and noise on the three forces. Both act in the sensor's
/// own frame, whichever the wrench is given in.
struct SensorSource : Block {
  Input<Wrench> wrench{*this, "wrench", "The true wrench at the sensor", conditional};
  Output<Wrench> measured{*this, "measured", "What the sensor says, in the same frame"};
  SensorFlaws flaws{*this, "Wrenches on their way"};

  bool feeds_through(const Instance&) const override { return flaws.feeds_through(); }
  void configure(const Instance& instance) override { flaws.configure(instance); }
  void prepare(const Instance& instance) override { flaws.prepare(instance); }

  [[gnu::flatten]] void output(const Tick&) override {
    Wrench now = flaws.delayed([this] { return *wrench; });
    if (flaws.noisy()) now.force() += flaws.noise();
    measured = now;
  }
  [[gnu::flatten]] void update(const Tick&) override {
    flaws.push(*wrench);
    flaws.update();
  }
};
HILDA_BLOCK(SensorSource, "A simulated force and torque sensor: pure delay and noise.")

} // namespace
} // namespace hilda
