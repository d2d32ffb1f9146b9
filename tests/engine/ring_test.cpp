// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/frame_ring.h"
#include "engine/log/recorder.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

namespace hilda::test {
namespace {

std::vector<std::byte> frame_of(std::uint64_t number, std::size_t bytes) {
  std::vector<std::byte> frame(bytes);
  for (std::size_t i = 0; i < bytes; ++i) frame[i] = static_cast<std::byte>(number * 31 + i);
  return frame;
}

TEST(FrameRing, GivesFramesOfAnySizeBackInOrder) {
  FrameRing ring(4096);
  std::mt19937_64 random(1);
  std::vector<std::size_t> sizes;
  std::uint64_t pushed = 0, popped = 0;
  while (popped < 20000) {
    const std::size_t bytes = random() % 600;
    if (ring.try_push(frame_of(pushed, bytes))) {
      sizes.push_back(bytes);
      ++pushed;
      if (random() % 3 != 0) continue;
    }
    std::span<const std::byte> frame;
    while (ring.front(frame)) {
      const auto expected = frame_of(popped, sizes[popped]);
      ASSERT_EQ(frame.size(), expected.size());
      ASSERT_TRUE(std::equal(frame.begin(), frame.end(), expected.begin()));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(frame.data()) % 8, 0U);
      ring.pop();
      ++popped;
    }
  }
}

TEST(FrameRing, TakesTheLargestFrameWhereverItsHeadStands) {
  FrameRing ring(4096);
  std::span<const std::byte> frame;
  for (std::size_t step = 1; step < 4096; step += 7) {
    ASSERT_TRUE(ring.try_push(frame_of(0, step % 512)));
    ASSERT_TRUE(ring.front(frame));
    ring.pop();
    ASSERT_TRUE(ring.has_room(ring.largest_frame()));
    ASSERT_TRUE(ring.try_push(frame_of(1, ring.largest_frame())));
    ASSERT_TRUE(ring.front(frame));
    ASSERT_EQ(frame.size(), ring.largest_frame());
    ring.pop();
  }
  EXPECT_FALSE(ring.try_push(frame_of(2, ring.largest_frame() + 1)));
}

TEST(FrameRing, KeepsTheRoomThatIsAskedFor) {
  FrameRing ring(4096);
  std::size_t frames = 0;
  while (ring.try_push(frame_of(frames, 56), 2048)) ++frames;
  EXPECT_EQ(frames, 32U);
  EXPECT_TRUE(ring.try_push(frame_of(frames, 56)));
}

TEST(FrameRing, LosesNothingBetweenTwoThreads) {
  constexpr std::uint64_t frames = 200'000;
  FrameRing ring(1 << 14);
  std::thread producer([&ring] {
    for (std::uint64_t i = 0; i < frames; ++i) {
      const std::size_t words = 1 + i % 37;
      std::byte* target = nullptr;
      while ((target = ring.reserve(words * 8)) == nullptr) std::this_thread::yield();
      for (std::size_t w = 0; w < words; ++w) std::memcpy(target + w * 8, &i, 8);
      ring.commit();
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < frames; ++i) {
    std::span<const std::byte> frame;
    while (!ring.front(frame)) std::this_thread::yield();
    wrong += frame.size() != (1 + i % 37) * 8;
    for (std::size_t at = 0; at < frame.size(); at += 8) wrong += std::memcmp(frame.data() + at, &i, 8) != 0;
    ring.pop();
  }
  producer.join();
  EXPECT_EQ(wrong, 0U);
}

struct Observed {
  LogSchema schema = testing::sample_schema();
  testing::SampleSignals signals;
  FrameRing ring{1 << 14};
  std::string error;

  Recorder recorder(WhenFull when_full) {
    return std::move(*Recorder::create(schema, testing::sample_sources(signals), ring, when_full, error));
  }
};

TEST(Recorder, DropsObservedSignalsButNeverAcquiredOnes) {
  Observed run;
  Recorder recorder = run.recorder(WhenFull::drop_observed);
  std::int64_t tick = 0;
  while (recorder.record(tick) == RecordStatus::recorded) ++tick;
  const std::int64_t first_lost = tick;
  EXPECT_EQ(recorder.lost(), 1U);
  for (++tick; tick < first_lost + 50; ++tick) ASSERT_EQ(recorder.record(tick), RecordStatus::observed_lost);
  EXPECT_EQ(recorder.lost(), 50U);

  std::span<const std::byte> frame;
  for (std::int64_t expected = 0; expected < tick; ++expected) {
    ASSERT_TRUE(run.ring.front(frame));
    FrameHeader header;
    std::memcpy(&header, frame.data(), sizeof header);
    ASSERT_EQ(header.tick, expected);
    ASSERT_EQ(header.observed != 0, expected < first_lost);
    if (expected >= first_lost) {
      EXPECT_EQ(header.lost, static_cast<std::uint64_t>(expected - first_lost + 1));
      EXPECT_EQ(frame.size(), sizeof header + 16) << "header and packet";
    }
    run.ring.pop();
  }
}

TEST(Recorder, SaysWhenAcquiredSamplesHaveNoRoom) {
  Observed run;
  Recorder recorder = run.recorder(WhenFull::drop_observed);
  std::int64_t tick = 0;
  while (recorder.record(tick) != RecordStatus::no_room) ASSERT_LT(++tick, 10000);
  EXPECT_FALSE(recorder.has_room());
}

TEST(Recorder, WaitsInSimulationAndWritesNothingWithoutRoom) {
  Observed run;
  Recorder recorder = run.recorder(WhenFull::wait);
  std::int64_t tick = 0;
  while (recorder.has_room()) ASSERT_EQ(recorder.record(tick++), RecordStatus::recorded);
  while (recorder.record(tick) == RecordStatus::recorded) ++tick;
  EXPECT_EQ(recorder.record(tick), RecordStatus::no_room);
  EXPECT_EQ(recorder.lost(), 0U);
  std::thread reader([&run] {
    std::span<const std::byte> frame;
    while (run.ring.front(frame)) run.ring.pop();
  });
  recorder.wait_for_room();
  EXPECT_EQ(recorder.record(tick), RecordStatus::recorded);
  reader.join();
}

TEST(Recorder, CopiesSlowChannelsOnlyWhenTheyAreDue) {
  Observed run;
  Recorder recorder = run.recorder(WhenFull::wait);
  std::span<const std::byte> frame;
  std::vector<std::size_t> sizes;
  for (std::int64_t tick = 0; tick < 10; ++tick) {
    recorder.record(tick);
    ASSERT_TRUE(run.ring.front(frame));
    sizes.push_back(frame.size());
    run.ring.pop();
  }
  for (std::size_t tick = 0; tick < 10; ++tick) EXPECT_EQ(sizes[tick], sizes[1] + (tick % 5 == 0 ? 8 : 0));
}

TEST(Recorder, FillsUnusedBytesWithZeros) {
  Observed run;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(run.ring.try_push(std::vector<std::byte>(300, std::byte{0xAB})));
    std::span<const std::byte> frame;
    ASSERT_TRUE(run.ring.front(frame));
    run.ring.pop();
  }
  Recorder recorder = run.recorder(WhenFull::wait);
  recorder.record(1);
  std::span<const std::byte> frame;
  ASSERT_TRUE(run.ring.front(frame));
  EXPECT_EQ(std::count(frame.begin(), frame.end(), std::byte{0xAB}), 0);
}

TEST(Recorder, RefusesSourcesThatDoNotFitTheSchema) {
  Observed run;
  const auto refused = [&](const std::vector<RecordSource>& sources) {
    run.error.clear();
    return Recorder::create(run.schema, sources, run.ring, WhenFull::wait, run.error) ? "" : run.error;
  };
  auto sources = testing::sample_sources(run.signals);
  EXPECT_EQ(refused(sources), "");
  sources[1].bytes = 40;
  EXPECT_EQ(refused(sources), "rig.sensor.wrench: the log expects 48 bytes, the signal has 40");
  sources[1].bytes = 48;
  sources.push_back(sources[7]);
  EXPECT_EQ(refused(sources), "slow.y: recorded twice");
  sources.pop_back();
  sources.pop_back();
  EXPECT_EQ(refused(sources), "rig.robot.packet: in the log's schema but not recorded");
  sources.push_back({2, 0, nullptr, 16});
  EXPECT_EQ(refused(sources), "rig.robot.packet: the signal has no memory");
  sources.back() = {3, 0, &run.signals, 8};
  EXPECT_EQ(refused(sources), "a recorded signal names channel 3, field 0, which the log does not have");
  run.schema.channels[1].divider = 0;
  EXPECT_EQ(refused(testing::sample_sources(run.signals)), "slow: a divider below 1");
}

TEST(Recorder, RefusesEventsThatAreTooLong) {
  Observed run;
  Recorder recorder = run.recorder(WhenFull::wait);
  EXPECT_TRUE(recorder.event(0, "stop", std::string(Recorder::largest_event - 4, 'x')));
  EXPECT_FALSE(recorder.event(0, "stop", std::string(Recorder::largest_event - 3, 'x')));
}

} // namespace
} // namespace hilda::test
