// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::plugin {

/// Keeps how the file of a plugin is, now that it is loaded.
void note_loaded_file(const std::string& file);

/// The first of these files that someone has written into since: its code changes under the program, or ends. Null:
/// none. For signal handlers.
const char* overwritten_file();

} // namespace hilda::plugin
