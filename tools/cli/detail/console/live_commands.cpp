// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/console/live_commands.h"

#include "engine/session/time_limit.h"
#include "engine/session/verdict_text.h"
#include "tools/cli/detail/console/signal_value.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

/// At most so many names without a word to choose by.
constexpr std::size_t most_named = 40;

CommandResult misuse(const std::string& text) {
  print_error(text);
  return CommandResult::misuse;
}

CommandResult refused(const std::string& text) {
  print_error(text);
  return CommandResult::refused;
}

/// What ports of subsystems call a signal.
const SystemSignal* signal_called(const Runtime& runtime, const std::string& name) {
  for (const Promise& port : runtime.system().promises)
    if (port.port == name) return runtime.find_signal(port_text(runtime.system(), port.signal));
  return runtime.find_signal(name);
}

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

} // namespace

std::string trimmed(const std::string& line) {
  std::size_t comment = 0;
  while ((comment = line.find('#', comment)) != std::string::npos && comment > 0 && !is_blank(line[comment - 1]))
    ++comment;
  const std::string whole = line.substr(0, comment);
  const auto begin = std::find_if_not(whole.begin(), whole.end(), is_blank);
  const auto end = std::find_if_not(whole.rbegin(), whole.rend(), is_blank).base();
  return begin < end ? std::string(begin, end) : "";
}

std::optional<std::vector<LiveSetting>> settings_of_line(const std::string& rest) {
  std::vector<LiveSetting> settings;
  for (std::size_t begin = 0; begin <= rest.size();) {
    const std::size_t end = std::min(rest.find('&', begin), rest.size());
    const std::string one = trimmed(rest.substr(begin, end - begin));
    begin = end + 1;
    std::size_t split = one.find('=');
    if (split == std::string::npos) split = one.find(' ');
    if (split == std::string::npos || split == 0 || trimmed(one.substr(split + 1)).empty()) {
      print_error("'" + one + "' sets nothing\nhelp: set PATH=VALUE, several with '&' between them");
      return std::nullopt;
    }
    settings.push_back({trimmed(one.substr(0, split)), trimmed(one.substr(split + 1))});
  }
  return settings;
}

LiveCommands::LiveCommands(LiveSimulation& simulation, std::vector<LiveSetting> before, OutputFiles& files)
    : simulation_(simulation), before_(std::move(before)), files_(files) {}

const std::vector<LiveCommands::Entry>& LiveCommands::table() {
  static const std::vector<Entry> all{
      {"set", "set PATH=VALUE [& PATH=VALUE ...]", "gives parameters other values before the next tick, all or none",
       &LiveCommands::set},
      {"get", "get PATH", "a parameter, or a signal as it was computed last", &LiveCommands::get},
      {"run", "run [TIME]", "continues for so long, or to the end; Ctrl-C pauses", &LiveCommands::run},
      {"to", "to TIME", "continues, or back, to this time", &LiveCommands::to},
      {"step", "step [N]", "continues by N ticks", &LiveCommands::step},
      {"back", "back [N|TIME]", "goes back by N ticks or so long; what was set since is taken back",
       &LiveCommands::back},
      {"reload", "reload", "continues in the diagram as its files are now, with the states kept",
       &LiveCommands::reload},
      {"save", "save FILE", "an overlay that does again what was set, at the same times", &LiveCommands::save},
      {"changes", "changes", "what was set, and when", &LiveCommands::changes},
      {"list", "list [WORD]", "parameters that may change, and signals", &LiveCommands::list},
      {"help", "help", "this", &LiveCommands::show_help},
      {"quit", "quit", "ends the run here; so does the end of the input", &LiveCommands::quit},
  };
  return all;
}

std::string LiveCommands::help() {
  std::string text;
  for (const Entry& each : table()) text += fmt::format("  {:<36} {}\n", each.usage, each.what);
  return text;
}

CommandResult LiveCommands::operator()(const std::string& line, int number) {
  number_ = number;
  const std::string whole = trimmed(line);
  if (whole.empty()) return CommandResult::done;
  const std::size_t blank = std::min(whole.find(' '), whole.size());
  const std::string word = whole.substr(0, blank), rest = trimmed(whole.substr(blank));
  for (const Entry& each : table())
    if (each.name == word) return (this->*each.run)(rest);
  std::vector<std::string> names;
  for (const Entry& each : table()) names.emplace_back(each.name);
  const std::string near = nearest(word, names);
  return misuse("there is no command '" + word +
                "'\nhelp: " + (near.empty() ? "'help' lists them" : "did you mean '" + near + "'?"));
}

std::vector<std::string> LiveCommands::words(const std::string& before) const {
  const std::string begun = trimmed(before);
  std::vector<std::string> found;
  if (begun.find(' ') == std::string::npos && (before.empty() || !is_blank(before.back()))) {
    for (const Entry& each : table()) found.emplace_back(each.name);
    return found;
  }
  const std::string word = begun.substr(0, begun.find(' '));
  if (word == "set" || word == "get") found = live_paths(simulation_.runtime());
  if (word != "get") return found;
  for (const NamedParameter& each : simulation_.runtime().system().parameters) // those that stay, too
    if (std::find(found.begin(), found.end(), each.path) == found.end()) found.push_back(each.path);
  for (const SystemSignal& signal : simulation_.runtime().signals()) found.push_back(signal.path);
  return found;
}

void LiveCommands::tell_place() const {
  std::printf("t = %s s, tick %lld%s\n", decimal(simulation_.time()).c_str(),
              static_cast<long long>(simulation_.tick()),
              simulation_.ended()                        ? ", the run has ended"
              : simulation_.tick() >= simulation_.last() ? ", its time is over"
                                                         : "");
  std::fflush(stdout);
}

void LiveCommands::tell_new(const std::vector<std::string>& anew) const {
  for (const std::string& each : anew) std::printf("restarts: %s\n", each.c_str());
}

/// None after an error on stderr. A number beyond that of any run gives the largest one.
std::optional<std::int64_t> LiveCommands::whole_ticks(const std::string& text, double ticks) const {
  constexpr double most = 0x1p62;
  if (ticks >= most) return std::int64_t{1} << 62;
  const double whole = std::round(ticks);
  if (std::abs(ticks - whole) <= 1e-9 * std::max(1.0, ticks)) return static_cast<std::int64_t>(whole);
  print_error(fmt::format("'{}' is {:.6g} ticks of {}, and no whole number of them", text, ticks,
                          time_text(simulation_.runtime().base())));
  return std::nullopt;
}

/// A count of ticks, or a time that is a whole number of them. None after a word on stderr.
std::optional<std::int64_t> LiveCommands::ticks_of(const std::string& text) const {
  std::int64_t ticks = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ticks);
  if (error == std::errc() && end == text.data() + text.size() && ticks >= 0) return ticks;
  std::string problem;
  const std::optional<double> time = read_duration(text, problem);
  if (time) return whole_ticks(text, *time / simulation_.runtime().base().value());
  print_error("'" + text + "' is not a time, such as 20 ms, and no number of ticks: " + problem);
  return std::nullopt;
}

CommandResult LiveCommands::set(const std::string& rest) {
  const auto settings = settings_of_line(rest);
  if (!settings) return CommandResult::misuse;
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  const bool taken = simulation_.set(*settings, diagnostics, anew, {&console_place, number_});
  print_diagnostics(diagnostics);
  tell_new(anew);
  return taken ? CommandResult::done : CommandResult::refused;
}

CommandResult LiveCommands::get(const std::string& rest) {
  if (const std::optional<std::string> text = simulation_.tuning().text_of(rest)) {
    std::printf("%s = %s\n", rest.c_str(), text->c_str());
    return CommandResult::done;
  }
  if (const SystemSignal* signal = signal_called(simulation_.runtime(), rest)) {
    std::printf("%s =%s\n", rest.c_str(), value_text(*signal).c_str());
    return CommandResult::done;
  }
  const std::string near = nearest(rest, words("get "));
  return refused("there is no parameter and no signal '" + rest + "'" +
                 (near.empty() ? "" : "\nhelp: did you mean '" + near + "'?"));
}

CommandResult LiveCommands::go_to(std::int64_t tick) {
  if (simulation_.ended()) return refused("the run has ended\nhelp: 'back' goes to a time before");
  Diagnostics diagnostics;
  const SimulationResult& result = simulation_.run_to(tick, diagnostics);
  print_diagnostics(diagnostics);
  if (result.ending.kind == Ending::Kind::failed) print_error(verdict_text(result.ending));
  tell_place();
  return diagnostics.ok() ? CommandResult::done : CommandResult::refused;
}

CommandResult LiveCommands::step(const std::string& rest) {
  const auto ticks = ticks_of(rest.empty() ? "1" : rest);
  return ticks ? go_to(simulation_.tick() + std::min(*ticks, std::int64_t{1} << 62)) : CommandResult::misuse;
}

CommandResult LiveCommands::run(const std::string& rest) {
  if (rest.empty()) return go_to(simulation_.last());
  std::string problem;
  const std::optional<double> time = read_duration(rest, problem);
  if (!time) return misuse("'" + rest + "' is not a time such as 2 s: " + problem);
  return go_to(simulation_.tick() + ticks_in(time, simulation_.runtime().base()));
}

CommandResult LiveCommands::to(const std::string& rest) {
  std::string problem;
  const std::optional<double> time = rest == "0" ? std::optional(0.0) : read_duration(rest, problem);
  if (!time) return misuse("'" + rest + "' is not a time such as 2 s: " + problem);
  const std::int64_t tick = ticks_in(time, simulation_.runtime().base());
  if (tick >= simulation_.tick()) return go_to(tick);
  return back(std::to_string(simulation_.tick() - tick));
}

CommandResult LiveCommands::back(const std::string& rest) {
  const auto ticks = ticks_of(rest.empty() ? "1" : rest);
  if (!ticks) return CommandResult::misuse;
  const std::string why = simulation_.back_to(simulation_.tick() - *ticks);
  if (!why.empty()) return refused("no way back: " + why);
  tell_place();
  return CommandResult::done;
}

CommandResult LiveCommands::reload(const std::string&) {
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  const bool taken = simulation_.reload(diagnostics, anew);
  print_diagnostics(diagnostics);
  tell_new(anew);
  return taken ? CommandResult::done : CommandResult::refused;
}

CommandResult LiveCommands::save(const std::string& rest) {
  if (rest.empty()) return misuse("save where?\nhelp: save FILE");
  if (!simulation_.not_repeatable().empty())
    return refused("no overlay does this again: " + simulation_.not_repeatable());
  OutputFiles once = files_; // the next one of that name may take its place
  const RepeatableRun run = simulation_.repeat(before_);
  std::string error;
  if (!save_run(rest, run, once, error)) {
    const bool helped = error != once.error() || error.find("\nhelp:") != std::string::npos;
    print_error(error + (helped ? "" : "\nhelp: name another file"));
    return CommandResult::refused;
  }
  std::printf("saved %s\n", rest.c_str());
  if (!run.written.empty()) std::printf("  and what programs wrote: %s\n", inputs_file_of(rest).c_str());
  return CommandResult::done;
}

CommandResult LiveCommands::changes(const std::string&) {
  for (const TakenChange& each : simulation_.asked())
    for (const LiveSetting& setting : each.settings)
      std::printf("%s s  %s = %s\n", decimal((simulation_.runtime().base() * Rational(each.tick)).value()).c_str(),
                  setting.path.c_str(), setting.text.c_str());
  return CommandResult::done;
}

CommandResult LiveCommands::list(const std::string& rest) {
  std::size_t found = 0;
  std::vector<std::string> paths = live_paths(simulation_.runtime());
  for (const SystemSignal& signal : simulation_.runtime().signals()) paths.push_back(signal.path);
  for (const std::string& path : paths) {
    if (path.find(rest) == std::string::npos || ++found > most_named) continue;
    std::printf("%s\n", path.c_str());
  }
  if (found > most_named) std::printf("and %zu more; 'list WORD' chooses\n", found - most_named);
  return CommandResult::done;
}

CommandResult LiveCommands::show_help(const std::string&) {
  std::fputs(help().c_str(), stdout);
  return CommandResult::done;
}

CommandResult LiveCommands::quit(const std::string&) { return CommandResult::quit; }

} // namespace hilda::cli
