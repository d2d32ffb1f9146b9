// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/detail/process/signal_handlers.h"
#include "engine/modules.h"

#include <array>
#include <clocale>
#include <csignal>
#include <string>
#include <sys/time.h>
#include <vector>

namespace hilda::base {

/// What belongs to the whole process: handlers of signals, interval timers, the working folder, the locale, the umask.
class ProcessState {
public:
  static ProcessState current(SignalHandlers::Which which);
  /// Puts back what is another now; in words, of each, both values. `which`: the signals that are looked at; the umask
  /// is looked at with all of them. `locale`: false where another thread runs plugins, which may be reading it.
  std::vector<std::string> put_back(SignalHandlers::Which which, bool locale = true) const;

private:
  SignalHandlers handlers_;
  std::array<itimerval, 3> timers_{}; ///< real, virtual, profiling
  std::string folder_;                ///< empty: it is gone
  std::string locale_;
  std::string umask_; ///< as the system writes it; empty: not looked at
};

/// What belongs to the calling thread: which signals it blocks, its alternate stack for handlers, its own locale.
class ThreadState {
public:
  static ThreadState current();
  /// On the same thread.
  std::vector<std::string> put_back() const;

private:
  sigset_t blocked_{};
  stack_t stack_{};
  locale_t locale_{};
};

} // namespace hilda::base
