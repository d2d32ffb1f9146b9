// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/normal_noise.h"
#include <hilda/block.h>

namespace hilda {
namespace {

/// What a robot reports about its tool: position and velocity with noise. The wall feels the true ones.
struct MotionSensor : Block {
  Input<Pose> pose{*this, "pose", "True pose"};
  Input<Twist> twist{*this, "twist", "True twist"};
  Output<Pose> reported_pose{*this, "reported_pose", "With noise on the position"};
  Output<Twist> reported_twist{*this, "reported_twist", "With noise on the velocity"};

  Parameter<double> position_noise{*this,         "position_noise", "m", "Standard deviation, each axis",
                                   at_least(0.0), by_default("0 m")};
  Parameter<double> velocity_noise{*this,         "velocity_noise",   "m/s", "Standard deviation, each axis",
                                   at_least(0.0), by_default("0 m/s")};
  Parameter<std::int64_t> seed{*this, "seed", "Chooses the noise", at_least(0.0), by_default("1")};

  State<std::uint64_t> drawn{*this, "drawn", "Random numbers drawn so far", rng};

  void prepare(const Instance& instance) override { seed_ = instance.seed(static_cast<std::uint64_t>(*seed)); }

  [[gnu::flatten]] void output(const Tick&) override {
    Pose p = *pose;
    Twist v = *twist;
    NormalNoise noise(seed_, *drawn);
    for (Eigen::Index i = 0; i < 3 && *position_noise > 0.0; ++i) p.position[i] += *position_noise * noise.next();
    for (Eigen::Index i = 0; i < 3 && *velocity_noise > 0.0; ++i) v[i] += *velocity_noise * noise.next();
    reported_pose = p;
    reported_twist = v;
  }

  void update(const Tick&) override { drawn = *drawn + 12; } // two for each axis of either

private:
  std::uint64_t seed_ = 0; // from the parameters, by prepare
};
HILDA_BLOCK(MotionSensor, "A robot's report of its tool's pose and twist: position and velocity with noise.")

} // namespace
} // namespace hilda
