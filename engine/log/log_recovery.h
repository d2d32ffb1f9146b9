// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/modules.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hilda::log {

/// What became of a log that was recovered.
struct Recovery {
  std::uint64_t messages = 0;
  std::uint64_t bytes_left_out = 0; ///< damaged, or of records that no one can read
  std::uint64_t strange = 0;        ///< messages left out whose time is not that of a tick
  bool unwritable = false;          ///< where it failed: it was the new log that could not be written
  bool cut = false;                 ///< it ends in the middle of a run
  bool doubtful = false;            ///< something is damaged, and nothing says what: it is in the new log as it is
  std::vector<std::string> remarks; ///< what was left out or replaced, and where

  /// All that was recorded, as far as the log goes, is in the new one.
  bool whole() const { return bytes_left_out == 0 && strange == 0 && !doubtful; }
};

/// Makes a whole log of what is available of a cut or damaged one: every message whose checksum is right, wherever it
/// is, and the messages of a last part that was cut while it was written. What a checksum shows to be damaged is
/// left out; where it is a second time in the log's summary, that is taken. False, and `error`, where nothing can be
/// recovered or the new log cannot be written.
bool recover_log(const std::string& path, std::unique_ptr<OutputFile> target, Recovery& recovery, std::string& error);

} // namespace hilda::log
