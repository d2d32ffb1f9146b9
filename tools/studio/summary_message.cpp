#include "engine/summary/summary_figures.h"
#include "tools/studio/facts.h"

#include <algorithm>

namespace hilda::studio {
namespace {

Json value_json(const SummaryFigure& figure) {
  if (const double* number = std::get_if<double>(&figure.value)) return *number;
  return std::get<std::string>(figure.value);
}

/// Rows of one table of one block.
struct MessageTable {
  std::string block, name;
  std::vector<const SummaryFigure*> columns;
  std::vector<const SummaryRow*> rows;

  void add(const SummaryRow& row) {
    rows.push_back(&row);
    for (const SummaryFigure& figure : row.columns)
      if (std::none_of(columns.begin(), columns.end(), [&](const auto* each) { return each->key == figure.key; }))
        columns.push_back(&figure);
  }

  Json json() const {
    Json heads = Json::array(), lines = Json::array();
    for (const SummaryFigure* each : columns) heads.push_back({{"key", each->key}, {"unit", each->unit}});
    for (const SummaryRow* row : rows) {
      Json line = Json::array();
      for (const SummaryFigure* column : columns) {
        const auto found = std::find_if(row->columns.begin(), row->columns.end(),
                                        [&](const SummaryFigure& each) { return each.key == column->key; });
        line.push_back(found != row->columns.end() ? value_json(*found) : Json(nullptr));
      }
      lines.push_back(std::move(line));
    }
    return {{"block", block}, {"name", name}, {"columns", std::move(heads)}, {"rows", std::move(lines)}};
  }
};

} // namespace

Json summary_message(const Runtime& runtime) {
  const SummaryFigures said = gather_figures(runtime);
  Json figures = Json::array(), tables = Json::array(), warnings = Json::array();
  for (const SummaryFigure& each : said.figures)
    figures.push_back({{"block", each.block}, {"key", each.key}, {"value", value_json(each)}, {"unit", each.unit}});
  std::vector<MessageTable> all;
  for (const SummaryTable& each : said.tables) all.push_back({each.block, each.name, {}, {}});
  for (const SummaryRow& row : said.rows) {
    auto table = std::find_if(all.begin(), all.end(), [&](const MessageTable& each) {
      return each.block == row.block && each.name == row.table;
    });
    if (table == all.end()) table = all.insert(all.end(), {row.block, row.table, {}, {}});
    table->add(row);
  }
  for (const MessageTable& each : all) tables.push_back(each.json());
  for (const SummaryWarning& each : said.warnings) warnings.push_back({{"block", each.block}, {"text", each.text}});
  return {{"op", "summary"},
          {"figures", std::move(figures)},
          {"tables", std::move(tables)},
          {"warnings", std::move(warnings)}};
}

} // namespace hilda::studio
