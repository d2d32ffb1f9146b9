// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_LEFT_BEHIND_H
#define HILDA_TESTING_LEFT_BEHIND_H

// Threads and child processes that are still there when a block is gone.

#include <cerrno>
#include <dirent.h>
#include <string>
#include <sys/wait.h>
#include <time.h>

namespace hilda::testing::detail {

/// What the process has of both when one is made.
class LeftBehind {
public:
  /// In words; empty: no more than then. A thread that is ending has a moment for it.
  std::string found() const {
    for (int look = 0; threads() > threads_; ++look) {
      if (look == 100) return "a thread that it has started is still there when the block is gone";
      const timespec moment{0, 2000000};
      nanosleep(&moment, nullptr);
    }
    return !children_ && children() ? "a process that it has started is still there when the block is gone" : "";
  }

private:
  static int threads() {
    DIR* const folder = opendir("/proc/self/task");
    if (folder == nullptr) return 0;
    int count = 0;
    for (const dirent* entry = readdir(folder); entry != nullptr; entry = readdir(folder))
      count += entry->d_name[0] != '.' ? 1 : 0;
    closedir(folder);
    return count;
  }
  static bool children() {
    siginfo_t unused;
    return waitid(P_ALL, 0, &unused, WEXITED | WNOHANG | WNOWAIT) == 0;
  }

  const int threads_ = threads();
  const bool children_ = children();
};

} // namespace hilda::testing::detail

#endif
