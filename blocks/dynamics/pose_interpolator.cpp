// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>
#include <hilda/whole_ticks.h>

namespace hilda {
namespace {

/// How a robot's controller goes from one commanded pose to the next: straight on, over one interpolation cycle from
/// the tick at which a new pose comes. So it arrives a cycle later, where the next is due; with none it stays there.
struct PoseInterpolator : Block {
  Input<Pose> target{*this, "target", "Commanded pose, new every cycle", primes};
  Output<Pose> pose{*this, "pose", "On the way to the newest target"};
  Output<Twist> twist{*this, "twist", "Of that way"};

  Parameter<double> cycle{*this, "cycle", "s", "Time between two targets", above(0.0)};

  State<Pose> from{*this, "from", "Where the way began"};
  State<Pose> to{*this, "to", "Where it leads"};
  State<std::int64_t> ticks{*this, "ticks", "Since it began"};

  void configure(const Instance& instance) override {
    length_ = whole_ticks(instance, "cycle", *cycle, Fractional::refuse).ticks;
  }

  void prime(const Tick&) override {
    from = *target, to = *target;
    ticks = length_;
  }

  void output(const Tick& t) override {
    const Way way = now();
    pose = at(way);
    const double rate = way.ticks < length_ ? 1.0 / (static_cast<double>(length_) * t.period()) : 0.0;
    twist = Twist(Vector3(rate * (way.to.position - way.from.position)), Vector3(rate * turn(way)));
  }

  void update(const Tick&) override {
    const Way way = now();
    from = way.from;
    to = way.to;
    ticks = std::min(way.ticks + 1, length_);
  }

private:
  struct Way {
    Pose from, to;
    std::int64_t ticks;
  };
  static Vector3 turn(const Way& way) { return rotation_log(way.from.orientation.conjugate() * way.to.orientation); }
  Pose at(const Way& way) const {
    const double share = static_cast<double>(std::min(way.ticks, length_)) / static_cast<double>(length_);
    Pose here;
    here.position = way.from.position + share * (way.to.position - way.from.position);
    here.orientation = (way.from.orientation * rotation_exp(share * turn(way))).normalized();
    return here;
  }
  /// The way under way, or the new one from here to a target that was not there before.
  Way now() const {
    const Way old{*from, *to, *ticks};
    const Pose newest = *target;
    const bool same = newest.position == old.to.position && newest.orientation.coeffs() == old.to.orientation.coeffs();
    return same ? old : Way{at(old), newest, 0};
  }

  std::int64_t length_ = 1; // from the parameters, by configure
};
HILDA_BLOCK(PoseInterpolator, "A robot controller's way from one commanded pose to the next: straight, over a cycle.")

} // namespace
} // namespace hilda
