// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/linearize/perturbation.h"
#include "engine/analysis/linearize.h"
#include "engine/modules.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace hilda::analysis {

/// The signals that a linear model leads from and to, with a perturbation behind each of the first.
class PerturbedSignals {
public:
  /// Finds them and puts the perturbations into `system`; false after a report (linearize-signal).
  bool find(System& system, const LinearizeOptions& options, Diagnostics& diagnostics);

  const std::vector<SignalElement>& inputs() const { return inputs_; }
  const std::vector<SignalElement>& outputs() const { return outputs_; }

  /// Adds a number to an input; of a signal that is cut it is one that is added to what it was when it was cut.
  void add(Runtime& runtime, std::size_t input, double number) const;
  /// Opens the loop at the one input: its readers see what it is now, and outputs what comes back to it.
  void cut(Runtime& runtime);
  /// What the readers of an output see; where it is cut, what they would.
  double value(Runtime& runtime, std::size_t output) const;

  /// Where what is added enters, and where outputs are seen.
  std::vector<BlockIndex> adding_blocks() const;
  std::vector<BlockIndex> seen_blocks() const;

private:
  using Place = std::tuple<BlockIndex, SlotIndex, int>;
  static Place place_of(const PortRef& port) { return {port.block, port.slot, port.item}; }
  void name(const System& system, const LinearizeOptions& options, const std::string& text,
            std::vector<SignalElement>& list, Diagnostics& diagnostics);
  PortRef seen(const SignalElement& output) const;

  std::vector<SignalElement> inputs_, outputs_;
  std::optional<double> cut_;            ///< what the signal was
  std::map<Place, Perturbation> adders_; ///< by what they are behind
};

} // namespace hilda::analysis
