// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/discrete/state_space.h"

#include <hilda/lane_block.h>

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

/// SmallStateSpace with one number for D and one for `initial`, of which `Side` lie side by side.
template <int N, int Side> struct StateSpaceInLanes : LaneBlock<Side> {
  template <typename M> using Place = Spaced<M, Side>;
  template <int Rows, int Cols> using Coefficients = SpacedNumbers<HILDA_PARAMETER, Rows, Cols, Side>;
  Place<Input<double>> u{*this, "u", "@u", "Input vector", conditional};
  Place<Output<double>> y{*this, "y", "@y", "Output vector", conditional};
  Coefficients<N, N> a{*this, "A", "1", "A"};
  Coefficients<N, 1> b{*this, "B", "1", "B, for inputs in SI; rows end with ';'"};
  Coefficients<1, N> c{*this, "C", "1", "C, for outputs in SI; a single row is written \"1 0;\""};
  Place<Parameter<double>> d{*this, "D", "1", "D, for signals in SI; 0: none", by_default("0")};
  Place<Parameter<double>> initial{*this, "initial", "1", "State at the start: one number, or one for each element",
                                   by_default("0")};
  SpacedNumbers<HILDA_STATE, N, 1, Side> x{*this, "x", "1", "State"};
  SpacedNumbers<HILDA_WORK, N, 1, Side> next{*this, "next", "1", "State at the next tick"}; // of the general layout

  bool feeds_through(const Instance&) const override { return *d != 0; }
  void initialize(const Instance&) override {
    for (int i = 0; i < N; ++i) x[i] = *initial;
  }
  void state_output(const Tick&) override {
    if (*d == 0) *y.data() = weighed();
  }
  void output(const Tick&) override {
    if (*d != 0) *y.data() = weighed() + *d * *u;
  }
  void update(const Tick&) override {
    const double in = *u;
    double sum[N];
    for (int i = 0; i < N; ++i) {
      sum[i] = b[i] * in;
      for (int j = 0; j < N; ++j) sum[i] += a(i, j) * x[j];
    }
    for (int i = 0; i < N; ++i) x[i] = sum[i];
  }
  static void state_output_lanes(Row<StateSpaceInLanes> groups) {
    for (StateSpaceInLanes& first : groups) {
      if (*first.d != 0) continue; // in a group all feed through, or none
      Pack<Side> sum;
      weigh(sum, first);
      put(first.y, sum);
    }
  }
  static void output_lanes(Row<StateSpaceInLanes> groups) {
    for (StateSpaceInLanes& first : groups) {
      if (*first.d == 0) continue;
      Pack<Side> sum, direct, in;
      weigh(sum, first);
      take(direct, first.d), take(in, first.u);
      put(first.y, sum + direct * in);
    }
  }
  static void update_lanes(Row<StateSpaceInLanes> groups) {
    for (StateSpaceInLanes& first : groups) {
      Pack<Side> in, factor, x[N], sum[N];
      take(in, first.u);
      for (int j = 0; j < N; ++j) take(x[j], first.x[j]);
      for (int i = 0; i < N; ++i) {
        take(factor, first.b[i]);
        sum[i] = factor * in;
        for (int j = 0; j < N; ++j) take(factor, first.a(i, j)), sum[i] += factor * x[j];
      }
      for (int i = 0; i < N; ++i) put(first.x[i], sum[i]);
    }
  }

private:
  double weighed() const {
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += c[i] * x[i];
    return sum;
  }
  static void weigh(Pack<Side>& sum, const StateSpaceInLanes& first) {
    Pack<Side> factor, x;
    sum = Pack<Side>{};
    for (int i = 0; i < N; ++i) {
      take(factor, first.c[i]), take(x, first.x[i]);
      sum += factor * x;
    }
  }
};

HILDA_BLOCK_WITH_LANES(
    "DiscreteStateSpace",
    "Linear system in state space at the sample time: x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k). All "
    "numbers are in SI. Where D is 0 it does not feed through.",
    (StateSpaceInLanes<2, 4>, StateSpaceInLanes<2, 2>, StateSpaceInLanes<1, 4>, StateSpaceInLanes<1, 2>),
    DiscreteStateSpace, SmallStateSpace<1>, SmallStateSpace<2>, SmallStateSpace<3>)
} // namespace
