// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/attribute.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace hilda::analysis {

/// A parameter that may be varied, each of its numbers, between two limits.
struct VariedParameter {
  std::string path;                      ///< as --set has it: "position.initial", "force.value"
  std::string lowest = {}, highest = {}; ///< "0 N"; empty: none
};

/// A number of a signal that should have a value.
struct WantedValue {
  std::string signal; ///< see find_elements
  std::string value;  ///< "0.5 m"
};

struct TrimOptions {
  std::vector<VariedParameter> vary; ///< none: `initial` of every block that has one
  std::vector<WantedValue> want;
  std::vector<std::string> moving; ///< patterns of states that need not be at rest: "place.*"
  double tolerance = 1e-8;         ///< of rest: change of a state in a second, relative to max(1, |x| at first)
};

/// How much of a state, or of what was required, is left to do.
struct TrimRest {
  std::string name;    ///< "rate.x"; "level.y = 0.5"
  double change = 0;   ///< of a state: in a second, SI; else what is missing
  double size = 1;     ///< what it is measured by
  double rounding = 0; ///< so much of the change shows nothing

  bool within(double tolerance) const { return std::abs(change) <= tolerance * size + rounding; }
};

struct TrimResult {
  bool at_rest = false;            ///< all that is left is within the tolerance
  std::vector<Attribute> settings; ///< path and text of what was varied, as an overlay has them
  std::vector<TrimRest> rest;      ///< the largest first
  int trials = 0;
};

/// Looks for values of parameters with which every state is at rest from one common multiple of the sample times to
/// the next (those that the solver carries by their dx/dt, too), and signals are what they should be: least squares by
/// Levenberg and Marquardt, from the values that the diagram has. Where many would do, one near these is found. Of a
/// block that no one reads, what it puts out counts instead of its states (figures of sinks), unless the solver
/// carries them. None after errors.
std::optional<TrimResult> trim(const System& system, const TrimOptions& options, Diagnostics& diagnostics);

} // namespace hilda::analysis
