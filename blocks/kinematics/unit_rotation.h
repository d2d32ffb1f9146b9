// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hilda/block.h>

namespace hilda {

/// Reports a rotation of `name` whose length is not 1, but for what a person rounds.
inline void check_unit_length(const Instance& instance, const Parameter<Quaternion>& rotation, const char* name) {
  if (std::abs((*rotation).norm() - 1.0) > 1e-6)
    instance.report(name, "is not a unit quaternion; scale it to length 1");
}

} // namespace hilda
