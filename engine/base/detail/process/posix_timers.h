// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::base {

/// Timers of timer_create, as the system lists them in /proc/self/timers. None where it lists none.
class PosixTimers {
public:
  static PosixTimers current();
  /// Deletes those that were not there; in words, of each: "a timer of timer_create that sends SIGRTMIN: none -> made".
  std::vector<std::string> put_back() const;

private:
  struct Timer {
    int id = 0;     ///< of the kernel
    int signal = 0; ///< 0: none
  };
  std::vector<Timer> timers_;
};

} // namespace hilda::base
