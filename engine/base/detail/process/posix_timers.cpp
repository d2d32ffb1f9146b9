// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/detail/process/posix_timers.h"

#include "engine/base/detail/process/signal_name.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace hilda::base {
namespace {

std::string text_of_file(const char* name) {
  std::string text;
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  std::array<char, 1024> piece;
  for (ssize_t bytes = 0; (bytes = read(file, piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(bytes));
  close(file);
  return text;
}

} // namespace

/// Of each timer "ID: 0", "signal: 14/0000000000000000", "notify: signal/pid.123", "ClockID: 0".
PosixTimers PosixTimers::current() {
  PosixTimers now;
  const std::string text = text_of_file("/proc/self/timers");
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const char* const line = text.c_str() + at;
    if (std::strncmp(line, "ID: ", 4) == 0) now.timers_.push_back({std::atoi(line + 4), 0});
    if (std::strncmp(line, "signal: ", 8) == 0 && !now.timers_.empty()) now.timers_.back().signal = std::atoi(line + 8);
    if (std::strncmp(line, "notify: none", 12) == 0 && !now.timers_.empty()) now.timers_.back().signal = 0;
    if (text.find('\n', at) == text.npos) break;
  }
  return now;
}

std::vector<std::string> PosixTimers::put_back() const {
  std::vector<std::string> changed;
  for (const Timer& now : current().timers_) {
    const auto same = [&now](const Timer& before) { return before.id == now.id; };
    if (std::any_of(timers_.begin(), timers_.end(), same)) continue;
    syscall(SYS_timer_delete, now.id);
    changed.push_back(fmt::format("a timer of timer_create{}: none -> made",
                                  now.signal == 0 ? "" : " that sends " + name_of_signal(now.signal)));
  }
  return changed;
}

} // namespace hilda::base
