// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary_document.h"

#include "engine/session/solver_report.h"
#include "engine/session/summary_parameters.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hilda::session {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SummaryFigure& figure) {
  if (const auto* text = std::get_if<std::string>(&figure.value)) return *text;
  const double number = std::get<double>(figure.value);
  if (number == std::round(number) && std::abs(number) < 9e15) return static_cast<std::int64_t>(number);
  return std::isfinite(number) ? Json(number) : Json(nullptr);
}

/// The place of one name in an object, or of "name[i]" in a list that has i items already.
Json* step_into(Json& object, const std::string& name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string::npos) return &object[name];
  Json& list = object[name.substr(0, bracket)];
  if (list.is_null()) list = Json::array();
  if (!list.is_array() || name.substr(bracket) != "[" + std::to_string(list.size()) + "]") return nullptr;
  return &list.emplace_back(nullptr);
}

/// The place of a dotted key, or null where something else is on the way or there already.
Json* free_place(Json& document, const std::string& key) {
  Json* at = &document;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t dot = std::min(key.find('.', begin), key.size());
    if (!at->is_object()) return nullptr;
    at = step_into(*at, key.substr(begin, dot - begin));
    if (at == nullptr) return nullptr;
    if (dot < key.size() && at->is_null()) *at = Json::object();
    begin = dot + 1;
  }
  return at->is_null() ? at : nullptr;
}

/// Puts the blocks' figures into the document.
class Figures {
public:
  explicit Figures(Json& document) : document_(document) {}

  void add(const SummaryFigure& figure) {
    place(figure.block, figure.key) = json_of(figure);
    note_unit(figure.key, figure.unit);
  }

  void add(const SummaryTable& table) { rows_of(table.block, table.name); }

  void add(const SummaryRow& row) {
    Json object = Json::object();
    for (const SummaryFigure& figure : row.columns) {
      if (Json* at = free_place(object, figure.key)) *at = json_of(figure);
      note_unit(row.table + "." + figure.key, figure.unit);
    }
    rows_of(row.block, row.table).push_back(std::move(object));
  }

  /// Tables are placed when they are whole: places move while the document grows.
  void close() {
    for (Table& table : tables_) place(table.block, table.key) = std::move(table.rows);
  }

  Json units = Json::object();

private:
  void note_unit(const std::string& key, const std::string& unit) {
    if (!unit.empty()) units[key.substr(0, key.find('['))] = unit;
  }

  Json& rows_of(const std::string& block, const std::string& key) {
    const auto same = [&](const Table& table) { return table.block == block && table.key == key; };
    auto table = std::find_if(tables_.begin(), tables_.end(), same);
    if (table == tables_.end()) table = tables_.insert(table, {block, key, Json::array()});
    return table->rows;
  }

  Json& place(const std::string& block, const std::string& key) {
    if (Json* free = free_place(document_, key)) return *free;
    Json& own = document_["blocks"][block];
    if (own.is_null()) own = Json::object();
    return own[key];
  }

  struct Table {
    std::string block, key;
    Json rows;
  };
  Json& document_;
  std::vector<Table> tables_; ///< in the order of their first rows
};

Json ending_of(const SimulationResult& result) {
  Json ending = {{"reason", reason_name(result.reason)}};
  if (!result.ending.block.empty()) ending["block"] = result.ending.block;
  if (!result.ending.signal.empty()) ending["signal"] = result.ending.signal;
  if (!result.ending.text.empty()) ending["text"] = result.ending.text;
  if (std::isfinite(result.ending.value)) ending["value"] = result.ending.value;
  return ending;
}

/// The account of energy, where the diagram has power ports: "ports", "elements" and "account".
void add_account(Json& document, const Ledger& ledger) {
  if (ledger.empty()) return;
  Json ports = Json::object(), elements = Json::object();
  for (const Ledger::Port& port : ledger.ports()) {
    Json& at = ports[port.name] = {
        {"energy", port.energy}, {"lowest", port.lowest}, {"highest", port.highest}, {"rule", port.rule}};
    if (!port.from.empty()) at["from"] = port.from;
    if (!port.to.empty()) at["to"] = port.to;
  }
  for (const Ledger::Element& e : ledger.elements())
    elements[e.path] = {{"made", e.made()},
                        {"received", e.received},
                        {"given", e.given},
                        {"stored_initially", e.stored_initially},
                        {"stored", e.stored}};
  document["ports"] = std::move(ports);
  document["elements"] = std::move(elements);
  document["account"] = {{"text", account_text(ledger)}, {"residual", ledger.residual()}};
}

/// What the blocks say about their figures, and who.
void add_warnings(Json& document, const std::vector<SummaryWarning>& warnings) {
  if (warnings.empty()) return;
  Json& list = document["warnings"] = Json::array();
  for (const SummaryWarning& warning : warnings) list.push_back({{"block", warning.block}, {"text", warning.text}});
}

} // namespace

nlohmann::ordered_json summary_document(const Runtime& runtime, const SimulationResult& result, const RunOrigin& origin,
                                        const SummaryFigures& figures, const std::string& log) {
  const Json parameters = parameter_values(runtime);
  const auto seed = parameters.find("seed");
  Json document;
  document["name"] = runtime.system().name;
  document["diagram"] = origin.diagram;
  document["mode"] = runtime.system().mode;
  document["seed"] = seed != parameters.end() ? *seed : Json(nullptr);
  document["version"] = origin.version;
  document["git"] = origin.git;
  document["ending"] = ending_of(result);
  document["time"] = result.time;
  document["steps"] = result.steps;
  document["wall_time"] = result.wall_time;
  document["real_time_factor"] = result.real_time_factor();
  document["base_period"] = runtime.base().value();
  document["log"] = log.empty() ? Json(nullptr) : Json(log);
  if (Json solver = solver_document(runtime); !solver.is_null()) document["solver"] = std::move(solver);
  Figures into(document);
  for (const SummaryFigure& figure : figures.figures) into.add(figure);
  for (const SummaryTable& table : figures.tables) into.add(table);
  for (const SummaryRow& row : figures.rows) into.add(row);
  into.close();
  add_account(document, runtime.ledger());
  add_warnings(document, figures.warnings);
  if (!into.units.empty()) document["units"] = into.units;
  document["parameters"] = parameters;
  return document;
}

} // namespace hilda::session
