// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/timed_settings.h"

#include "engine/base/error.h"
#include "engine/compile/detail/check/played_inputs.h"
#include "engine/compile/detail/flatten/evaluation.h"

#include <algorithm>
#include <cmath>

namespace hilda::compile {
namespace {

std::optional<double> seconds_of(const Attribute& at, Evaluation& evaluation, Diagnostics& diagnostics) {
  static const UnitReading second = *parse_unit("s");
  const std::optional<Value> value = evaluation.read(at.text, at.where, ScopeIndex(0));
  if (!value) return std::nullopt;
  const Result<Shaped> fitted = fit(*value, {Wanted::Element::real, Extent::scalar(), second, "s"});
  if (fitted) return fitted->numbers[0];
  const Error& why = fitted.error();
  if (!why.already_reported()) diagnostics.error(why.code.c_str(), at.where, "at: " + why.what, why.help);
  return std::nullopt;
}

void settle(TimedSetting& timed, const Rational& base, Evaluation& evaluation, Diagnostics& diagnostics) {
  const std::optional<double> seconds = seconds_of(timed.at, evaluation, diagnostics);
  if (!seconds) return;
  const double ticks = *seconds / base.value();
  const double tick = std::round(ticks);
  if (!(ticks > -tick_slack && ticks < latest_tick))
    return diagnostics.error("setting-time", timed.at.where,
                             "at: the run begins at 0 s, and this is " + decimal(*seconds) + " s",
                             "write a time from 0 s on");
  timed.tick = static_cast<std::int64_t>(tick);
  if (std::abs(ticks - tick) > tick_slack)
    diagnostics.error("setting-time", timed.at.where,
                      "at: " + decimal(*seconds) + " s lies between two ticks of " + base.text() + " s",
                      "the next tick is at " + decimal((Rational(timed.tick) * base).value()) + " s");
}

std::vector<TimedChange> by_tick(const std::vector<TimedSetting>& all) {
  std::vector<TimedChange> changes;
  for (const TimedSetting& timed : all) {
    if (changes.empty() || changes.back().tick != timed.tick) changes.push_back({timed.tick, {}});
    std::vector<Attribute>& settings = changes.back().settings;
    std::erase_if(settings, [&timed](const Attribute& each) { return each.name == timed.setting.name; });
    settings.push_back(timed.setting); // of several the last counts
  }
  return changes;
}

/// Codes: setting-time, setting-paused and those of look_at_change.
std::vector<TimedChange> settle_timed(const System& system, std::vector<TimedSetting> all, Diagnostics& diagnostics) {
  if (all.empty()) return {};
  const std::size_t before = diagnostics.errors();
  ParameterTable table = system.parameters;
  Evaluation evaluation(table, diagnostics);
  for (const ParameterIndex parameter : table.indices()) evaluation.keep(parameter);
  for (TimedSetting& timed : all) settle(timed, system.base, evaluation, diagnostics);
  if (diagnostics.errors() != before) return {};
  std::stable_sort(all.begin(), all.end(),
                   [](const TimedSetting& a, const TimedSetting& b) { return a.tick < b.tick; });
  std::vector<TimedChange> changes = by_tick(all);
  System then = system;
  for (const TimedChange& change : changes) {
    const std::optional<LiveChange> looked = look_at_change(then, change.settings, diagnostics);
    if (looked && looked->needs == ChangeNeeds::rebuild)
      diagnostics.error("setting-paused", change.settings.front().where,
                        in_quotes(change.settings.front().name) + " can only be changed while the loop is paused",
                        "set it without a time");
    else if (looked)
      adopt(then, looked->change);
  }
  return changes;
}

} // namespace

std::vector<TimedChange> settle_late(const System& system, LateSettings late, PlayedFiles files,
                                     Diagnostics& diagnostics) {
  std::vector<TimedChange> changes = settle_timed(system, std::move(late.timed), diagnostics);
  if (files == PlayedFiles::read) add_played(system, late.played, changes, diagnostics);
  return changes;
}

} // namespace hilda::compile
