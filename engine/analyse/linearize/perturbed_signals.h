#pragma once

#include "engine/analyse/linearize/linearize.h"
#include "engine/analyse/linearize/perturbation.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hilda {

/// The signals that a linear model leads from and to, with a perturbation behind each of the first.
class PerturbedSignals {
public:
  /// Finds them and puts the perturbations into `system`; false after a report (linearize-signal).
  bool find(System& system, const LinearizeOptions& options, Diagnostics& diagnostics);

  const std::vector<SignalElement>& inputs() const { return inputs_; }
  const std::vector<SignalElement>& outputs() const { return outputs_; }

  /// What is added to an input.
  double& addend(Runtime& runtime, std::size_t input) const;
  /// What the readers of an output see.
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
  std::map<Place, Perturbation> adders_; ///< by what they stand behind
};

} // namespace hilda
