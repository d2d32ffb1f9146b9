// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/detail/mcap/mcap_records.h"
#include "engine/log/detail/mcap/mcap_summary.h"
#include "engine/log/log_recovery.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hilda::log {

inline constexpr std::uint64_t largest_record = std::uint64_t{1} << 28U;
/// The head of a chunk whose messages nothing compresses, and of one that holds an LZ4 frame.
inline constexpr std::size_t plain_head = 3 * 8 + 4 + 4 + 8, packed_head = plain_head + 3;

/// The part in front of a chunk's messages.
struct ChunkHead {
  std::uint64_t size = 0; ///< of the messages, unpacked
  std::uint32_t crc = 0;
  bool packed = false;
  std::uint64_t stored = 0; ///< bytes of what follows

  std::size_t bytes() const { return packed ? packed_head : plain_head; }
};
/// None where the bytes are not such a head.
std::optional<ChunkHead> chunk_head(std::span<const std::byte> bytes);

/// A file read piece by piece; a piece beyond its end is short.
class PiecewiseFile {
public:
  explicit PiecewiseFile(const std::string& path);
  ~PiecewiseFile();
  PiecewiseFile(const PiecewiseFile&) = delete;
  PiecewiseFile& operator=(const PiecewiseFile&) = delete;

  const std::string& fault() const { return fault_; }
  int descriptor() const { return file_; }
  std::uint64_t size() const { return size_; }
  /// Does it end as a whole log does?
  bool ends_whole();

  /// The next place where something was written: of a sparse file most is a hole.
  std::uint64_t data_from(std::uint64_t offset) const;
  /// As much as is at hand from there on; nothing at the file's end.
  std::span<const std::byte> from(std::uint64_t offset);
  /// Valid until the next call.
  std::span<const std::byte> at(std::uint64_t offset, std::uint64_t bytes);

private:
  void load(std::uint64_t offset, std::uint64_t bytes);

  int file_ = -1;
  std::uint64_t size_ = 0, start_ = 0;
  std::vector<std::byte> window_;
  std::string fault_;
};

/// Walks over all that looks like a record, and finds its way again behind what does not.
class Salvage {
public:
  using Visit = std::function<void(const mcap::RecordPlace&)>;
  Salvage(PiecewiseFile& file, Recovery& recovery) : file_(file), recovery_(recovery) {}

  /// `visit` for each whole record. A chunk that the file's end cuts is given by `cut_chunk`.
  void walk(const Visit& visit);
  /// Where a chunk begins that goes beyond the file's end.
  std::optional<std::uint64_t> cut_chunk() const { return cut_; }
  void remarks_wanted(bool wanted) { remarks_ = wanted; }

  void left_out(std::uint64_t offset, std::uint64_t bytes);

private:
  std::optional<mcap::RecordPlace> head_at(std::uint64_t at);
  bool sound(const mcap::RecordPlace& head) const;
  bool chunk_like(const mcap::RecordPlace& head);
  bool is_cut_chunk(std::uint64_t at);
  std::uint64_t next_chunk(std::uint64_t at);

  PiecewiseFile& file_;
  Recovery& recovery_;
  std::optional<std::uint64_t> cut_;
  bool remarks_ = true;
};

} // namespace hilda::log
