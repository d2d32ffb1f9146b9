#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/host/library.h"

#include <string>
#include <vector>

namespace hilda::python {

/// The module's own plugins and libraries of diagrams, found from where it lies: in the nearest folder above it that
/// holds lib/hilda/plugins, be that a build folder or where hilda is installed.
///
/// The plugins stay loaded to the end of the process. To be called with the interpreter's lock held.
Host& plugin_host();

/// Loads the standard plugins, those of the folders in HILDA_PLUGIN_PATH and those of `folders`; each folder once.
void load_plugins(const std::vector<std::string>& folders, Diagnostics& diagnostics);

/// Where `src` and paths are looked for last: the folders in HILDA_LIBRARY_PATH, then the diagrams that came with
/// hilda.
std::vector<std::string> library_path();

/// A file of the library path, such as "pida.xml"; empty: there is none.
std::string library_file(const std::string& name);
/// The diagrams that stand in the library path's own folders.
std::vector<std::string> library_files();

} // namespace hilda::python
