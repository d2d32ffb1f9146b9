// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>

namespace hilda {

/// Whether `start` has come. A time written in decimal and one counted in ticks may differ in their last digit; half a
/// millionth of a sample time decides for the tick that is meant.
inline bool has_come(double start, double time, double period) { return time - start >= -5e-7 * period; }

/// The same between two ticks, in s: what the last digits of two times near this one may differ by.
inline double last_digits(double time) { return 16 * std::numeric_limits<double>::epsilon() * std::abs(time); }

} // namespace hilda
