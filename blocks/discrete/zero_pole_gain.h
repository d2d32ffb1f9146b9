// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/discrete/pole_zero.h"

#include <hilda/block.h>
#include <hilda/difference.h>

namespace hilda {

/// Zeros and poles as texts, and their realisation: one column of states for each element of a signal.
class ZeroPoleFilter {
public:
  /// Reports what is wrong with the texts.
  bool read(const Instance& self, const char* zeros, const char* poles) {
    Roots above, below;
    try {
      above = read_roots(zeros);
    } catch (const std::runtime_error& e) {
      self.report("zeros", e.what());
      return false;
    }
    try {
      below = read_roots(poles);
    } catch (const std::runtime_error& e) {
      self.report("poles", e.what());
      return false;
    }
    if (above.size() > below.size()) {
      self.report("zeros",
                  "are " + std::to_string(above.size()) + ", more than the " + std::to_string(below.size()) +
                      " poles, so that the output would need values of the input that are yet to come; add poles");
      return false;
    }
    return factored(self, "zeros", above) && factored(self, "poles", below) && (chain_ = realise(above, below), true);
  }
  Eigen::Index order() const { return chain_.b.size(); }
  double direct() const { return chain_.d; }

  /// c x + d u
  double output(const double* x, double u) const { return chain_.d * u + from_state(x); }
  double from_state(const double* x) const {
    double sum = 0;
    for (Eigen::Index i = 0; i < order(); ++i) sum += chain_.c[i] * x[i];
    return sum;
  }
  /// A x + b u; `to` is not x.
  void next(const double* x, double u, double* to) const {
    for (Eigen::Index i = 0; i < order(); ++i) {
      double sum = chain_.b[i] * u;
      for (Eigen::Index j = 0; j < order(); ++j) sum += chain_.a(i, j) * x[j];
      to[i] = sum;
    }
  }

private:
  static bool factored(const Instance& self, const char* name, const Roots& roots) {
    try {
      factors_of(roots);
    } catch (const std::runtime_error& e) {
      self.report(name, e.what());
      return false;
    }
    return true;
  }

  Realisation chain_;
};

/// What ZeroPoleGain in s and in z have in common: all but how the states advance. `States` keeps them.
template <typename States> struct ZeroPoleBlock : Block {
  ZeroPoleBlock(const char* zeros_doc, const char* poles_doc)
      : zeros(*this, "zeros", zeros_doc, by_default("none")), poles(*this, "poles", poles_doc) {}

  Input<Vector> u{*this, "u", "n", "@u", "One signal, or a vector of them", conditional};
  Output<Vector> y{*this, "y", "n", "@gain*@u", "Filtered signal", conditional};
  Parameter<Text> zeros;
  Parameter<Text> poles;
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1"), difference};
  States x{*this, "x", "p n", "1", "States of the sections, in SI"};

  void infer(const Instance& self, const Inference& inference) override {
    if (filter.read(self, *zeros, *poles)) inference.dimension("p", filter.order());
  }
  bool feeds_through(const Instance& self) const override {
    ZeroPoleFilter read;
    return read.read(self, *zeros, *poles) && read.direct() != 0;
  }
  void configure(const Instance& self) override { filter.read(self, *zeros, *poles); }
  void state_output(const Tick&) override {
    if (filter.direct() != 0) return;
    const auto state = *x;
    for (Eigen::Index j = 0; j < state.cols(); ++j) y.data()[j] = *gain * filter.from_state(state.col(j).data());
  }
  void output(const Tick&) override {
    if (filter.direct() == 0) return;
    const auto state = *x;
    for (Eigen::Index j = 0; j < state.cols(); ++j) y.data()[j] = *gain * filter.output(state.col(j).data(), (*u)[j]);
  }

  ZeroPoleFilter filter;
};

} // namespace hilda
