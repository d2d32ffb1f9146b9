// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <hilda/figures.h>

namespace hilda {

/// Whether the sample time T resolves the contacts: w T, w the contact's natural frequency, from what has been seen of
/// them, in two ways, as a delay draws a contact out.
///   - Over half a period F = P sin(w t), so the sum of F T is 2 P/w, and w T = 2 P / sum of F.
///   - A robot that does not know of the contact yet continues at the speed v before it, so the wall force grows by k v
///   T
///     a tick; and a newton that acts on the bodies for a tick changes their speed by T/m. So (w T)^2 is
///     growth T / (v m). Of a contact without delay the root is 2/pi of w T, as the force grows more slowly to its
///     peak.
class Resolution {
public:
  explicit Resolution(double period) : period_(period) {}

  /// What has been seen of a contact.
  struct Contact {
    double peak = 0.0;     ///< of the wall force, N
    double pushes = 0.0;   ///< sum of the wall force over the ticks, N
    double rise = 0.0;     ///< ticks up to the peak, see rise_at
    double before = 0.0;   ///< speed before it, m/s
    double per_push = 0.0; ///< T/m: change of speed by one newton in one tick, m/(N s); not finite where no one knows
  };
  void add(std::int64_t index, const Contact& seen) {
    if (seen.pushes > 0.0) take(index, 2.0 * seen.peak / seen.pushes);
    const double square = seen.peak / seen.rise * seen.per_push / seen.before;
    if (seen.before > 0.0 && std::isfinite(square)) take(index, std::sqrt(square));
  }
  /// Ticks from before a contact that began at `begin` to `now`, s.
  double rise_at(double now, double begin) const { return 1.0 + std::round((now - begin) / period_); }

  void warn(const Summary& summary) const {
    if (unresolved_ == 0) return;
    char text[320];
    std::snprintf(
        text, sizeof text,
        "the sample time of %g s does not resolve %lld contacts: w T = %.2g in contact %lld (w: the contact's "
        "natural frequency), above %g the sampling alone changes the speed by more than 1 %%; take %.1g s or less",
        period_, static_cast<long long>(unresolved_), worst_, static_cast<long long>(which_), limit,
        period_ * limit / worst_);
    hilda::warn(summary, text);
  }

private:
  void take(std::int64_t contact, double phase) {
    if (phase > limit && contact != counted_) unresolved_ += 1, counted_ = contact;
    if (phase > worst_) worst_ = phase, which_ = contact;
  }

  static constexpr double limit = 0.3;
  double period_, worst_ = 0.0;
  std::int64_t unresolved_ = 0, which_ = 0, counted_ = 0;
};

} // namespace hilda
