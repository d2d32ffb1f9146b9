// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/LU>
#include <cmath>
#include <hilda/types.h>

namespace hilda {

/// wn^2/(s^2 + 2 xi wn s + wn^2), discretised exactly for an input that is held over the tick. The state is the
/// output's distance from the input, and its rate.
struct SecondOrder {
  using Matrix2 = Fixed<2, 2>;
  using State = Fixed<3, 2>; ///< columns: value, rate; rows: axes

  Matrix2 transition = Matrix2::Identity();
  Fixed<2> ramp = Fixed<2>::Zero(); ///< state of the steady response to a held ramp of slope 1

  /// `wn` in rad/s, above 0; `period` in s.
  static SecondOrder discretised(double wn, double xi, double period) {
    SecondOrder g;
    const double decay = xi * wn, d = wn * wn - decay * decay;
    double c = 1.0, s = period; // critically damped
    if (d > 1e-12 * wn * wn) {
      const double w = std::sqrt(d);
      c = std::cos(w * period), s = std::sin(w * period) / w;
    } else if (d < -1e-12 * wn * wn) {
      const double w = std::sqrt(-d);
      c = std::cosh(w * period), s = std::sinh(w * period) / w;
    }
    const double e = std::exp(-decay * period);
    g.transition << e * (c + decay * s), e * s, -e * wn * wn * s, e * (c - decay * s);
    const Matrix2 inverse = (Matrix2::Identity() - g.transition).inverse();
    g.ramp = inverse.col(0) * -period;
    return g;
  }

  /// Value and rate one tick on, with `input` held.
  State stepped(const State& now, const Vector3& input) const {
    State off = now;
    off.col(0) -= input;
    State next = off * transition.transpose();
    next.col(0) += input;
    return next;
  }

  /// Value and rate on the steady response to the ramp through `input` with slope `rate`.
  State steady(const Vector3& input, const Vector3& rate) const {
    State s = rate * ramp.transpose();
    s.col(0) += input;
    return s;
  }
};

} // namespace hilda
