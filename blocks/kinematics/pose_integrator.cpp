// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Pose of a frame from its twist: x += T v, q = q exp(T w). At the first tick the pose is the initial one.
///   backward  x(k) = x(k-1) + T V(k)
///   forward   x(k) = x(k-1) + T V(k-1): one tick later, and no feedthrough
struct PoseIntegrator : Block {
  enum class PoseRule { backward, forward };

  Input<Twist> twist{*this, "twist", "v of B's origin in W axes, w in B axes", conditional};
  Output<Pose> pose{*this, "pose", "B in W"};

  Parameter<PoseRule> pose_rule{*this, "pose_rule", "Which tick's twist carries the pose", by_default("backward")};
  Parameter<Vector3> position{*this, "position", "m", "B's origin at the first tick", by_default("0 0 0")};
  Parameter<Quaternion> orientation{*this, "orientation", "B axes to W axes at the first tick", by_default("1 0 0 0")};

  State<Pose> carried{*this, "carried", "Pose of the tick before (backward) or of this one (forward)"};
  State<bool> moving{*this, "moving", "The first tick is over"};

  bool feeds_through(const Instance&) const override { return *pose_rule == PoseRule::backward; }
  void initialize(const Instance&) override { carried = Pose{*position, (*orientation).normalized()}; }

  void output(const Tick& t) override {
    pose = *pose_rule == PoseRule::backward && *moving ? moved(*carried, *twist, t.period()) : *carried;
  }
  void update(const Tick& t) override {
    carried = *pose_rule == PoseRule::backward ? *pose : moved(*carried, *twist, t.period());
    moving = true;
  }

private:
  static Pose moved(const Pose& from, const Twist& by, double T) {
    Pose to;
    to.position = from.position + T * Vector3(by.linear());
    to.orientation = (from.orientation * rotation_exp(T * Vector3(by.angular()))).normalized();
    return to;
  }
};
HILDA_BLOCK(PoseIntegrator, "Pose of a frame from its twist: x += T v, q = q exp(T w).")

} // namespace
} // namespace hilda
