// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/recordings/csv_signals.h"

#include "engine/base/error.h"
#include "engine/quantity/printed_unit.h"

#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace hilda::log {
namespace {

constexpr std::size_t longest_line = 1 << 20, most_columns = 10'000;
constexpr const char* shape =
    "the first line names the columns, 'time [s],arm.force [N]', and each other line has a number for each of them, or "
    "an empty cell";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Cells of a line; a quoted one may hold separators, and a quote twice.
void split(std::string_view line, char separator, std::vector<std::string>& cells) {
  cells.assign(1, {});
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == separator && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
}

/// The first one outside of quotes; 0: there is none.
char separator_in(std::string_view line) {
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '\t' || c == ';' || c == ',')) return c;
  }
  return 0;
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "arm.force [N]"
struct Heading {
  std::string name, unit;
  bool has_unit = false;
};

Heading heading_of(std::string_view cell) {
  const std::string_view text = trimmed(cell);
  const std::size_t open = text.rfind('[');
  if (!text.ends_with(']') || open == std::string_view::npos || open == 0 || text[open - 1] != ' ')
    return {std::string(text), "", false};
  return {std::string(trimmed(text.substr(0, open))), std::string(text.substr(open + 1, text.size() - open - 2)), true};
}

class CsvSignals {
public:
  explicit CsvSignals(RecordedFileFault& fault) : fault_(fault) {}

  std::optional<RecordedFile> read(std::istream& in) {
    std::string line;
    while (std::getline(in, line)) {
      ++line_;
      if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
      if (line.size() > longest_line || line.find('\0') != std::string::npos) return no_table();
      if (line.ends_with('\r')) line.pop_back();
      const std::string_view text = trimmed(line);
      if (text.empty() || text.front() == '#') continue;
      if (!(separator_ == 0 ? take_head(line) : take_row(line))) return std::nullopt; // tabs at the ends are cells
    }
    if (separator_ == 0) return refuse("it is empty", shape);
    if (last_line_ == 0) return refuse("it has no line of numbers", shape);
    return std::move(made_);
  }

private:
  std::nullopt_t refuse(std::string what, std::string help) {
    fault_ = {std::move(what), std::move(help), line_};
    return std::nullopt;
  }
  std::nullopt_t no_table() {
    fault_ = {"it is neither a log (MCAP), nor a MAT file, nor a table of comma-separated values as text (UTF-8)", ""};
    return std::nullopt;
  }
  bool fail(std::string what, std::string help) {
    refuse(std::move(what), std::move(help));
    return false;
  }

  bool take_head(std::string_view text) {
    separator_ = separator_in(text);
    if (separator_ == 0) return no_table(), false;
    split(text, separator_, cells_);
    if (number_in(trimmed(cells_.front()))) return fail("the columns have no names", shape);
    if (cells_.size() > most_columns) return fail("it has more than 10000 columns", "leave some of them out");
    std::set<std::string> names;
    for (const std::string& cell : cells_) {
      const Heading heading = heading_of(cell);
      if (heading.name.empty()) return fail("column " + std::to_string(names.size() + 1) + " has no name", shape);
      if (!names.insert(heading.name).second)
        return fail("two columns are called " + in_quotes(heading.name), "rename one of them");
      const Result<UnitReading> unit = parse_unit(heading.unit);
      if (!unit)
        return fail("the unit of column " + in_quotes(heading.name) + " is " + in_quotes(heading.unit) + ": " +
                        unit.error().what,
                    unit.error().help);
      readings_.push_back(*unit);
      if (readings_.size() == 1) {
        if (heading.has_unit && unit->unit != Unit(Unit::Base::time))
          return fail("the first column is " + in_quotes(heading.name) + " in " + heading.unit + ", and must be a time",
                      "put the times first, 'time [s]'");
        continue;
      }
      RecordedFile::Named column{heading.name, {}};
      column.recording.has_unit = heading.has_unit;
      if (heading.has_unit && !unit->unit.dimensionless())
        column.recording.unit = printed_unit(*unit, heading.unit).text();
      made_.signals.push_back(std::move(column));
    }
    return true;
  }

  bool take_row(std::string_view text) {
    split(text, separator_, cells_);
    if (cells_.size() != readings_.size())
      return fail("it has " + std::to_string(cells_.size()) + " cells, and the first line names " +
                      std::to_string(readings_.size()) + " columns",
                  separator_ == ';' ? shape : std::string(shape) + "; numbers have a decimal point");
    const std::optional<double> time = number_in(trimmed(cells_.front()));
    if (!time || !std::isfinite(*time))
      return fail("the time is " + in_quotes(std::string(trimmed(cells_.front()))),
                  "a time is a number with a decimal point");
    const double t = readings_.front().to_si(*time);
    if (last_line_ != 0 && !(t > last_))
      return fail("its time " + std::string(trimmed(cells_.front())) + " is not later than that of line " +
                      std::to_string(last_line_),
                  "sort the lines by time, and keep one line for each time");
    last_ = t, last_line_ = line_;
    for (std::size_t i = 1; i < cells_.size(); ++i)
      if (!take_cell(i, t)) return false;
    return true;
  }

  bool take_cell(std::size_t column, double t) {
    const std::string_view text = trimmed(cells_[column]);
    if (text.empty()) return true; // not sampled then
    RecordedFile::Named& signal = made_.signals[column - 1];
    const std::optional<double> value = number_in(text);
    if (!value)
      return fail(in_quotes(signal.name) + " is " + in_quotes(std::string(text)),
                  "a value is a number with a decimal point, 'nan', or an empty cell");
    const UnitReading& reading = readings_[column];
    signal.recording.times.push_back(t);
    signal.recording.values.push_back(reading.factor() == 1 && reading.offset == 0 ? *value : reading.to_si(*value));
    return true;
  }

  RecordedFileFault& fault_;
  RecordedFile made_;
  std::vector<UnitReading> readings_;
  std::vector<std::string> cells_;
  std::size_t line_ = 0, last_line_ = 0;
  double last_ = 0;
  char separator_ = 0;
};

} // namespace

std::optional<RecordedFile> signals_of_csv(std::istream& in, RecordedFileFault& fault) {
  return CsvSignals(fault).read(in);
}

} // namespace hilda::log
