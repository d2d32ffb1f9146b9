// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/written/figure_path.h"

#include "engine/base/diagnostic.h"
#include "engine/diagram/suggestion.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace hilda::study {
namespace {

const std::vector<std::string> functions = {"min", "max", "mean", "median", "sum", "deviation", "count"};

Error malformed(const std::string& text, const std::string& why) {
  return make_error("study-path", in_quotes(text) + " names no figure: " + why,
                    "write identified.stiffness, contacts[-1].cov or max(contacts[].peak_force)");
}

/// "blocks.rig.sensor.KEY" means a key of that block, "KEY" that of the first that has it.
bool is_called(const std::string& wanted, const std::string& block, const std::string& key) {
  return wanted == key || wanted == "blocks." + block + "." + key;
}

double number_of(const SummaryFigure& figure) {
  const auto* number = std::get_if<double>(&figure.value);
  return number != nullptr ? *number : NAN;
}

} // namespace

Result<FigurePath> FigurePath::read(const std::string& text) {
  FigurePath path;
  std::string rest = text;
  if (const std::size_t open = rest.find('('); open != std::string::npos) {
    path.function_ = rest.substr(0, open);
    if (rest.back() != ')') return malformed(text, "a parenthesis is not closed");
    if (std::find(functions.begin(), functions.end(), path.function_) == functions.end()) {
      const std::string near = nearest(path.function_, functions);
      return make_error("study-path", in_quotes(text) + ": there is no function " + in_quotes(path.function_),
                        near.empty() ? "there are: " + listed(functions) : "did you mean " + in_quotes(near) + "?");
    }
    rest = rest.substr(open + 1, rest.size() - open - 2);
  }
  const std::size_t open = rest.find('[');
  // "velocity[0]" is a key, "contacts[0].cov" a row's.
  const std::size_t close = rest.find("].", open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) {
    if (rest.empty() || rest.find("[]") != std::string::npos) return malformed(text, "no column of the rows is named");
    if (!path.function_.empty())
      return malformed(text, "a function is of a column: " + path.function_ + "(rows[].column)");
    path.key_ = rest;
    return path;
  }
  path.table_ = rest.substr(0, open);
  path.column_ = rest.substr(close + 2);
  const std::string_view row(rest.data() + open + 1, close - open - 1);
  if (path.table_.empty() || path.column_.empty()) return malformed(text, "a name is missing");
  if (!row.empty()) {
    std::int64_t index = 0;
    const auto [at, failed] = std::from_chars(row.data(), row.data() + row.size(), index);
    if (failed != std::errc() || at != row.data() + row.size())
      return malformed(text, in_quotes(row) + " is not a row");
    path.row_ = index;
  }
  if (row.empty() == path.function_.empty())
    return malformed(text, row.empty() ? "rows[] are many, and one number is expected: max(" + rest + ")"
                                       : "a function is of all rows: " + path.function_ + "(" + path.table_ + "[]." +
                                             path.column_ + ")");
  return path;
}

FoundFigure FigurePath::of(const Runtime& runtime, const SimulationResult& result,
                           const SummaryFigures& figures) const {
  FoundFigure found;
  if (!table_.empty()) {
    found = of_table(figures);
  } else {
    for (const SummaryFigure& figure : figures.figures)
      if (is_called(key_, figure.block, figure.key)) return {number_of(figure) + 0.0, figure.unit, true};
    found = of_engine(runtime, result);
  }
  found.number += 0.0; // there is no -0 among figures: the store has none
  return found;
}

FoundFigure FigurePath::of_table(const SummaryFigures& figures) const {
  FoundFigure result{NAN, "", false};
  const std::string* block = nullptr; // the first that has such a table
  for (const SummaryTable& table : figures.tables)
    if (is_called(table_, table.block, table.name)) {
      block = &table.block;
      result.found = true; // it may have no rows yet, and so no columns
      break;
    }
  std::vector<double> numbers;
  bool column = false, rows = false;
  for (const SummaryRow& row : figures.rows) {
    if (!is_called(table_, row.block, row.table) || (block != nullptr && row.block != *block)) continue;
    block = &row.block;
    rows = true;
    double number = NAN;
    for (const SummaryFigure& figure : row.columns)
      if (figure.key == column_) {
        number = number_of(figure), column = true;
        result.unit = figure.unit;
      }
    numbers.push_back(number);
  }
  if (rows) result.found = column;
  if (!row_) {
    result.number = folded(std::move(numbers));
    if (function_ == "count") result.unit.clear();
    return result;
  }
  const auto size = static_cast<std::int64_t>(numbers.size());
  const std::int64_t at = *row_ < 0 ? size + *row_ : *row_;
  if (at >= 0 && at < size) result.number = numbers[static_cast<std::size_t>(at)];
  return result;
}

/// Of the numbers that are there; NaN of none.
double FigurePath::folded(std::vector<double> numbers) const {
  std::erase_if(numbers, [](double number) { return std::isnan(number); });
  const auto count = static_cast<double>(numbers.size());
  if (function_ == "count") return count;
  if (numbers.empty()) return NAN;
  if (function_ == "min") return *std::min_element(numbers.begin(), numbers.end());
  if (function_ == "max") return *std::max_element(numbers.begin(), numbers.end());
  if (function_ == "median") {
    std::sort(numbers.begin(), numbers.end());
    const std::size_t half = numbers.size() / 2;
    return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
  }
  double sum = 0;
  for (const double number : numbers) sum += number;
  if (function_ == "sum") return sum;
  if (function_ == "mean") return sum / count;
  double squares = 0;
  for (const double number : numbers) squares += (number - sum / count) * (number - sum / count);
  return numbers.size() > 1 ? std::sqrt(squares / (count - 1)) : 0.0;
}

FoundFigure FigurePath::of_engine(const Runtime& runtime, const SimulationResult& result) const {
  if (key_ == "time") return {result.time, "s", true};
  if (key_ == "steps") return {static_cast<double>(result.steps), "", true};
  if (key_ == "account.residual") return {runtime.ledger().residual(), "J", !runtime.ledger().empty()};
  for (const Ledger::Port& port : runtime.ledger().ports()) {
    const std::string begin = "ports." + port.name + ".";
    if (key_ == begin + "energy") return {port.energy, "J", true};
    if (key_ == begin + "lowest") return {port.lowest, "J", true};
    if (key_ == begin + "highest") return {port.highest, "J", true};
  }
  return {NAN, "", false};
}

std::vector<std::string> FigurePath::offered(const Runtime& runtime, const SummaryFigures& figures) {
  std::vector<std::string> names = {"time", "steps"};
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const SummaryFigure& figure : figures.figures)
    if (std::holds_alternative<double>(figure.value)) add(figure.key);
  for (const SummaryTable& table : figures.tables) add(table.name + "[-1].");
  for (const SummaryRow& row : figures.rows)
    for (const SummaryFigure& figure : row.columns)
      if (std::holds_alternative<double>(figure.value)) add(row.table + "[-1]." + figure.key);
  for (const Ledger::Port& port : runtime.ledger().ports()) add("ports." + port.name + ".energy");
  return names;
}

} // namespace hilda::study
