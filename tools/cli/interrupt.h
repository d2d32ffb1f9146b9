#pragma once

#include <atomic>

namespace hilda::cli {

/// While it lives, Ctrl-C and SIGTERM set a flag, so that a run can end in order. One at a time.
class Interrupt {
public:
  /// `patience`: with 1, a second one ends the program at once; with 2, the second sets `hurry` and the third ends it.
  explicit Interrupt(int patience = 1);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void set_patience(int patience);
  const std::atomic<bool>& flag() const;
  const std::atomic<bool>& hurry() const;
};

} // namespace hilda::cli
