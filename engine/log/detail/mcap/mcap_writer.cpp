// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/mcap/mcap_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace hilda::log::mcap {
namespace {

/// In front of what a message's CDR aligns.
constexpr std::size_t cdr_head = 4;

} // namespace

Writer::~Writer() = default;

void Writer::fail(const char* what, int error_number) {
  if (failed()) return;
  error_ = file_->path() + ": " + what + ": " + std::system_category().message(error_number);
  error_ += "; what was written is " + file_->part();
}

/// Another program may cut or extend the file while it is written: what follows would be where no reader finds it.
void Writer::check_size() {
  struct stat now = {};
  if (failed() || !file_ || ::fstat(file_->descriptor(), &now) != 0 || !S_ISREG(now.st_mode)) return;
  if (static_cast<std::uint64_t>(now.st_size) == position_) return;
  error_ = file_->path() + ": the log ends here: another program has changed it, it has " +
           std::to_string(now.st_size) + " bytes where " + std::to_string(position_) +
           " were written; the rest is in " + file_->part();
}

void Writer::drop_if_empty() {
  if (messages_ == 0 && chunk_bytes() == 0 && file_) file_->keep_part(false);
}

void Writer::drop() {
  if (file_) file_->keep_part(false);
}

bool Writer::open(const std::string& path, std::string_view library) {
  OutputFiles files;
  auto file = files.open(path, OutputKind::log, FileContent::log);
  if (!file) error_ = files.error();
  return file && open(std::move(file), library);
}

bool Writer::open(std::unique_ptr<OutputFile> file, std::string_view library) {
  file_ = std::move(file);
  file_->keep_part(true);
  scratch_.clear();
  // At its end, wherever that is: where another program has cut the file, its size shows it from then on.
  ::fcntl(file_->descriptor(), F_SETFL, ::fcntl(file_->descriptor(), F_GETFL) | O_APPEND);
  scratch_.raw(std::as_bytes(std::span(magic)));
  scratch_.begin(Opcode::header);
  scratch_.text("");
  scratch_.text(library);
  scratch_.end();
  write_record(scratch_);
  return !failed();
}

/// All or nothing: what a full disk took of a record is cut off again, so that the file ends with a whole one.
void Writer::write(std::span<const std::byte> bytes) {
  if (failed() || !file_) return;
  std::span<const std::byte> rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_->descriptor(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      fail("the log ends here, it cannot be written", written < 0 ? errno : ENOSPC);
      if (::ftruncate(file_->descriptor(), static_cast<off_t>(whole_)) != 0) error_ += "; its last record is cut";
      return;
    }
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  position_ += bytes.size();
}

void Writer::write_record(RecordBuffer& record) {
  crc_ = crc32(record.bytes(), crc_);
  write(record.bytes());
  if (!failed()) whole_ = position_;
}

void Writer::schema(std::uint16_t id, std::string_view name, std::string_view encoding, std::string_view text) {
  scratch_.clear();
  scratch_.begin(Opcode::schema);
  scratch_.number(id);
  scratch_.text(name);
  scratch_.text(encoding);
  scratch_.text(text);
  scratch_.end();
  write_record(scratch_);
  schemas_.raw(scratch_.bytes());
  ++schema_count_;
}

void Writer::channel(std::uint16_t id, std::uint16_t schema, std::string_view topic, std::string_view encoding,
                     const TextMap& metadata) {
  scratch_.clear();
  scratch_.begin(Opcode::channel);
  scratch_.number(id);
  scratch_.number(schema);
  scratch_.text(topic);
  scratch_.text(encoding);
  scratch_.map(metadata);
  scratch_.end();
  write_record(scratch_);
  channel_records_.raw(scratch_.bytes());
  ++channel_count_;
  if (channels_.size() <= id) channels_.resize(std::size_t{id} + 1);
  channels_[id].known = true;
}

void Writer::metadata(std::string_view name, const TextMap& metadata) {
  flush();
  scratch_.clear();
  scratch_.begin(Opcode::metadata);
  scratch_.text(name);
  scratch_.map(metadata);
  scratch_.end();
  metadata_indexes_.begin(Opcode::metadata_index);
  metadata_indexes_.number(position_);
  metadata_indexes_.number(static_cast<std::uint64_t>(scratch_.size()));
  metadata_indexes_.text(name);
  metadata_indexes_.end();
  write_record(scratch_);
  ++metadata_count_;
}

void Writer::attachment(std::string_view name, std::string_view media_type, std::string_view data) {
  flush();
  scratch_.clear();
  scratch_.begin(Opcode::attachment);
  scratch_.number(std::uint64_t{0});
  scratch_.number(std::uint64_t{0});
  scratch_.text(name);
  scratch_.text(media_type);
  scratch_.number(static_cast<std::uint64_t>(data.size()));
  scratch_.raw(std::as_bytes(std::span(data)));
  scratch_.number(crc32(scratch_.bytes().subspan(record_head)));
  scratch_.end();
  attachment_indexes_.begin(Opcode::attachment_index);
  attachment_indexes_.number(position_);
  attachment_indexes_.number(static_cast<std::uint64_t>(scratch_.size()));
  attachment_indexes_.number(std::uint64_t{0});
  attachment_indexes_.number(std::uint64_t{0});
  attachment_indexes_.number(static_cast<std::uint64_t>(data.size()));
  attachment_indexes_.text(name);
  attachment_indexes_.text(media_type);
  attachment_indexes_.end();
  write_record(scratch_);
  ++attachment_count_;
}

std::size_t Writer::size_of_message(std::size_t bytes) { return record_head + message_head + bytes + sizeof(Indexed); }

std::byte* Writer::message(std::uint16_t channel, std::uint64_t nanoseconds, std::size_t bytes) {
  const std::size_t record_bytes = record_head + message_head + bytes;
  if (packed_ && chunk_.size() > 0 && chunk_.size() + record_bytes > Lz4Packer::block_bytes) take_piece();
  ChannelState& state = channels_[channel];
  if (state.index.empty()) touched_.push_back(channel);
  if (chunk_bytes() == 0) chunk_first_ = chunk_last_ = nanoseconds;
  chunk_first_ = std::min(chunk_first_, nanoseconds);
  chunk_last_ = std::max(chunk_last_, nanoseconds);
  state.index.push_back({nanoseconds, chunk_bytes()});

  if (packed_) note_repeat(state, channel, chunk_.size() + record_head + message_head, bytes);
  std::byte* target = chunk_.grow(record_bytes);
  const auto put = [&target](auto value) {
    std::memcpy(target, &value, sizeof value);
    target += sizeof value;
  };
  put(static_cast<std::uint8_t>(Opcode::message));
  put(static_cast<std::uint64_t>(message_head + bytes));
  put(channel);
  put(state.sequence++);
  put(nanoseconds);
  put(nanoseconds);
  return target;
}

/// A message is much like the one before it: most numbers of a diagram do not change from tick to tick.
void Writer::note_repeat(ChannelState& state, std::uint16_t channel, std::size_t at, std::size_t bytes) {
  if (state.last_bytes == 0) in_piece_.push_back(channel);
  if (state.last_bytes == bytes && bytes > cdr_head) repeats_.push_back({at + cdr_head, at + bytes, at - state.last});
  state.last = at;
  state.last_bytes = bytes;
}

/// Messages that are complete: into the checksum and the frame.
void Writer::take_piece() {
  chunk_crc_ = crc32(chunk_.bytes(), chunk_crc_);
  chunk_before_ += chunk_.size();
  if (!packed_) return;
  packer_.add(chunk_.bytes(), repeats_);
  chunk_.clear();
  repeats_.clear();
  for (const std::uint16_t channel : in_piece_) channels_[channel].last_bytes = 0;
  in_piece_.clear();
}

void Writer::flush() {
  if (chunk_bytes() == 0) return;
  if (chunk_.size() > 0) take_piece();
  const std::span<const std::byte> stored = packed_ ? packer_.finish() : chunk_.bytes();
  check_size();
  const std::uint64_t start = position_;
  scratch_.clear();
  scratch_.begin(Opcode::chunk);
  scratch_.number(chunk_first_);
  scratch_.number(chunk_last_);
  scratch_.number(chunk_before_);
  scratch_.number(chunk_crc_);
  scratch_.text(packed_ ? lz4_compression : "");
  scratch_.number(static_cast<std::uint64_t>(stored.size()));
  scratch_.patch(1, static_cast<std::uint64_t>(scratch_.size() - record_head + stored.size()));
  const std::uint64_t length = scratch_.size() + stored.size();
  crc_ = crc32(stored, crc32(scratch_.bytes(), crc_));
  write(scratch_.bytes());
  write(stored);
  if (!failed()) whole_ = position_;
  write_message_indexes(start, length, stored.size());
  if (!failed()) {
    messages_ = 0;
    for (const ChannelState& state : channels_) messages_ += state.messages;
    first_ = chunk_count_ == 0 ? chunk_first_ : std::min(first_, chunk_first_);
    last_ = chunk_count_ == 0 ? chunk_last_ : std::max(last_, chunk_last_);
    ++chunk_count_;
  }
  chunk_.clear();
  packer_.clear();
  chunk_before_ = 0;
  chunk_crc_ = 0;
}

void Writer::write_message_indexes(std::uint64_t chunk_start, std::uint64_t chunk_length, std::uint64_t stored) {
  const std::uint64_t start = position_;
  scratch_.clear();
  std::vector<std::pair<std::uint16_t, std::uint64_t>> offsets;
  for (const std::uint16_t id : touched_) {
    ChannelState& state = channels_[id];
    offsets.emplace_back(id, start + scratch_.size());
    scratch_.begin(Opcode::message_index);
    scratch_.number(id);
    scratch_.number(static_cast<std::uint32_t>(state.index.size() * sizeof(Indexed)));
    scratch_.raw(std::as_bytes(std::span(state.index)));
    scratch_.end();
    state.messages += state.index.size();
    state.index.clear();
  }
  touched_.clear();
  const std::uint64_t index_length = scratch_.size();
  write_record(scratch_);

  chunk_indexes_.begin(Opcode::chunk_index);
  for (const std::uint64_t value : {chunk_first_, chunk_last_, chunk_start, chunk_length}) chunk_indexes_.number(value);
  chunk_indexes_.number(static_cast<std::uint32_t>(offsets.size() * (sizeof(std::uint16_t) + sizeof(std::uint64_t))));
  for (const auto& [id, offset] : offsets) {
    chunk_indexes_.number(id);
    chunk_indexes_.number(offset);
  }
  chunk_indexes_.number(index_length);
  chunk_indexes_.text(packed_ ? lz4_compression : "");
  chunk_indexes_.number(stored);
  chunk_indexes_.number(chunk_before_);
  chunk_indexes_.end();
}

void Writer::write_summary() {
  const std::uint64_t start = position_;
  RecordBuffer statistics;
  statistics.begin(Opcode::statistics);
  statistics.number(messages_);
  statistics.number(schema_count_);
  for (const std::uint32_t count : {channel_count_, attachment_count_, metadata_count_, chunk_count_})
    statistics.number(count);
  statistics.number(first_);
  statistics.number(last_);
  RecordBuffer counts;
  for (std::size_t id = 0; id < channels_.size(); ++id) {
    if (channels_[id].messages == 0) continue;
    counts.number(static_cast<std::uint16_t>(id));
    counts.number(channels_[id].messages);
  }
  statistics.number(static_cast<std::uint32_t>(counts.size()));
  statistics.raw(counts.bytes());
  statistics.end();

  RecordBuffer summary, offsets;
  const std::array<std::pair<Opcode, const RecordBuffer*>, 6> groups{{{Opcode::schema, &schemas_},
                                                                      {Opcode::channel, &channel_records_},
                                                                      {Opcode::statistics, &statistics},
                                                                      {Opcode::chunk_index, &chunk_indexes_},
                                                                      {Opcode::attachment_index, &attachment_indexes_},
                                                                      {Opcode::metadata_index, &metadata_indexes_}}};
  for (const auto& [opcode, records] : groups) {
    if (records->size() == 0) continue;
    offsets.begin(Opcode::summary_offset);
    offsets.number(static_cast<std::uint8_t>(opcode));
    offsets.number(start + summary.size());
    offsets.number(static_cast<std::uint64_t>(records->size()));
    offsets.end();
    summary.raw(records->bytes());
  }
  const std::uint64_t offsets_start = start + summary.size();
  summary.raw(offsets.bytes());
  summary.begin(Opcode::footer);
  summary.number(start);
  summary.number(offsets_start);
  summary.number(std::uint32_t{0});
  summary.end();
  const std::size_t covered = summary.size() - sizeof(std::uint32_t);
  summary.patch(covered, crc32(summary.bytes().first(covered)));
  summary.raw(std::as_bytes(std::span(magic)));
  write_record(summary);
}

bool Writer::close() {
  if (!file_) return !failed();
  flush();
  check_size();
  scratch_.clear();
  scratch_.begin(Opcode::data_end);
  scratch_.number(crc_);
  scratch_.end();
  write_record(scratch_);
  write_summary();
  if (!failed() && !file_->commit()) error_ = file_->error() + "; the log is " + file_->part();
  file_.reset();
  return !failed();
}

} // namespace hilda::log::mcap
