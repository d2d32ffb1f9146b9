// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/recording.h"
#include "engine/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::log {

/// Of a MAT file of version 5 or 7.3. Samples run along the first or the second dimension of a variable, or along the
/// third of matrices, whichever is as long as the times; the last fields of a path may be inside structures.
std::optional<Recording> recording_of_mat(const RecordingRequest& request, RecordingFault& fault);

/// All signals of such a file: the variables that have times. Units are as the file writes them.
struct MatSignals {
  struct Named {
    std::string name;
    Recording recording;
  };
  std::vector<Named> signals;
  std::vector<std::string> without_times; ///< variables with numbers that are neither signals nor times
};
std::optional<MatSignals> signals_of_mat(const std::string& file, std::string& error);

} // namespace hilda::log
