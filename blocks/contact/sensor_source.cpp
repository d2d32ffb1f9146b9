#include "blocks/contact/normal_noise.h"
#include <hilda/block.h>
#include <hilda/whole_ticks.h>

namespace hilda {
namespace {

/// A simulated six-axis force and torque sensor: pure delay, and noise on the three forces. Both act in the sensor's
/// own frame, whichever the wrench is given in.
struct SensorSource : Block {
  Input<Wrench> wrench{*this, "wrench", "The true wrench at the sensor", conditional};
  Output<Wrench> measured{*this, "measured", "What the sensor says, in the same frame"};

  Parameter<double> sensor_delay{*this, "sensor_delay", "s", "Pure delay", at_least(0.0), by_default("0 s")};
  Parameter<Elements<>> force_noise{
      *this,         "force_noise",    "*f", "N", "Standard deviation: one number for all axes, or three",
      at_least(0.0), by_default("0 N")};
  Parameter<std::int64_t> seed{*this, "seed", "Chooses the noise", at_least(0.0), by_default("1")};
  Parameter<Fractional> fractional{*this, "fractional", "What to do with a delay that is not a whole number of ticks",
                                   by_default("refuse")};

  Ring<> line{*this, "line", "6", "", "Wrenches on their way"};
  State<std::uint64_t> drawn{*this, "drawn", "Random numbers drawn so far", rng};

  bool feeds_through(const Instance&) const override {
    return *sensor_delay == 0.0 || *fractional == Fractional::interpolate;
  }

  void configure(const Instance& instance) override {
    if (force_noise.size() != 1 && force_noise.size() != 3)
      instance.report("force_noise", "has " + std::to_string(force_noise.size()) + " numbers; give one or three");
    delay_ = whole_ticks(instance, "sensor_delay", *sensor_delay, *fractional);
    line.resize(delay_.ticks + (delay_.fraction > 0.0 ? 1 : 0));
  }

  void prepare(const Instance& instance) override { seed_ = instance.seed(static_cast<std::uint64_t>(*seed)); }

  [[gnu::flatten]] void output(const Tick&) override {
    Wrench now = arriving();
    NormalNoise noise(seed_, *drawn);
    if (noisy())
      for (Eigen::Index i = 0; i < 3; ++i) now[i] += deviation(i) * noise.next();
    measured = now;
  }

  [[gnu::flatten]] void update(const Tick&) override {
    line.push((*wrench).array());
    if (noisy()) drawn = *drawn + 6; // two for each axis
  }

private:
  double deviation(Eigen::Index axis) const { return force_noise.data()[force_noise.size() == 3 ? axis : 0]; }
  bool noisy() const { return ((*force_noise) > 0.0).any(); }

  Wrench arriving() const {
    if (delay_.fraction == 0.0) return delay_.ticks > 0 ? Wrench(line[0].matrix()) : *wrench;
    const Wrench newer = delay_.ticks > 0 ? Wrench(line[1].matrix()) : *wrench;
    return (1.0 - delay_.fraction) * newer + delay_.fraction * line[0].matrix();
  }

  // from the parameters, by configure and prepare
  Ticks delay_;
  std::uint64_t seed_ = 0;
};
HILDA_BLOCK(SensorSource, "A simulated force and torque sensor: pure delay and noise.")

} // namespace
} // namespace hilda
