// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* doc = "A transfer function in s, for each element of a vector: y = gain (b0 s^m + ... + bm) / "
                            "(a0 s^n + ... + an) u with m <= n, "
                            "at rest at the start. The states are those of the controllable canonical form. Where m < "
                            "n it does not feed through.";

struct TransferFunction : Block {
  Input<Vector> u{*this, "u", "n", "@u", "One signal, or a vector of them", conditional};
  Output<Vector> y{*this, "y", "n", "@gain*@u", "Filtered signal", conditional};
  Parameter<Vector> numerator{*this, "numerator", "b", "1", "Coefficients for descending powers of s, in SI"};
  Parameter<Vector> denominator{*this, "denominator", "a", "1", "Coefficients for descending powers of s, in SI"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1"), difference};
  ContinuousState<Matrix> w{*this, "w", "a-1 n", "1", "Row i: the i-th derivative of u / (a0 s^n + ... + an)"};

  bool feeds_through(const Instance&) const override {
    return numerator.size() == denominator.size() && (*numerator)[0] != 0;
  }
  void configure(const Instance& self) override {
    if ((*denominator)[0] == 0) self.report("denominator", "begins with 0; leave that coefficient out");
    if (numerator.size() > denominator.size())
      self.report("numerator",
                  "is of a higher degree than the denominator, so that the output would need derivatives of the input; "
                  "add poles to the denominator");
    direct_ = numerator.size() == denominator.size() ? b(0) / a(0) : 0;
  }
  void state_output(const Tick&) override {
    if (direct_ == 0) weigh();
  }
  void output(const Tick&) override {
    if (direct_ == 0) return;
    weigh();
    *y += *gain * direct_ * *u;
  }
  void derivative(const Tick&) override {
    const auto in = *u;
    const auto state = *w;
    auto rate = *w.dot();
    const Eigen::Index order = state.rows();
    for (Eigen::Index j = 0; j < state.cols(); ++j) {
      double highest = in[j];
      for (Eigen::Index i = 0; i < order; ++i) highest -= a(order - i) * state(i, j);
      for (Eigen::Index i = 0; i + 1 < order; ++i) rate(i, j) = state(i + 1, j);
      if (order > 0) rate(order - 1, j) = highest / a(0);
    }
  }

private:
  double a(Eigen::Index i) const { return denominator.data()[i]; }
  double b(Eigen::Index i) const { return numerator.data()[i]; }

  /// gain times what the state gives to the output
  void weigh() {
    const auto state = *w;
    auto out = *y;
    const Eigen::Index order = state.rows(), degree = numerator.size() - 1;
    for (Eigen::Index j = 0; j < state.cols(); ++j) {
      double sum = 0;
      for (Eigen::Index i = 0; i < order; ++i) {
        const double weight = i <= degree ? b(degree - i) : 0.0;
        sum += (weight - direct_ * a(order - i)) * state(i, j);
      }
      out[j] = *gain * sum;
    }
  }

  double direct_ = 0;
};

HILDA_BLOCK(TransferFunction, doc)
} // namespace
