// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/trim.h"
#include "engine/compile/parameter_change.h"
#include "engine/modules.h"

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace hilda::analysis {

/// The numbers of the parameters that are varied, as the unknowns of a search without limits, and as texts.
class TrimValues {
public:
  /// Finds the parameters; false after a report (trim-parameter).
  bool find(const System& system, const std::vector<VariedParameter>& wanted, Diagnostics& diagnostics);

  /// Where the search begins: what the diagram has.
  Eigen::VectorXd start() const;
  /// The parameters with the numbers that a point stands for, in SI with their units.
  std::vector<ParameterText> texts(const Eigen::VectorXd& point) const;

private:
  struct Varied {
    ParameterText place;
    Extent extent;
    std::vector<double> numbers; ///< SI, or bare
    std::string unit;            ///< behind the numbers; empty: bare
    double lowest = 0, highest = 0;
  };
  bool add(const System& system, const VariedParameter& wanted, Diagnostics& diagnostics);
  std::vector<Varied> all_;
};

/// Paths of the parameters `initial` of blocks, of real numbers.
std::vector<std::string> initial_values(const System& system);

} // namespace hilda::analysis
