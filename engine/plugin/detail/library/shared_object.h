// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::plugin {

/// Looks at a file before the dynamic linker does: the linker waits for ever at a pipe, and a library that is cut short
/// (a copy under way, a full disk) ends the program by SIGBUS. Empty where nothing speaks against opening the file,
/// which says nothing about whether it is a plugin; else what is wrong, as the end of a sentence.
std::string why_not_openable(const std::string& file);

} // namespace hilda::plugin
