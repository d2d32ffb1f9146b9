#pragma once

#include "engine/model/system.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda {

/// One element of a block's output.
struct SignalElement {
  PortRef port;
  SignalType type;
  int element = 0;
  std::string name; ///< "arm.q[2]"
};

/// The elements that a text names: all of "arm.q", or one, "arm.q[2]" and "matrix.y[0,1]". Nothing where there is none.
std::vector<SignalElement> find_elements(const System& system, const std::string& text);
/// Paths of all outputs, for suggestions.
std::vector<std::string> output_paths(const System& system);

/// Puts a block behind a signal that adds a number of its own to each element, so that all readers see the sum, at
/// minor steps too. The wires of the system move to it; the plan sorts it like any other block.
class Perturbation {
public:
  /// Appends the block to `system`.
  Perturbation(System& system, const SignalElement& signal);
  BlockIndex block() const { return block_; }
  static constexpr SlotIndex addend_slot{2}; ///< work slot: what is added
  static constexpr SlotIndex output_slot{1};

private:
  BlockIndex block_{};
};

} // namespace hilda
