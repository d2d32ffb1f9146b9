// SPDX-License-Identifier: BSD-3-Clause
#include "python/log.h"

#include "engine/log/log_figures.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/values.h"
#include "python/simulation/run.h"

namespace hilda::python {
namespace {

namespace py = pybind11;

Log open(const std::string& file) {
  std::string error;
  std::optional<Log> log = Log::open(file, error);
  if (!log) raise_error(error);
  return std::move(*log);
}

nlohmann::ordered_json parsed(const std::map<std::string, std::string>& texts, const char* key) {
  const auto text = texts.find(key);
  if (text == texts.end()) return nullptr;
  auto json = nlohmann::ordered_json::parse(text->second, nullptr, false);
  if (json.is_discarded()) return nullptr;
  return json;
}

/// Empty where the log has none.
nlohmann::ordered_json bounds(const std::map<std::string, std::string>& texts, const char* key) {
  const nlohmann::ordered_json found = parsed(texts, key);
  return found.is_object() ? found : nlohmann::ordered_json::object();
}

} // namespace

RecordedLog::RecordedLog(const std::string& file) : log_(open(file)) {}

Signal RecordedLog::read(const std::string& name) {
  std::string error;
  std::optional<Signal> signal = log_.signal(name, error);
  if (!signal) raise_unknown(error);
  return std::move(*signal);
}

py::array RecordedLog::array(const std::string& name) {
  const Signal signal = read(name);
  const auto bytes = [](const auto& values) { return reinterpret_cast<const std::byte*>(values.data()); };
  return samples_array(std::visit(bytes, signal.values), signal.samples(), signal.field.bytes(), signal.field,
                       {0, signal.field.elements()});
}

py::array_t<double> RecordedLog::time(const std::string& name) {
  const Signal signal = read(name);
  return py::array_t<double>(static_cast<py::ssize_t>(signal.samples()), signal.times().data());
}

std::string RecordedLog::unit(const std::string& name) {
  const auto place = log_.find(name);
  if (!place) raise_unknown(log_.missing(name));
  return unit_of(log_.schema().channels[place->channel].fields[place->field], place->elements);
}

std::map<std::string, std::string> RecordedLog::metadata() const {
  std::map<std::string, std::string> all = log_.schema().metadata;
  all.insert(log_.end().begin(), log_.end().end());
  for (const char* own : {"parameters", "limits", "quality", "summary", "figures"})
    all.erase(own); // they have their own members
  return all;
}

nlohmann::ordered_json RecordedLog::parameters() const { return parsed(log_.schema().metadata, "parameters"); }
nlohmann::ordered_json RecordedLog::limits() const { return bounds(log_.schema().metadata, "limits"); }
nlohmann::ordered_json RecordedLog::quality() const { return bounds(log_.schema().metadata, "quality"); }
nlohmann::ordered_json RecordedLog::summary() const { return parsed(log_.end(), "summary"); }

std::vector<std::pair<std::string, std::vector<std::string>>> RecordedLog::figures() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> list;
  for (const LogFigure& figure : figures_of(log_.schema())) list.emplace_back(figure.title, figure.signals);
  return list;
}

std::vector<std::tuple<std::int64_t, std::string, std::string>> RecordedLog::events() {
  std::vector<std::tuple<std::int64_t, std::string, std::string>> list;
  for (const LogEvent& event : log_.events()) list.emplace_back(event.tick, event.kind, event.text);
  return list;
}

} // namespace hilda::python
