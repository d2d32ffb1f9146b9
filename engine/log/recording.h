// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hilda::log {

/// Which signal of which file.
struct RecordingRequest {
  std::string file = {};
  std::string signal = {}; ///< "rig.sensor.wrench.force"
  std::string time = {};   ///< of a MAT file: the variable with the times; empty: found next to the signal
  std::string unit = {};   ///< where the file does not say it; empty: the file must
  bool head_only = false;
};

/// A recorded signal: finite numbers in SI at rising times.
struct Recording {
  std::int64_t rows = 1, cols = 1;
  std::vector<double> times;  ///< s
  std::vector<double> values; ///< sample by sample, each column by column
  std::string unit;           ///< as the file says it, until it is settled; then SI. None: it does not
  bool has_unit = false;
  std::string note; ///< what a user should know and what is not a reason to refuse; or empty

  std::size_t width() const { return static_cast<std::size_t>(rows * cols); }
};

/// Why there is no recording, and which word of the request is at fault: "file", "signal", "time" or "unit".
struct RecordingFault {
  const char* word = "file";
  std::string text;
};

/// None after a fault. The file may be of anyone: what its bytes are is bounded and checked.
std::optional<Recording> read_recording(const RecordingRequest& request, RecordingFault& fault);

enum class RecordedFileKind : std::uint8_t { unreadable, mcap, mat, other };

/// By its first bytes: a name may say anything.
RecordedFileKind recorded_file_kind(const std::string& path);

/// The largest recording: numbers.
inline constexpr std::uint64_t most_recorded_numbers = 200'000'000;

} // namespace hilda::log
