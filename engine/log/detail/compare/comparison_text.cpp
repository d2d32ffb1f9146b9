// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/comparison.h"

#include "engine/base/plain_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::log {
namespace {

bool read_number(std::string_view text, double& number) {
  const std::optional<double> read = plain_number(text);
  if (!read || !std::isfinite(*read) || *read < 0) return false;
  number = *read;
  return true;
}

std::string with_unit(const std::string& unit) { return unit.empty() ? "" : " " + unit; }

std::string allowed_text(const ElementDifference& element) {
  const Tolerance& t = element.tolerance;
  if (t.absolute == 0 && t.relative == 0) return "none";
  std::string text;
  if (t.absolute > 0) text = fmt::format("{}{}", t.absolute, with_unit(element.unit));
  if (t.relative > 0) text += fmt::format("{}{} relative", text.empty() ? "" : " + ", t.relative);
  return text;
}

std::string difference_text(const ElementDifference& element) {
  const ElementDifference::At &first = *element.first, &worst = *element.worst;
  return fmt::format(
      "  {}\n    first at t = {} s: {} and {}{}, apart by {:.3g}, allowed {}\n    worst at t = {} s: {} and "
      "{}{}, apart by {:.3g}; {} of {} samples\n",
      element.name, first.time, first.a, first.b, with_unit(element.unit), first.difference, allowed_text(element),
      worst.time, worst.a, worst.b, with_unit(element.unit), worst.difference, element.beyond, element.samples);
}

/// Channels that end alike are one line.
std::string lone_text(const std::vector<LoneSamples>& all, const std::string& a, const std::string& b) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto like = [&one = all[i]](const LoneSamples& other) {
      return other.in_a == one.in_a && other.first == one.first && other.count == one.count;
    };
    if (std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), like)) continue;
    const auto alike = std::count_if(all.begin(), all.end(), like);
    text += fmt::format("  {}{}: {} samples from t = {} s on are in {} only\n", all[i].channel,
                        alike > 1 ? fmt::format(" and {} more", alike - 1) : "", all[i].count, all[i].first,
                        all[i].in_a ? a : b);
  }
  return text;
}

std::string agreement_text(const LogComparison& comparison) {
  std::uint64_t samples = 0;
  const ElementDifference* worst = nullptr;
  for (const ElementDifference& each : comparison.elements) {
    samples += each.samples;
    if (each.worst && (worst == nullptr || each.worst->difference > worst->worst->difference)) worst = &each;
  }
  std::string text = fmt::format("equal: {} numbers a tick, {} samples, up to t = {} s\n", comparison.elements.size(),
                                 samples, comparison.end);
  if (worst != nullptr)
    text += fmt::format("worst within tolerance: {} at t = {} s, apart by {:.3g}{}\n", worst->name, worst->worst->time,
                        worst->worst->difference, with_unit(worst->unit));
  return text;
}

} // namespace

bool LogComparison::compared() const {
  return std::any_of(elements.begin(), elements.end(), [](const auto& each) { return each.samples > 0; });
}

bool LogComparison::equal() const {
  return compared() && only_in_a.empty() && only_in_b.empty() && unlike.empty() && lone.empty() &&
         std::none_of(elements.begin(), elements.end(), [](const auto& each) { return each.beyond > 0; });
}

std::optional<Tolerance> read_tolerance(const std::string& text, std::string& error) {
  Tolerance tolerance;
  std::string_view numbers = text;
  if (const std::size_t sign = text.rfind('='); sign != std::string::npos) {
    tolerance.pattern = text.substr(0, sign);
    numbers.remove_prefix(sign + 1);
  }
  const std::size_t comma = std::min(numbers.find(','), numbers.size());
  const bool sound = !tolerance.pattern.empty() && read_number(numbers.substr(0, comma), tolerance.absolute) &&
                     (comma == numbers.size() || read_number(numbers.substr(comma + 1), tolerance.relative));
  if (sound) return tolerance;
  error = fmt::format("'{}' is not a tolerance: ABSOLUTE or ABSOLUTE,RELATIVE, optionally after PATTERN=, such as "
                      "'*.energy=1e-6,1e-3'",
                      text);
  return std::nullopt;
}

std::string comparison_text(const LogComparison& comparison, const std::string& name_a, const std::string& name_b) {
  if (comparison.equal()) return agreement_text(comparison);
  if (!comparison.compared() && comparison.lone.empty())
    return comparison.elements.empty() && comparison.only_in_a.empty() && comparison.only_in_b.empty() &&
                   comparison.unlike.empty()
               ? "nothing was compared: no signal is chosen\nhelp: --signals and --ignore choose; leave one of them "
                 "out\n"
               : "nothing was compared: the logs have no sample in common\n";
  std::vector<const ElementDifference*> beyond;
  for (const ElementDifference& each : comparison.elements)
    if (each.beyond > 0) beyond.push_back(&each);
  std::stable_sort(beyond.begin(), beyond.end(),
                   [](const auto* a, const auto* b) { return a->first->time < b->first->time; });
  std::string text;
  if (!beyond.empty())
    text += fmt::format("beyond tolerance first at t = {} s in {}; {} of {} numbers differ\n",
                        beyond.front()->first->time, beyond.front()->name, beyond.size(), comparison.elements.size());
  // In the order in which they begin: what comes first is nearest to the cause.
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < beyond.size() && i < most; ++i) text += difference_text(*beyond[i]);
  if (beyond.size() > most)
    text +=
        fmt::format("  and {} more numbers, which differ later; --signals and --ignore choose\n", beyond.size() - most);
  text += lone_text(comparison.lone, name_a, name_b);
  for (const std::string& name : comparison.only_in_a) text += fmt::format("  {} is in {} only\n", name, name_a);
  for (const std::string& name : comparison.only_in_b) text += fmt::format("  {} is in {} only\n", name, name_b);
  for (const std::string& words : comparison.unlike) text += "  " + words + "\n";
  return text;
}

} // namespace hilda::log
