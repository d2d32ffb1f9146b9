#pragma once

#include <atomic>

namespace hilda::cli {

/// While it lives, Ctrl-C and SIGTERM set a flag, so that a run can end in order. A second one ends the program at
/// once. One at a time.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;
};

} // namespace hilda::cli
