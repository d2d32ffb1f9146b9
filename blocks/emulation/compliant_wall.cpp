// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <hilda/block.h>

namespace hilda {
namespace {

struct CompliantWall : Block {
  Input<Vector> x{*this, "x", "n", "m", "Place of the tip; the first element is that across the wall"};
  Input<Vector> xd{*this, "xd", "n", "m/s", "Its velocity"};
  Output<Vector> force{*this, "force", "n", "N", "On the tip"};
  Parameter<double> place{*this, "place", "m", "x_w: the wall is beyond it"};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "K_e", at_least(0.0), by_default("20 kN/m")};
  Parameter<double> damping{*this, "damping", "N s/m", "B_e", at_least(0.0), by_default("100")};
  Parameter<double> friction{*this,         "friction",     "N s/m", "Viscous, along the wall, in contact",
                             at_least(0.0), by_default("0")};

  Crossing<double> touch{*this, "touch", "m", "How deep the tip is in the wall"};
  Crossing<double> press{*this, "press", "N", "What spring and damper give; below 0 they would pull. 1: no contact"};

  void output(const Tick& t) override {
    const auto at = *x, speed = *xd;
    auto f = *force;
    f.setZero();
    const double depth = at[0] - *place, pushed = *stiffness * depth + *damping * speed[0];
    const bool touches = t.located() ? touch.positive(depth) : depth > 0;
    const bool presses = t.located() ? press.positive(touches ? pushed : 1) : pushed > 0;
    if (!touches) return;
    f[0] = presses ? -pushed : 0.0;
    for (Eigen::Index i = 1; i < f.size(); ++i) f[i] = -*friction * speed[i];
  }
};
HILDA_BLOCK(CompliantWall, "A spring and damper beyond a plane, f = -(K_e (x - x_w) + B_e xd), which never pulls, and "
                           "viscous friction along it.")

} // namespace
} // namespace hilda
