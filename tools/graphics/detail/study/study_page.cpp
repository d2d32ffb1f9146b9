// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/study_page.h"

#include "tools/graphics/content_policy.h"
#include "tools/graphics/detail/study/shown_units.h"
#include "tools/graphics/page.h"
#include "tools/graphics/svg.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hilda::graphics {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf"; // JSON has none
  return value;
}

/// "{{name}}" replaced, each once.
std::string filled(std::string text, const std::string& name, const std::string& by) {
  const std::string mark = "{{" + name + "}}";
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? text : text.replace(at, mark.size(), by);
}

/// A text within <script> must not end it.
std::string harmless(std::string text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  return text;
}

Json columns_of(const StoreHead& head, const std::vector<ShownUnit>& units) {
  Json columns = Json::array();
  int at = 1;
  for (std::size_t c = 0; c < head.coordinates.size(); ++c) {
    const StoreHead::Column& each = head.coordinates[c];
    columns.push_back({{"name", each.name},
                       {"unit", units[c].text},
                       {"at", at++},
                       {"kind", each.drawn     ? "draw"
                                : each.numeric ? "number"
                                               : "word"}});
  }
  for (const StoreHead::Column& each : head.figures)
    columns.push_back({{"name", each.name}, {"unit", each.unit}, {"at", at++}, {"kind", "figure"}});
  return columns;
}

} // namespace

std::optional<std::string> study_page(Store& store, const std::string& file, std::string& error, std::int64_t most) {
  const StoreHead& head = store.head();
  const std::vector<ShownUnit> units = shown_units(head);
  const std::int64_t all = store.rows(), stride = std::max<std::int64_t>(1, (all + most - 1) / most);
  Json rows = Json::array();
  std::int64_t at = 0, failed = 0;
  const bool read = store.each(
      [&](const StudyRow& row) {
        failed += row.failed() ? 1 : 0;
        if (at++ % stride != 0) return true;
        Json line = Json::array({row.run});
        for (std::size_t i = 0; i < row.coordinates.size(); ++i)
          line.push_back(head.coordinates[i].numeric ? number(units[i].of_si(row.coordinates[i].number))
                                                     : Json(row.coordinates[i].label));
        for (const double figure : row.figures) line.push_back(number(figure));
        line.push_back(row.ending);
        line.push_back(row.cause);
        rows.push_back(std::move(line));
        return true;
      },
      0, head.runs);
  if (!read) {
    error = store.error();
    return std::nullopt;
  }
  std::string about = fmt::format("{} of {} runs, {} failed. hilda {} (git {}), study {}", at, head.runs, failed,
                                  head.version, head.git, head.hash);
  if (stride > 1) about += fmt::format(". Every {}th row is in this page.", stride);
  const Json data = {{"file", file}, {"columns", columns_of(head, units)}, {"rows", std::move(rows)}};
  const std::string script = report::page_asset("study.js");
  const std::string json = harmless(data.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string page = report::page_asset("study.html");
  page = filled(page, "policy", svg::content_policy({script}));
  for (int i = 0; i < 2; ++i) page = filled(page, "title", svg::escaped(head.name));
  page = filled(page, "css", report::page_asset("study.css"));
  page = filled(page, "about", svg::escaped(about));
  page = filled(page, "data", json);
  return filled(page, "script", script);
}

} // namespace hilda::graphics
