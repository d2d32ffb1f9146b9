// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace {
using namespace hilda;

constexpr const char* recursive_least_squares_doc =
    "Estimates the parameters of y = regressor . theta from tick to tick: K = P r / (forgetting + r' P r), theta += K "
    "(y - "
    "r' theta), P = (P - K r' P) / forgetting (Astrom and Wittenmark, Adaptive Control, section 2.2). A forgetting "
    "below 1 "
    "weighs an error of k ticks ago with forgetting^k. Where the regressor is 0 nothing is learned or forgotten. Of "
    "what "
    "the regressor does not excite the variance in P grows to largest and no further, so that it does not burst.";

struct RecursiveLeastSquares : Block {
  Input<Vector> regressor{*this, "regressor", "n", "@r",
                          "What y depends on; several signals are put together by routing/Mux"};
  Input<double> y{*this, "y", "@y", "Measured value"};
  Input<bool> learn{*this, "learn", "Whether this tick counts; where nothing drives it, all do", optional};
  Output<Vector> theta{*this, "theta", "n", "@y/@r", "Parameters with this tick's measurement"};
  Output<double> error{*this, "error", "@y", "y - regressor . theta before it"};
  Output<Matrix> covariance{*this, "covariance", "n n", "1/@r^2", "P", unrecorded};
  Parameter<double> forgetting{*this, "forgetting", "1",          "1: all ticks weigh the same",
                               live,  above(0.0),   at_most(1.0), by_default("1")};
  PerElement<Dynamic> initial{*this, "initial", "@y/@r", "Parameters at the start: one number, or one for each",
                              by_default("0")};
  Parameter<double> doubt{*this, "initial_covariance", "1/@r^2", "P at the start: large where nothing is known",
                          above(0.0)};
  Parameter<double> largest{*this, "largest",  "1/@r^2",         "Largest variance in P; inf: no limit",
                            live,  above(0.0), by_default("inf")};
  State<Vector> x{*this, "x", "n", "@y/@r", "Parameters"};
  State<Matrix> p{*this, "P", "n n", "1/@r^2", "Covariance over the variance of y's noise"};
  Work<Vector> pr{*this, "pr", "n", "1/@r", "P times the regressor"};

  void configure(const Instance& self) override { initial.check(self, x.size(), 1); }
  void initialize(const Instance&) override {
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = initial[i];
    auto start = *p;
    start.setZero();
    start.diagonal().setConstant(*doubt);
  }
  void output(const Tick&) override {
    const auto r = *regressor, before = *static_cast<const State<Vector>&>(x);
    const auto old = *static_cast<const State<Matrix>&>(p);
    auto now = *theta;
    auto fresh = *covariance;
    const double left = *y - dot(r, before);
    error = left;
    now = before;
    fresh = old;
    pr = old.lazyProduct(r);
    const auto direction = *static_cast<const Work<Vector>&>(pr);
    const double excitation = dot(r, direction);
    if ((learn.connected() && !*learn) || excitation == 0) return;
    const double scale = 1 / (*forgetting + excitation);
    now += direction * (scale * left);
    for (Eigen::Index i = 0; i < fresh.rows(); ++i)
      for (Eigen::Index j = 0; j < fresh.cols(); ++j) fresh(i, j) -= scale * direction[i] * direction[j];
    forget(fresh);
  }
  void update(const Tick&) override {
    x = *theta;
    p = *covariance;
  }

private:
  /// P / forgetting; rows and columns whose variance is at its limit grow no further, the others continue.
  void forget(Eigen::Map<Matrix> matrix) {
    auto grow = *pr; // its numbers are not needed any more
    const double free = 1 / std::sqrt(*forgetting);
    for (Eigen::Index i = 0; i < grow.size(); ++i)
      grow[i] = std::max(1.0, std::min(free, std::sqrt(*largest / matrix(i, i))));
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) *= grow[i] * grow[j];
  }
  template <typename A, typename B> static double dot(const A& a, const B& b) {
    double sum = 0;
    for (Eigen::Index i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
};

HILDA_BLOCK(RecursiveLeastSquares, recursive_least_squares_doc)
} // namespace
