// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/trim.h"

#include "engine/analysis/detail/trim/least_squares.h"
#include "engine/analysis/detail/trim/trim_trial.h"
#include "engine/analysis/detail/trim/trim_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::analysis {
namespace {

TrimResult result_of(const TrimTrial& trial, const std::vector<ParameterText>& texts, double tolerance) {
  TrimResult result;
  result.rest = trial.rest();
  result.trials = trial.trials();
  const auto left = [](const TrimRest& each) { return std::abs(each.change) / each.size; };
  std::stable_sort(result.rest.begin(), result.rest.end(),
                   [&](const TrimRest& a, const TrimRest& b) { return left(a) > left(b); });
  result.at_rest =
      std::all_of(result.rest.begin(), result.rest.end(), [&](const TrimRest& each) { return each.within(tolerance); });
  for (const ParameterText& each : texts) result.settings.push_back(each.given);
  return result;
}

} // namespace

std::optional<TrimResult> trim(const System& system, const TrimOptions& options, Diagnostics& diagnostics) {
  std::vector<VariedParameter> vary = options.vary;
  if (vary.empty())
    for (const std::string& path : initial_values(system)) vary.push_back({.path = path});
  TrimValues values;
  const bool found = values.find(system, vary, diagnostics);
  TrimTrial trial(system, options, diagnostics);
  if (!found || !diagnostics.ok()) return std::nullopt;
  if (vary.empty()) {
    diagnostics.error("trim-parameter", system.where, "there is nothing to vary: no block has an initial value",
                      "name parameters with --vary");
    return std::nullopt;
  }
  std::string why;
  const Eigen::VectorXd start = values.start();
  if (!trial.distance(values.texts(start), why)) {
    diagnostics.error("trim-start", system.where, "the first ticks cannot be run: " + why,
                      "begin at values with which the diagram runs: --set");
    return std::nullopt;
  }
  trial.check_moving(diagnostics);
  if (!diagnostics.ok()) return std::nullopt;
  const Eigen::VectorXd best =
      least_squares(start, [&](const Eigen::VectorXd& point) { return trial.distance(values.texts(point), why); });
  const std::vector<ParameterText> texts = values.texts(best);
  trial.distance(texts, why);
  return result_of(trial, texts, options.tolerance);
}

} // namespace hilda::analysis
