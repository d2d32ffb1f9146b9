// SPDX-License-Identifier: BSD-3-Clause
#include "drive_end.h"

#include <hilda/block.h>
#include <time.h>

namespace hilda::test {
namespace {

/// Works for longer than it should.
struct Busy : Block {
  Parameter<std::int64_t> at{*this, "at", "Tick at which it does so", by_default("-1")};
  Parameter<double> work{*this, "work", "s", "For how long", at_least(0.0), by_default("0")};
  Parameter<std::int64_t> words{*this, "words", "And until the device in step has sent so many more words",
                                by_default("0")};
  Parameter<std::int64_t> nan_at{*this, "nan_at", "Tick from which on it gives NaN", by_default("-1")};
  Parameter<double> speed{*this, "speed", "m/s", "Of its output", by_default("0")};
  Parameter<double> offset{*this, "offset", "m", "Of its output", by_default("0.25")};
  Output<double> y{*this, "y", "m", "offset + speed * time"};

  void output(const Tick& t) override {
    if (t.index() == *at) {
      const double end = now() + *work;
      while (now() < end) {}
      const std::int64_t enough = drive_words + *words;
      drive_waits = *words == 0;
      while (drive_words < enough) {}
      drive_waits = true;
    }
    y = *nan_at >= 0 && t.index() >= *nan_at ? NAN : *offset + *speed * t.time();
  }

private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
};
HILDA_BLOCK(Busy, "A straight line by a block that may be slow, for tests.")

} // namespace
} // namespace hilda::test
