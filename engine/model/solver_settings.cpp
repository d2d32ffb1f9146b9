#include "engine/model/solver_settings.h"

#include <algorithm>
#include <array>

namespace hilda {
namespace {

constexpr std::array<const char*, 4> names = {"rk4", "euler", "dopri5", "rosenbrock"};

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

} // namespace hilda
