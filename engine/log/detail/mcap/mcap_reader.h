// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/detail/mcap/mcap_records.h"
#include "engine/log/detail/mcap/mcap_summary.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hilda::log::mcap {

struct ChannelRecord {
  std::uint16_t id = 0, schema = 0;
  std::string topic, encoding;
  TextMap metadata;
};
struct MetadataRecord {
  std::string name;
  TextMap values;
};
struct AttachmentRecord {
  std::string name, media_type, data;
};
/// A message; `data` is valid until the next one is asked for.
struct MessageView {
  std::uint16_t channel = 0;
  std::uint64_t nanoseconds = 0;
  std::span<const std::byte> data;
};

/// Reads an MCAP file of unknown origin; its chunks may be LZ4 frames. It goes by the records from the first byte on,
/// so a file cut by a crash gives all up to its last whole record; where the summary's checksum is right, what the
/// summary says of them counts. Whatever the bytes are, nothing is read beyond them, and memory stays in proportion to
/// the file.
class Reader {
public:
  /// None where the file cannot be read or is not an MCAP file; `error` says why.
  static std::optional<Reader> open(const std::string& path, std::string& error);
  ~Reader();
  Reader(Reader&& other) noexcept;
  Reader& operator=(Reader&&) = delete;

  // All of the file but its messages, in its order.
  const std::vector<ChannelRecord>& channels() const { return channels_; }
  const std::vector<MetadataRecord>& metadata() const { return metadata_; }
  const std::vector<AttachmentRecord>& attachments() const { return attachments_; }

  /// The next message of the file, or false at its end. `rewind` starts over.
  bool next(MessageView& message);
  void rewind();
  /// Also gives what a checksum shows to be damaged, as far as it can be read; `problems` names it nevertheless.
  void keep_damaged() { keep_damaged_ = true; }
  /// Looks at every byte that has not been looked at, so that `damaged` and `problems` are final; then starts over.
  void verify();

  /// Whole, with its summary and end mark?
  bool complete() const { return complete_; }
  /// Are parts damaged, beyond an end that a crash cut off? More is found while messages are read; at their end, and
  /// after `verify`, all is known.
  bool damaged() const { return damaged_; }
  const std::string& path() const { return path_; }
  /// Bytes up to the end of the last whole record, and of the file.
  std::uint64_t whole_bytes() const { return whole_; }
  std::uint64_t file_bytes() const { return size_; }
  /// The fault of it, in words: cut, damaged parts that were left out. Messages add to it as they are read.
  const std::vector<std::string>& problems() const { return problems_; }

private:
  using Place = RecordPlace;

  Reader() = default;
  bool read_at(std::uint64_t offset, std::size_t bytes, std::vector<std::byte>& target);
  bool read_head(std::uint64_t offset, Place& place);
  std::vector<Place> scan(const Summary& summary);
  void judge_end(const Summary& summary, bool in_data, bool footer);
  void go_by(const Summary& summary, const std::vector<Place>& found);
  void take_channels(const Summary& summary, const std::vector<Place>& found);
  void take(const Place& place);
  void take_attachment(std::span<const std::byte> content);
  bool load_chunk(const Place& place);
  void problem(std::uint64_t offset, const std::string& what);
  void problem(const std::string& what);
  bool checksum_fits();
  void check_whole();

  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0, whole_ = 0;
  bool complete_ = false, keep_damaged_ = false, damaged_ = false;
  std::vector<ChannelRecord> channels_;
  std::vector<MetadataRecord> metadata_;
  std::vector<AttachmentRecord> attachments_;
  std::vector<Place> data_; ///< chunks, and messages outside of chunks
  RunningChecksum checksum_;
  std::uint64_t data_end_ = 0;      ///< where the data end
  std::uint32_t data_checksum_ = 0; ///< that the file says; 0: it says none
  bool checked_ = false;            ///< the checksum of the whole
  std::vector<std::string> problems_;

  std::vector<std::byte> window_; ///< of the file, for the heads of small records that follow one another
  std::uint64_t window_start_ = 0;
  std::size_t next_place_ = 0;
  std::size_t verified_ = 0; ///< places whose problems are already listed
  std::vector<std::byte> chunk_, unpacked_;
  RecordView records_{{}};
};

} // namespace hilda::log::mcap
