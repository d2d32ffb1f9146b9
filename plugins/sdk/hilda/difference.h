// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_DIFFERENCE_H
#define HILDA_DIFFERENCE_H

// An option of parameters that take any unit: a difference or a factor, and no temperature.

#include <hilda/declare.h>
#include <hilda/flags.h>

namespace hilda {
inline namespace sdk1 {

/// parameter: the difference of two values, or a factor. A unit with its own zero point (degC) is refused.
inline constexpr Flag difference{HILDA_DIFFERENCE};

} // namespace sdk1
} // namespace hilda

#endif
