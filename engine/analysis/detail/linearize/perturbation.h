// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/linearize/signal_elements.h"
#include "engine/modules.h"

namespace hilda::analysis {

/// Puts a block behind a signal that adds its own number to each element, so that all readers see the sum, at
/// minor steps too. An element may be cut: readers then see that number alone. The wires of the system move to it; the
/// plan sorts it like any other block.
class Perturbation {
public:
  /// Appends the block to `system`.
  Perturbation(System& system, const SignalElement& signal);
  BlockIndex block() const { return block_; }
  static constexpr SlotIndex addend_slot{2}; ///< work slot: the addend
  static constexpr SlotIndex cut_slot{3};    ///< work slot: not 0 where the signal does not pass
  static constexpr SlotIndex output_slot{1};

private:
  BlockIndex block_{};
};

} // namespace hilda::analysis
