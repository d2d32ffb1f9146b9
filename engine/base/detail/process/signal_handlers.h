// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <csignal>
#include <string>
#include <vector>

namespace hilda::base {

/// What the process does on each signal, as it was at some moment.
class SignalHandlers {
public:
  enum class Which : unsigned char {
    steering, ///< those that end, stop or crash a program: Ctrl-C, kill, a lost terminal, faults
    all       ///< all but SIGKILL and SIGSTOP, which no one can take, and SIGSYS
  };
  SignalHandlers() = default; ///< of no signal
  static SignalHandlers current(Which which);

  /// Sets each signal that has another handler now back to what it was: the steering ones, or all that are known. In
  /// words, of each: "SIGINT: hilda's handler -> SIG_IGN".
  std::vector<std::string> put_back(Which which) const;
  /// The same words, and nothing is set.
  std::vector<std::string> changes(Which which) const;

private:
  std::vector<std::string> compare(Which which, bool put_back) const;
  struct Kept {
    int signal;
    struct sigaction action;
  };
  std::vector<Kept> kept_; ///< the steering ones first
};

} // namespace hilda::base
