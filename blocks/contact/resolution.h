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
///   - A robot that does not know of the contact yet goes on at the speed v before it, so the wall force grows by k v T
///     a tick; and what acts on the bodies changes their speed by its sum times T/m. So (w T)^2 = growth dv / (v sum).
///     Of a contact without delay that is 2/pi of it, as the force grows more slowly towards its peak.
class Resolution {
public:
  explicit Resolution(double period) : period_(period) {}

  void add(std::int64_t contact, double peak, double sum) {
    if (sum <= 0.0) return;
    take(contact, 2.0 * peak / sum);
  }
  /// `growth`: of the wall force, a tick, up to its peak; `acting`: sum of the forces that act on the bodies.
  void add_delayed(std::int64_t contact, double growth, double acting, double before, double after) {
    const double square = growth * std::abs((before + after) / acting) / before;
    if (before > 0.0 && std::isfinite(square)) take(contact, std::sqrt(square));
  }

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
