// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/diagram/overlay.h"
#include "engine/log/sparse_log.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::session {

/// What a run was asked for, and what does it again: an overlay, and what programs wrote as numbers.
struct RepeatableRun {
  struct Written {
    std::string path;
    SparseSignal signal;
  };
  OverlaySettings settings;
  std::vector<Written> written;
  Rational period{1, 1000}; ///< s, of a tick
};

/// "out/tuned.xml" to "out/tuned.inputs.mcap"
std::string inputs_file_of(const std::string& overlay);

/// Writes the overlay and, where programs wrote numbers, the file of their signals next to it, which the overlay plays.
/// False with an error.
bool save_run(const std::string& overlay, const RepeatableRun& run, OutputFiles& files, std::string& error);

} // namespace hilda::session
