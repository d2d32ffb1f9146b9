// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::plugin {

/// A library that a plugin would not get: the dynamic linker takes one file for each soname in a process.
struct LibraryConflict {
  std::string soname; ///< "libfoo.so.1"
  std::string wanted; ///< the file that the search paths of the plugin give
  std::string loaded; ///< the file that the process has already, with other contents
};

/// Compares what each library that `file` needs, and each that these need, would be with what is loaded. The file is
/// read, not opened by the linker: no code of it runs. Empty also where the file cannot be read as a shared library.
std::vector<LibraryConflict> library_conflicts(const std::string& file);

} // namespace hilda::plugin
