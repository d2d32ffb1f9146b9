// SPDX-License-Identifier: BSD-3-Clause
// A scope: its trigger at the full rate, its thinning, and what it keeps of the past.
#include "tests/modules.h"
#include "tools/studio/detail/clients/frame_history.h"
#include "tools/studio/detail/clients/scope.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using studio::FrameHistory;
using studio::Rows;
using studio::ScopeFeed;
using studio::ScopeSettings;
using studio::ServedSignals;
using studio::TickSamples;
using studio::Trigger;

ServedSignals one_signal() {
  LogSchema schema;
  LogField field;
  field.name = "y";
  schema.channels.push_back({.path = "wave", .type = "sources/Sine", .fields = {field}});
  const FrameLayout layout = frame_layout(schema);
  return {schema, layout, message_channels(schema, layout), SignalNames(schema)};
}

/// Runs `value(t)` at 1 kHz through a scope.
class Sampled {
public:
  explicit Sampled(ScopeSettings settings) : scope(std::move(settings), signals) {}
  template <typename Value> void to(double end, const Value& value) {
    for (; static_cast<double>(tick) * 1e-3 < end - 1e-9; ++tick) {
      const double time = static_cast<double>(tick) * 1e-3, number = value(time);
      const auto* const data = reinterpret_cast<const std::byte*>(&number);
      scope.take({tick, time, std::span(&data, 1)});
    }
  }
  const ServedSignals signals = one_signal();
  ScopeFeed scope;
  std::int64_t tick = 0;
};

ScopeSettings triggered(Trigger trigger) {
  trigger.signal = "wave.y";
  return {.name = "a", .signals = {"wave.y"}, .window = 0.1, .points = 2000, .trigger = trigger};
}

double sine(double time) { return std::sin(2 * M_PI * time); }

TEST(ScopeFeed, TheTriggerFindsTheVeryTick) {
  Sampled run(triggered(
      {.signal = "", .level = 0.5, .edge = Trigger::Edge::rising, .before = 0.02, .mode = Trigger::Mode::normal}));
  run.to(0.5, sine);
  const auto shown = run.scope.show();
  ASSERT_TRUE(shown && shown->at);
  EXPECT_TRUE(shown->sweep);
  const double crossing = std::asin(0.5) / (2 * M_PI);
  EXPECT_GE(*shown->at, crossing);
  EXPECT_LT(*shown->at, crossing + 1e-3);
  EXPECT_NEAR(shown->rows.time(0), *shown->at - 0.02, 1.001e-3);
  EXPECT_NEAR(shown->rows.time(shown->rows.count() - 1), *shown->at + 0.08, 1.001e-3);
  EXPECT_FALSE(run.scope.show()) << "there is no other rise in half a period";
}

TEST(ScopeFeed, AFallIsNoRiseAndBothAreEither) {
  for (const auto& [edge, times] :
       {std::pair(Trigger::Edge::rising, 3), {Trigger::Edge::falling, 3}, {Trigger::Edge::either, 6}}) {
    Sampled run(triggered({.signal = "", .level = 0.5, .edge = edge, .before = 0, .mode = Trigger::Mode::normal}));
    int sweeps = 0;
    for (double end = 0.1; end < 3.05; end += 0.1) {
      run.to(end, sine);
      if (run.scope.show()) ++sweeps;
    }
    EXPECT_EQ(sweeps, times);
  }
}

TEST(ScopeFeed, SingleShowsOneSweepAndRests) {
  Sampled run(triggered(
      {.signal = "", .level = 0.5, .edge = Trigger::Edge::rising, .before = 0, .mode = Trigger::Mode::single}));
  run.to(1, sine);
  EXPECT_TRUE(run.scope.show());
  run.to(5, sine);
  EXPECT_FALSE(run.scope.show());
}

TEST(ScopeFeed, AutomaticShowsAlsoWhatDoesNotCross) {
  Sampled run(triggered(
      {.signal = "", .level = 5, .edge = Trigger::Edge::rising, .before = 0, .mode = Trigger::Mode::automatic}));
  run.to(1, sine);
  const auto shown = run.scope.show();
  ASSERT_TRUE(shown);
  EXPECT_FALSE(shown->at);
  Sampled waiting(
      triggered({.signal = "", .level = 5, .edge = Trigger::Edge::rising, .before = 0, .mode = Trigger::Mode::normal}));
  waiting.to(1, sine);
  EXPECT_FALSE(waiting.scope.show());
}

TEST(ScopeFeed, NanCrossesNothing) {
  Sampled run(
      triggered({.signal = "", .level = 0, .edge = Trigger::Edge::either, .before = 0, .mode = Trigger::Mode::normal}));
  run.to(1, [](double time) { return time < 0.5 ? 1.0 : NAN; });
  EXPECT_FALSE(run.scope.show());
}

TEST(ScopeFeed, AShortSpikeIsSeenHoweverManySamplesComeAtOnce) {
  Sampled run({.name = "a", .signals = {"wave.y"}, .window = 100, .points = 100, .trigger = {}});
  run.to(100, [](double time) {
    return time > 77.7 && time < 77.7015 ? 9.0 : time > 33.3 && time < 33.3015 ? -7.0 : 0.0;
  });
  const auto shown = run.scope.show();
  ASSERT_TRUE(shown);
  EXPECT_LE(shown->rows.count(), 400U);
  double least = 0, greatest = 0;
  for (std::size_t row = 0; row < shown->rows.count(); ++row) {
    least = std::min(least, shown->rows.at(row, 0));
    greatest = std::max(greatest, shown->rows.at(row, 0));
    EXPECT_LE(shown->rows.time(row == 0 ? 0 : row - 1), shown->rows.time(row));
  }
  EXPECT_EQ(least, -7);
  EXPECT_EQ(greatest, 9);
}

TEST(Rows, AThinnedNanIsSeen) {
  Rows rows(1);
  for (int i = 0; i < 1000; ++i) rows.add(i, std::vector<double>{i == 500 ? NAN : 1.0});
  const Rows thin = rows.thinned(20);
  EXPECT_EQ(thin.count(), 20U);
  bool seen = false;
  for (std::size_t row = 0; row < thin.count(); ++row) seen = seen || std::isnan(thin.at(row, 0));
  EXPECT_TRUE(seen);
}

TEST(ScopeFeed, WhatCannotBeIsSaid) {
  const ServedSignals signals = one_signal();
  EXPECT_EQ(ScopeFeed({.name = "a", .signals = {"wavy.y"}, .window = 1, .points = 100, .trigger = {}}, signals)
                .problems()
                .size(),
            1U);
  ScopeSettings long_one = triggered({});
  long_one.window = 1e5;
  EXPECT_EQ(ScopeFeed(long_one, signals).problems().size(), 1U);
}

std::vector<std::byte> frame_of(std::size_t bytes, std::int64_t tick) {
  std::vector<std::byte> frame(bytes);
  std::memcpy(frame.data(), &tick, sizeof tick);
  return frame;
}

std::int64_t tick_of(std::span<const std::byte> frame) {
  std::int64_t tick = 0;
  std::memcpy(&tick, frame.data(), sizeof tick);
  return tick;
}

TEST(FrameHistory, KeepsTheLastWithinItsBudgetAndGoesBack) {
  FrameHistory history;
  constexpr std::size_t bytes = 100'000;
  constexpr std::int64_t ticks = 2000; // 200 MB
  for (std::int64_t tick = 0; tick < ticks; ++tick) history.add(tick, frame_of(bytes, tick));
  EXPECT_LE(history.size() * bytes, FrameHistory::budget);
  EXPECT_GE(history.size() * bytes, FrameHistory::budget / 2);
  for (std::size_t i = 0; i < history.size(); ++i)
    ASSERT_EQ(tick_of(history[i]), ticks - static_cast<std::int64_t>(history.size() - i));
  history.drop_from(ticks - 100);
  EXPECT_EQ(tick_of(history[history.size() - 1]), ticks - 101);
  history.add(7777, frame_of(bytes, 7777));
  EXPECT_EQ(tick_of(history[history.size() - 1]), 7777);
  history.drop_from(0);
  EXPECT_EQ(history.size(), 0U);
  history.add(1, frame_of(bytes, 1));
  EXPECT_EQ(tick_of(history[0]), 1);
}

} // namespace
} // namespace hilda::test
