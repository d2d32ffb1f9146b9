#pragma once

#include "engine/analyse/linearize/signal_elements.h"
#include "engine/analyse/trim/trim_values.h"
#include "engine/loop/runtime.h"

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace hilda {

/// What a system does at its first ticks with other values of parameters.
class TrimTrial {
public:
  /// Finds what is wanted and which states count; what is wrong is reported (trim-signal, trim-value).
  TrimTrial(const System& system, const TrimOptions& options, Diagnostics& diagnostics);

  /// How far each state is from rest, and each wanted signal from its value, relative to the size that it has; none
  /// where the run ends before, of which `why` tells.
  std::optional<Eigen::VectorXd> distance(const std::vector<ParameterText>& texts, std::string& why);
  /// The same, by name, of the last trial.
  std::vector<TrimRest> rest() const { return rest_; }
  int trials() const { return trials_; }

private:
  struct Target {
    SignalElement element;
    double value = 0; ///< SI
  };
  void add_target(const WantedValue& wanted, Diagnostics& diagnostics);
  bool counts(BlockIndex block) const;
  void measure(Runtime& runtime);

  const System& system_;
  const TrimOptions& options_;
  ParameterDependencies dependencies_;
  std::vector<Target> targets_;
  std::vector<TrimRest> rest_;
  int trials_ = 0;
};

} // namespace hilda
