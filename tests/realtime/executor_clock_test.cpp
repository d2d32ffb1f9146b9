// SPDX-License-Identifier: BSD-3-Clause
// What begins a tick: the timer, or the one device that paces the loop.
#include "axis.h"
#include "engine/session/detail/machine/monotonic.h"
#include "engine/session/loop_clock.h"
#include "tests/modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

constexpr std::int64_t ms = 1'000'000;

TEST(Timer, BeatsAtWholePeriods) {
  LoopClock clock(Rational(2, 1000), std::nullopt);
  clock.start();
  const Beat first = clock.wait(), second = clock.wait();
  EXPECT_EQ(second.begin - first.begin, (1 + second.missed) * 2 * ms);
  EXPECT_GE(first.jitter, 0);
  EXPECT_EQ(first.woke - first.begin, first.jitter);
  EXPECT_FALSE(clock.block().valid());
}

TEST(Timer, CountsTheDueTimesThatALongTickLetPassAndGoesOnAtTheNextWholePeriod) {
  LoopClock clock(Rational(5, 1000), std::nullopt);
  clock.start();
  const Beat before = clock.wait();
  sleep_until(before.begin + 17 * ms); // due times at 5, 10 and 15 ms pass
  const Beat after = clock.wait();
  EXPECT_GE(after.missed, 3);
  EXPECT_EQ(after.begin, before.begin + (after.missed + 1) * 5 * ms);
}

TEST(Timer, DoesNotDriftWhereThePeriodIsNoWholeNumberOfNanoseconds) {
  LoopClock clock(Rational(1, 3000), std::nullopt);
  clock.start();
  const Beat first = clock.wait();
  Beat last = first;
  std::int64_t periods = 0;
  while (periods < 30) {
    last = clock.wait();
    periods += 1 + last.missed;
  }
  EXPECT_NEAR(static_cast<double>(last.begin - first.begin), static_cast<double>(periods) * 1e9 / 3000, 2);
}

/// A device that answers from a script and notes the deadlines it was given.
struct Script {
  std::vector<hilda_cycle> cycles; ///< `reserved` is the kind
  std::vector<std::int64_t> deadlines;
};

std::int32_t answer(void* record, std::int64_t deadline, hilda_cycle* cycle) {
  auto& script = *static_cast<Script*>(record);
  const hilda_cycle& next = script.cycles.at(script.deadlines.size());
  script.deadlines.push_back(deadline);
  cycle->arrival = next.arrival;
  return static_cast<std::int32_t>(next.reserved);
}

constexpr hilda_clock_1 scripted{sizeof(hilda_clock_1), 0, nullptr, &answer, nullptr};

hilda_cycle came(std::int64_t at) { return {sizeof(hilda_cycle), HILDA_CYCLE_CAME, at}; }
hilda_cycle late() { return {sizeof(hilda_cycle), HILDA_CYCLE_LATE, 0}; }
hilda_cycle gone() { return {sizeof(hilda_cycle), static_cast<std::uint32_t>(HILDA_CYCLE_GONE), 0}; }

TEST(DeviceClock, WaitsOneAndAHalfPeriodsFromTheLastArrivalAndOneMoreForEachCycleLost) {
  const std::int64_t now = monotonic_ns();
  Script script{{came(now), late(), late(), came(now + 11 * ms), late()}, {}};
  LoopClock clock(Rational(4, 1000), PacingBlock{BlockIndex(0), &scripted, &script});
  clock.start();
  for (std::size_t i = 0; i < script.cycles.size(); ++i) clock.wait();
  EXPECT_EQ(script.deadlines[1], now + 6 * ms);
  EXPECT_EQ(script.deadlines[2], now + 10 * ms);
  EXPECT_EQ(script.deadlines[3], now + 14 * ms);
  EXPECT_EQ(script.deadlines[4], now + 17 * ms);
}

TEST(DeviceClock, TellsTheDeviationOfTheIntervalFromWholePeriods) {
  const std::int64_t now = monotonic_ns();
  Script script{{came(now), came(now + 4 * ms + 300), came(now + 8 * ms), late(), late(), came(now + 20 * ms - 50)},
                {}};
  LoopClock clock(Rational(4, 1000), PacingBlock{BlockIndex(0), &scripted, &script});
  clock.start();
  std::vector<std::int64_t> jitter;
  for (std::size_t i = 0; i < script.cycles.size(); ++i) jitter.push_back(clock.wait().jitter);
  EXPECT_EQ(jitter, (std::vector<std::int64_t>{0, 300, -300, 0, 0, -50}));
}

TEST(DeviceClock, NeverSkipsACycleAfterAnOverrun) {
  const std::int64_t now = monotonic_ns();
  Script script{{came(now - 100 * ms), came(now - 40 * ms)}, {}};
  LoopClock clock(Rational(4, 1000), PacingBlock{BlockIndex(0), &scripted, &script});
  clock.start();
  clock.wait();
  const Beat beat = clock.wait(); // its deadline has passed long ago: it is asked nevertheless
  EXPECT_EQ(script.deadlines.size(), 2U);
  EXPECT_EQ(beat.kind, Beat::Kind::came);
  EXPECT_EQ(beat.begin, now - 40 * ms);
}

TEST(DeviceClock, GivesWayToTheTimerWhenItsDeviceIsGone) {
  Script script{{gone()}, {}};
  LoopClock clock(Rational(2, 1000), PacingBlock{BlockIndex(0), &scripted, &script});
  clock.start();
  EXPECT_EQ(clock.wait().kind, Beat::Kind::gone);
  clock.lose_device();
  const Beat first = clock.wait(), second = clock.wait();
  EXPECT_EQ(second.begin - first.begin, 2 * ms * (1 + second.missed));
  EXPECT_EQ(script.deadlines.size(), 1U);
}

TEST(Clock, GivenTwiceIsRefusedWithBothPlaces) {
  const AxisRun run("--arm", "  <block name=\"other\" type=\"devices/Drive\"/>\n"
                             "  <limits on=\"other.command\" magnitude=\"2\" rate=\"0.5\" acceleration=\"150\"/>\n"
                             "  <connect from=\"wish.y\" to=\"other.command\"/>\n");
  EXPECT_EQ(run.outcome.exit, 2);
  EXPECT_EQ(run.outcome.err, R"(axis.xml:7: error[clock-twice]: 'other' would pace the loop, but 'drive' does already
  axis.xml:4: the other clock is here
  help: a loop has one clock: configure one of the devices so that it paces nothing, or run each in its own diagram
1 error
)");
  EXPECT_TRUE(run.events.empty());
}

TEST(Clock, OfAnotherPeriodThanTheDiagramIsRefused) {
  const AxisRun run("--arm --set drive.cycle=12ms");
  EXPECT_EQ(run.outcome.exit, 2);
  EXPECT_EQ(
      run.outcome.err,
      R"(axis.xml:4: error[clock-period]: the cycle of 'drive', which paces the loop, is 12 ms, but a tick of the diagram is 4 ms
  axis.xml:1: the diagram's period is given here
  help: give the diagram, or its rig, period="12 ms" and no block a sample time below it, or configure the device otherwise
1 error
)");
}

TEST(Clock, ThatDoesNotRunInEveryTickIsRefused) {
  const AxisRun run("--arm --set drive.sample_time=8ms --set wish.sample_time=4ms");
  EXPECT_EQ(run.outcome.exit, 2);
  EXPECT_THAT(run.outcome.err, testing::HasSubstr("'drive' paces the loop, but runs in one of 2 ticks only"));
}

TEST(Clock, ThatPacesNothingAsConfiguredLeavesTheLoopToTheTimer) {
  const AxisRun run("--arm --set drive.paces=false --for 300ms");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_EQ(run.summary["realtime"]["clock"], "timer");
}

} // namespace
} // namespace hilda::test
