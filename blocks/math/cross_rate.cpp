// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct CrossRate : Block {
  Input<Vector3> rate{*this, "rate", "rad/s", "Angular velocity of the axes in which the arm is at rest"};
  Input<Vector3> arm{*this, "arm", "@a", "Vector carried along, in the same axes"};
  Output<Vector3> y{*this, "y", "@a/s", "rate x arm"};

  void output(const Tick&) override { y = (*rate).cross(*arm); }
};

HILDA_BLOCK(
    CrossRate,
    "Rate of change of a vector that turns with an angular velocity: y = rate x arm. The velocity of a point is this "
    "with an arm in m: the angle drops out of the unit.")
} // namespace
