// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// A motion that shows how a robot follows: back and forth along a line with a frequency that grows linearly from
/// `from` to `to`, turned on and off over a `taper` at either end, and at rest outside. The stroke keeps four fifths of
/// whichever of amplitude, speed and acceleration binds, E = 0.8 ((1/a)^4 + (w/v)^4 + (w^2/A)^4)^(-1/4); the rest is
/// room for the change of the stroke itself.
struct SweptMotion : Block {
  Output<Pose> pose{*this, "pose", "Tool in W; the orientation stays that of W", from_state};
  Output<Twist> twist{*this, "twist", "Of the tool", from_state};
  Output<double> travel{*this, "travel", "m", "Along the direction", from_state};

  Parameter<Vector3> direction{*this, "direction", "", "Of the motion, W axes; scaled to length 1",
                               by_default("1 0 0")};
  Parameter<double> amplitude{*this, "amplitude", "m", "Largest distance from the start", above(0.0)};
  Parameter<double> speed{*this, "speed", "m/s", "Largest speed", above(0.0)};
  Parameter<double> acceleration{*this, "acceleration", "m/s2", "Largest acceleration", above(0.0)};
  Parameter<double> from{*this, "from", "rad/s", "First frequency; \"1 Hz\" is read as 2 pi rad/s", above(0.0)};
  Parameter<double> to{*this, "to", "rad/s", "Last frequency", above(0.0)};
  Parameter<double> begin{*this, "begin", "s", "Rest before", at_least(0.0), by_default("0.3 s")};
  Parameter<double> duration{*this, "duration", "s", "Of the motion", above(0.0)};
  Parameter<double> taper{
      *this, "taper", "s", "Over which the stroke grows, and shrinks again", above(0.0), by_default("0.5 s")};

  void configure(const Instance& instance) override {
    if ((*direction).norm() < 1e-9) instance.report("direction", "has no length; give the line to move along");
    if (2.0 * *taper > *duration) instance.report("taper", "is longer than half the duration; make it shorter");
    if (std::max(*from, *to) * instance.period() > 1.0)
      instance.report("to", "has fewer than six samples a swing; lower the frequency");
  }

  void state_output(const Tick& t) override {
    const Vector3 along = (*direction).normalized();
    constexpr double h = 1e-5;
    const double now = place(t.time()), rate = (place(t.time() + h) - place(t.time() - h)) / (2.0 * h);
    pose = Pose{now * along, Quaternion::Identity()};
    twist = Twist(Vector3(rate * along), Vector3::Zero());
    travel = now;
  }

private:
  /// Distance from the start at `time`.
  double place(double time) const {
    const double s = time - *begin, T = *duration;
    if (s <= 0.0 || s >= T) return 0.0;
    const double slope = (*to - *from) / T, w = *from + slope * s;
    const double stroke =
        0.8 *
        std::pow(std::pow(1.0 / *amplitude, 4) + std::pow(w / *speed, 4) + std::pow(w * w / *acceleration, 4), -0.25);
    return window(std::min(s, T - s) / *taper) * stroke * std::sin(*from * s + 0.5 * slope * s * s);
  }
  /// 0 to 1, with two continuous derivatives.
  static double window(double x) { return x >= 1.0 ? 1.0 : x * x * x * (10.0 - x * (15.0 - 6.0 * x)); }
};
HILDA_BLOCK(SweptMotion, "Back and forth with growing frequency, within limits: shows how a robot follows its command.")

} // namespace
} // namespace hilda
