// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/correction.h"

namespace hilda::kuka {

/// How the controller takes what it receives: HOLDON, absolute or relative, and the correction monitors. Wire units.
struct CorrectionRules {
  CorrectionKind kind = CorrectionKind::absolute;
  std::array<bool, 6> hold{};
  Six limit{}; ///< of the whole correction, by size
};

/// Six corrections as the controller holds them.
struct HeldCorrection {
  Six value{}; ///< in force this cycle
  Six sum{};   ///< so far: the value itself where absolute

  /// One cycle. `present`: which values came with an answer in time; the others are held or fall to zero. False: beyond
  /// a monitor's limit.
  bool take(const Six& came, unsigned present, const CorrectionRules& rules) {
    bool within = true;
    for (std::size_t i = 0; i < 6; ++i) {
      if ((present >> i & 1u) != 0)
        value[i] = came[i];
      else if (!rules.hold[i])
        value[i] = 0;
      sum[i] = rules.kind == CorrectionKind::absolute ? value[i] : sum[i] + value[i];
      within = within && sum[i] <= rules.limit[i] && -sum[i] <= rules.limit[i];
    }
    return within;
  }
};

} // namespace hilda::kuka
