// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/recording.h"
#include "engine/modules.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hilda::log {

/// All signals of a MAT file or of a table of comma-separated values, to be looked at. A value may be NaN there.
struct RecordedFile {
  struct Named {
    std::string name;
    Recording recording; ///< in SI; without a unit, where the file has none
  };
  std::vector<Named> signals;
  std::vector<std::string> remarks; ///< what was left out, and why
};

/// Why a file is not one.
struct RecordedFileFault {
  std::string what, help; ///< without help: it is something else altogether
  std::size_t line = 0;   ///< of a table; 0: none in particular
};

/// None after a fault. The file may be anyone's. A MAT file is read in a separate process, a table in this one.
std::optional<RecordedFile> read_recorded_file(const std::string& path, RecordedFileFault& fault);

} // namespace hilda::log
