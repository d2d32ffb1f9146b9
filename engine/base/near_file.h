// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::base {

/// A file that a path which does not exist may mean, as the user would write it: one with a similar name in the same
/// folder, or one of the same name here or in out/. Empty: there is none.
/// @param path   where it was looked for
/// @param shown  as the user wrote it
std::string near_file(const std::string& path, const std::string& shown);

} // namespace hilda::base
