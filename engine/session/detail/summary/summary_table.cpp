// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary_figures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::session {
namespace {

std::string shown(const SummaryFigure& figure) {
  if (const auto* text = std::get_if<std::string>(&figure.value)) return *text;
  const double number = std::get<double>(figure.value);
  if (!std::isfinite(number)) return std::isnan(number) ? "-" : number > 0 ? "inf" : "-inf";
  if (number == std::round(number) && std::abs(number) < 1e6) return fmt::format("{:.0f}", number);
  return std::abs(number) >= 1e4 && std::abs(number) < 1e7 ? fmt::format("{:.0f}", number)
                                                           : fmt::format("{:.4g}", number);
}

/// "peak_force" reads "peak force", "momentum_error.linear" "momentum error, linear".
std::string spoken(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot)) key.replace(dot, 1, ", ");
  return key;
}

/// Cells by column; every row is as long as the head.
class Table {
public:
  Table(const std::string& name, const std::vector<const SummaryRow*>& rows) : name_(name) {
    for (const SummaryRow* row : rows)
      for (const SummaryFigure& figure : row->columns) column(figure);
    for (const SummaryRow* row : rows)
      for (Column& each : columns_) each.cells.push_back(cell(*row, each.key));
  }

  std::string text() const {
    std::string out = spoken(name_) + "\n";
    line(out, [](const Column& each) { return each.head; });
    line(out, [](const Column& each) { return each.unit; });
    const std::size_t rows = columns_.empty() ? 0 : columns_.front().cells.size();
    for (std::size_t row = 0; row < rows; ++row) line(out, [row](const Column& each) { return each.cells[row]; });
    return out;
  }

private:
  struct Column {
    std::string key, head, unit;
    std::vector<std::string> cells;
    std::size_t width() const {
      std::size_t most = std::max(head.size(), unit.size());
      for (const std::string& one : cells) most = std::max(most, one.size());
      return most;
    }
  };

  void column(const SummaryFigure& figure) {
    for (const Column& known : columns_)
      if (known.key == figure.key) return;
    columns_.push_back({figure.key, spoken(figure.key), figure.unit, {}});
  }

  static std::string cell(const SummaryRow& row, const std::string& key) {
    for (const SummaryFigure& figure : row.columns)
      if (figure.key == key) return shown(figure);
    return "-";
  }

  template <typename Cell> void line(std::string& out, const Cell& cell) const {
    std::string text;
    for (const Column& each : columns_) text += fmt::format("  {:>{}}", cell(each), each.width());
    text.erase(text.find_last_not_of(' ') + 1);
    if (!text.empty()) out += text + "\n";
  }

  std::string name_;
  std::vector<Column> columns_;
};

} // namespace

std::string table_text(const SummaryFigures& figures) {
  std::vector<std::pair<std::string, std::string>> tables; // block and name, in the order of their first rows
  for (const SummaryRow& row : figures.rows) {
    const auto key = std::pair(row.block, row.table);
    if (std::find(tables.begin(), tables.end(), key) == tables.end()) tables.push_back(key);
  }
  std::string out;
  for (const auto& [block, name] : tables) {
    std::vector<const SummaryRow*> rows;
    for (const SummaryRow& row : figures.rows)
      if (row.block == block && row.table == name) rows.push_back(&row);
    out += Table(name, rows).text();
  }
  return out;
}

std::string figure_text(const SummaryFigures& figures) {
  std::size_t width = 0;
  for (const SummaryFigure& figure : figures.figures) width = std::max(width, spoken(figure.key).size());
  std::string out;
  for (const SummaryFigure& figure : figures.figures)
    out += fmt::format("{:<{}}  {}{}{}\n", spoken(figure.key), width, shown(figure), figure.unit.empty() ? "" : " ",
                       figure.unit);
  return out;
}

} // namespace hilda::session
