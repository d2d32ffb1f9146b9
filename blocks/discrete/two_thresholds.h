// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hilda/per_element.h>

namespace hilda {

/// At an event: what has come above the one threshold is on, what has come below the other is off.
inline void switch_fired(State<Booleans>& on, const Fired& fired, const Crossing<Elements<>>& above,
                         const Crossing<Elements<>>& below) {
  auto state = *on;
  for (Eigen::Index i = 0; i < state.size(); ++i)
    state[i] = fired.direction(above, i) > 0 ? 1 : fired.direction(below, i) > 0 ? 0 : state[i];
}

} // namespace hilda
