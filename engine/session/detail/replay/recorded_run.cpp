// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/recorded_run.h"

#include "engine/base/plain_number.h"
#include "engine/session/run_log.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace hilda::session {
namespace {

using Json = nlohmann::json;

/// Never throws: a text that is not JSON of the requested kind gives an empty value.
template <typename T> T from_json(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  try {
    return json.get<T>();
  } catch (const Json::exception&) { return {}; }
}

/// "-0x1.8p-1", whatever the locale; a value that is not a number is NaN, which no gate takes.
double hexadecimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.starts_with("0x")) text.remove_prefix(2);
  double number = NAN;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::hex);
  if (error != std::errc() || end != text.data() + text.size()) return NAN;
  return negative ? -number : number;
}

/// What was in force, whether the diagram or an option had asked for it.
SolverChoice recorded_solver(const std::map<std::string, std::string>& metadata) {
  SolverChoice choice;
  const auto number = [&metadata](const char* key) -> std::optional<double> {
    const auto found = metadata.find(key);
    if (found == metadata.end()) return std::nullopt;
    return plain_number(found->second);
  };
  const auto named = metadata.find("solver");
  choice.kind = named == metadata.end() ? SolverKind::rk4 : solver_named(named->second);
  choice.rtol = number("rtol"), choice.atol = number("atol"), choice.max_step = number("max_step");
  return choice;
}

/// {"robot.command_pose": ["0x1p-1", ...]}
std::map<std::string, std::vector<double>> rest_from(const std::string& text) {
  std::map<std::string, std::vector<double>> rest;
  for (const auto& [input, numbers] : from_json<std::map<std::string, std::vector<std::string>>>(text))
    for (const std::string& number : numbers) rest[input].push_back(hexadecimal(number));
  return rest;
}

} // namespace

std::optional<RecordedRun> read_recorded_run(Log& log, std::string& error) {
  const auto& metadata = log.schema().metadata;
  const auto text_of = [&metadata](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  RecordedRun run;
  run.diagram = text_of("diagram");
  run.mode = text_of("mode");
  run.rig = text_of("rig");
  run.version = text_of("version");
  run.mathematics = text_of("mathematics");
  run.solver = recorded_solver(metadata);
  run.overlays = from_json<std::vector<std::string>>(text_of("overlays"));
  run.settings = from_json<std::vector<std::string>>(text_of("settings"));
  run.plugins = from_json<std::map<std::string, std::string>>(text_of("plugins"));
  run.hardware = text_of("hardware") == "true";
  run.device_clock = !text_of("clock").empty() && text_of("clock") != "timer";
  run.live = from_json<std::vector<std::string>>(text_of(live_key));
  for (const LogFile& file : log.schema().files)
    if (file.media_type != checkpoint_media_type)
      run.files.add(file.name, file.text);
    else if (run.begin = Checkpoint::unpacked(file.text); !run.begin || !run.begin->intact()) {
      error = "the checkpoint that the log begins with is damaged";
      return std::nullopt;
    }
  if (run.diagram.empty() || run.files.text(run.diagram) == nullptr) {
    error = "the log does not hold the diagram that it was made with";
    return std::nullopt;
  }
  run.began = !run.hardware;
  for (const LogEvent& event : log.events()) {
    if (event.kind == "rest") run.rest = rest_from(event.text), run.began = true;
    if (event.kind == "stop")
      run.interventions.push_back({event.tick, RecordedRun::Intervention::Kind::stop, event.text});
    if (event.kind == "gone")
      run.interventions.push_back({event.tick, RecordedRun::Intervention::Kind::gone, event.text});
    if (event.kind == numbers_kind)
      run.interventions.push_back({event.tick, RecordedRun::Intervention::Kind::numbers, event.text, event.inputs});
    if (event.kind == "set")
      run.interventions.push_back({event.tick, RecordedRun::Intervention::Kind::set, event.text});
  }
  return run;
}

} // namespace hilda::session
