// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <time.h>

namespace hilda::test {
namespace {

/// Works for a known time in each call, also between two ticks.
struct Spin : Block {
  Input<double> u{*this, "u", "@u", "Passed on"};
  Output<double> y{*this, "y", "@u", "The input"};
  Parameter<double> work{*this, "work", "s", "For how long", at_least(0.0), by_default("0")};

  void output(const Tick&) override {
    const double end = now() + *work;
    while (now() < end) {}
    y = *u;
  }

private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
};
HILDA_BLOCK(Spin, "Passes its input on and takes its time for it, for tests.")

} // namespace
} // namespace hilda::test
