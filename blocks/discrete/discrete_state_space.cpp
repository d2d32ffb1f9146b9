#include "blocks/discrete/feedthrough_matrix.h"

namespace {
using namespace hilda;

struct DiscreteStateSpace : Block {
  Input<Vector> u{*this, "u", "m", "@u", "Input vector", conditional};
  Output<Vector> y{*this, "y", "p", "@y", "Output vector", conditional};
  Parameter<Matrix> a{*this, "A", "n n", "1", "A"};
  Parameter<Matrix> b{*this, "B", "n m", "1", "B, for inputs in SI; rows end with ';'"};
  Parameter<Matrix> c{*this, "C", "p n", "1", "C, for outputs in SI; a single row is written \"1 0;\""};
  FeedthroughMatrix d{*this};
  PerElement<Dynamic> initial{*this, "initial", "1", "State at the start: one number, or one for each element",
                              by_default("0")};
  State<Vector> x{*this, "x", "n", "1", "State"};
  Work<Vector> next{*this, "next", "n", "1", "State at the next tick"};

  bool feeds_through(const Instance&) const override { return !d.zero(); }
  void configure(const Instance& self) override {
    initial.check(self, x.size(), 1);
    d.check(self, y.size(), u.size());
  }
  void initialize(const Instance&) override {
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = initial[i];
  }
  void state_output(const Tick&) override {
    if (d.zero()) y = *c * *x;
  }
  void output(const Tick&) override {
    if (d.zero()) return;
    y = *c * *x;
    d.add_product(*u, *y);
  }
  void update(const Tick&) override {
    next = *a * *x;
    (*next).noalias() += *b * *u;
    x = *next;
  }
};

HILDA_PLUGIN(DiscreteStateSpace, "Linear system in state space at the sample time: x(k+1) = A x(k) + B u(k), y(k) = C "
                                 "x(k) + D u(k). All numbers are "
                                 "in SI. Where D is 0 it does not feed through.")
} // namespace
