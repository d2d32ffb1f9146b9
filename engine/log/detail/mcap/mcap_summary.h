// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/detail/mcap/mcap_records.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hilda::log::mcap {

/// Where a record's content lies in a file.
struct RecordPlace {
  std::uint64_t offset = 0, bytes = 0;
  Opcode opcode{};
  friend bool operator==(const RecordPlace&, const RecordPlace&) = default;
};

/// What follows a file's data, under its own checksum: copies of its schemas and channels, and where
/// everything is. A damaged record of the data can be recognized by it, and often be recovered.
struct Summary {
  enum class State : std::uint8_t {
    none,    ///< there is none: the file was cut, or its writer makes none, or gives it no checksum
    damaged, ///< the file ends as a whole one does, but its summary is not what was written
    sound
  };
  State state = State::none;
  std::uint64_t start = 0;                               ///< where it begins and the data ends; of a sound one
  std::vector<std::vector<std::byte>> schemas, channels; ///< contents of the records
  std::vector<RecordPlace> places; ///< of chunks, metadata and attachments, in the order of the file
};
/// @param size  of the file, in bytes
Summary read_summary(int file, std::uint64_t size);

/// All of it, or false.
bool read_bytes(int file, std::uint64_t offset, std::size_t bytes, std::vector<std::byte>& target);

/// The checksum of a file's beginning, made piece by piece while it is read for other reasons.
class RunningChecksum {
public:
  /// `bytes` are at `offset`: they are taken where they continue from what was taken, after what is in between was
  /// read. False where that cannot be read.
  bool take(int file, std::uint64_t offset, std::span<const std::byte> bytes);
  /// Up to there; none where it cannot be read or more was taken already.
  bool up_to(int file, std::uint64_t offset);
  std::uint32_t value() const { return crc_; }

private:
  std::uint64_t done_ = 0;
  std::uint32_t crc_ = 0;
  std::vector<std::byte> piece_;
};

/// The mark behind a file's data: a record with the checksum of all that is before it.
inline constexpr std::size_t data_end_bytes = record_head + sizeof(std::uint32_t);

/// The checksum that the file gives its data, whose end mark begins at `offset`; 0: none.
std::uint32_t data_checksum(int file, std::uint64_t offset);

} // namespace hilda::log::mcap
