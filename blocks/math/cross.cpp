// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Cross : Block {
  Input<Vector3> a{*this, "a", "@a", "Left factor"};
  Input<Vector3> b{*this, "b", "@b", "Right factor, in the same axes"};
  Output<Vector3> y{*this, "y", "@a*@b", "a x b"};

  void output(const Tick&) override { y = (*a).cross(*b); }
};

HILDA_BLOCK(Cross, "Cross product of two vectors of three: y = a x b. For an angular velocity see CrossRate.")
} // namespace
