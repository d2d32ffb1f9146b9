// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/recorded_file.h"
#include "engine/modules.h"

#include <istream>
#include <optional>

namespace hilda::log {

/// A table of comma-, semicolon- or tab-separated values, as `hilda export --csv` and the page of the studio write it:
/// a line of names with units, "arm.force.x [N]", then lines with the time first. Without a sample a cell is empty.
/// Lines that are empty or begin with # are passed over.
std::optional<RecordedFile> signals_of_csv(std::istream& in, RecordedFileFault& fault);

} // namespace hilda::log
