// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/console/conversation.h"

#include "tools/cli/detail/console/console.h"
#include "tools/cli/detail/console/live_commands.h"

#include <csignal>

namespace hilda::cli {
std::vector<LiveSetting> given_settings(const std::vector<std::string>& texts) {
  std::vector<LiveSetting> settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string path = text.substr(0, equals);
    std::erase_if(settings, [&path](const LiveSetting& each) { return each.path == path; });
    settings.push_back({path, text.substr(equals + 1)});
  }
  return settings;
}

std::optional<Exit> converse(LiveSimulation& simulation, Interrupt& interrupt, const CommandDiagram& loaded,
                             ProgressLine& line) {
  OutputFiles files;
  loaded.name_inputs(files, simulation.runtime().system());
  LiveCommands commands(simulation, given_settings(loaded.arguments().settings), files);
  Console console([&commands](const std::string& typed) { return commands.words(typed); });
  constexpr int endless = 1'000'000;
  interrupt.set_patience(endless); // Ctrl-C pauses
  for (int number = 1;;) {
    const std::optional<std::string> command = console.next([&interrupt] { return interrupt.flag().load(); });
    if (!command && console.at_end()) return std::nullopt;
    const CommandResult result = command ? commands(*command, number++) : CommandResult::done;
    line.clear();
    if (interrupt.flag()) { // Ctrl-C pauses what runs, at a prompt; a script it ends, as all else does
      if (!console.interactive() || Interrupt::first() != SIGINT) return exit_interrupted;
      interrupt.clear();
    }
    if (result == CommandResult::quit) return std::nullopt;
    if (console.interactive() || result == CommandResult::done) continue;
    return result == CommandResult::misuse ? exit_usage : exit_bad_file;
  }
}

} // namespace hilda::cli
