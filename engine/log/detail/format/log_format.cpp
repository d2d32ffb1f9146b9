// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log_format.h"

#include "engine/diagram/name_pattern.h"

#include <charconv>
#include <limits>
#include <set>
#include <span>
#include <string_view>

namespace hilda::log {
namespace {

__extension__ typedef __int128 Wide;

/// The names of the elements of a kind; empty where they have none.
std::span<const std::string_view> names_of(const LogField& field) {
  const std::span<const std::string_view> names = element_names(field.kind);
  const bool fits = field.cols == 1 && static_cast<std::size_t>(field.rows) == names.size();
  return fits ? names : std::span<const std::string_view>{};
}

/// Reads "[2]", "[1][2]" or "[1,2]" into indices; false where it is none of them.
bool read_indices(std::string_view text, std::vector<std::int64_t>& indices) {
  bool inside = false;
  while (!text.empty()) {
    if (!inside && text.front() != '[') return false;
    text.remove_prefix(1);
    std::int64_t index = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (failure != std::errc{} || index < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty() || (text.front() != ']' && text.front() != ',')) return false;
    inside = text.front() == ',';
    if (!inside) text.remove_prefix(1);
    indices.push_back(index);
  }
  return !inside && !indices.empty();
}

ElementRange range_of_part(std::span<const std::string_view> names, std::string_view part) {
  ElementRange range;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == part) return {i, 1};
    if (!names[i].starts_with(std::string(part) + ".")) continue;
    if (range.count++ == 0) range.first = i;
  }
  return range;
}

} // namespace

std::size_t element_bytes(LogElement element) { return element == LogElement::boolean ? 1 : 8; }

const char* element_name(LogElement element) {
  switch (element) {
  case LogElement::f64: return "f64";
  case LogElement::i64: return "i64";
  case LogElement::u64: return "u64";
  case LogElement::boolean: return "bool";
  }
  return "";
}

std::string schema_fault(const LogSchema& schema) {
  constexpr std::size_t most_channels = 65000;
  constexpr std::int64_t most_elements = 1 << 26;
  if (schema.period.numerator() <= 0) return "the log's period must be positive";
  if (schema.channels.size() > most_channels)
    return "the log has " + std::to_string(schema.channels.size()) + " channels, its format can number " +
           std::to_string(most_channels) + "; record fewer blocks";
  std::set<std::string> names;
  for (const LogChannel& channel : schema.channels) {
    if (channel.path.empty()) return "a channel of the log has no name";
    if (channel.divider < 1) return channel.path + ": a divider below 1";
    if (channel.record_class == RecordClass::acquired && !channel.when.empty())
      return channel.path + ": acquired samples are never left out";
    for (const LogField& field : channel.fields) {
      const std::string name = channel.path + "." + field.name;
      if (field.name.empty() || !names.insert(name).second) return name + ": a name missing or given twice";
      if (field.rows < 1 || field.cols < 1 || field.rows > most_elements || field.cols > most_elements / field.rows)
        return name + ": a shape of " + std::to_string(field.rows) + " x " + std::to_string(field.cols) +
               " cannot be recorded";
    }
  }
  return {};
}

double seconds_at(const Rational& period, std::int64_t tick) {
  const Wide numerator = static_cast<Wide>(tick) * period.numerator();
  return static_cast<double>(numerator) / static_cast<double>(period.denominator());
}

std::int64_t nanoseconds_at(const Rational& period, std::int64_t tick) {
  const Wide scaled = static_cast<Wide>(tick) * period.numerator() * 1'000'000'000;
  return static_cast<std::int64_t>((scaled + period.denominator() / 2) / period.denominator());
}

std::optional<std::uint64_t> log_time_at(const Rational& period, std::int64_t tick) {
  Wide scaled = 0;
  if (__builtin_mul_overflow(static_cast<Wide>(tick) * period.numerator(), Wide{1'000'000'000}, &scaled) ||
      __builtin_add_overflow(scaled, Wide{period.denominator() / 2}, &scaled))
    return std::nullopt;
  const Wide time = scaled / period.denominator();
  if (time > Wide{std::numeric_limits<std::uint64_t>::max()}) return std::nullopt;
  return static_cast<std::uint64_t>(time);
}

bool is_time_of(const Rational& period, std::int64_t tick, std::uint64_t nanoseconds) {
  return log_time_at(period, tick) == nanoseconds;
}

std::optional<Rational> period_from(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t numerator = 0, denominator = 0;
  const auto [slash, first] = std::from_chars(text.data(), end, numerator);
  if (first != std::errc{} || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, second] = std::from_chars(slash + 1, end, denominator);
  if (second != std::errc{} || rest != end || numerator <= 0 || denominator <= 0) return std::nullopt;
  return Rational(numerator, denominator);
}

std::string element_suffix(const LogField& field, std::size_t index) {
  if (const auto names = names_of(field); index < names.size()) return "." + std::string(names[index]);
  if (field.elements() == 1) return "";
  if (field.cols == 1 || field.rows == 1) return "[" + std::to_string(index) + "]";
  const auto rows = static_cast<std::size_t>(field.rows);
  return "[" + std::to_string(index % rows) + "][" + std::to_string(index / rows) + "]";
}

ElementRange elements_named(const LogField& field, const std::string& suffix) {
  if (suffix.empty()) return {0, field.elements()};
  // x, y, z of a vector of three, as in a diagram
  const bool axis = suffix.size() == 2 && suffix[0] == '.' && suffix[1] >= 'x' && suffix[1] <= 'z';
  if (axis && field.elements() == 3 && names_of(field).empty()) return {static_cast<std::size_t>(suffix[1] - 'x'), 1};
  if (suffix.front() == '.') return range_of_part(names_of(field), std::string_view(suffix).substr(1));
  std::vector<std::int64_t> indices;
  if (!read_indices(suffix, indices) || indices.size() > 2) return {};
  if (indices.size() == 1 && indices[0] < field.rows * field.cols && (field.cols == 1 || field.rows == 1))
    return {static_cast<std::size_t>(indices[0]), 1};
  if (indices.size() == 2 && indices[0] < field.rows && indices[1] < field.cols)
    return {static_cast<std::size_t>(indices[1] * field.rows + indices[0]), 1};
  return {};
}

} // namespace hilda::log
