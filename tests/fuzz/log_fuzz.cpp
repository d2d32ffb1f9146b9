// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be a log: whatever they are, they give signals, events and the run that was recorded, or a reason
// why not; never a crash, a hang, or memory out of proportion. Once as everybody reads it, once as replay does, which
// also reads parts that a checksum shows to be damaged: otherwise checksums would keep most mutations from the parsers.
#include "engine/log/comparison.h"
#include "engine/log/log.h"
#include "engine/log/recording.h"
#include "engine/session/recorded_run.h"
#include "tests/modules.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {
using namespace hilda;

void demand(bool holds) {
  if (!holds) std::abort();
}

/// A file in memory, under a name by which it can be opened.
class MemoryFile {
public:
  MemoryFile() : file_(memfd_create("log", 0)), path_("/proc/self/fd/" + std::to_string(file_)) { demand(file_ >= 0); }
  void hold(const std::uint8_t* data, std::size_t size) const {
    demand(ftruncate(file_, 0) == 0);
    demand(pwrite(file_, data, size, 0) == static_cast<ssize_t>(size));
  }
  const std::string& path() const { return path_; }

private:
  int file_;
  std::string path_;
};

std::size_t count_samples(Log& log) {
  std::size_t count = 0;
  unsigned last = 0;
  log.rewind();
  for (Log::Sample sample; log.next(sample); ++count) {
    demand(sample.channel < log.schema().channels.size());
    for (const std::byte one : sample.data) last ^= static_cast<unsigned>(one); // all of it is there
  }
  static volatile unsigned seen;
  seen = last;
  return count;
}

void read_signals(Log& log) {
  std::string error;
  for (const std::string& name : log.signal_names()) {
    const std::optional<SignalPlace> place = log.find(name);
    demand(place && place->channel < log.schema().channels.size());
    const std::optional<Signal> signal = log.signal(name, error);
    if (!signal) {
      demand(!error.empty());
      continue;
    }
    demand(signal->ticks().size() == signal->times().size());
    if (signal->samples() > 0) signal->value(signal->samples() - 1, signal->field.elements() - 1);
  }
}

void read(const MemoryFile& file, bool damaged) {
  std::string error;
  std::optional<Log> log = Log::open(file.path(), error);
  if (!log) return demand(!error.empty());
  if (damaged) log->keep_damaged();
  demand(log->complete() || !log->problems().empty());
  const std::size_t samples = count_samples(*log);
  demand(count_samples(*log) == samples);
  read_signals(*log);
  log->events();
  log->lost_ticks();
  demand(read_recorded_run(*log, error) || !error.empty());
}

/// What a block would play: sound numbers at rising times, or a reason.
void play(const MemoryFile& file) {
  std::string error;
  const std::optional<Log> log = Log::open(file.path(), error);
  for (const std::string& name : log ? log->signal_names() : std::vector<std::string>{"y"}) {
    RecordingFault fault;
    const std::optional<Recording> found = read_recording({.file = file.path(), .signal = name}, fault);
    demand(found ? found->values.size() == found->times.size() * found->width() : !fault.text.empty());
  }
}

/// A log is like itself, and says so; where nothing is left to compare, it says that.
void compare(const MemoryFile& file) {
  std::string error;
  std::optional<Log> one = Log::open(file.path(), error), other = Log::open(file.path(), error);
  if (!one || !other) return;
  const std::optional<LogComparison> same = compare_logs(*one, *other, {}, error);
  demand(same ? same->equal() || !same->compared() : !error.empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const MemoryFile file;
  file.hold(data, size);
  read(file, false);
  read(file, true);
  compare(file);
  play(file);
  return 0;
}
