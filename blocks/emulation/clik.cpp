// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/emulation/planar_arm.h"

namespace hilda {
namespace {

constexpr const char* clik_doc =
    "Joint angles of the target whose tip is where the emulating robot's is. Method inverse: "
    "qd = J^-1 (xd + K (x - k(q))), "
    "integrated; transpose: qd = J' K (x - k(q)), the paper's (Aghili, Fig. 2 and Theorem 1), "
    "which follows a moving tip "
    "late; exact: q = k^-1(x), which feeds through.";

struct Clik : Block {
  enum class Method { inverse, transpose, exact };

  Input<Vector> x{*this, "x", "n", "m", "Place of the tip"};
  Input<Vector> xd{*this, "xd", "n", "m/s", "Velocity of the tip"};
  Output<Vector> q{*this, "q", "n", "rad", "Joint angles", conditional};
  Output<Vector> qd{*this, "qd", "n", "rad/s", "Joint velocities"};
  Output<Vector> error{*this, "error", "n", "m", "x - k(q)"};
  PlanarArmParameters arm{*this};
  Parameter<Method> method{*this, "method", "How the joint angles are found", by_default("inverse")};
  Parameter<double> gain{*this, "gain", "", "K: 1/s (inverse) or rad2/m2/s (transpose)", above(0.0), by_default("100")};
  Parameter<Vector> initial_position{*this, "initial_position", "n", "m", "Place of the tip at the start, at rest"};
  ContinuousState<Vector> angle{*this, "angle", "n", "rad", "Joint angles"};

  bool feeds_through(const Instance&) const override { return *method == Method::exact; }
  void configure(const Instance& self) override {
    arm_ = arm.arm(self);
    check_reach(self, "initial_position", arm_, initial_position);
  }
  void initialize(const Instance&) override { angle = arm_.joints(Axes(*initial_position)); }
  void state_output(const Tick&) override {
    if (*method != Method::exact) q = *angle;
  }
  void output(const Tick&) override {
    const Axes at = *x;
    if (*method == Method::exact) q = arm_.joints(at);
    const Axes now = *q, off = at - arm_.position(now);
    const AxesMatrix J = arm_.jacobian(now);
    error = off;
    if (*method == Method::transpose)
      qd = Axes(*gain * J.transpose().lazyProduct(off));
    else
      qd = Axes(J.partialPivLu().solve(Axes(*xd + *gain * off)));
  }
  void derivative(const Tick&) override {
    if (*method == Method::exact)
      angle.dot() = Axes(Axes::Zero(arm_.n));
    else
      angle.dot() = *qd;
  }

private:
  PlanarArm arm_; // from the parameters, by configure
};
HILDA_BLOCK(Clik, clik_doc)

} // namespace
} // namespace hilda
