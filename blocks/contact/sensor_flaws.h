// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/contact/normal_noise.h"

#include <hilda/block.h>
#include <hilda/whole_ticks.h>

namespace hilda {

/// What a simulated six-axis force and torque sensor does to a wrench: pure delay, and noise on the three forces.
class SensorFlaws {
public:
  SensorFlaws(Block& block, const char* line)
      : sensor_delay_(block, "sensor_delay", "s", "Pure delay", at_least(0.0), by_default("0 s")),
        force_noise_(block, "force_noise", "*f", "N", "Standard deviation: one number for all axes, or three",
                     at_least(0.0), by_default("0 N")),
        seed_(block, "seed", "Chooses the noise", at_least(0.0), by_default("1")),
        fractional_(block, "fractional", "What to do with a delay that is not a whole number of ticks",
                    by_default("refuse")),
        line_(block, "line", "6", "", line), drawn_(block, "drawn", "Random numbers drawn so far", rng) {}

  bool feeds_through() const { return *sensor_delay_ == 0.0 || *fractional_ == Fractional::interpolate; }
  void configure(const Instance& instance) {
    if (force_noise_.size() != 1 && force_noise_.size() != 3)
      instance.report("force_noise", "has " + std::to_string(force_noise_.size()) + " numbers; give one or three");
    delay_ = whole_ticks(instance, "sensor_delay", *sensor_delay_, *fractional_);
    line_.resize(delay_.ticks + (delay_.fraction > 0.0 ? 1 : 0));
  }
  void prepare(const Instance& instance) { stream_ = instance.seed(static_cast<std::uint64_t>(*seed_)); }

  bool delays() const { return line_.size() > 0; }
  /// What comes out of the line; `now()` is what goes in at this tick.
  template <typename Now> Wrench delayed(const Now& now) const {
    if (delay_.fraction == 0.0) return delay_.ticks > 0 ? Wrench(line_[0].matrix()) : now();
    const Wrench newer = delay_.ticks > 0 ? Wrench(line_[1].matrix()) : now();
    return (1.0 - delay_.fraction) * newer + delay_.fraction * line_[0].matrix();
  }
  bool noisy() const { return ((*force_noise_) > 0.0).any(); }
  /// of this tick, N
  Vector3 noise() const {
    NormalNoise drawn(stream_, *drawn_);
    Vector3 n;
    for (Eigen::Index i = 0; i < 3; ++i) n[i] = force_noise_.data()[force_noise_.size() == 3 ? i : 0] * drawn.next();
    return n;
  }
  void push(const Wrench& now) { line_.push(now.array()); }
  void update() {
    if (noisy()) drawn_ = *drawn_ + 6; // two for each axis
  }

private:
  Parameter<double> sensor_delay_;
  Parameter<Elements<>> force_noise_;
  Parameter<std::int64_t> seed_;
  Parameter<Fractional> fractional_;
  Ring<> line_;
  State<std::uint64_t> drawn_;
  // from the parameters, by configure and prepare
  Ticks delay_;
  std::uint64_t stream_ = 0;
};

} // namespace hilda
