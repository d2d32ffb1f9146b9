// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

#include <cstdint>
#include <ctime>

namespace hilda::test {
namespace {

/// Who sees a step of it knows when the sample was made: the wall clock says it.
struct Stair : Block {
  Output<double> y{*this, "y", "1", "0, 1, 2 and so on, and from the last again to 0"};
  Parameter<double> width{*this, "width", "s", "Time of a step; steps begin at whole multiples of it", above(0.0)};
  Parameter<std::int64_t> steps{*this, "steps", "Steps, after which it falls back to 0", at_least(2)};

  void output(const Tick&) override {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const std::int64_t ns = now.tv_sec * 1'000'000'000 + now.tv_nsec;
    y = static_cast<double>(ns / static_cast<std::int64_t>(*width * 1e9) % *steps);
  }
};
HILDA_BLOCK(Stair, "A stair whose steps are those of the wall clock.")

} // namespace
} // namespace hilda::test
