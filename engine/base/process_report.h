// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/process_watch.h"
#include "engine/modules.h"

#include <functional>
#include <string>
#include <vector>

namespace hilda::base {

/// Where a block of that path is; of a plugin, where the path is empty.
using PlaceOf = std::function<Location(const std::string& block)>;

/// "it (mine/Sensor): configure changes what belongs to the whole process: ..."
std::string process_words(const ProcessChange& change);

/// Reports what plugins have changed of the process: warnings, and errors where devices move. Codes: plugin-process,
/// block-process.
void report_process(const std::vector<ProcessChange>& changes, const PlaceOf& place, bool moves,
                    Diagnostics& diagnostics);

/// What that plugin has changed before, in this process, in words; empty where it has changed nothing. A run that moves
/// devices does not start with it.
std::string process_changes_of(const std::string& plugin);

} // namespace hilda::base
