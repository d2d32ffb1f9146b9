// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::plugin {

/// Everything that a plugin's table says, checked and copied: nothing behind it is believed before. A block whose
/// descriptor is wrong is reported and left out; the others are taken.
/// @param file  the plugin's file, for the catalogue
/// @return none where there is nothing to take (reported, all at once)
std::optional<std::vector<std::unique_ptr<BlockType>>> read_table(const hilda_plugin* table, const std::string& file,
                                                                  Location at, Diagnostics& diagnostics);

} // namespace hilda::plugin
