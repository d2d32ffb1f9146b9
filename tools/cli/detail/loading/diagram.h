// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/compile/loaded_diagram.h"
#include "engine/diagram/recorded_files.h"
#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// What all commands that read a diagram take.
struct DiagramArguments {
  std::string file, mode, rig;
  std::vector<std::string> settings, overlays, plugins;
  SolverChoice solver; ///< where the command has a say in that
};

/// DIAGRAM --mode --rig --set --overlay --plugins
void add_diagram_arguments(Command command, DiagramArguments& arguments);

/// Ends the program where a budget is spent.
[[noreturn]] void end_for_budget(const std::string& text);

/// The diagram that a command works on: its plugins, every file that was read for it, and what was found wrong. It
/// outlives every system that it gives out.
class CommandDiagram {
public:
  /// Loads the plugins.
  explicit CommandDiagram(DiagramArguments arguments);

  /// The modes of the diagram; one empty name where it has none.
  std::vector<std::string> modes();
  /// The diagram in one mode, checked; none after errors. Remarks are what a person should know without being wrong:
  /// parameters that a rig does not take, a period that it fixes.
  std::optional<System> check(const std::string& mode);

  /// The errors and warnings of another text of its file, in the mode that was named; nothing changes.
  std::vector<Diagnostic> check_text(const std::string& text) const;

  /// Accepts what overlays set during the run, for a caller that applies it; otherwise such a setting is an error.
  void take_times(PlayedFiles files = PlayedFiles::read) { diagram_.take_times(files); }
  const std::vector<PlayedSetting>& played() const { return diagram_.played(); }
  const std::vector<TimedChange>& timed() const { return diagram_.timed(); }

  /// Files that replace those on the disk: replay.
  void recall(RecordedFiles files) { recorded_ = std::move(files); }

  /// Everything that was read for it, and what its blocks will read: plugins, diagram, overlays, tables.
  void name_inputs(OutputFiles& files, const System& system) const;

  Diagnostics& diagnostics() { return diagram_.diagnostics(); }
  const std::vector<std::string>& remarks() const { return diagram_.remarks(); }
  const Sources& sources() const { return diagram_.sources(); }
  const DiagramArguments& arguments() const { return arguments_; }

private:
  LoadOptions options(const std::string& mode) const;

  DiagramArguments arguments_;
  Diagnostics plugin_diagnostics_;
  LoadedDiagram diagram_;
  RecordedFiles recorded_;
};

} // namespace hilda::cli
