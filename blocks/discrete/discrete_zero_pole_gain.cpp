// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/discrete/zero_pole_gain.h"

namespace {
using namespace hilda;

struct DiscreteZeroPoleGain : ZeroPoleBlock<State<Matrix>> {
  DiscreteZeroPoleGain()
      : ZeroPoleBlock("In z: -0.5 0.2+0.3j 0.2-0.3j; none, or no more than poles",
                      "In z; stable below 1 in absolute value") {}
  Work<Vector> next{*this, "next", "p", "1", "States at the next tick"};

  void update(const Tick&) override {
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      double* const states = x.data() + j * x.rows();
      filter.next(states, (*u)[j], next.data());
      std::copy_n(next.data(), x.rows(), states);
    }
  }
};

HILDA_BLOCK(
    DiscreteZeroPoleGain,
    "A filter by its zeros and poles in z, for each element of a vector: y = gain (z - z1) (z - z2) ... / ((z - p1) "
    "(z - p2) ...) u, at rest at the start. It is a chain of sections of order 1 and 2, whose rounding errors stay "
    "small where a polynomial of high order would lose its roots.")
} // namespace
