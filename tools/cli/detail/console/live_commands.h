// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/session/live_simulation.h"
#include "tools/modules.h"

#include <functional>
#include <string>
#include <vector>

namespace hilda::cli {

/// What messages name as the file of a command.
inline const std::string console_place = "console";

/// How a command went.
enum class CommandResult : std::uint8_t {
  done,
  refused, ///< a value, or a way that is not there; reported on stderr
  misuse,  ///< no such command, or not so; reported on stderr
  quit
};

/// "set lead.time_constant=4 ms & gain.gain=2": what a line of commands says. None after a word on stderr.
std::optional<std::vector<LiveSetting>> settings_of_line(const std::string& rest);
/// A line without blanks at its ends, and without what follows a '#' that is alone.
std::string trimmed(const std::string& line);
/// Parameters that may change while it runs, or while it is paused.
std::vector<std::string> live_paths(const Runtime& runtime);

/// The commands of `hilda run --console` in a simulation.
class LiveCommands {
public:
  /// `before`: what --set has. `files`: of the command, for what `save` writes.
  LiveCommands(LiveSimulation& simulation, std::vector<LiveSetting> before, OutputFiles& files);

  /// @param number  of the line, for messages
  CommandResult operator()(const std::string& line, int number);
  /// For completion: behind `before`.
  std::vector<std::string> words(const std::string& before) const;
  static std::string help();

private:
  struct Entry {
    const char* name;
    const char* usage;
    const char* what;
    CommandResult (LiveCommands::*run)(const std::string& rest);
  };
  static const std::vector<Entry>& table();

  CommandResult set(const std::string& rest);
  CommandResult get(const std::string& rest);
  CommandResult step(const std::string& rest);
  CommandResult run(const std::string& rest);
  CommandResult to(const std::string& rest);
  CommandResult back(const std::string& rest);
  CommandResult reload(const std::string& rest);
  CommandResult save(const std::string& rest);
  CommandResult changes(const std::string& rest);
  CommandResult list(const std::string& rest);
  CommandResult show_help(const std::string& rest);
  CommandResult quit(const std::string& rest);

  std::optional<std::int64_t> ticks_of(const std::string& text) const;
  std::optional<std::int64_t> whole_ticks(const std::string& text, double ticks) const;
  CommandResult go_to(std::int64_t tick);
  void tell_place() const;
  void tell_new(const std::vector<std::string>& anew) const;

  LiveSimulation& simulation_;
  const std::vector<LiveSetting> before_;
  OutputFiles& files_;
  int number_ = 0;
};

} // namespace hilda::cli
