// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/log/detail/mcap/lz4_frame.h"
#include "engine/log/detail/mcap/mcap_records.h"
#include "engine/modules.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::log::mcap {

/// Writes an MCAP file with chunks, indexes, a summary and checksums. Chunks are LZ4 frames unless `packed` says no.
///
/// The file is NAME.part until `close` has made it whole. Its content after `flush` can be read even if the
/// process dies. After the first failure nothing more is written, `error` says why, what was written stays as
/// NAME.part, and every call is harmless. One thread.
class Writer {
public:
  Writer() = default;
  ~Writer(); ///< not closed: what was written stays as NAME.part
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Begins the file; false and `error` where it cannot.
  bool open(std::unique_ptr<OutputFile> file, std::string_view library);
  bool open(const std::string& path, std::string_view library);

  /// Before the first message.
  void packed(bool wanted) { packed_ = wanted; }

  // Before the first message of the channel; ids count from 1.
  void schema(std::uint16_t id, std::string_view name, std::string_view encoding, std::string_view text);
  void channel(std::uint16_t id, std::uint16_t schema, std::string_view topic, std::string_view encoding,
               const TextMap& metadata);
  // Closes the chunk first.
  void metadata(std::string_view name, const TextMap& metadata);
  void attachment(std::string_view name, std::string_view media_type, std::string_view data);

  /// A message of `bytes` in the current chunk: the caller fills it before the next call.
  std::byte* message(std::uint16_t channel, std::uint64_t nanoseconds, std::size_t bytes);
  /// What a message of `bytes` takes in the file before it is packed, with its index and without its share of a chunk's
  /// head.
  static std::size_t size_of_message(std::size_t bytes);
  /// Bytes of the chunk that is being filled, before they are packed.
  std::size_t chunk_bytes() const { return chunk_before_ + chunk_.size(); }
  /// Writes the chunk out.
  void flush();
  /// Writes the rest and the summary and closes the file; false where anything failed since `open`.
  bool close();

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  /// Removes a file that holds no message; call nothing afterwards.
  void drop_if_empty();
  /// Removes the file; call nothing afterwards.
  void drop();
  std::uint64_t messages() const { return messages_; }
  std::uint64_t bytes() const { return whole_; }

private:
  struct Indexed {
    std::uint64_t time, offset;
  };
  struct ChannelState {
    std::vector<Indexed> index; ///< of the current chunk
    std::uint64_t messages = 0;
    std::uint32_t sequence = 0;
    bool known = false;
    std::size_t last = 0, last_bytes = 0; ///< its last message's data in the piece that is being filled; 0 bytes: none
  };

  void write(std::span<const std::byte> bytes);
  void fail(const char* what, int error_number);
  void check_size();
  void write_record(RecordBuffer& record);
  void note_repeat(ChannelState& state, std::uint16_t channel, std::size_t at, std::size_t bytes);
  void take_piece();
  void write_message_indexes(std::uint64_t chunk_start, std::uint64_t chunk_length, std::uint64_t stored);
  void write_summary();

  std::string error_;
  std::unique_ptr<OutputFile> file_;
  std::uint64_t position_ = 0; ///< bytes written
  std::uint64_t whole_ = 0;    ///< up to the end of the last record that is whole
  std::uint32_t crc_ = 0;      ///< of everything written

  bool packed_ = true;
  RecordBuffer chunk_;             ///< messages of the current chunk; where they are packed, those that are not yet
  std::uint64_t chunk_before_ = 0; ///< bytes of the chunk that are packed
  std::uint32_t chunk_crc_ = 0;    ///< of them
  std::vector<Lz4Repeat> repeats_; ///< in chunk_
  std::vector<std::uint16_t> in_piece_; ///< channels with messages in chunk_
  Lz4Packer packer_;
  RecordBuffer scratch_; ///< any other record
  std::vector<ChannelState> channels_;
  std::vector<std::uint16_t> touched_; ///< channels with messages in the current chunk
  std::uint64_t chunk_first_ = 0, chunk_last_ = 0;
  std::uint64_t messages_ = 0, first_ = 0, last_ = 0;

  // for the summary: records in their final form
  RecordBuffer schemas_, channel_records_, chunk_indexes_, attachment_indexes_, metadata_indexes_;
  std::uint16_t schema_count_ = 0;
  std::uint32_t channel_count_ = 0, attachment_count_ = 0, metadata_count_ = 0, chunk_count_ = 0;
};

} // namespace hilda::log::mcap
