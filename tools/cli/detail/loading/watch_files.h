// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/own_descriptors.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/modules.h"

#include <map>
#include <set>
#include <string>

namespace hilda::cli {

/// Watches the files that a diagram is made of and the folders of plugins (inotify). Folders are watched, not files:
/// editors and linkers replace a file by a new one.
class WatchedFiles {
public:
  explicit WatchedFiles(DiagramArguments arguments);
  ~WatchedFiles();
  WatchedFiles(const WatchedFiles&) = delete;
  WatchedFiles& operator=(const WatchedFiles&) = delete;

  /// Reads the diagram to find out its files: those it includes in any mode, overlays, the rig, and files that its
  /// attributes name. Earlier ones are kept: a file that is broken now may be repaired.
  void look_up();

  /// Readable when something changed; -1 where the system has no more watches.
  int descriptor() const { return descriptor_; }
  /// A file that matters and has changed since the last call; empty: none.
  std::string changed();
  /// The same, once nothing has changed for a moment: a build writes several files.
  std::string settled();

private:
  void add(const std::string& file);
  void watch_folder(const std::string& folder);
  void add_named(const std::string& text, const std::string& from);

  DiagramArguments arguments_;
  int descriptor_;
  OwnDescriptor own_;
  std::map<int, std::string> folders_; ///< by watch
  std::set<std::string> files_, plugin_folders_;
};

} // namespace hilda::cli
