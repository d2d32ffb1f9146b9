#include "blocks/discrete/state_space.h"

namespace {
using namespace hilda;

struct DiscreteStateSpace : StateSpaceBlock<State<Vector>> {
  Work<Vector> next{*this, "next", "n", "1", "State at the next tick"};

  void update(const Tick&) override {
    next = *a * *x;
    (*next).noalias() += *b * *u;
    x = *next;
  }
};

/// One input, one output and N states: the plant of most loops, without a size that is known only at run time.
template <int N> struct SmallStateSpace : Block {
  Input<double> u{*this, "u", "@u", "Input vector", conditional};
  Output<double> y{*this, "y", "@y", "Output vector", conditional};
  Parameter<Fixed<N, N>> a{*this, "A", "1", "A"};
  Parameter<Fixed<N, 1>> b{*this, "B", "1", "B, for inputs in SI; rows end with ';'"};
  Parameter<Fixed<1, N>> c{*this, "C", "1", "C, for outputs in SI; a single row is written \"1 0;\""};
  FeedthroughMatrix d{*this};
  PerElement<Dynamic> initial{*this, "initial", "1", "State at the start: one number, or one for each element",
                              by_default("0")};
  State<Fixed<N>> x{*this, "x", "1", "State"};
  Work<Fixed<N>> next{*this, "next", "1", "State at the next tick"}; // of the general layout: here it takes registers

  bool feeds_through(const Instance&) const override { return !d.zero(); }
  void configure(const Instance& self) override {
    initial.check(self, N, 1);
    d.check(self, 1, 1);
    direct_ = d.zero() ? 0 : d.scalar();
  }
  void initialize(const Instance&) override {
    for (int i = 0; i < N; ++i) x.data()[i] = initial[i];
  }
  void state_output(const Tick&) override {
    if (direct_ == 0) y = weighed();
  }
  void output(const Tick&) override {
    if (direct_ != 0) y = weighed() + direct_ * *u;
  }
  void update(const Tick&) override {
    const double in = *u;
    double sum[N];
    for (int i = 0; i < N; ++i) {
      sum[i] = b.data()[i] * in;
      for (int j = 0; j < N; ++j) sum[i] += a.data()[i + j * N] * x.data()[j];
    }
    for (int i = 0; i < N; ++i) x.data()[i] = sum[i];
  }

private:
  double weighed() const {
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += c.data()[i] * x.data()[i];
    return sum;
  }
  double direct_ = 0;
};

HILDA_BLOCK_VARIANTS(
    "DiscreteStateSpace",
    "Linear system in state space at the sample time: x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k). All "
    "numbers are in SI. Where D is 0 it does not feed through.",
    DiscreteStateSpace, SmallStateSpace<1>, SmallStateSpace<2>, SmallStateSpace<3>)
} // namespace
