// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/contact_elements.h"
#include <hilda/block.h>

namespace hilda {
namespace {

/// Two parallel planes that are at rest in W, a gap apart, and the tip of a rod between them: a spring and a damper
/// without adhesion. The middle of the gap lies `start` behind the tip's place at tick 0, along the normal.
struct Wall : Block {
  Input<Vector3> position{*this, "position", "m", "Tip of the rod, W axes"};
  Input<Vector3> velocity{*this, "velocity", "m/s", "Its velocity, W axes"};
  Output<Wrench> on_wall{*this, "on_wall", "On the wall: force and moment about W's origin, both in W axes"};
  Output<double> penetration{*this, "penetration", "m", "Into the nearer plane; below 0: how far it is away"};
  Output<Fixed<2, element_width>> walls{*this, "walls", "",
                                        "The planes as contact elements, for an undelayed reference", from_state};

  Parameter<Vector3> tip{*this, "tip", "m", "Tip at tick 0, W axes, and in tool axes", by_default("0 0 0")};
  Parameter<Vector3> normal{*this, "normal", "", "Normal of the planes, W axes; scaled to length 1",
                            by_default("1 0 0")};
  Parameter<double> gap{*this, "gap", "m", "Between the planes", above(0.0), by_default("30 mm")};
  Parameter<double> begin{*this, "start", "m", "Where the tip begins, from the middle along the normal",
                          by_default("0 m")};
  Parameter<double> stiffness{
      *this, "stiffness", "N/m", "Of either plane", live, above(0.0), by_default("176.275 N/mm")};
  Parameter<double> damping{*this, "damping", "N s/m", "Of either plane", live, at_least(0.0), by_default("0 N s/m")};

  void configure(const Instance& instance) override {
    if ((*normal).norm() < 1e-9)
      instance.report("normal", "has no length; give the direction in which the planes lie apart");
    if (std::abs(*begin) >= 0.5 * *gap)
      instance.report("start", "lies inside a wall; it must be less than half the gap");
  }

  void prepare(const Instance&) override {
    normal_ = (*normal).normalized();
    middle_ = *tip - *begin * normal_;
  }

  [[gnu::flatten]] void state_output(const Tick&) override {
    Fixed<2, element_width> rows;
    for (int i = 0; i < 2; ++i) {
      ContactElement plane;
      const double side = i == 0 ? 1.0 : -1.0;
      plane.r = *tip, plane.n = side * normal_, plane.d = 0.5 * *gap + side * middle_.dot(normal_);
      plane.k = *stiffness, plane.c = *damping;
      rows.row(i) = plane.row().transpose();
    }
    walls = rows;
  }

  Crossing<double> touch{*this, "touch", "m", "How deep the tip is in the nearer plane"};
  Crossing<double> press{*this, "press", "N", "What spring and damper give; below 0 they would pull. 1: no contact"};

  [[gnu::flatten]] void output(const Tick& t) override {
    const Vector3 p = *position;
    const double off = (p - middle_).dot(normal_), side = off >= 0.0 ? 1.0 : -1.0;
    const double depth = side * off - 0.5 * *gap, rate = side * (*velocity).dot(normal_);
    const double pushed = *stiffness * depth + *damping * rate;
    const bool touches = t.located() ? touch.positive(depth) : depth > 0.0;
    const bool presses = t.located() ? press.positive(touches ? pushed : 1) : pushed > 0.0;
    const double force = touches && presses ? pushed : 0.0;
    const Vector3 pressing = side * force * normal_;
    on_wall = Wrench(pressing, p.cross(pressing));
    penetration = depth;
  }

private:
  // from the parameters, by prepare
  Vector3 normal_ = Vector3::UnitX(), middle_ = Vector3::Zero();
};
HILDA_BLOCK(Wall, "Two parallel planes with the tip of a rod between them: spring and damper, no adhesion.")

} // namespace
} // namespace hilda
