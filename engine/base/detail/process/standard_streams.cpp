// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/detail/process/standard_streams.h"

#include "engine/base/detail/process/high_descriptor.h"

#include <unistd.h>

namespace hilda::base {
namespace {

constexpr std::array stream_names{"standard input", "standard output", "standard error"};

} // namespace

StandardStreams::StandardStreams() {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const int stream = static_cast<int>(i);
    if (fstat(stream, &streams_[i].file) == 0) streams_[i].copy = high_copy(stream);
  }
}

StandardStreams::~StandardStreams() {
  for (const Stream& stream : streams_)
    if (stream.copy >= 0) close(stream.copy);
}

std::vector<std::string> StandardStreams::put_back() const {
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& before = streams_[i];
    if (before.copy < 0) continue;
    struct stat now = {};
    const bool open = fstat(static_cast<int>(i), &now) == 0;
    if (open && now.st_ino == before.file.st_ino && now.st_dev == before.file.st_dev) continue;
    dup2(before.copy, static_cast<int>(i));
    changed.push_back(std::string(stream_names[i]) + (open ? ": open -> another file" : ": open -> closed"));
  }
  return changed;
}

} // namespace hilda::base
