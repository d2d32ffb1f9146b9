// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

constexpr const char* normalized_passivity_doc =
    "Normalised passivity control: a virtual damper whose rate follows the power that the robot makes, over the power "
    "that passes through it. With the force F on the moving body it makes P = F.(v - v_robot) and passes |F.v| + "
    "|F.v_robot|; both go through the same first-order filter, and their ratio is free of the motion's size. The "
    "damper "
    "is gain max(0, ratio), along the measured force. It is after normalised passivity control (Int. J. Dynamics and "
    "Control 2021, 10.1007/s40435-021-00790-8), of which the beginning alone was read: the law is a guess.";

struct NormalizedPassivity : Block {
  Input<Wrench> wrench{*this, "wrench", "On the wall as measured, W axes, moment about the sensor's origin"};
  Input<Vector3> position{*this, "position", "m", "Tip as commanded, W axes"};
  Input<Vector3> velocity{*this, "velocity", "m/s", "Tip as commanded, W axes"};
  Input<Vector3> actual_velocity{*this, "actual_velocity", "m/s", "Tip as the robot reports it, W axes"};
  Output<Wrench> controlled{*this, "controlled", "With the damper's force, in the frame of the measured one"};
  Output<double> ratio{*this, "ratio", "1", "Filtered power made over filtered power passed, -1 to 1"};
  Output<double> damping{*this, "damping", "N s/m", "Of the virtual damper"};

  Parameter<double> gain{*this, "gain", "N s/m", "Of the damper at a ratio of 1", live, at_least(0.0)};
  Parameter<double> time_constant{*this, "time_constant", "s", "Of the filters", live, above(0.0)};
  Parameter<Vector3> sensor_origin{*this, "sensor_origin", "m", "About which the moment is given, W axes",
                                   by_default("0 0 0")};
  State<double> made{*this, "made", "W", "Filtered power that the robot makes"};
  State<double> passed{*this, "passed", "W", "Filtered power that passes through it"};

  [[gnu::flatten]] void output(const Tick& t) override {
    const Wrench given = *wrench;
    const Vector3 force = given.force(), v = *velocity;
    const double size = force.norm();
    const Powers now = filtered(t.period());
    const double share = now.passed > 0.0 ? now.made / now.passed : 0.0;
    const double rate = *gain * std::fmax(0.0, share);
    ratio = share;
    damping = rate;
    controlled = given;
    if (size == 0.0) return;
    const Vector3 e = force / size, more = rate * v.dot(e) * e;
    controlled = Wrench(force + more, Vector3(given.torque()) + (*position - *sensor_origin).cross(more));
  }
  void update(const Tick& t) override {
    const Powers now = filtered(t.period());
    made = now.made;
    passed = now.passed;
  }

private:
  struct Powers {
    double made = 0.0, passed = 0.0;
  };
  /// Of the force on the body, which is that on the wall turned round.
  Powers filtered(double T) const {
    const double keep = std::exp(-T / *time_constant);
    const Vector3 force = -Vector3((*wrench).force());
    const double out = force.dot(*velocity), in = force.dot(*actual_velocity);
    return {keep * *made + (1.0 - keep) * (out - in), keep * *passed + (1.0 - keep) * (std::abs(out) + std::abs(in))};
  }
};
HILDA_BLOCK(NormalizedPassivity, normalized_passivity_doc)

} // namespace
} // namespace hilda
