#pragma once

#include "blocks/discrete/pole_zero.h"

#include <hilda/block.h>

namespace hilda {

/// What ZeroPoleGain in s and in z have in common: texts as a realisation, one column of states an element.
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

} // namespace hilda
