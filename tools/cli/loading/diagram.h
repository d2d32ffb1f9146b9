#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/files/output_files.h"
#include "engine/model/diagram.h"
#include "engine/model/system.h"
#include "engine/xml/recorded_files.h"
#include "tools/cli/program/arguments.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// What all commands that read a diagram take.
struct DiagramArguments {
  std::string file, mode, rig;
  std::vector<std::string> settings, overlays, plugins;
};

/// A file of the diagrams that came with the program, or of HILDA_LIBRARY_PATH; empty: there is none of that name.
std::string library_file(const std::string& name);

/// Where `src` and paths are looked for last: the folders in HILDA_LIBRARY_PATH, then the diagrams that came with the
/// program, installed or in the project's folder.
std::vector<std::string> library_path();

/// DIAGRAM --mode --rig --set --overlay --plugins
void add_diagram_arguments(Command command, DiagramArguments& arguments);

/// Ends the program where a budget is spent.
[[noreturn]] void end_for_budget(const std::string& text);

/// A diagram on the bench: every file that was read, and what was found wrong. Outlives every system that it gives out.
class Bench {
public:
  /// Loads the plugins.
  explicit Bench(DiagramArguments arguments);

  /// The modes of the diagram; one empty name where it has none.
  std::vector<std::string> modes();
  /// The diagram in one mode, checked; none after errors. Remarks are what a person should know without being wrong:
  /// parameters that a rig does not take, a period that it fixes.
  std::optional<System> check(const std::string& mode);

  /// Files that stand in for those on the disk: replay.
  void recall(RecordedFiles files) { recorded_ = std::move(files); }

  /// Everything that was read for it, and what its blocks will read: plugins, diagram, overlays, tables.
  void name_inputs(OutputFiles& files, const System& system) const;

  Diagnostics& diagnostics() { return diagnostics_; }
  const std::vector<std::string>& remarks() const { return remarks_; }
  const Sources& sources() const { return sources_; }
  const DiagramArguments& arguments() const { return arguments_; }

private:
  DiagramArguments arguments_;
  Diagnostics diagnostics_, plugin_diagnostics_;
  Sources sources_;
  RecordedFiles recorded_;
  std::vector<std::string> remarks_;
};

} // namespace hilda::cli
