// SPDX-License-Identifier: BSD-3-Clause
// Requests from other threads while the loop runs: each is taken whole, none is lost, and nothing of it allocates or
// locks in the loop (simulate runs within the trap where the program is watched).
#include "engine/session/simulation.h"
#include "tests/live/live_diagram.h"
#include "tests/modules.h"

#include <atomic>
#include <cstdlib>
#include <thread>

namespace hilda::test {
namespace {

const DiagramText wide{"wide.xml", R"(<diagram format="1" name="wide" period="1 ms">
  <block name="wide" type="sources/Constant" value="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"/>
  <block name="other" type="sources/Constant" value="0"/>
  <block name="gain" type="math/Gain" gain="1"/>
  <connect from="wide.y" to="gain.u"/>
</diagram>)"};

constexpr int threads = 4, requests = 250; // of each

/// One number in both places, so that a torn request shows.
std::vector<LiveSetting> request(int number) {
  std::string text;
  for (int i = 0; i < 16; ++i) text += std::to_string(number) + " ";
  return {{"wide.value", text}, {"other.value", std::to_string(number)}};
}

TEST(Mailbox, AThousandRequestsOfFourThreadsAreTakenWholeAndNoneIsLost) {
  Live live(wide);
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  std::vector<std::vector<std::shared_ptr<const LiveRequest>>> posted(threads);
  std::atomic<int> done{0};
  std::vector<std::thread> askers;
  for (int t = 0; t < threads; ++t)
    askers.emplace_back([&, t] {
      for (int i = 0; i < requests;) {
        Diagnostics diagnostics;
        auto taken = live.tuning->post(request(1 + t * requests + i), diagnostics);
        if (taken == nullptr) { // the queue is full
          std::this_thread::yield();
          continue;
        }
        posted[static_cast<std::size_t>(t)].push_back(std::move(taken));
        ++i;
      }
      ++done;
    });
  std::int64_t torn = 0;
  while (done < threads || live.tuning->taken().size() < threads * requests) {
    live.tuning->take(nullptr);
    if (!live.runtime->step()) break;
    const double first = live.number("wide.y");
    for (std::size_t i = 0; i < 16; ++i) torn += live.number("gain.y", i) != first ? 1 : 0;
    torn += live.number("other.y") != first ? 1 : 0;
  }
  for (std::thread& each : askers) each.join();
  EXPECT_EQ(torn, 0);
  const std::vector<TakenChange> taken = live.tuning->taken();
  ASSERT_EQ(taken.size(), static_cast<std::size_t>(threads * requests));
  for (std::size_t i = 1; i < taken.size(); ++i) EXPECT_LE(taken[i - 1].tick, taken[i].tick);
  for (const auto& each : posted)
    for (const auto& one : each) EXPECT_GE(one->taken(), 0);
  EXPECT_EQ(live.tuning->text_of("other.value"), taken.back().settings[1].text);
}

TEST(Mailbox, WhatTheLoopDoesNotTakeIsDroppedAndLeavesTheValues) {
  Live live(wide);
  ASSERT_TRUE(live.ok());
  live.run_to(3);
  Diagnostics diagnostics;
  const auto waiting = live.tuning->post(request(7), diagnostics);
  ASSERT_NE(waiting, nullptr) << diagnostics.text();
  EXPECT_EQ(waiting->taken(), LiveRequest::waiting);
  EXPECT_EQ(live.tuning->text_of("other.value"), "7");
  live.tuning->close();
  EXPECT_EQ(waiting->taken(), LiveRequest::dropped);
  EXPECT_EQ(live.tuning->text_of("other.value"), "0");
  EXPECT_EQ(live.tuning->post(request(8), diagnostics), nullptr);
}

TEST(Mailbox, AFullQueueSaysSo) {
  Live live(wide);
  ASSERT_TRUE(live.ok());
  Diagnostics diagnostics;
  int taken = 0;
  while (live.tuning->post(request(1), diagnostics) != nullptr) ++taken;
  EXPECT_EQ(taken, 64);
  EXPECT_EQ(diagnostics.text(), "live: error[live-queue]: 64 requests wait for the loop\n"
                                "  help: wait until they are taken\n");
  live.tuning->take(nullptr);
  Diagnostics again;
  EXPECT_NE(live.tuning->post(request(2), again), nullptr) << again.text();
}

TEST(Mailbox, OnTheWayToRestNothingIsTaken) {
  Live live(wide);
  ASSERT_TRUE(live.ok());
  live.run_to(3);
  Diagnostics diagnostics;
  const auto waiting = live.tuning->post(request(7), diagnostics);
  ASSERT_NE(waiting, nullptr) << diagnostics.text();
  live.runtime->request_stop("enough");
  live.tuning->take(nullptr);
  EXPECT_EQ(waiting->taken(), LiveRequest::waiting);
  EXPECT_EQ(live.tuning->post(request(8), diagnostics), nullptr);
  EXPECT_EQ(diagnostics.text(), "live: error[live-ended]: the run is over, or on its way to rest\n"
                                "  help: start another one\n");
  live.tuning->close();
  EXPECT_EQ(waiting->taken(), LiveRequest::dropped);
  EXPECT_EQ(live.number("gain.y", 3), 0);
}

TEST(Mailbox, ARunTakesWhatWasPostedBeforeItsFirstTick) {
  Live live(wide);
  ASSERT_TRUE(live.ok());
  Diagnostics diagnostics;
  const auto posted = live.tuning->post(request(9), diagnostics);
  ASSERT_NE(posted, nullptr);
  SimulationOptions options;
  options.duration = 0.01;
  options.tuning = live.tuning.get();
  simulate(*live.runtime, nullptr, options);
  EXPECT_EQ(posted->taken(), 0);
  EXPECT_EQ(live.number("gain.y", 15), 9);
}

} // namespace
} // namespace hilda::test
