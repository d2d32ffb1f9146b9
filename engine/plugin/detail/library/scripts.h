// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/script_types.h"
#include "engine/modules.h"
#include "engine/plugin/detail/library/content_hash.h"
#include "engine/plugin/language.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hilda::plugin {

/// Block types in Python files. The library that serves them, and with it an interpreter, is loaded when the first file
/// is. Any thread.
class Scripts final : public ScriptTypes {
public:
  /// The language library, in a folder of hilda: "lib/hilda/languages/python.so". Whether it is there shows later.
  void take_library(std::string file);
  /// A folder in which plugins are looked for. The one that was added last is searched first.
  void add_folder(const std::string& folder);

  bool takes(const std::string& name) const override { return name.starts_with("python/"); }
  const BlockType* find(const std::string& name, const std::string& folder, Diagnostics& diagnostics) override;
  std::vector<std::string> names(const std::string& folder) const override;

  /// All types of the plugin folders, and of `folder` where it is not empty: runs all their files. Of two files with a
  /// type of one name, the first.
  std::vector<const BlockType*> all(const std::string& folder, Diagnostics& diagnostics);
  /// All types of one file; none after an error.
  std::vector<const BlockType*> in_file(const std::string& file, Diagnostics& diagnostics);
  /// Of classes in the interpreter of this process; empty after an error.
  std::vector<const BlockType*> take(void* classes, Diagnostics& diagnostics);
  /// The methods of a type in C++: question and answer as python/block_types/translate.py describes them.
  std::string translation(const BlockType& type, const std::string& request) const;
  /// Of the files that were run, by "python:FILE".
  std::map<std::string, std::string> hashes() const;
  std::vector<std::string> files() const;

private:
  struct Run {
    FileState as;
    Diagnostics said;
    std::vector<const BlockType*> types;
    std::unique_ptr<ContentHash> hash;
  };
  class Hearing;

  std::vector<std::string> folders(const std::string& first) const;
  /// Where a class is: next to the diagram, or in a plugin folder. None where it is nowhere, or after an error.
  std::optional<std::string> file_of(const std::string& class_name, const std::string& folder,
                                     Diagnostics& diagnostics) const;
  const Run* run(const std::string& file, Diagnostics& diagnostics);
  const hilda_language* language(const std::string& file, Diagnostics& diagnostics);
  bool open_library(const std::string& wanted_by, Diagnostics& diagnostics);
  const BlockType* add(const hilda_block_type& type, const std::string& file, int line, Diagnostics& diagnostics);

  mutable std::recursive_mutex mutex_; ///< a file may load a diagram
  std::set<std::string> running_;
  std::string library_;
  std::vector<std::string> folders_;
  const hilda_language* language_ = nullptr;
  hilda_ports_1* ports_ = nullptr;  ///< lives to the end of the process, as the library does
  std::map<std::string, Run> runs_; ///< by file
  std::map<const hilda_block_type*, std::unique_ptr<BlockType>> types_;
};

} // namespace hilda::plugin
