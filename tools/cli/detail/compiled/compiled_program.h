// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/library.h"
#include "tools/cli/commands.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/program_parts.h"
#include "tools/fmi/package.h"
#include "tools/modules.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hilda::cli {

/// What `hilda compile` put into this program: a diagram and the plugins that it needs.
struct CompiledProgram {
  fmi::Package diagram;
  std::string name;  ///< of the diagram
  std::string doc;   ///< its doc
  std::string needs; ///< of the computer, such as "glibc 2.34 and libstdc++ 3.4.29 (GLIBCXX)"
  std::vector<Part> parts;
  std::vector<int> memories; ///< descriptor of each part in memory, or -1
  int file = -1;             ///< descriptor of the program

  /// Loads its plugins at the first call; each call reports what was wrong with them.
  void load_plugins(Diagnostics& diagnostics) const;
  /// The bytes of a part as they are in the program now; shorter where the file is cut.
  std::string bytes_of(const Part& part) const;
};

/// Null: this program is hilda.
const CompiledProgram* compiled_program();

/// The plugins of this program, be it hilda or a compiled one.
Host& plugin_host();

/// Which diagram a compiled program has, and behind its values those that are given; hilda's arguments are as before.
DiagramArguments with_kept(DiagramArguments given);

/// From what the head of the program gives, at its start. False after an error.
bool open_compiled_program(int file, std::span<const hilda_program_part> parts, Diagnostics& diagnostics);

/// What `hilda compile` writes of the program next to the diagram's files, by its name among the parts.
inline constexpr const char* program_index = "program.json";

/// Prints what is in the program, and whether its bytes are those that were written; an Exit.
int print_what(const CompiledProgram& program);

} // namespace hilda::cli
