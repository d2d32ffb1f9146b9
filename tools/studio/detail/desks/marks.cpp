// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/desks/marks.h"

#include "engine/run/plan.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace hilda::studio {
namespace {

constexpr int looks_a_message = 4; ///< ten messages a second are enough

/// Of the parameter that limits, as it is now; empty where nothing does.
std::vector<double> numbers_of(const SystemBlock& block, const OutputLimits::Limit& limit) {
  for (const ParameterValue& each : block.parameters)
    if (limit.parameter.valid() && each.slot == limit.parameter) return each.value.numbers;
  return {};
}

bool any_finite(const std::vector<double>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](double each) { return std::isfinite(each); });
}

} // namespace

std::vector<Marks::Rule> Marks::rules_of(const System& system) {
  std::vector<Rule> rules;
  for (const Guard& guard : system.guards)
    if (guard.has_enable && guard.signal.block.valid())
      rules.push_back({guard.path, port_text(system, guard.signal), true, {}, {}, {}});
  std::vector<std::string> told_when_loaded;
  for (const SystemBlock& block : system.blocks)
    for (const OutputLimits& each : output_limits(*block.type, told_when_loaded)) {
      std::vector<double> lower = numbers_of(block, each.lower), upper = numbers_of(block, each.upper);
      const std::string signal = block.path + "." + block.type->slots[each.output].name;
      if (any_finite(lower) || any_finite(upper))
        rules.push_back({block.path, signal, false, each, std::move(lower), std::move(upper)});
    }
  return rules;
}

void Marks::look_at(const System& system) {
  std::vector<Rule> rules = rules_of(system);
  hub_.with_signals([&](const ServedSignals& signals) {
    rules_ = std::move(rules);
    begin(signals);
    hub_.past(1, [this](const TickSamples& samples) { take(samples); });
  });
}

void Marks::fail(const std::string& path, const std::string& text) {
  std::optional<Json> told;
  hub_.with_signals([&](const ServedSignals&) {
    Json failed = path.empty() ? Json(nullptr) : Json{{"path", path}, {"kind", "failed"}, {"text", text}};
    if (failed == failed_) return;
    failed_ = std::move(failed);
    told = message(); // at once: the run may be over, and the program end
  });
  if (told) hub_.tell_message(*told);
}

void Marks::begin(const ServedSignals& signals) {
  for (Rule& rule : rules_) {
    rule.reader = {};
    (void)rule.reader.add(rule.signal, signals); // a signal that is not served says nothing
    rule.seen = false;
  }
  told_ = nullptr;
}

void Marks::judge(Rule& rule) {
  const std::span<const double> values = rule.reader.latest();
  if (rule.enable) {
    rule.seen = !values.empty() && values.front() == 0;
    if (rule.seen) rule.text = "does not run, as " + rule.signal + " is false: its outputs are held";
    return;
  }
  for (std::size_t i = 0; i < values.size() && !rule.seen; ++i) {
    const double lower = rule.limits.lower.of(i, rule.lower).value_or(-INFINITY);
    const double upper = rule.limits.upper.of(i, rule.upper).value_or(INFINITY);
    const bool low = std::isfinite(lower) && values[i] <= lower, high = std::isfinite(upper) && values[i] >= upper;
    if (!low && !high) continue;
    const std::string& unit = rule.reader.columns()[i].unit;
    rule.seen = true;
    rule.text = fmt::format("{} is at its limit, {:.6g}{}{}", rule.reader.columns()[i].name, low ? lower : upper,
                            unit.empty() ? "" : " ", unit);
  }
}

void Marks::take(const TickSamples& samples) {
  samples_came_ = true;
  for (Rule& rule : rules_)
    if (rule.reader.take(samples)) judge(rule);
}

std::optional<Json> Marks::news() { return ++looks_ % looks_a_message == 0 ? message() : std::nullopt; }

std::optional<Json> Marks::message() {
  Json blocks = Json::array();
  if (!failed_.is_null()) blocks.push_back(failed_);
  for (Rule& rule : rules_) {
    if (rule.seen)
      blocks.push_back({{"path", rule.path}, {"kind", rule.enable ? "hold" : "saturated"}, {"text", rule.text}});
    // a limit that was met for one tick is to be seen; while the run is its last tick counts
    if (samples_came_ && !rule.enable) rule.seen = false, judge(rule);
  }
  samples_came_ = false;
  if (blocks == told_) return std::nullopt;
  told_ = blocks;
  return Json{{"op", "marks"}, {"blocks", std::move(blocks)}};
}

} // namespace hilda::studio
