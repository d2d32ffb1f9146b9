// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/logs/log_answers.h"

#include "engine/log/child_answer.h"
#include "engine/log/log.h"
#include "engine/log/recorded_file.h"
#include "tools/studio/detail/clients/scope.h"
#include "tools/studio/detail/desks/facts.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace hilda::studio {
namespace {

constexpr double patience = 20; // s; while a log is read, the program cannot end
constexpr std::uint64_t memory = std::uint64_t{1} << 30, most_text = std::uint64_t{64} << 20,
                        most_samples = std::uint64_t{256} << 20; // bytes

Diagnostic about(Diagnostic::Severity severity, const std::string& name, std::string what, std::string help) {
  return {.severity = severity, .code = "opened-log", .file = name, .what = std::move(what), .help = std::move(help)};
}

constexpr const char* opened =
    "the page opens logs of hilda (MCAP), also unfinished and older ones, MAT files and tables of comma-separated "
    "values; 'hilda recover' makes a whole log of a damaged one";

std::string unreadable(const std::string& name, const std::string& why, const std::string& help = opened,
                       std::size_t line = 0) {
  Diagnostic found = about(Diagnostic::Severity::error, name, "this file does not open as a run: " + why, help);
  found.line = static_cast<int>(line);
  return Json{{"ok", false}, {"error", found.what}, {"help", found.help}, {"diagnostics", {diagnostic_json(found)}}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Without the path, which is of no use to who has handed the file over.
std::string without(std::string text, const std::string& path) {
  for (const std::string& each : {path + ": ", path})
    for (std::size_t at = text.find(each); at != std::string::npos; at = text.find(each)) text.erase(at, each.size());
  return text;
}

Json signals_json(const LogSchema& schema) {
  Json signals = Json::array();
  for (const LogChannel& channel : schema.channels)
    for (const LogField& field : channel.fields) signals.push_back(signal_json(channel, field, schema.period));
  return signals;
}

Json warnings_json(Log& log, const std::string& path, const std::string& name) {
  Json all = Json::array();
  const auto warn = [&](const std::string& what, const std::string& help) {
    all.push_back(diagnostic_json(about(Diagnostic::Severity::warning, name, what, help)));
  };
  if (log.damaged())
    for (const std::string& each : log.problems())
      warn(without(each, path), "what can be read is shown; 'hilda recover' makes a whole log of it");
  else if (!log.complete())
    warn("the log ends without its summary, as after a crash", "all before its end is shown");
  if (const std::uint64_t lost = log.lost_ticks(); lost > 0)
    warn("the log has lost " + std::to_string(lost) + " ticks while it was recorded",
         "curves are straight across them");
  return all;
}

/// A recording as a field of a log, for its names of elements.
LogField field_of(const Recording& recording) {
  LogField field;
  field.rows = recording.rows, field.cols = recording.cols;
  field.unit = recording.unit;
  return field;
}

/// As signal_json, of a signal without a block.
Json recorded_signal_json(const RecordedFile::Named& signal) {
  constexpr std::size_t most_parts = 64;
  const LogField field = field_of(signal.recording);
  Json parts = Json::array();
  for (std::size_t i = 0; i < std::min(field.elements(), most_parts); ++i) parts.push_back(element_suffix(field, i));
  return {{"path", signal.name},      {"block", ""}, {"name", signal.name}, {"unit", field.unit}, {"rows", field.rows},
          {"columns", field.cols},    {"kind", ""},  {"element", "real"},   {"rate", ""},         {"doc", ""},
          {"parts", std::move(parts)}};
}

/// In the child: of a MAT file or a table.
std::string description_of_table(const std::string& path, const std::string& name) {
  RecordedFileFault fault;
  const std::optional<RecordedFile> file = read_recorded_file(path, fault);
  if (!file) return unreadable(name, fault.what, fault.help.empty() ? opened : fault.help, fault.line);
  Json signals = Json::array(), warnings = Json::array();
  double end = 0;
  bool with_units = true;
  for (const RecordedFile::Named& each : file->signals) {
    signals.push_back(recorded_signal_json(each));
    if (!each.recording.times.empty()) end = std::max(end, each.recording.times.back());
    with_units = with_units && each.recording.has_unit;
  }
  for (const std::string& each : file->remarks)
    warnings.push_back(
        diagnostic_json(about(Diagnostic::Severity::warning, name, each, "the other signals are shown")));
  if (!with_units)
    warnings.push_back(diagnostic_json(
        about(Diagnostic::Severity::warning, name, "the file does not give the units of all its signals",
              "such a signal is compared with one of the diagram only if that has no unit: write 'name [N]' into the "
              "first line of a table, or a text 'units.name' into a MAT file")));
  return Json{{"ok", true},
              {"name", name},
              {"diagram", ""},
              {"period", 0},
              {"end", end},
              {"signals", std::move(signals)},
              {"parameters", Json::object()},
              {"diagnostics", std::move(warnings)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_log(const std::string& path) { return recorded_file_kind(path) == RecordedFileKind::mcap; }

/// In the child.
std::string description(const std::string& path, const std::string& name) {
  if (!is_log(path)) return description_of_table(path, name);
  std::string error;
  std::optional<Log> log = Log::open(path, error);
  if (!log) return unreadable(name, without(error, path));
  const LogSchema& schema = log->schema();
  std::int64_t last = 0;
  Log::Sample sample;
  while (log->next(sample)) last = std::max(last, sample.tick);
  log->verify();
  const auto text = [&schema](const char* key) {
    const auto found = schema.metadata.find(key);
    return found != schema.metadata.end() ? found->second : std::string();
  };
  Json parameters = Json::parse(text("parameters"), nullptr, false);
  if (!parameters.is_object()) parameters = Json::object();
  return Json{{"ok", true},
              {"name", name},
              {"diagram", text("diagram")},
              {"period", schema.period.value()},
              {"end", seconds_at(schema.period, last)},
              {"signals", signals_json(schema)},
              {"parameters", std::move(parameters)},
              {"diagnostics", warnings_json(*log, path, name)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

void tell_text(const Tell& tell, const std::string& text) { tell(std::as_bytes(std::span(text))); }

/// As the WebSocket's: length, header, times, values.
void tell_rows(const Tell& tell, const std::string& name, Rows rows, std::size_t most) {
  const bool thin = rows.count() > most;
  if (thin) rows = rows.thinned(most);
  std::string head = Json{{"op", "samples"}, {"series", {name}}, {"count", rows.count()}, {"thinned", thin}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t word = sizeof(double);
  while ((sizeof(std::uint32_t) + head.size()) % word != 0) head += ' ';
  const auto size = static_cast<std::uint32_t>(head.size());
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  bytes += head;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < rows.count(); ++i) numbers.push_back(rows.time(i));
  for (std::size_t i = 0; i < rows.count(); ++i) numbers.push_back(rows.at(i, 0));
  tell_text(tell, bytes);
  tell(std::as_bytes(std::span(numbers)));
}

void tell_samples(const Tell& tell, const Signal& signal, std::size_t most) {
  Rows rows(1);
  for (std::size_t i = 0; i < signal.samples(); ++i) {
    const double value = signal.value(i);
    rows.add(signal.times()[i], {&value, 1});
  }
  tell_rows(tell, signal.name, std::move(rows), most);
}

/// Those of its elements that are among the names.
void tell_elements(const Tell& tell, const RecordedFile::Named& signal, const std::vector<std::string>& names,
                   std::size_t most) {
  const Recording& recording = signal.recording;
  const LogField field = field_of(recording);
  for (std::size_t e = 0; e < recording.width(); ++e) {
    const std::string name = signal.name + element_suffix(field, e);
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    Rows rows(1);
    for (std::size_t i = 0; i < recording.times.size(); ++i)
      rows.add(recording.times[i], {&recording.values[i * recording.width() + e], 1});
    tell_rows(tell, name, std::move(rows), most);
  }
}

/// In the child.
void tell_of_table(const Tell& tell, const std::string& path, const std::vector<std::string>& names, std::size_t most) {
  RecordedFileFault ignored; // it was read before
  const std::optional<RecordedFile> file = read_recorded_file(path, ignored);
  if (!file) return;
  for (const RecordedFile::Named& each : file->signals) tell_elements(tell, each, names, most);
}

} // namespace

std::string described_log(const std::string& path, const std::string& name) {
  std::string answer, error;
  const auto work = [&](const Tell& tell) { tell_text(tell, description(path, name)); };
  if (answer_of_child(work, {patience, memory, most_text}, answer, error)) return answer;
  return unreadable(name, error);
}

std::string samples_of_log(const std::string& path, const std::vector<std::string>& names, std::size_t most,
                           std::string& error) {
  std::string answer;
  const auto work = [&](const Tell& tell) {
    if (!is_log(path)) return tell_of_table(tell, path, names, most);
    std::string missing;
    std::optional<Log> log = Log::open(path, missing);
    const auto found = log ? log->signals(names, missing) : std::nullopt;
    if (!found) return;
    for (const Signal& each : *found)
      if (each.field.elements() == 1) tell_samples(tell, each, most);
  };
  if (answer_of_child(work, {patience, memory, most_samples}, answer, error)) {
    if (answer.empty()) error = "the log has no such number";
    return answer;
  }
  return {};
}

} // namespace hilda::studio
