// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/console/paced_commands.h"

#include "tools/cli/detail/console/live_commands.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cstdio>

namespace hilda::cli {
namespace {

constexpr const char* help = "  set PATH=VALUE [& PATH=VALUE ...]  between two ticks, all or none\n"
                             "  get PATH                           a parameter\n"
                             "  changes                            what was set, and when\n"
                             "  quit                               ends the run as Ctrl-C does\n";

std::string setting_text(const std::vector<LiveSetting>& settings) {
  std::string text;
  for (const LiveSetting& each : settings) text += (text.empty() ? "" : " & ") + each.path + "=" + each.text;
  return text;
}

} // namespace

PacedCommands::PacedCommands(Runtime& runtime, Interrupt& interrupt, bool armed)
    : tuning_(runtime), interrupt_(interrupt), base_(runtime.base()), armed_(armed),
      console_([paths = live_paths(runtime)](const std::string& before) {
        if (before.find(' ') != std::string::npos) return paths;
        return std::vector<std::string>{"set", "get", "changes", "help", "quit"};
      }) {}

void PacedCommands::look(const PacedProgress& now) {
  constexpr int most = 16; // lines at a time
  for (int i = 0; i < most; ++i) {
    const std::optional<std::string> line = console_.poll();
    if (!line) break;
    command(trimmed(*line), now.state);
  }
  tell();
}

void PacedCommands::end(const PacedResult&) {
  tuning_.close();
  tell();
}

/// What became of what was asked for.
void PacedCommands::tell() {
  std::erase_if(asked_, [this](const auto& request) {
    if (request->taken() == LiveRequest::waiting) return false;
    const std::string what = setting_text(request->settings());
    if (request->taken() == LiveRequest::dropped)
      print_error("not taken, the run is over: " + what);
    else
      std::printf("at %s s  %s\n", decimal((base_ * Rational(request->taken())).value()).c_str(), what.c_str());
    std::fflush(stdout);
    return true;
  });
}

void PacedCommands::command(const std::string& line, OperatorState state) {
  ++number_;
  if (line.empty()) return;
  const std::size_t blank = std::min(line.find(' '), line.size());
  const std::string word = line.substr(0, blank), rest = trimmed(line.substr(blank));
  if (word == "set") {
    set(rest, state);
  } else if (word == "get") {
    const std::optional<std::string> text = tuning_.text_of(rest);
    text ? (void)std::printf("%s = %s\n", rest.c_str(), text->c_str())
         : print_error("there is no parameter '" + rest + "'");
  } else if (word == "changes") {
    for (const TakenChange& each : tuning_.taken())
      std::printf("at %s s  %s\n", decimal((base_ * Rational(each.tick)).value()).c_str(),
                  setting_text(each.settings).c_str());
  } else if (word == "quit") {
    interrupt_.request();
  } else if (word == "help") {
    std::fputs(help, stdout);
  } else {
    print_error("there is no command '" + word +
                "' in a paced run: it does not wait for commands\nhelp: set, get, "
                "changes, help, quit");
  }
  std::fflush(stdout);
}

void PacedCommands::set(const std::string& rest, OperatorState state) {
  if (!armed_) return print_error("not armed: the diagram does not run\nhelp: run it with --arm");
  if (state == OperatorState::stopping || state == OperatorState::ended)
    return print_error("the run is on its way to rest: nothing is taken any more");
  const auto settings = settings_of_line(rest);
  if (!settings) return;
  Diagnostics diagnostics;
  if (auto request = tuning_.post(*settings, diagnostics, {&console_place, number_}))
    asked_.push_back(std::move(request));
  print_diagnostics(diagnostics);
}

} // namespace hilda::cli
