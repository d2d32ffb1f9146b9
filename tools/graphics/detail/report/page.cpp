// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/page.h"

#include "tools/graphics/content_policy.h"
#include "tools/graphics/detail/report/page_signal.h"
#include "tools/graphics/detail/report/still_figures.h"
#include "tools/graphics/page_figures.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

namespace hilda::graphics::report {
namespace {

using Json = nlohmann::ordered_json;

/// A log's text as JSON; as it is where it is none.
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

Json entries(const std::map<std::string, std::string>& map) {
  Json object = Json::object();
  for (const auto& [key, value] : map)
    object[key] = key == "summary" || key == "parameters" ? parsed(value) : Json(value);
  return object;
}

Json number(double v) { return std::isfinite(v) ? Json(v) : Json(std::isnan(v) ? "NaN" : v > 0 ? "inf" : "-inf"); }

/// Data blocks of the page, each in a separate element, so that it is decoded only when it is shown.
class Blobs {
public:
  Json add(const std::string& data) {
    if (data.empty()) return nullptr;
    html_ += fmt::format("<script type=\"text/plain\" id=\"d{}\">{}</script>\n", count_, data);
    return count_++;
  }
  const std::string& html() const { return html_; }

private:
  std::string html_;
  int count_ = 0;
};

Json axis_json(const PageAxis& axis, Blobs& blobs) {
  return {{"begin", axis.begin},
          {"step", axis.step},
          {"count", axis.count},
          {"data", blobs.add(axis.data)},
          {"width", axis.width}};
}

Json signal_json(const PageSignal& signal, Blobs& blobs) {
  Json json = {{"name", signal.name}, {"type", signal.block_type},  {"unit", signal.unit},
               {"doc", signal.doc},   {"samples", signal.samples},  {"low", signal.low},
               {"high", signal.high}, {"constant", signal.constant}};
  if (signal.data.empty()) return json;
  json["data"] = blobs.add(signal.data);
  json["width"] = signal.width;
  json["kept"] = signal.kept;
  json["axis"] = signal.axis;
  json["held"] = signal.held;
  if (signal.gap > 0) json["gap"] = signal.gap;
  return json;
}

Json figures_json(const std::vector<PageFigure>& figures) {
  Json list = Json::array();
  for (const PageFigure& figure : figures)
    list.push_back({{"title", figure.title}, {"unit", figure.unit}, {"signals", figure.signals}});
  return list;
}

Json at_json(const std::optional<ElementDifference::At>& at) {
  if (!at) return nullptr;
  return {{"time", at->time}, {"a", number(at->a)}, {"b", number(at->b)}, {"difference", number(at->difference)}};
}

Json comparison_json(const LogComparison& comparison) {
  Json rows = Json::array();
  for (const ElementDifference& each : comparison.elements) {
    if (!each.worst) continue;
    rows.push_back({{"name", each.name},
                    {"unit", each.unit},
                    {"absolute", each.tolerance.absolute},
                    {"relative", each.tolerance.relative},
                    {"samples", each.samples},
                    {"beyond", each.beyond},
                    {"first", at_json(each.first)},
                    {"worst", at_json(each.worst)}});
  }
  Json lone = Json::array();
  for (const LoneSamples& each : comparison.lone)
    lone.push_back({{"channel", each.channel}, {"in_a", each.in_a}, {"first", each.first}, {"count", each.count}});
  return {{"equal", comparison.equal()},    {"compared", comparison.elements.size()},
          {"end", comparison.end},          {"rows", std::move(rows)},
          {"only_a", comparison.only_in_a}, {"only_b", comparison.only_in_b},
          {"unlike", comparison.unlike},    {"lone", std::move(lone)}};
}

Json run_json(PageRun& run, const PageSignals& signals, Blobs& blobs) {
  Json json = {{"name", run.name},
               {"file", run.file},
               {"complete", run.log.complete()},
               {"period", run.log.schema().period.text()},
               {"metadata", entries(run.log.schema().metadata)},
               {"end", entries(run.log.end())}};
  const bool scripts =
      std::any_of(signals.signals.begin(), signals.signals.end(), [](const auto& each) { return !each.data.empty(); });
  if (scripts)
    for (const PageAxis& axis : signals.axes) json["axes"].push_back(axis_json(axis, blobs));
  for (const PageSignal& signal : signals.signals) json["signals"].push_back(signal_json(signal, blobs));
  for (const LogEvent& event : run.log.events())
    json["events"].push_back(
        {{"time", seconds_at(run.log.schema().period, event.tick)}, {"kind", event.kind}, {"text", event.text}});
  json["problems"] = run.log.problems();
  return json;
}

/// JSON inside a script element: nothing in it may look like its end.
std::string script_text(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at)) text.replace(at, 2, "<\\/");
  for (std::size_t at = text.find("<!"); at != std::string::npos; at = text.find("<!", at))
    text.replace(at, 2, "\\u003c!");
  return text;
}

/// Fills the places "{{name}}" of the template in one pass, so that what is filled in is not looked at again.
std::string filled(const std::string& page, const std::map<std::string, std::string>& values) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t open = page.find("{{"); open != std::string::npos; open = page.find("{{", at)) {
    const std::size_t close = page.find("}}", open);
    const auto value = values.find(page.substr(open + 2, close - open - 2));
    out.append(page, at, open - at);
    if (value != values.end()) out += value->second;
    at = close + 2;
  }
  return out.append(page, at, std::string::npos);
}

std::string joined(const std::vector<std::string>& assets) {
  std::string text; // one after the other: the first is used by the next
  for (const std::string& each : assets) text += page_asset(each);
  return text;
}

/// What of a page depends on whether its plots move.
struct Plots {
  std::string html, script, bundle, licences;

  std::vector<std::string_view> scripts() const {
    return bundle.empty() ? std::vector<std::string_view>{script} : std::vector<std::string_view>{bundle, script};
  }
};

/// Paper gets these pictures: a canvas would be coarse, and is drawn late.
Plots moving_plots(const std::string& figures) {
  return {filled(page_asset("moving.html"), {{"figures", figures}}),
          joined({"elements.js", "tables.js", "signals.js", "panels.js", "chosen.js", "page.js"}),
          page_asset("plots.js"),
          fmt::format("<footer class=\"quiet\"><details><summary>Licences of other software in this page"
                      "</summary><pre>{}</pre></details></footer>\n",
                      svg::escaped(page_asset("licences.txt")))};
}

Plots still_plots(const std::string& figures) {
  return {filled(page_asset("still.html"), {{"lacking", svg::escaped(page_lacks())}, {"figures", figures}}),
          joined({"elements.js", "tables.js", "page.js"}), "", ""};
}

std::vector<std::string> names_of(const std::vector<PageRun>& runs) {
  std::vector<std::string> names;
  for (const PageRun& run : runs) names.push_back(run.name);
  return names;
}

/// "pida and dac": what each run's diagram is called, or each run where these are alike.
std::string titled(const std::vector<PageRun>& runs) {
  std::vector<std::string> names;
  for (const PageRun& run : runs) {
    const auto name = run.log.schema().metadata.find("name");
    names.push_back(name == run.log.schema().metadata.end() ? run.name : name->second);
  }
  const bool alike = std::all_of(names.begin(), names.end(), [&names](const auto& each) { return each == names[0]; });
  std::string title = names[0];
  for (std::size_t i = 0; i < runs.size() && alike && runs.size() > 1; ++i)
    title += (i == 0 ? ": " : i + 1 == runs.size() ? " and " : ", ") + runs[i].name;
  for (std::size_t i = 1; i < names.size() && !alike; ++i) title += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return title;
}

} // namespace

std::string page_lacks() { return page_asset("lacking.txt"); }

std::optional<std::string> page_html(std::vector<PageRun>& runs, const PageOptions& options, std::string& error) {
  const bool moving = page_lacks().empty();
  SignalLimits limits = options.limits;
  limits.encoded = moving;
  Blobs blobs;
  Json data = {{"runs", Json::array()}, {"comparisons", Json::array()}, {"units", options.units}};
  std::vector<PageFigure> figures;
  std::vector<PageSignals> still;
  for (PageRun& run : runs) {
    PageSignals signals = read_signals(run.log, limits);
    if (&run == &runs.front()) figures = figures_of(signals.signals, run.log, options.sinks);
    data["runs"].push_back(run_json(run, signals, blobs));
    still.push_back(std::move(signals));
  }
  data["figures"] = figures_json(figures);
  for (std::size_t r = 1; r < runs.size(); ++r) {
    ComparisonOptions how;
    how.tolerances = options.tolerances;
    how.by_time = runs[0].log.schema().period != runs[r].log.schema().period;
    const auto comparison = compare_logs(runs[0].log, runs[r].log, how, error);
    if (!comparison) return std::nullopt;
    data["comparisons"].push_back(comparison_json(*comparison));
  }
  const std::string title = titled(runs);
  const std::string diagram =
      options.diagram.empty() ? "<p class=\"quiet\">" + svg::escaped(options.why_no_diagram) + "</p>" : options.diagram;
  const std::string pictures = still_figures(figures, names_of(runs), still);
  const Plots plots = moving ? moving_plots(pictures) : still_plots(pictures);
  return filled(page_asset("page.html"),
                {{"title", svg::escaped(title)},
                 {"policy", svg::content_policy(plots.scripts())},
                 {"bundle css", page_asset("plots.css")},
                 {"css", page_asset("page.css")},
                 {"plots", plots.html},
                 {"diagram", diagram},
                 {"licences", plots.licences},
                 {"data", script_text(data)},
                 {"blobs", blobs.html()},
                 {"bundle js", plots.bundle.empty() ? "" : "<script>" + plots.bundle + "</script>\n"},
                 {"js", plots.script}});
}

} // namespace hilda::graphics::report
