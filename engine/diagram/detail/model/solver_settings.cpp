// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/solver_settings.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace hilda::diagram {
namespace {

constexpr std::array<const char*, 6> names = {"rk4", "euler", "dopri5", "rosenbrock", "cvode", "adams"};

} // namespace

const char* solver_name(SolverKind kind) { return names.at(static_cast<std::size_t>(kind)); }

std::optional<SolverKind> solver_named(std::string_view name) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<SolverKind>(found - names.begin());
}

std::vector<std::string> solver_names() { return {names.begin(), names.end()}; }

SolverSettings SolverChoice::over(SolverSettings settings) const {
  if (kind) settings.kind = *kind;
  if (rtol) settings.rtol = *rtol;
  if (atol) settings.atol = *atol;
  if (max_step) settings.max_step = *max_step;
  return settings;
}

void check_numbers(const SolverSettings& settings, double least, Diagnostics& diagnostics) {
  const auto refuse = [&](const char* name, double value, const std::string& help) {
    diagnostics.error("bad-tolerance", settings.where, fmt::format("{} of the solver is {}", name, decimal(value)),
                      help);
  };
  if (!(settings.rtol > 0) || !(settings.rtol < 1))
    refuse("rtol", settings.rtol, "it is a share of a state's size: above 0 and below 1, such as 1e-6");
  else if (settings.rtol < 1e-14)
    refuse("rtol", settings.rtol, "numbers of 16 digits keep no error that small; 1e-13 is about the least");
  if (!(settings.atol > 0)) refuse("atol", settings.atol, "give it above zero: the error that does not matter, in SI");
  if (!(settings.max_step > 0) || !(settings.max_step >= least))
    refuse("max_step", settings.max_step,
           least > 0 ? fmt::format("it is a time, and no shorter than the smallest step, {:.3g} s here", least)
                     : "it is a time, and above zero");
}

} // namespace hilda::diagram
