// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/study_values.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/quantity/no_names.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace hilda::study {
namespace {

void report(const Error& why, const Attribute& text, Diagnostics& diagnostics) {
  diagnostics.error(why.code.c_str(), text.where, text.name + "=" + in_quotes(text.text) + ": " + why.what, why.help);
}

/// None after a report.
std::optional<Value> value_of(const Attribute& text, Diagnostics& diagnostics) {
  const Result<Value> value = read_value(text.text, NoNames());
  if (value && !value->problem()) return *value;
  report(value ? *value->problem() : value.error(), text, diagnostics);
  return std::nullopt;
}

std::string unit_of(const Value& value) {
  const std::optional<Unit> unit = value.unit();
  return unit ? unit->text() : std::string();
}

WrittenUnit written_of(const Value& value) { return {value.reading(), value.unit_text()}; }

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t\n\r", at);
    if (begin == std::string::npos) break;
    at = std::min(text.find_first_of(" \t\n\r", begin), text.size());
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

AxisValue number_value(double number, const std::string& unit, Location where) {
  const std::string text = setting_text(number, unit);
  return {number, text, text, where};
}

} // namespace

std::optional<StudyNumber> read_number(const Attribute& text, Diagnostics& diagnostics) {
  const std::optional<Value> value = value_of(text, diagnostics);
  if (!value) return std::nullopt;
  const bool one = value->kind == Value::Kind::number && value->scalar();
  if (one && std::isfinite(value->numbers[0]))
    return StudyNumber{value->numbers[0], unit_of(*value), written_of(*value)};
  diagnostics.error("study-number", text.where,
                    text.name + "=" + in_quotes(text.text) + (one ? " is not finite" : " is not one number"),
                    "write a number with its unit, such as 300 kg");
  return std::nullopt;
}

std::optional<std::int64_t> read_count(const Attribute& text, std::int64_t least, std::int64_t most,
                                       Diagnostics& diagnostics) {
  std::int64_t count = 0;
  const char* end = text.text.data() + text.text.size();
  const auto [at, failed] = std::from_chars(text.text.data(), end, count);
  if (failed == std::errc() && at == end && count >= least && count <= most) return count;
  diagnostics.error("study-count", text.where,
                    text.name + "=" + in_quotes(text.text) +
                        fmt::format(" is not a whole number from {} to {}", least, most),
                    "write a whole number, such as 41");
  return std::nullopt;
}

std::string setting_text(double number, const std::string& unit) {
  return unit.empty() || unit == "1" ? decimal(number) : decimal(number) + " " + unit;
}

double rounded(double number) {
  if (!std::isfinite(number)) return number;
  const std::string text = fmt::format("{:.11e}", number);
  double result = number;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

void read_list(const Attribute& list, StudyAxis& into, Diagnostics& diagnostics) {
  if (words_of(list.text).empty()) {
    diagnostics.error("study-range", list.where, list.name + "=\"\" holds no values", "write them with blanks between");
    return;
  }
  const Result<Value> value = read_value(list.text, NoNames());
  if (!value || value->problem()) {
    report(value ? *value->problem() : value.error(), list, diagnostics);
    return;
  }
  if (value->kind != Value::Kind::number) {
    for (const std::string& word : words_of(list.text)) into.values.push_back({NAN, word, word, list.where});
    return;
  }
  into.unit = unit_of(*value), into.written = written_of(*value);
  if (value->extent.rank < 2) {
    into.numeric = true;
    for (const double number : value->numbers) into.values.push_back(number_value(number, into.unit, list.where));
    return;
  }
  for (int row = 0; row < value->extent.rows; ++row) { // each a vector
    std::string text;
    for (int col = 0; col < value->extent.cols; ++col) {
      const int at = col * value->extent.rows + row;
      text += (col > 0 ? " " : "") + decimal(value->numbers[static_cast<std::size_t>(at)]);
    }
    if (!into.unit.empty()) text += " " + into.unit;
    into.values.push_back({NAN, text, text, list.where});
  }
}

void spread(StudyAxis& axis, std::int64_t count, const Attribute& at, Diagnostics& diagnostics) {
  const double from = *axis.from, to = *axis.to;
  if (axis.logarithmic && (from <= 0 || to <= 0)) {
    diagnostics.error("study-range", at.where,
                      fmt::format("spacing=\"log\" needs two ends above 0, not {} and {}", decimal(from), decimal(to)),
                      "move the ends, or leave spacing away");
    return;
  }
  if (count < 2 && from != to) {
    diagnostics.error("study-range", at.where, "one value cannot lie at two ends",
                      "write count=\"2\" or more, or values=\"...\"");
    return;
  }
  axis.numeric = true;
  for (std::int64_t i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    const double number = axis.logarithmic ? from * std::pow(to / from, part) : from + (to - from) * part;
    const bool end = i == 0 || i == count - 1;
    axis.values.push_back(number_value(end ? (i == 0 ? from : to) : rounded(number), axis.unit, at.where));
  }
}

} // namespace hilda::study
