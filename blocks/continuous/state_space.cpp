#include "blocks/discrete/feedthrough_matrix.h"

namespace {
using namespace hilda;

struct StateSpace : Block {
  Input<Vector> u{*this, "u", "m", "@u", "Input vector", conditional};
  Output<Vector> y{*this, "y", "p", "@y", "Output vector", conditional};
  Parameter<Matrix> a{*this, "A", "n n", "1", "A"};
  Parameter<Matrix> b{*this, "B", "n m", "1", "B, for inputs in SI; rows end with ';'"};
  Parameter<Matrix> c{*this, "C", "p n", "1", "C, for outputs in SI; a single row is written \"1 0;\""};
  FeedthroughMatrix d{*this};
  PerElement<Dynamic> initial{*this, "initial", "1", "State at the start: one number, or one for each element",
                              by_default("0")};
  ContinuousState<Vector> x{*this, "x", "n", "1", "State"};

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
