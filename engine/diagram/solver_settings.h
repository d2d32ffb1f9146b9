// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"
#include "engine/quantity/value.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::diagram {

/// How continuous states are carried: with one step a tick, or with steps as long as an error allows.
enum class SolverKind : std::uint8_t { rk4, euler, dopri5, rosenbrock, cvode, adams };

/// "rk4": as diagrams, options and logs write it.
const char* solver_name(SolverKind kind);
std::optional<SolverKind> solver_named(std::string_view name);
std::vector<std::string> solver_names();
/// Its steps are as long as an error allows, over ticks too.
constexpr bool has_variable_step(SolverKind kind) { return kind != SolverKind::rk4 && kind != SolverKind::euler; }

/// The absolute tolerance of one state: `swing.x=1 um` in `atol`.
struct StateTolerance {
  std::string path;
  Value given;
};

/// `<diagram solver="dopri5" rtol="1e-8" atol="1e-10, swing.x=1 um" max_step="50 ms" events="located">`
struct SolverSettings {
  SolverKind kind = SolverKind::rk4;
  bool located = false;                                      ///< crossings are, with a fixed step too
  double rtol = 1e-6;                                        ///< of a state's own size
  double atol = 1e-9;                                        ///< of states without an own one, in SI
  double max_step = std::numeric_limits<double>::infinity(); ///< s
  std::vector<StateTolerance> states;
  Location where; ///< of the element
};

/// Reports numbers that no solver can keep; `least`: s, the shortest step there is. Code: bad-tolerance.
void check_numbers(const SolverSettings& settings, double least, Diagnostics& diagnostics);

/// What a run asks for in addition to its diagram: a value given here counts.
struct SolverChoice {
  SolverChoice() = default;
  SolverChoice(std::optional<SolverKind> asked) : kind(asked) {}
  SolverChoice(SolverKind asked) : kind(asked) {}
  std::optional<SolverKind> kind;
  std::optional<double> rtol, atol, max_step;

  SolverSettings over(SolverSettings settings) const;
};

} // namespace hilda::diagram
