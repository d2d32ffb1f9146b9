// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hilda/per_element.h>

namespace hilda {

/// Reports a breakaway force below that of sliding; 0 stands for that of sliding. After check() of both.
inline void check_breakaway(const Instance& self, const PerElement<Dynamic>& coulomb,
                            const PerElement<Dynamic>& breakaway) {
  for (Eigen::Index i = 0; i < breakaway.size(); ++i)
    if (breakaway[i] != 0 && (coulomb.size() == 1 || breakaway.size() == coulomb.size()) && breakaway[i] < coulomb[i])
      self.report("breakaway",
                  "lies below coulomb: it takes more force to begin to slide than to continue; exchange the two");
}

} // namespace hilda
