// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace {
using namespace hilda;

constexpr const char* discrete_integrator_doc =
    "Integrates at the sample time T, for each element. forward: y(k) = x(k), x(k+1) = x(k) + T u(k), does not feed "
    "through; "
    "backward: y(k) = y(k-1) + T u(k); trapezoidal: y(k) = y(k-1) + T (u(k) + u(k-1)) / 2. At a limit it stops.";

enum class IntegrationMethod { forward, backward, trapezoidal };

template <int N> struct DiscreteIntegrator : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape", conditional};
  Output<Elements<N>> y{*this, "y", "*s", "@u s", "Its integral", conditional, between("lower", "upper")};
  Parameter<IntegrationMethod> method{*this, "method", "How u is taken between two samples", by_default("forward")};
  PerElement<N> initial{*this, "initial", "@u s", "Integral at the start: one number, or one for each element",
                        by_default("0")};
  PerElement<N> lower{*this, "lower", "@u s", "Smallest integral", live, by_default("-inf")};
  PerElement<N> upper{*this, "upper", "@u s", "Largest integral", live, by_default("inf")};
  State<Elements<N>> x{*this, "x", "*s", "@u s",
                       "Integral up to this tick, without what the method adds to the output"};

  bool feeds_through(const Instance&) const override { return *method != IntegrationMethod::forward; }
  void configure(const Instance& self) override {
    for (const auto* p : {&initial, &lower, &upper}) p->check(self, u.rows(), u.cols());
  }
  void prepare(const Instance& self) override { check_order(self, lower, upper); }
  void initialize(const Instance&) override {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limited(i, initial[i]);
  }
  void state_output(const Tick&) override {
    if (*method == IntegrationMethod::forward) y = *x;
  }
  void output(const Tick& t) override {
    if (*method == IntegrationMethod::forward) return;
    const double part = *method == IntegrationMethod::backward ? t.period() : t.period() / 2;
    const auto in = *u;
    const auto sum = *x;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = limited(i, sum[i] + part * in[i]);
  }
  void update(const Tick& t) override {
    const auto in = *u;
    const auto out = *y;
    auto sum = *x;
    const double rest = *method == IntegrationMethod::forward    ? t.period()
                        : *method == IntegrationMethod::backward ? 0
                                                                 : t.period() / 2;
    for (Eigen::Index i = 0; i < in.size(); ++i) sum[i] = limited(i, out[i] + rest * in[i]);
  }

private:
  double limited(Eigen::Index i, double v) const { return v < lower[i] ? lower[i] : v > upper[i] ? upper[i] : v; }
};

HILDA_BLOCK_VARIANTS("DiscreteIntegrator", discrete_integrator_doc, DiscreteIntegrator<Dynamic>, DiscreteIntegrator<1>,
                     DiscreteIntegrator<3>, DiscreteIntegrator<6>)
} // namespace
