#include "engine/host/process/standard_streams.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hilda {
namespace {

constexpr std::array stream_names{"standard input", "standard output", "standard error"};
/// Out of the way of numbers that people know by heart, and of who closes all of the first hundreds.
int first_copy() {
  constexpr rlim_t few = 100, many = 1000, room = 16;
  rlimit most{};
  return static_cast<int>(getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur >= many + room ? many : few);
}

} // namespace

StandardStreams::StandardStreams() {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const int stream = static_cast<int>(i);
    if (fstat(stream, &streams_[i].file) == 0) streams_[i].copy = fcntl(stream, F_DUPFD_CLOEXEC, first_copy());
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

} // namespace hilda
