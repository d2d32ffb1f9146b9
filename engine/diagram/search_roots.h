// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/error.h"
#include "engine/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::diagram {

/// Where files that a diagram names are looked for: the folder of the file that names them, the folders above it up to
/// its library root, then the folders of the library path. Nothing outside of these is ever opened; symbolic links are
/// resolved first.
///
/// The library root of a file is the nearest folder, from its own upwards, that holds a file `.hilda-library` or a
/// folder `diagrams`; a file below a folder of the library path has that folder as its root; without either it is the
/// file's own folder.
class SearchRoots {
public:
  explicit SearchRoots(const std::vector<std::string>& library_path = {});

  /// Absolute path of the regular file that `text` names in the file `from` (absolute).
  /// Errors: path-absolute, path-outside, path-not-found (with near misses).
  Result<std::string> find(const std::string& text, const std::string& from);

  /// Library root of a file, both absolute.
  const std::string& library_root(const std::string& file);

private:
  std::vector<std::string> library_path_;    ///< absolute, symbolic links resolved
  std::map<std::string, std::string> roots_; ///< library root by folder
};

/// A path as shown to people: relative to the current folder where the file lies in it or near above it.
std::string shown_path(const std::string& absolute);

} // namespace hilda::diagram
