// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/catalogue/catalogue.h"
#include "engine/diagram/diagram.h"
#include "engine/modules.h"
#include "engine/plugin/ability.h"
#include "engine/plugin/detail/library/content_hash.h"
#include "engine/plugin/detail/library/scripts.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hilda::plugin {

/// A plugin that is loaded: its library stays open as long as this lives.
class Library {
public:
  struct Close {
    std::string file;
    void operator()(void* handle) const;
  };
  std::string file; ///< path as found
  std::string name, version, built;
  ContentHash hash;                 ///< of the file's bytes: what a log keeps to name a mismatch
  std::unique_ptr<hilda_host> host; ///< what the plugin knows of this program
  std::unique_ptr<void, Close> handle;
};

/// Loads plugins and fills the catalogue. The blocks' code lives in the libraries, so this outlives everything made
/// from the catalogue.
class Host {
public:
  explicit Host(std::span<const Ability> abilities = {});
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Every *.so of a folder, sorted by name. A folder that is not there is an error. A faulty library is reported, and
  /// the others are still loaded. Where the folder was read before, new libraries are loaded, faulty ones are reported
  /// again, and a file that is no longer the one that was loaded is a warning: plugin-changed.
  void load_folder(const std::string& folder, Diagnostics& diagnostics);
  /// One library. A failure leaves the catalogue as it was.
  void load(const std::string& file, Diagnostics& diagnostics);

  const Catalogue& catalogue() const { return catalogue_; }
  /// Blocks in source files of the folders that were loaded, and next to diagrams.
  Scripts& scripts() { return scripts_; }
  /// Puts all blocks of source files into the catalogue, for those who list it: runs the files.
  /// @param folder  of a diagram, or empty
  void list_scripts(const std::string& folder, Diagnostics& diagnostics);
  const std::vector<std::unique_ptr<Library>>& libraries() const { return libraries_; }
  /// Of all plugins, by name: reads their files the first time.
  std::map<std::string, std::string> hashes() const;

  /// What a plugin's hilda_host leads back to.
  struct Introduced {
    std::span<const Ability> abilities;
  };

private:
  /// A file that was loaded, or was not.
  struct Seen {
    FileState as;
    Diagnostics said;
    const Library* library = nullptr;
  };
  void look(const std::string& file, Seen& seen, Diagnostics& diagnostics);

  Introduced introduced_;
  std::vector<std::unique_ptr<Library>> libraries_;
  std::map<std::string, std::map<std::string, Seen>> seen_; ///< by folder and name
  Scripts scripts_;
  Catalogue catalogue_;
  Sources sources_;
};

} // namespace hilda::plugin
