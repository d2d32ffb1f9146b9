// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/discrete/state_space.h"

namespace {
using namespace hilda;

struct StateSpace : StateSpaceBlock<ContinuousState<Vector>> {
  void derivative(const Tick&) override {
    auto rate = *x.dot();
    rate.noalias() = *a * *x;
    rate.noalias() += *b * *u;
  }
};

HILDA_BLOCK(StateSpace, "Linear system in state space, in continuous time: dx/dt = A x + B u, y = C x + D u. All "
                        "numbers are in SI. Where D "
                        "is 0 it does not feed through.")
} // namespace
