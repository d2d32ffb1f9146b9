// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// What a program says of itself and can do: hilda, or a compiled program.
struct Face {
  std::string name, text;
  std::function<std::string()> version;
  std::string version_help;
  std::vector<void (*)(Program&)> commands;
  std::function<void(Program&)> more; ///< options of the program itself
  /// Replaces a command for these arguments; its exit code, or none.
  std::function<std::optional<int>(int count, char** arguments)> instead;
  std::string footer;
  std::string help_of_diagram; ///< for someone who gives a diagram and no command
};

/// From the arguments to the exit code.
int run_command_line(int count, char** arguments, const Face& face);

} // namespace hilda::cli
