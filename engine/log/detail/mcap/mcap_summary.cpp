// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/mcap/mcap_summary.h"

#include "engine/base/budget.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace hilda::log::mcap {
namespace {

constexpr std::size_t piece_bytes = 1 << 16;
constexpr std::size_t covered_of_footer = footer_bytes - sizeof(std::uint32_t);

/// Where the record that an index names has its content; an index gives where it begins and how long it is.
bool take_place(Summary& summary, Opcode opcode, std::uint64_t start, std::uint64_t length) {
  if (length < record_head || start > summary.start || length > summary.start - start) return false;
  summary.places.push_back({start + record_head, length - record_head, opcode});
  return true;
}

bool take_record(Summary& summary, Opcode opcode, std::span<const std::byte> content) {
  RecordView view(content);
  switch (opcode) {
  case Opcode::schema: summary.schemas.emplace_back(content.begin(), content.end()); return true;
  case Opcode::channel: summary.channels.emplace_back(content.begin(), content.end()); return true;
  case Opcode::chunk_index: view.raw(2 * sizeof(std::uint64_t)); break; // first and last time
  case Opcode::attachment_index:
  case Opcode::metadata_index: break;
  default: return true;
  }
  const auto start = view.number<std::uint64_t>(), length = view.number<std::uint64_t>();
  const Opcode of = opcode == Opcode::chunk_index        ? Opcode::chunk
                    : opcode == Opcode::attachment_index ? Opcode::attachment
                                                         : Opcode::metadata;
  return view.ok() && take_place(summary, of, start, length);
}

bool take_records(Summary& summary, RecordView records) {
  while (!records.empty()) {
    const auto opcode = static_cast<Opcode>(records.number<std::uint8_t>());
    const auto content = records.raw(records.number<std::uint64_t>());
    if (!records.ok() || !take_record(summary, opcode, content)) return false;
  }
  return true;
}

/// In the order of the file, and none within another: who made up an index does not have a part read twice.
bool set_in_order(std::vector<RecordPlace>& places) {
  std::sort(places.begin(), places.end(),
            [](const RecordPlace& a, const RecordPlace& b) { return a.offset < b.offset; });
  return std::adjacent_find(places.begin(), places.end(), [](const RecordPlace& a, const RecordPlace& b) {
           return a.bytes > b.offset - a.offset;
         }) == places.end();
}

} // namespace

bool read_bytes(int file, std::uint64_t offset, std::size_t bytes, std::vector<std::byte>& target) {
  target.resize(bytes);
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(file, target.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

Summary read_summary(int file, std::uint64_t size) {
  Summary summary;
  std::vector<std::byte> end, bytes;
  const std::uint64_t tail = footer_bytes + magic.size();
  if (size < magic.size() + tail || !read_bytes(file, size - tail, static_cast<std::size_t>(tail), end)) return {};
  if (std::memcmp(end.data() + footer_bytes, magic.data(), magic.size()) != 0) return {};
  RecordView footer(std::span<const std::byte>(end).first(footer_bytes));
  const bool there = footer.number<std::uint8_t>() == static_cast<std::uint8_t>(Opcode::footer) &&
                     footer.number<std::uint64_t>() == footer_bytes - record_head;
  summary.state = Summary::State::damaged;
  if (!there) return summary;
  summary.start = footer.number<std::uint64_t>();
  footer.number<std::uint64_t>();
  const auto crc = footer.number<std::uint32_t>();
  if (crc == 0 && summary.start == 0) return {};
  if (summary.start < magic.size() + data_end_bytes || summary.start > size - tail) return summary;
  const std::uint64_t length = size - tail - summary.start;
  if (budget().memory > 0 && length > budget().memory / 4) return {};
  if (!read_bytes(file, summary.start, static_cast<std::size_t>(length), bytes)) return summary;
  if (crc == 0) return {};
  if (crc32(std::span<const std::byte>(end).first(covered_of_footer), crc32(bytes)) != crc) return summary;
  const bool sound = take_records(summary, RecordView(bytes)) && set_in_order(summary.places);
  if (sound) summary.state = Summary::State::sound;
  return summary;
}

bool RunningChecksum::up_to(int file, std::uint64_t offset) {
  if (offset < done_) return false;
  while (done_ < offset) {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, offset - done_));
    if (!read_bytes(file, done_, bytes, piece_)) return false;
    crc_ = crc32(piece_, crc_);
    done_ += bytes;
  }
  return true;
}

bool RunningChecksum::take(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset < done_) return true;
  if (!up_to(file, offset)) return false;
  crc_ = crc32(bytes, crc_);
  done_ += bytes.size();
  return true;
}

std::uint32_t data_checksum(int file, std::uint64_t offset) {
  std::vector<std::byte> bytes;
  if (!read_bytes(file, offset + record_head, sizeof(std::uint32_t), bytes)) return 0;
  return RecordView(bytes).number<std::uint32_t>();
}

} // namespace hilda::log::mcap
