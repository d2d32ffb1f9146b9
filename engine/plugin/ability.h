// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string_view>

namespace hilda::plugin {

/// What the program offers to plugins (hilda_host::extension): a table of C functions by its name, such as
/// "hilda.recordings/1". It lives as long as the process.
struct Ability {
  std::string_view name;
  const void* table;
};

} // namespace hilda::plugin
