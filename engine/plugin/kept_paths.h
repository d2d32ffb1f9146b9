// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <map>
#include <string>

namespace hilda::plugin {

/// Files that blocks read, such as tables: which file a path in a diagram meant, and where a compiled program, which
/// has the file in itself, lets a block open it. Any thread.
class KeptPaths {
public:
  struct Found {
    std::string absolute;       ///< empty: two files were meant by one path
    std::string opened_as = {}; ///< empty: by its absolute path
  };

  /// A diagram's path was found. Two that differ for one path are kept apart by neither.
  static void found(const std::string& written, const std::string& absolute);
  /// All that were found.
  static std::map<std::string, Found> all();

  /// In a compiled program: the path means this file, and a block opens it there.
  static void keep(const std::string& written, const std::string& absolute, const std::string& opened_as);
  /// The file that a path means in a compiled program; empty: it is not kept.
  static std::string kept(const std::string& written);
  /// What a block opens for this file.
  static const char* opened_as(const std::string& absolute);
};

} // namespace hilda::plugin
