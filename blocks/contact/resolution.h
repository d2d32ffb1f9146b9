#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <hilda/figures.h>

namespace hilda {

/// Whether the sample time T resolves the contacts: w T, w the contact's natural frequency, from the forces alone. Over
/// half a period F = P sin(w t), so the sum of F T is 2 P/w, and w T = 2 P / sum of F.
class Resolution {
public:
  explicit Resolution(double period) : period_(period) {}

  void add(std::int64_t contact, double peak, double sum) {
    if (sum <= 0.0) return;
    const double phase = 2.0 * peak / sum;
    if (phase > limit) unresolved_ += 1;
    if (phase > worst_) worst_ = phase, which_ = contact;
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
  static constexpr double limit = 0.3;
  double period_, worst_ = 0.0;
  std::int64_t unresolved_ = 0, which_ = 0;
};

} // namespace hilda
