// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/linear_solver.h"

#include <hilda/per_element.h>

namespace {
using namespace hilda;

constexpr const char* kalman_filter_doc =
    "Kalman filter of a linear system at the sample time, x(k+1) = A x(k) + B "
    "u(k) + w, y(k) = C x(k) + v, with covariances Q "
    "of w and R of v (Kalman 1960). estimate is x(k) with y(k) taken in, "
    "predicted is x(k) without it; the covariance is "
    "carried in Joseph's form, which stays symmetric and positive. Where present "
    "is false (or y holds what was lost) the "
    "tick goes without a measurement. All numbers are in SI; units of the outputs are those that the wires ask for.";

struct KalmanFilter : Block {
  Input<Vector> y{*this, "y", "p", "@y", "Measurement"};
  Input<Vector> u{*this, "u", "m", "@u", "Known input of the system", optional};
  Input<bool> present{*this, "present", "Whether y is there; where nothing drives it, it always is", optional};
  Output<Vector> estimate{*this, "estimate", "n", "@x", "State with this tick's measurement"};
  Output<Vector> predicted{*this, "predicted", "n", "@x", "State without it", from_state};
  Output<Vector> innovation{*this, "innovation", "p", "@e", "y - C predicted; 0 without a measurement"};
  Output<Matrix> covariance{*this, "covariance", "n n", "@p", "Of the estimate", unrecorded};
  Parameter<Matrix> a{*this, "A", "n n", "1", "A"};
  Parameter<Matrix> b{*this, "B", "n m", "1", "B; 0 where there is no u", by_default("0")};
  Parameter<Matrix> c{*this, "C", "p n", "1", "C; a single row is written \"1 0;\""};
  Parameter<Matrix> q{*this, "Q", "n n", "1", "Covariance of what moves the state, for a sample time; symmetric"};
  Parameter<Matrix> r{*this, "R", "p p", "1", "Covariance of the measurement's noise; symmetric"};
  PerElement<Dynamic> initial{*this, "initial", "1", "State that is expected at the start", by_default("0")};
  Parameter<Matrix> doubt{*this, "initial_covariance", "n n", "1", "How sure that is: covariance; large where unknown"};
  State<Vector> x{*this, "x", "n", "1", "Predicted state"};
  State<Matrix> p{*this, "P", "n n", "1", "Its covariance"};
  Work<Matrix> s{*this, "S", "p p", "1", "Covariance of the innovation"};
  Work<Matrix> gain{*this, "gain", "p n", "1", "Kalman's gain, transposed"};
  Work<Matrix> joseph{*this, "joseph", "n n", "1", "1 - K C"};
  Work<Matrix> room{*this, "room", "n n", "1", "Of products"};
  Work<Vector> next{*this, "next", "n", "1", "State at the next tick"};

  void configure(const Instance& self) override {
    initial.check(self, a.rows(), 1);
    check_covariance(self, "Q", q);
    check_covariance(self, "R", r);
    check_covariance(self, "initial_covariance", doubt);
    bool some = false;
    for (Eigen::Index i = 0; i < b.size(); ++i) some = some || b.data()[i] != 0;
    if (some && !u.connected()) self.report("B", "weighs an input u that nothing drives; connect it, or leave B out");
    if (!some && u.connected())
      self.warn("u", "is driven, but B is 0, so that it does nothing; give B, or leave u open");
  }
  void initialize(const Instance&) override {
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = initial[i];
    p = *doubt;
  }
  void state_output(const Tick&) override { predicted = *x; }
  void output(const Tick& t) override {
    estimate = *x;
    covariance = *static_cast<const State<Matrix>&>(p);
    (*innovation).setZero();
    if (present.connected() && !*present) return;
    innovation = *y - (*c).lazyProduct(*x);
    take_in(t);
  }
  void update(const Tick&) override {
    next = (*a).lazyProduct(*estimate);
    if (u.connected()) *next += (*b).lazyProduct(*u);
    x = *next;
    room = (*a).lazyProduct(*covariance);
    p = (*room).lazyProduct((*a).transpose());
    symmetric(*p, *q);
  }

private:
  static void check_covariance(const Instance& self, const char* name, const Parameter<Matrix>& parameter) {
    const auto m = *parameter;
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      if (!(m(i, i) >= 0)) {
        self.report(name, "has a variance below 0 at [" + std::to_string(i) + "," + std::to_string(i) +
                              "]; a variance is a square");
        return;
      }
      for (Eigen::Index j = 0; j < i; ++j)
        if (m(i, j) != m(j, i)) {
          self.report(name, "is not symmetric at [" + std::to_string(i) + "," + std::to_string(j) +
                                "]; write the same number in both places");
          return;
        }
    }
  }

  /// K = P C' S^-1 from S K' = C P; then the estimate and its covariance.
  void take_in(const Tick& t) {
    gain = (*c).lazyProduct(*p);
    s = (*gain).lazyProduct((*c).transpose());
    symmetric(*s, *r);
    auto square = *s;
    auto right = *gain;
    if (!(solve_in_place(square, right) > 0)) {
      t.fail("the innovation's covariance C P C' + R is singular; give R a variance for each measurement");
      return;
    }
    *estimate += (*gain).transpose().lazyProduct(*innovation);
    joseph = -(*gain).transpose().lazyProduct(*c);
    (*joseph).diagonal().array() += 1;
    room = (*joseph).lazyProduct(*p);
    covariance = (*room).lazyProduct((*joseph).transpose());
    // + K R K', element by element: its room would be another shape
    const auto k = *gain;
    const auto noise = *r;
    auto sum = *covariance;
    for (Eigen::Index i = 0; i < sum.rows(); ++i)
      for (Eigen::Index j = 0; j < sum.cols(); ++j)
        for (Eigen::Index l = 0; l < noise.rows(); ++l)
          for (Eigen::Index o = 0; o < noise.cols(); ++o) sum(i, j) += k(l, i) * noise(l, o) * k(o, j);
    symmetric(sum, Matrix::Zero(sum.rows(), sum.cols()));
  }
  /// m = (m + m') / 2 + add
  template <typename Square, typename Add> static void symmetric(Square&& m, const Add& add) {
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j <= i; ++j) m(i, j) = m(j, i) = (m(i, j) + m(j, i)) / 2 + add(i, j);
  }
};

HILDA_BLOCK(KalmanFilter, kalman_filter_doc)
} // namespace
