// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_WHOLE_TICKS_H
#define HILDA_WHOLE_TICKS_H

#include <cmath>
#include <cstdint>
#include <hilda/block.h>
#include <string>

namespace hilda {

/// A delay in ticks: whole ones, and what is left over (only where it is to be interpolated).
struct Ticks {
  std::int64_t ticks = 0;
  double fraction = 0.0;
};

/// What becomes of a delay that is not a whole number of ticks: for a `Parameter<Fractional>`.
enum class Fractional { refuse, round, interpolate };

/// `delay` (s) in ticks of the block's period; within 1e-9 of a whole number it is one. Otherwise `fractional` decides:
/// report an error against `slot` that names the two nearest values, take the nearer one, or keep the fraction.
inline Ticks whole_ticks(const Instance& block, const char* slot, double delay, Fractional fractional) {
  const double exact = delay / block.period(), nearest = std::round(exact);
  if (std::abs(exact - nearest) <= 1e-9 * std::max(1.0, exact)) return {static_cast<std::int64_t>(nearest), 0.0};
  const double below = std::floor(exact);
  if (fractional == Fractional::interpolate) return {static_cast<std::int64_t>(below), exact - below};
  const auto ms = [&](double ticks) {
    std::string text = std::to_string(ticks * block.period() * 1e3);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text + " ms";
  };
  if (fractional == Fractional::round) {
    if (nearest > 0.0) return {static_cast<std::int64_t>(nearest), 0.0};
    block.report(slot, "is shorter than half a tick and would be rounded to nothing; give 0 s or " + ms(1.0));
    return {};
  }
  block.report(slot, "is not a whole number of ticks of " + ms(1.0) + "; give " + ms(below) + " or " + ms(below + 1.0) +
                         ", or set fractional to round or interpolate");
  return {};
}

} // namespace hilda

#endif
