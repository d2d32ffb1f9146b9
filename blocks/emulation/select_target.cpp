// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/emulation/planar_arm.h"

namespace hilda {
namespace {

struct SelectTarget : Block {
  enum class Scheme { constrained, unconstrained };

  Input<Vector> x{*this, "constrained_x", "n", "m", "Of FreeMotion"};
  Input<Vector> xd{*this, "constrained_xd", "n", "m/s", "Of FreeMotion"};
  Input<Vector> free_acceleration{*this, "constrained_free_acceleration", "n", "m/s2", "Of the constrained target"};
  Input<Matrix> mobility{*this, "constrained_mobility", "n n", "1/kg", "Of the constrained target"};
  Input<Vector> ode_x{*this, "unconstrained_x", "n", "m", "Of the target that the force moves"};
  Input<Vector> ode_xd{*this, "unconstrained_xd", "n", "m/s", "Of the same"};
  Input<Vector> ode_free_acceleration{*this, "unconstrained_free_acceleration", "n", "m/s2", "Of the same"};
  Input<Matrix> ode_mobility{*this, "unconstrained_mobility", "n n", "1/kg", "Of the same"};
  Output<Vector> out_x{*this, "x", "n", "m", "Of the one chosen"};
  Output<Vector> out_xd{*this, "xd", "n", "m/s", "Of the one chosen"};
  Output<Vector> out_free_acceleration{*this, "free_acceleration", "n", "m/s2", "Of the one chosen"};
  Output<Matrix> out_mobility{*this, "mobility", "n n", "1/kg", "Of the one chosen"};
  Parameter<Scheme> scheme{*this, "scheme", "Which target the arm follows"};

  void output(const Tick&) override {
    if (*scheme == Scheme::constrained) {
      out_x = *x, out_xd = *xd, out_free_acceleration = *free_acceleration, out_mobility = *mobility;
    } else {
      out_x = *ode_x, out_xd = *ode_xd, out_free_acceleration = *ode_free_acceleration, out_mobility = *ode_mobility;
    }
  }
};
HILDA_BLOCK(SelectTarget, "Which of Aghili's two schemes drives the arm: the target held to it, or moved by the force.")

} // namespace
} // namespace hilda
