// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/load.h"
#include "engine/compile/timed_settings.h"
#include "engine/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::compile {

/// A diagram that is given as text, as if it were in a file of this name in the current folder.
struct DiagramText {
  std::string name, text;
};

/// A diagram, every file that was read for it, and all that was found out about it. It outlives every system that it
/// gives out.
class LoadedDiagram {
public:
  /// Nothing is loaded yet. The catalogue must outlive it.
  explicit LoadedDiagram(const Catalogue& catalogue) : catalogue_(catalogue) {}
  /// Loads it at once.
  LoadedDiagram(const Catalogue& catalogue, const std::string& file, const LoadOptions& options = {});
  LoadedDiagram(const Catalogue& catalogue, const DiagramText& text, const LoadOptions& options = {});
  LoadedDiagram(const LoadedDiagram&) = delete;
  LoadedDiagram& operator=(const LoadedDiagram&) = delete;

  /// From a file to a system that can be planned: read and flattened for one mode, everything inferred, blocks asked.
  /// False after errors. Where a diagram is loaded again, in another mode, its messages follow the earlier ones; a
  /// remark is listed once. Feedthrough loops are found by make_plan.
  bool load(const std::string& file, const LoadOptions& options);
  bool load(const DiagramText& text, const LoadOptions& options);

  /// There is a system, and nothing has been found wrong, in whatever mode and by whomever.
  bool ok() const { return system_.has_value() && diagnostics_.ok(); }
  /// Was there a system at the last time?
  bool has_system() const { return system_.has_value(); }
  const System& system() const { return *system_; }
  /// Gives the system away.
  System take_system();

  /// Accepts what overlays set during the run. A caller that applies it calls this before loading; otherwise such a
  /// setting is an error.
  void take_times(PlayedFiles files = PlayedFiles::read) { takes_times_ = true, files_ = files; }
  const std::vector<TimedChange>& timed() const { return timed_; }
  /// What overlays play, whether it was read or not.
  const std::vector<PlayedSetting>& played() const { return late_.played; }

  Diagnostics& diagnostics() { return diagnostics_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  const Sources& sources() const { return sources_; }
  /// What a person should know without being wrong: the period that a rig fixes, parameters that it does not take.
  const std::vector<std::string>& remarks() const { return remarks_; }

private:
  LoadOptions with_times(LoadOptions options);
  bool complete(std::optional<System> flat, std::size_t errors_before, std::vector<std::string> remarks);

  const Catalogue& catalogue_;
  Sources sources_;
  Diagnostics diagnostics_;
  std::vector<std::string> remarks_;
  std::optional<System> system_;
  bool takes_times_ = false;
  PlayedFiles files_ = PlayedFiles::read;
  LateSettings late_;
  std::vector<TimedChange> timed_;
};

} // namespace hilda::compile
