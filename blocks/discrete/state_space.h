// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/discrete/feedthrough_matrix.h"

namespace hilda {

/// What StateSpace in continuous time and at a sample time have in common: all but how the state advances. `States`
/// keeps it.
template <typename States> struct StateSpaceBlock : Block {
  Input<Vector> u{*this, "u", "m", "@u", "Input vector", conditional};
  Output<Vector> y{*this, "y", "p", "@y", "Output vector", conditional};
  Parameter<Matrix> a{*this, "A", "n n", "1", "A"};
  Parameter<Matrix> b{*this, "B", "n m", "1", "B, for inputs in SI; rows end with ';'"};
  Parameter<Matrix> c{*this, "C", "p n", "1", "C, for outputs in SI; a single row is written \"1 0;\""};
  FeedthroughMatrix d{*this};
  PerElement<Dynamic> initial{*this, "initial", "1", "State at the start: one number, or one for each element",
                              by_default("0")};
  States x{*this, "x", "n", "1", "State"};

  bool feeds_through(const Instance&) const override { return !d.zero(); }
  void configure(const Instance& self) override {
    initial.check(self, a.rows(), 1);
    d.check(self, y.size(), u.size());
  }
  void initialize(const Instance&) override {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void state_output(const Tick&) override {
    if (d.zero()) y = *c * *x;
  }
  void output(const Tick&) override {
    if (d.zero()) return;
    y = *c * *x;
    d.add_product(*u, *y);
  }
};

} // namespace hilda
