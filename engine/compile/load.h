// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/diagram/recorded_files.h"
#include "engine/diagram/system.h"
#include "engine/diagram/timed_setting.h"
#include "engine/modules.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hilda::compile {

struct LoadOptions {
  std::string mode;                       ///< empty: see choose_mode
  std::string rig;                        ///< file that replaces the top subsystem `rig`; empty: none
  std::vector<std::string> settings;      ///< "lead.time_constant=4ms"; they win over overlays
  std::vector<std::string> overlays;      ///< files; later ones win
  std::vector<Attribute> placed_settings; ///< as `settings`, with the places where they are; they win over those
  std::vector<std::string> library_path;  ///< folders in which `src` and paths are looked for last
  std::vector<const BlockType*> blocks;   ///< types that the caller brings, for this diagram alone
  SolverChoice solver;                    ///< what the run asks for: whether crossings are located decides sample times
  const RecordedFiles* recorded = nullptr; ///< replace files on the disk; must live as long as the call
  LateSettings* late = nullptr;            ///< takes what overlays set while the diagram runs; null: that is an error
  std::size_t most_elements = 2'000'000;   ///< blocks, subsystems, ports and wires after flattening
};

/// Reads a diagram file and flattens it for one mode: blocks with their parameters, wires, guards; nothing inferred
/// yet.
///
/// All errors go to `diagnostics`. Where the diagram could be read at all, a system is returned even so: blocks of
/// unknown type or without a value are in it without a type and wires in error with one end missing, so that inference
/// can add its findings to the same report. It must not be run unless diagnostics.ok().
/// @param remarks  what the user should know: the period that a rig fixes, parameters that it drops
std::optional<System> load(const std::string& path, const LoadOptions& options, const Catalogue& catalogue,
                           Sources& sources, Diagnostics& diagnostics, std::vector<std::string>& remarks);

/// Code of timed settings that no one takes: setting-untaken.
/// The same for a diagram in memory, as if it was in a file of this name in the current folder.
std::optional<System> load_text(const std::string& name, std::string text, const LoadOptions& options,
                                const Catalogue& catalogue, Sources& sources, Diagnostics& diagnostics,
                                std::vector<std::string>& remarks);

/// The modes of a diagram file, sorted, for those who look at all of them; "sim" alone where its elements name none,
/// nothing where it cannot be read (which load reports).
std::vector<std::string> modes_of_file(const std::string& path, const std::vector<std::string>& library_path);

} // namespace hilda::compile
