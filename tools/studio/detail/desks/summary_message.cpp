// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary_figures.h"
#include "tools/studio/detail/desks/facts.h"

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

/// Of the loop itself and no block.
Json loop_figure(const std::string& key, Json value, const char* unit = "") {
  return {{"block", "realtime"}, {"key", key}, {"value", std::move(value)}, {"unit", unit}};
}

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

Json paced_summary(const PacedProgress& now) {
  return {{"op", "summary"},
          {"figures", Json::array({loop_figure("ticks", now.ticks), loop_figure("lost", now.lost),
                                   loop_figure("late", now.late), loop_figure("overruns", now.overruns)})},
          {"tables", Json::array()},
          {"warnings", Json::array()}};
}

Json paced_summary(const Runtime& runtime, const PacedResult& result) {
  Json message = summary_message(runtime);
  const RealtimeFigures& loop = result.figures;
  Json& figures = message["figures"];
  figures.push_back(loop_figure("ticks", loop.ticks));
  figures.push_back(loop_figure("lost", loop.lost));
  figures.push_back(loop_figure("late", loop.late));
  figures.push_back(loop_figure("overruns", loop.overruns));
  figures.push_back(loop_figure("log_dropped", loop.log_dropped));
  for (const auto& [key, of] :
       {std::pair{"jitter", &loop.jitter}, {"reply", &loop.reply}, {"compute", &loop.compute}}) {
    if (of->count() == 0) continue;
    figures.push_back(loop_figure(std::string(key) + ".p99", 1e-9 * static_cast<double>(of->percentile(0.99)), "s"));
    figures.push_back(loop_figure(std::string(key) + ".max", 1e-9 * static_cast<double>(of->max()), "s"));
  }
  return message;
}

} // namespace hilda::studio
