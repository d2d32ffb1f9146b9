// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <atomic>
#include <csignal>
#include <vector>

namespace hilda::cli {

/// Lets every signal reach the program again. A parent's blocked signals are inherited through exec: with SIGINT and
/// SIGTERM among them, a run that moves devices could not be stopped. Before the first thread starts.
void unblock_signals();

/// Signals that a run takes as a request to end, from construction to destruction: Ctrl-C, kill, a lost terminal, and
/// every other one that would end the program without a word. Only one at a time.
///
/// The first sets `flag`: the run ends in order, on hardware with its ramp. Ctrl-C, SIGQUIT and SIGTERM count: with the
/// second of them `hurry` is set, which ends at once, and beyond `patience` of them the signal ends the program, naming
/// the block that does not come back. The others, of which several may come for one cause, never hurry: a session that
/// closes sends SIGHUP and then SIGTERM.
class Interrupt {
public:
  struct Options {
    int patience = 1;    ///< of Ctrl-C, SIGQUIT and SIGTERM, before one ends the program
    bool detach = false; ///< continue without the terminal
  };
  Interrupt() : Interrupt(Options{}) {}
  explicit Interrupt(const Options& options);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Devices move: a stop by the terminal (Ctrl-Z) would leave them alone, so it counts as a request to end.
  void operate();

  void set_patience(int patience);
  /// As a first Ctrl-C.
  void request();
  /// The request was answered: forgets it.
  void clear();
  const std::atomic<bool>& flag() const;
  const std::atomic<bool>& hurry() const;
  /// The signal that came first, or 0.
  static int first();

private:
  struct Kept {
    int signal;
    struct sigaction action;
  };
  void take(int signal, void (*handler)(int));
  std::vector<Kept> before_;
};

} // namespace hilda::cli
