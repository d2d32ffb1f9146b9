// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <string>

namespace hilda::plugin {

/// Which file lies at a path, and in which state; zeros where none does.
struct FileState {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const FileState&) const = default;

  static FileState of(const std::string& file);
};

/// A file's bytes in one word, made when it is asked for: half of what a start would take, and only a log needs it.
///
/// The file is held open from construction on, so a build that replaces it later does not change the answer. Where the
/// bytes may no longer be those of then (the file was overwritten in place, or replaced while it was being loaded), the
/// answer says so and is not a hash. One thread at a time.
class ContentHash {
public:
  ContentHash() = default;
  explicit ContentHash(const std::string& file);
  ~ContentHash();
  ContentHash(ContentHash&& other) noexcept;
  ContentHash& operator=(ContentHash&&) = delete;

  /// To be called once the file is loaded: is what lies at `file` now still what was opened?
  void confirm(const std::string& file);
  /// 16 hexadecimal digits; otherwise why there are none, in words.
  const std::string& text() const;

private:
  bool is_as_opened() const;
  std::string read() const;

  mutable int file_ = -1;
  FileState opened_;
  mutable std::string text_;
};

} // namespace hilda::plugin
