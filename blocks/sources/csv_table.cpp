// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/csv_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace hilda {
namespace {

constexpr std::size_t longest_line = 1'000'000, most_values = 200'000'000;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // with which spreadsheets begin a text

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\"";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Where a cell ends: at the first separator that is not within quotes; npos at the end of the line.
std::size_t end_of_cell(std::string_view line, char separator) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line[first] != '"') return line.find(separator);
  bool quoted = false;
  for (std::size_t at = first; at < line.size(); ++at) {
    if (line[at] == '"') quoted = !quoted; // a quote within is doubled
    if (line[at] == separator && !quoted) return at;
  }
  return std::string_view::npos;
}

bool holds_unquoted(std::string_view line, char sought) {
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == sought && !quoted) return true;
  }
  return false;
}

std::vector<std::string_view> cells(std::string_view line, char separator) {
  std::vector<std::string_view> found;
  while (true) {
    const std::size_t end = end_of_cell(line, separator);
    found.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return found;
    line.remove_prefix(end + 1);
  }
}

std::optional<double> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(std::size_t line, const std::string& text) {
  throw std::runtime_error("line " + std::to_string(line) + " " + text);
}

/// The name that a cell holds: a doubled quote is one.
std::string name_of(std::string_view cell) {
  std::string name;
  for (std::size_t at = 0; at < cell.size(); ++at) {
    name += cell[at];
    if (cell.substr(at, 2) == "\"\"") ++at;
  }
  return name;
}

/// A line ends with LF, CR LF, or CR alone.
bool next_line(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& text = *in.rdbuf();
  constexpr int end = std::char_traits<char>::eof();
  int c = text.sbumpc();
  if (c == end) return false;
  for (; c != end && c != '\n'; c = text.sbumpc()) {
    if (c == '\r') {
      if (text.sgetc() == '\n') text.sbumpc();
      break;
    }
    line += static_cast<char>(c);
    if (line.size() > longest_line) break;
  }
  return true;
}

class Reader {
public:
  CsvTable read(std::istream& in) {
    std::string line;
    while (next_line(in, line)) {
      ++line_;
      refuse_other_than_text(line);
      if (line.size() > longest_line)
        refuse(line_, "is longer than a million characters; this is not a table of numbers");
      if (line_ == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
      const std::string_view text = trimmed(line);
      if (!text.empty() && text.front() != '#') take(line);
    }
    if (table_.rows() == 0) throw std::runtime_error("holds no line of numbers");
    return std::move(table_);
  }

private:
  void refuse_other_than_text(const std::string& line) const {
    const std::string_view mark = std::string_view(line).substr(0, 2);
    const bool wide = line_ == 1 && (mark == "\xFF\xFE" || mark == "\xFE\xFF");
    if (wide) throw std::runtime_error("is in UTF-16; save it as UTF-8, which spreadsheets call \"CSV UTF-8\"");
    if (line.find('\0') != std::string::npos) refuse(line_, "holds a NUL byte; this is not a table as text (UTF-8)");
  }

  void take(const std::string& line) {
    if (!begun_) separator_ = holds_unquoted(line, ';') ? ';' : ',';
    const std::vector<std::string_view> found = cells(line, separator_);
    const bool header = !begun_ && names(found);
    if (!begun_) table_.columns.resize(found.size());
    begun_ = true;
    if (header) {
      for (const std::string_view each : found) table_.names.push_back(name_of(each));
      return;
    }
    if (found.size() != table_.columns.size())
      refuse(line_, "has " + std::to_string(found.size()) + " values, the lines before it have " +
                        std::to_string(table_.columns.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::optional<double> value = number(found[i]);
      if (!value)
        refuse(line_, "holds \"" + std::string(found[i].substr(0, 40)) +
                          "\", which is not a number; write a decimal point and no unit");
      if (!std::isfinite(*value))
        refuse(line_,
               "holds \"" + std::string(found[i]) +
                   "\", which is not a finite number; leave the line out: the value between two others is known");
      table_.columns[i].push_back(*value);
    }
    if ((values_ += found.size()) > most_values)
      refuse(line_, "makes the file larger than 200 million numbers; thin it out");
  }

  /// A first cell that begins like a number is not the name of the time: the line's other faults are reported.
  static bool names(const std::vector<std::string_view>& found) {
    return found.front().empty() || std::string_view("+-.0123456789").find(found.front().front()) == std::string::npos;
  }

  CsvTable table_;
  std::size_t line_ = 0, values_ = 0;
  char separator_ = ',';
  bool begun_ = false;
};

std::size_t find_column(const CsvTable& table, const std::string& word) {
  const auto named = std::find(table.names.begin(), table.names.end(), word);
  if (named != table.names.end() && std::find(named + 1, table.names.end(), word) != table.names.end())
    throw std::runtime_error("has more than one column \"" + word +
                             "\"; name the one that is meant by its number, from 0");
  if (named != table.names.end()) return static_cast<std::size_t>(named - table.names.begin());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error == std::errc() && end == word.data() + word.size() && index < table.columns.size()) return index;
  std::string there;
  bool blanks = false;
  for (const std::string& name : table.names) {
    there += (there.empty() ? "" : ", ") + name;
    blanks = blanks || name.find(' ') != std::string::npos;
  }
  throw std::runtime_error(
      "has no column \"" + word + "\"; " +
      (there.empty() ? "it has " + std::to_string(table.columns.size()) + " columns without names, counted from 0"
                     : "its columns are " + there + (blanks ? "; names with blanks are separated by commas" : "")));
}

/// The names in a list. One that holds blanks is the only name, or is between commas.
std::vector<std::string> listed_names(const CsvTable& table, const std::string& list) {
  const std::string whole(trimmed(list));
  if (whole.empty()) return {};
  if (std::find(table.names.begin(), table.names.end(), whole) != table.names.end()) return {whole};
  std::vector<std::string> names;
  if (whole.find(',') != std::string::npos) {
    for (const std::string_view each : cells(whole, ',')) names.emplace_back(each);
    return names;
  }
  std::istringstream words(whole);
  for (std::string word; words >> word;) names.push_back(word);
  return names;
}

} // namespace

CsvTable read_csv(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot be opened: " + path);
  return Reader().read(in);
}

std::vector<std::size_t> choose_columns(const CsvTable& table, const std::string& list) {
  std::vector<std::size_t> chosen;
  for (const std::string& name : listed_names(table, list)) chosen.push_back(find_column(table, name));
  if (!chosen.empty()) return chosen;
  for (std::size_t i = 1; i < table.columns.size(); ++i) chosen.push_back(i);
  if (chosen.empty()) throw std::runtime_error("has one column only; a first one with the time is needed");
  return chosen;
}

} // namespace hilda
