// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/hardware/clock/shared_time.h"

#include <string>

namespace hilda::test {

/// A time that a test owns, for the programs that it starts: see clock/preloaded.cpp. It stops while one of them
/// works, so that a busy machine makes none of them late.
class OwnTime {
public:
  /// `file` is made, and belongs to it. `speed`: of this time, in seconds per second of the machine, at most, from when
  /// two processes take part; until then it is as fast as the machine's.
  OwnTime(const std::string& file, int speed);
  ~OwnTime();
  OwnTime(const OwnTime&) = delete;
  OwnTime& operator=(const OwnTime&) = delete;

  const std::string& file() const { return file_; }
  double now() const; ///< s
  /// Until so many seconds of this time have passed; false: a minute of the machine's time was too short for them.
  bool pass(double seconds) const;
  /// Until it has not advanced for so many seconds of the machine's time, since one works without an end. From then on
  /// no one waits for that one. False: it has not within a minute.
  bool leave_out_who_works(double seconds);
  /// Processes that were paced by it at once: without two of them nothing was kept together.
  int most_paced() const;

private:
  std::string file_;
  SharedTime* shared_ = nullptr;
};

} // namespace hilda::test
