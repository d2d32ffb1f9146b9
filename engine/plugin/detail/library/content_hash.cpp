// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/content_hash.h"

#include "engine/base/fnv.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace hilda::plugin {
namespace {

constexpr const char* unreadable = "unknown (the file cannot be read)";
constexpr const char* overwritten = "unknown (the file was changed since it was loaded)";
constexpr const char* replaced = "unknown (the file was replaced while it was loaded)";

using Words = std::array<std::uint64_t, 1 << 13>;

/// Fills the words as far as the file goes; the last one is padded with zeros. The number of words, -1 after an error.
std::ptrdiff_t read_words(int file, Words& words) {
  auto* const bytes = reinterpret_cast<char*>(words.data());
  std::size_t have = 0;
  while (have < sizeof words) {
    const ssize_t more = ::read(file, bytes + have, sizeof words - have);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return -1;
    if (more == 0) break;
    have += static_cast<std::size_t>(more);
  }
  const std::size_t count = (have + 7) / 8;
  std::fill(bytes + have, bytes + 8 * count, '\0');
  return static_cast<std::ptrdiff_t>(count);
}

FileState state_of(const struct stat& s) {
  return {s.st_dev, s.st_ino, static_cast<std::uint64_t>(s.st_size), s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
}

} // namespace

FileState FileState::of(const std::string& file) {
  struct stat s = {};
  return ::stat(file.c_str(), &s) == 0 ? state_of(s) : FileState{};
}

/// Without waiting, should a pipe be there.
ContentHash::ContentHash(const std::string& file)
    : file_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {
  struct stat s = {};
  if (file_ < 0 || ::fstat(file_, &s) != 0) text_ = unreadable;
  opened_ = state_of(s);
}

ContentHash::~ContentHash() {
  if (file_ >= 0) ::close(file_);
}

ContentHash::ContentHash(ContentHash&& other) noexcept
    : file_(std::exchange(other.file_, -1)), opened_(other.opened_), text_(std::move(other.text_)) {}

bool ContentHash::is_as_opened() const {
  struct stat s = {};
  return ::fstat(file_, &s) == 0 && state_of(s) == opened_;
}

void ContentHash::confirm(const std::string& file) {
  if (text_.empty() && FileState::of(file) != opened_) text_ = replaced;
}

const std::string& ContentHash::text() const {
  if (text_.empty()) text_ = read();
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  return text_;
}

/// FNV-1a over words: enough to tell two builds apart; no one's safety depends on it.
std::string ContentHash::read() const {
  Fnv hash;
  Words words;
  while (true) {
    const std::ptrdiff_t count = read_words(file_, words);
    if (count < 0) return unreadable;
    if (count == 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) hash.word(words[i]);
    hash = Fnv(hash.value() ^ hash.value() >> 32); // a product alone never carries high bits down
  }
  if (!is_as_opened()) return overwritten; // asked last, so that what was read is covered too
  return fmt::format("{:016x}", hash.value());
}

} // namespace hilda::plugin
