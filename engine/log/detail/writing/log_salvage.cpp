// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/writing/log_salvage.h"

#include "engine/log/detail/mcap/lz4_frame.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace hilda::log {
namespace {

using namespace mcap;

constexpr std::size_t salvage_window = std::size_t{1} << 20U;
constexpr std::size_t most_remarks = 20;

} // namespace

std::optional<ChunkHead> chunk_head(std::span<const std::byte> bytes) {
  RecordView view(bytes);
  view.raw(2 * sizeof(std::uint64_t));
  ChunkHead head;
  head.size = view.number<std::uint64_t>();
  head.crc = view.number<std::uint32_t>();
  const std::string_view compression = view.text();
  head.packed = compression == lz4_compression;
  head.stored = view.number<std::uint64_t>();
  if (!view.ok() || (!head.packed && !compression.empty()) || head.size > largest_record) return std::nullopt;
  return head;
}

PiecewiseFile::PiecewiseFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat info {};
  if (file_ < 0 || ::fstat(file_, &info) != 0)
    fault_ = "it cannot be read: " + std::system_category().message(errno);
  else if (!S_ISREG(info.st_mode))
    fault_ = "it is not a regular file";
  else
    size_ = static_cast<std::uint64_t>(info.st_size);
}

PiecewiseFile::~PiecewiseFile() {
  if (file_ >= 0) ::close(file_);
}

bool PiecewiseFile::ends_whole() {
  std::vector<std::byte> end;
  return size_ >= magic.size() && read_bytes(file_, size_ - magic.size(), magic.size(), end) &&
         std::memcmp(end.data(), magic.data(), magic.size()) == 0;
}

std::uint64_t PiecewiseFile::data_from(std::uint64_t offset) const {
  const off_t found = ::lseek(file_, static_cast<off_t>(offset), SEEK_DATA);
  if (found >= 0) return static_cast<std::uint64_t>(found);
  return errno == ENXIO ? size_ : offset;
}

std::span<const std::byte> PiecewiseFile::from(std::uint64_t offset) {
  const bool held = offset >= start_ && offset < start_ + window_.size();
  return at(offset, held ? start_ + window_.size() - offset : salvage_window);
}

std::span<const std::byte> PiecewiseFile::at(std::uint64_t offset, std::uint64_t bytes) {
  bytes = offset < size_ ? std::min(bytes, size_ - offset) : 0;
  if (offset < start_ || offset + bytes > start_ + window_.size()) load(offset, bytes);
  const std::uint64_t from = offset - start_;
  const std::uint64_t have = from < window_.size() ? std::min<std::uint64_t>(bytes, window_.size() - from) : 0;
  return std::span<const std::byte>(window_).subspan(static_cast<std::size_t>(have == 0 ? 0 : from),
                                                     static_cast<std::size_t>(have));
}

void PiecewiseFile::load(std::uint64_t offset, std::uint64_t bytes) {
  start_ = offset;
  window_.resize(static_cast<std::size_t>(std::min(std::max<std::uint64_t>(bytes, salvage_window), size_ - offset)));
  std::size_t done = 0;
  while (done < window_.size()) {
    const ssize_t got = ::pread(file_, window_.data() + done, window_.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  window_.resize(done);
}

void Salvage::walk(const Visit& visit) {
  cut_ = std::nullopt;
  const auto start = file_.at(0, magic.size());
  std::uint64_t at = start.size() == magic.size() && std::memcmp(start.data(), magic.data(), magic.size()) == 0
                         ? magic.size()
                         : next_chunk(0);
  while (at < file_.size()) {
    const std::optional<RecordPlace> head = head_at(at);
    if (head && head->opcode == Opcode::footer && head->bytes == footer_bytes - record_head) return;
    if (head && sound(*head)) {
      visit(*head);
      at = head->offset + head->bytes;
      continue;
    }
    if (is_cut_chunk(at)) {
      cut_ = at;
      return;
    }
    const std::uint64_t next = next_chunk(at + 1);
    // else a record was being written when the file was cut
    if (next < file_.size() || file_.ends_whole()) left_out(at, next - at);
    at = next;
  }
}

void Salvage::left_out(std::uint64_t offset, std::uint64_t bytes) {
  if (!remarks_) return;
  recovery_.bytes_left_out += bytes;
  if (recovery_.remarks.size() < most_remarks)
    recovery_.remarks.push_back("at byte " + std::to_string(offset) + ": " + std::to_string(bytes) +
                                " bytes are damaged and left out");
}

std::optional<RecordPlace> Salvage::head_at(std::uint64_t at) {
  const auto bytes = file_.at(at, record_head);
  if (bytes.size() < record_head) return std::nullopt;
  RecordView view(bytes);
  RecordPlace head;
  head.opcode = static_cast<Opcode>(view.number<std::uint8_t>());
  head.bytes = view.number<std::uint64_t>();
  head.offset = at + record_head;
  return head;
}

bool Salvage::sound(const RecordPlace& head) const {
  return head.opcode >= Opcode::header && head.opcode <= Opcode::data_end && head.bytes <= largest_record &&
         head.bytes <= file_.size() - head.offset;
}

/// Does the head of a chunk fit to its length?
bool Salvage::chunk_like(const RecordPlace& head) {
  if (head.opcode != Opcode::chunk || head.bytes > largest_record) return false;
  const auto chunk = chunk_head(file_.at(head.offset, packed_head));
  return chunk && chunk->stored == head.bytes - chunk->bytes();
}

bool Salvage::is_cut_chunk(std::uint64_t at) {
  const std::optional<RecordPlace> head = head_at(at);
  return head && chunk_like(*head) && head->bytes > file_.size() - head->offset;
}

/// The next place where a whole chunk begins, or the file's end.
std::uint64_t Salvage::next_chunk(std::uint64_t at) {
  for (at = file_.data_from(at); at < file_.size();) {
    const auto bytes = file_.from(at);
    if (bytes.empty()) break;
    const void* const found = std::memchr(bytes.data(), static_cast<int>(Opcode::chunk), bytes.size());
    if (found == nullptr) {
      at = file_.data_from(at + bytes.size());
      continue;
    }
    at += static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - bytes.data());
    const std::optional<RecordPlace> head = head_at(at);
    if (head && sound(*head) && chunk_like(*head)) return at;
    ++at;
  }
  return file_.size();
}

} // namespace hilda::log
