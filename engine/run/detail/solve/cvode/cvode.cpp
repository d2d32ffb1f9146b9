// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/cvode/cvode.h"

#ifdef HILDA_CVODE
#include "engine/run/detail/solve/cvode/multistep.h"
#endif

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace hilda::run {

void refuse_without_cvode(const SolverSettings& settings, Diagnostics& diagnostics) {
  diagnostics.error("solver-missing", settings.where,
                    fmt::format("the solver '{}' is CVODE's, and this hilda was built where CVODE is not installed",
                                solver_name(settings.kind)),
                    fmt::format("install Debian's libsundials-dev (apt-get install libsundials-dev) and build hilda "
                                "again, as ./run does, or take solver=\"{}\"",
                                settings.kind == SolverKind::adams ? "dopri5" : "rosenbrock"));
}

#ifdef HILDA_CVODE

namespace {

constexpr std::size_t always_dense = 16;         ///< states: below, a pattern costs more than it saves
constexpr std::size_t most_dense = 2000;         ///< states
constexpr std::size_t most_entries = 20'000'000; ///< of sparse factors: 160 MB

} // namespace

bool has_cvode() { return true; }

std::unique_ptr<Method> make_cvode(RightHandSide& f, const Tolerances& tolerances, StateInfluence influence,
                                   const SolverSettings& settings, Diagnostics& diagnostics) {
  if (settings.kind == SolverKind::adams) return std::make_unique<Multistep>(f, tolerances);
  const std::size_t n = f.size();
  std::optional<SparseElimination> sparse;
  if (n > always_dense) sparse = SparseElimination::of(influence.rows, std::min(4 * n + n * n / 16, most_entries));
  if (!sparse && n > most_dense) {
    diagnostics.error("solver-size", settings.where,
                      fmt::format("cvode needs a dense matrix here, since most of the {} states reach each other, and "
                                  "more than {} are too many for one",
                                  n, most_dense),
                      "take solver=\"adams\" or solver=\"dopri5\" where the equations are not stiff");
    return nullptr;
  }
  return std::make_unique<Multistep>(f, tolerances, std::move(influence), std::move(sparse));
}

#else

bool has_cvode() { return false; }

std::unique_ptr<Method> make_cvode(RightHandSide& /*f*/, const Tolerances& /*tolerances*/, StateInfluence /*influence*/,
                                   const SolverSettings& settings, Diagnostics& diagnostics) {
  refuse_without_cvode(settings, diagnostics);
  return nullptr;
}

#endif

} // namespace hilda::run
