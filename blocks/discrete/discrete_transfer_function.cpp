// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* discrete_transfer_function_doc =
    "A filter in powers of the delay z^-1, for each element of a vector: y = gain (b0 + b1 "
    "z^-1 + ...) / (a0 + a1 z^-1 + ...) u, "
    "at rest at the start. Its state is that of the direct form II: w(k) = (u(k) - a1 w(k-1) - "
    "...) / a0, y(k) = gain (b0 w(k) + "
    "b1 w(k-1) + ...). Where b0 is 0 it does not feed through.";

/// What a filter of any order and its layout for order 2 share: one element at a time, with its past values of w.
struct Coefficients {
  const double* b;
  const double* a;
  Eigen::Index numerators, denominators;

  /// w(k)
  double innovation(double u, const double* past) const {
    for (Eigen::Index i = 1; i < denominators; ++i) u -= a[i] * past[i - 1];
    return u / a[0];
  }
  double output(double w, const double* past) const {
    double sum = b[0] == 0 ? 0 : b[0] * w;
    for (Eigen::Index i = 1; i < numerators; ++i) sum += b[i] * past[i - 1];
    return sum;
  }
  static void shift(double w, double* past, Eigen::Index order) {
    for (Eigen::Index i = order - 1; i > 0; --i) past[i] = past[i - 1];
    if (order > 0) past[0] = w;
  }
};

/// Any order, any number of signals.
struct DiscreteTransferFunction : Block {
  Input<Vector> u{*this, "u", "n", "@u", "One signal, or a vector of them", conditional};
  Output<Vector> y{*this, "y", "n", "@gain*@u", "Filtered signal", conditional};
  Parameter<Vector> numerator{*this, "numerator", "b", "1",
                              "b0 b1 ..., for ascending powers of z^-1; no more than a has"};
  Parameter<Vector> denominator{*this, "denominator", "a", "1", "a0 a1 ..., for ascending powers of z^-1"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1"), difference};
  State<Matrix> w{*this, "w", "a-1 n", "@u", "Row i: w, i + 1 sample times ago"};

  bool feeds_through(const Instance&) const override { return numerator.data()[0] != 0; }
  void configure(const Instance& self) override {
    if (denominator.data()[0] == 0)
      self.report("denominator", "begins with 0; divide numerator and denominator by a power of z^-1");
    if (numerator.size() > denominator.size())
      self.report("numerator", "has more coefficients than the denominator; append zeros to the denominator");
  }
  void state_output(const Tick&) override {
    if (numerator.data()[0] != 0) return;
    for (Eigen::Index j = 0; j < u.size(); ++j) y.data()[j] = *gain * filter().output(0, past(j));
  }
  void output(const Tick&) override {
    if (numerator.data()[0] == 0) return;
    const auto in = *u;
    for (Eigen::Index j = 0; j < u.size(); ++j)
      y.data()[j] = *gain * filter().output(filter().innovation(in[j], past(j)), past(j));
  }
  void update(const Tick&) override {
    const auto in = *u;
    for (Eigen::Index j = 0; j < u.size(); ++j)
      Coefficients::shift(filter().innovation(in[j], past(j)), past(j), w.rows());
  }

private:
  Coefficients filter() const { return {numerator.data(), denominator.data(), numerator.size(), denominator.size()}; }
  double* past(Eigen::Index j) { return w.data() + j * w.rows(); }
};

/// One signal, order 2, in scalars.
struct Biquad : Block {
  Input<double> u{*this, "u", "@u", "One signal, or a vector of them", conditional};
  Output<double> y{*this, "y", "@gain*@u", "Filtered signal", conditional};
  Parameter<Vector3> numerator{*this, "numerator", "1", "b0 b1 ..., for ascending powers of z^-1; no more than a has"};
  Parameter<Vector3> denominator{*this, "denominator", "1", "a0 a1 ..., for ascending powers of z^-1"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1"), difference};
  State<Fixed<2>> w{*this, "w", "@u", "Row i: w, i + 1 sample times ago"};

  bool feeds_through(const Instance&) const override { return numerator.data()[0] != 0; }
  void configure(const Instance& self) override {
    if (denominator.data()[0] == 0)
      self.report("denominator", "begins with 0; divide numerator and denominator by a power of z^-1");
  }
  void state_output(const Tick&) override {
    if (numerator.data()[0] == 0) y = *gain * filter().output(0, w.data());
  }
  void output(const Tick&) override {
    if (numerator.data()[0] != 0) y = *gain * filter().output(filter().innovation(*u, w.data()), w.data());
  }
  void update(const Tick&) override { Coefficients::shift(filter().innovation(*u, w.data()), w.data(), 2); }

private:
  Coefficients filter() const { return {numerator.data(), denominator.data(), 3, 3}; }
};

HILDA_BLOCK_VARIANTS("DiscreteTransferFunction", discrete_transfer_function_doc, DiscreteTransferFunction, Biquad)
} // namespace
