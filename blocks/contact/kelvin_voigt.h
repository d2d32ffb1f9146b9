// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace hilda {

/// One bounce of a mass off a spring and damper that does not pull, in closed form: m x'' = -(k x + c x') from x = 0
/// until the force is zero.
struct KelvinVoigt {
  double restitution = 1.0; ///< speed after over speed before
  double peak = 0.0;        ///< largest force, N for a speed of 1 m/s

  static KelvinVoigt of(double m, double k, double c) {
    const double w = std::sqrt(k / m), a = c / (2.0 * m);
    KelvinVoigt bounce;
    bounce.restitution = std::exp(-a * duration(w, a));
    bounce.peak = 2.0 * a >= w ? c : m * highest(w, a);
    return bounce;
  }

private:
  /// Of the contact, s.
  static double duration(double w, double a) {
    const double d = w * w - a * a;
    if (d > 1e-12 * w * w) return 2.0 * std::atan2(std::sqrt(d), a) / std::sqrt(d);
    if (d < -1e-12 * w * w) return 2.0 * std::atanh(std::sqrt(-d) / a) / std::sqrt(-d);
    return 2.0 / a;
  }
  /// Of w^2 x + 2 a x' for 2 a < w, where it is not largest at once.
  static double highest(double w, double a) {
    const double wd = std::sqrt(w * w - a * a);
    const double turn = std::atan2(wd * (w * w - 4.0 * a * a), a * (3.0 * w * w - 4.0 * a * a));
    return std::exp(-a * turn / wd) * ((w * w - 2.0 * a * a) / wd * std::sin(turn) + 2.0 * a * std::cos(turn));
  }
};

} // namespace hilda
