// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/linearize/signal_elements.h"
#include "engine/analysis/detail/trim/trim_values.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hilda::analysis {

/// What a system does at its first ticks with other values of parameters.
class TrimTrial {
public:
  /// Finds what is required and which states count; faults are reported (trim-signal, trim-value).
  TrimTrial(const System& system, const TrimOptions& options, Diagnostics& diagnostics);

  /// How far each state is from rest, relative to the size that it had in the first trial (of what has become huge a
  /// huge change would else pass for rest), and each required signal from its value; none where the run ends before, of
  /// `why` has the reason.
  std::optional<Eigen::VectorXd> distance(const std::vector<ParameterText>& texts, std::string& why);
  /// The same, by name, of the last trial.
  std::vector<TrimRest> rest() const { return rest_; }
  int trials() const { return trials_; }
  /// Behind the first trial: reports what may move and is not a state (trim-moving).
  void check_moving(Diagnostics& diagnostics) const;

private:
  struct Target {
    SignalElement element;
    double value = 0; ///< SI
  };
  void add_target(const WantedValue& wanted, Diagnostics& diagnostics);
  bool counts(BlockIndex block) const;
  bool free(const std::string& name) const;
  class Standing;
  void measure(Runtime& runtime, std::int64_t ticks, bool carried_alone);
  bool run(const std::vector<ParameterText>& texts, SolverKind solver, std::int64_t ticks, bool carried_alone,
           std::string& why);

  const System& system_;
  const TrimOptions& options_;
  ParameterDependencies dependencies_;
  std::vector<Target> targets_;
  std::vector<TrimRest> rest_;
  Eigen::VectorXd sizes_;          ///< of what may be at rest, in the first trial
  std::vector<std::string> names_; ///< of all states, and of that
  int trials_ = 0;
};

} // namespace hilda::analysis
