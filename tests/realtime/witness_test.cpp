// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/machine/monotonic.h"
#include "engine/session/detail/machine/witness.h"
#include "tests/modules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

TEST(Witness, WakesEveryMillisecondUntilItIsStopped) {
  const std::int64_t begin = monotonic_ns();
  Witness witness({});
  sleep_until(begin + 300'000'000);
  witness.stop();
  const std::int64_t passed = monotonic_ns() - begin, woke = static_cast<std::int64_t>(witness.lateness().count());
  EXPECT_LE(woke, passed / Witness::period);
  // Between two times that it woke lies a period, and what it says that it was late. Before the first its thread has to
  // begin, for which a busy machine takes its time.
  EXPECT_GE((woke + 1) * (Witness::period + witness.lateness().max()), 100'000'000);
}

TEST(Witness, RemembersExactlyWhenItWasKeptWaiting) {
  Witness witness({});
  const std::int64_t begin = monotonic_ns();
  sleep_until(begin + 200'000'000);
  witness.stop();
  const bool waited = witness.lateness().above(Witness::tolerance) > 0;
  const TimeSpan whole{begin, monotonic_ns()};
  EXPECT_TRUE(!waited || witness.waited_within(whole));
  EXPECT_FALSE(witness.waited_within({begin - 2'000'000'000, begin - 1'000'000'000}));
  EXPECT_FALSE(witness.waited_within({whole.end + 1'000'000'000, whole.end + 2'000'000'000}));
}

TEST(TimeSpan, OverlapsWhatItSharesAMomentWith) {
  const TimeSpan span{10, 20};
  EXPECT_TRUE(span.overlaps({20, 30}));
  EXPECT_TRUE(span.overlaps({0, 10}));
  EXPECT_TRUE(span.overlaps({12, 13}));
  EXPECT_FALSE(span.overlaps({21, 30}));
  EXPECT_FALSE(span.overlaps({0, 9}));
}

} // namespace
} // namespace hilda::test
