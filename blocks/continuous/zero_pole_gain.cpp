// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/discrete/zero_pole_gain.h"

namespace {
using namespace hilda;

struct ZeroPoleGain : ZeroPoleBlock<ContinuousState<Matrix>> {
  ZeroPoleGain()
      : ZeroPoleBlock("In rad/s: -5 -1+2j -1-2j; none, or no more than poles",
                      "In rad/s; stable where the real part is below 0") {}
  void derivative(const Tick&) override {
    const auto state = *x;
    auto rate = *x.dot();
    for (Eigen::Index j = 0; j < state.cols(); ++j) filter.next(state.col(j).data(), (*u)[j], rate.col(j).data());
  }
};

HILDA_BLOCK(
    ZeroPoleGain,
    "A transfer function by its zeros and poles in s, for each element of a vector: y = gain (s - z1) (s - z2) ... / "
    "((s - p1) (s - p2) ...) u, at rest at the start. It is a chain of sections of order 1 and 2; where there are "
    "fewer zeros than poles it does not feed through.")
} // namespace
