// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"
#include "engine/plugin/library.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace hilda::plugin {

/// Where hilda lies, in a build folder or where it was installed: its plugins and the diagrams that came with it. What
/// HILDA_PLUGIN_PATH and HILDA_LIBRARY_PATH name (folders, separated by ':') is looked at too.
///
/// The plugins stay loaded to the end of the process: what reports at exit, such as a profiler or the watcher of the
/// loop, still finds their code. One thread at a time.
class Installation {
public:
  /// @param file  the program or the module: the nearest folder above it that holds lib/hilda/plugins counts
  /// @param abilities  what plugins may ask of this program
  explicit Installation(const std::filesystem::path& file, std::span<const Ability> abilities = {});

  /// Where plugins are looked for: the standard ones, those of HILDA_PLUGIN_PATH, then `more`.
  std::vector<std::string> plugin_folders(const std::vector<std::string>& more) const;
  /// Loads all of them, and what is new in them since; a folder that is named twice is read once. What was wrong with
  /// one is reported to everyone who asks.
  void load_plugins(const std::vector<std::string>& more, Diagnostics& diagnostics);
  Host& host() { return host_; }

  /// Where `src` and paths are looked for last: the folders in HILDA_LIBRARY_PATH, then the diagrams that came with
  /// hilda.
  std::vector<std::string> library_path() const;
  /// A file of the library path, such as "pida.xml"; empty: there is none.
  std::string library_file(const std::string& name) const;
  /// The diagrams that are in the library path's own folders.
  std::vector<std::string> library_files() const;

private:
  std::filesystem::path prefix_; ///< empty: there is none
  Host& host_;
};

} // namespace hilda::plugin
