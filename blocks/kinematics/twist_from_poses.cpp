// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Twist of a frame from its successive poses: v = (p(k) - p(k-1))/T, w = log(q(k-1)^-1 q(k))/T. This backward
/// difference is the mean over the last sample time, so it lags by T/2. `filter_time` adds a first-order low pass
/// (backward Euler), which lags by as much again.
/// A pose that is marked stale is a repeated one: the twist is held, and the next fresh pose is taken over the time
/// that has passed. The first value is 0.
struct TwistFromPoses : Block {
  Input<Pose> pose{*this, "pose", "B in W"};
  Input<bool> stale{*this, "stale", "The pose is an old one, repeated", optional};
  Output<Twist> twist{*this, "twist", "v of B's origin in W axes, w in B axes"};

  Parameter<double> filter_time{*this,         "filter_time",    "s", "Time constant of the low pass; 0: none",
                                at_least(0.0), by_default("0 s")};

  State<Pose> last{*this, "last", "Last fresh pose"};
  State<Twist> held{*this, "held", "Twist before"};
  State<double> age{*this, "age", "s", "Of the last fresh pose at this tick"};
  State<bool> moving{*this, "moving", "There is a last pose"};

  void output(const Tick& t) override {
    if (!*moving || repeated()) {
      twist = *held;
      return;
    }
    const Pose before = *last, now = *pose;
    const double T = *age;
    const Twist mean((now.position - before.position) / T,
                     rotation_log(before.orientation.conjugate() * now.orientation) / T);
    const double share = t.period() / (t.period() + *filter_time);
    twist = Twist(*held + share * (mean - *held));
  }

  void update(const Tick& t) override {
    held = *twist;
    if (*moving && repeated()) {
      age = *age + t.period();
      return;
    }
    last = *pose;
    age = t.period();
    moving = true;
  }

private:
  bool repeated() const { return stale.connected() && *stale; }
};
HILDA_BLOCK(TwistFromPoses, "Twist of a frame from its successive poses: backward difference, half a sample time late.")

} // namespace
} // namespace hilda
