#include "blocks/contact/normal_noise.h"
#include <hilda/block.h>
#include <hilda/whole_ticks.h>

namespace hilda {
namespace {

/// A simulated six-axis force and torque sensor that rides on the tool: pure delay, and noise on the three forces, in
/// tool axes. What it says is turned into W axes with the pose that the robot reports.
struct ToolSensor : Block {
  Input<Wrench> wrench{*this, "wrench", "True: force in W axes, torque in B axes", conditional};
  Input<Pose> pose{*this, "pose", "True: B in W", conditional};
  Input<Pose> reported_pose{*this, "reported_pose", "As the robot reports it"};
  Output<Wrench> measured{*this, "measured", "Force in W axes, torque in B axes"};

  Parameter<double> sensor_delay{*this, "sensor_delay", "s", "Pure delay", at_least(0.0), by_default("0 s")};
  Parameter<Elements<>> force_noise{
      *this,         "force_noise",    "*f", "N", "Standard deviation: one number for all axes, or three",
      at_least(0.0), by_default("0 N")};
  Parameter<std::int64_t> seed{*this, "seed", "Chooses the noise", at_least(0.0), by_default("1")};
  Parameter<Fractional> fractional{*this, "fractional", "What to do with a delay that is not a whole number of ticks",
                                   by_default("refuse")};

  Ring<> line{*this, "line", "6", "", "Wrenches on their way, all in B axes"};
  State<std::uint64_t> drawn{*this, "drawn", "Random numbers drawn so far", Flag{HILDA_RNG}};

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

  void output(const Tick&) override {
    const Quaternion attitude = (*reported_pose).orientation;
    // Undelayed, the force is not turned there and back: it keeps its bits.
    Wrench now = line.size() == 0 ? *wrench : in_world(delayed(), attitude);
    if (noisy()) {
      NormalNoise noise(seed_, *drawn);
      Vector3 n;
      for (Eigen::Index i = 0; i < 3; ++i) n[i] = deviation(i) * noise.next();
      now.force() += attitude * n;
    }
    measured = now;
  }

  void update(const Tick&) override {
    if (line.size() > 0) line.push(in_tool(*wrench, *pose).array());
    if (noisy()) drawn = *drawn + 6; // two for each axis
  }

private:
  double deviation(Eigen::Index axis) const { return force_noise.data()[force_noise.size() == 3 ? axis : 0]; }
  bool noisy() const { return ((*force_noise) > 0.0).any(); }

  static Wrench in_tool(const Wrench& w, const Pose& at) {
    return Wrench(at.orientation.conjugate() * Vector3(w.force()), w.torque());
  }
  static Wrench in_world(const Wrench& w, const Quaternion& attitude) {
    return Wrench(attitude * Vector3(w.force()), w.torque());
  }
  Wrench delayed() const {
    if (delay_.fraction == 0.0) return Wrench(line[0].matrix());
    const Wrench newer = delay_.ticks > 0 ? Wrench(line[1].matrix()) : in_tool(*wrench, *pose);
    return (1.0 - delay_.fraction) * newer + delay_.fraction * line[0].matrix();
  }

  // from the parameters, by configure and prepare
  Ticks delay_;
  std::uint64_t seed_ = 0;
};
HILDA_BLOCK(ToolSensor, "A simulated force and torque sensor on the tool: pure delay and noise in tool axes.")

} // namespace
} // namespace hilda
