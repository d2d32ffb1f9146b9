// SPDX-License-Identifier: BSD-3-Clause
// The 4 ms loop against the simulated cell, over UDP, next to four clients that take every signal, one of which never
// reads: the log has every tick and replays to the bit. What a machine needs for its cycles is in
// docs/results/measurements/looked_on.md.
#include "tests/hardware/process.h"
#include "tests/studio/served.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace hilda::test {
namespace {

/// Every signal that is advertised.
void subscribe_to_all(const WebClient& client) {
  const nlohmann::json advertised = nlohmann::json::parse(client.text_with("\"advertise\""));
  nlohmann::json subscriptions = nlohmann::json::array();
  for (const nlohmann::json& each : advertised["channels"])
    subscriptions.push_back({{"id", subscriptions.size() + 1}, {"channelId", each["id"]}});
  EXPECT_GT(subscriptions.size(), 5u);
  client.send(nlohmann::json{{"op", "subscribe"}, {"subscriptions", subscriptions}}.dump());
}

/// Messages of signals until the run is over.
int messages_of(const WebClient& client) {
  int count = 0;
  while (const auto message = client.receive()) {
    if (message->opcode == 8) break;
    if (message->opcode == 2 && message->payload.front() == 1) ++count;
  }
  return count;
}

TEST(LookedOn, TheLoopOverUdpKeepsItsLogBesideFourClientsOfWhichOneStandsStill) {
  const CellBench bench({}, CellTime::stands);
  constexpr int ticks = 750; // 3 s
  Served run(
      bench.folder(), "run",
      bench.arguments("run", "pida", {"contacts=0", "response_delay=21ms"},
                      {"--arm", "--log", "run.mcap", "--summary", "summary.json", "--serve", "0", "--for", "3s"}),
      bench.time());
  ASSERT_NE(run.port, 0) << run.said();
  const WebClient still = run.connect("foxglove.sdk.v1");
  subscribe_to_all(still);
  std::array<int, 3> messages{};
  std::vector<std::thread> readers;
  for (int& count : messages)
    readers.emplace_back([&] {
      const WebClient client = run.connect("foxglove.sdk.v1");
      subscribe_to_all(client);
      count = messages_of(client);
    });
  for (std::thread& each : readers) each.join();
  EXPECT_EQ(run.process.wait(), 0) << run.said();
  for (const int count : messages) EXPECT_GT(count, ticks);
  const nlohmann::json summary = nlohmann::json::parse(bench.folder().read("summary.json"), nullptr, false);
  ASSERT_TRUE(summary.is_object());
  EXPECT_EQ(summary["realtime"].value("log_dropped", 0), 0) << summary["realtime"];
  EXPECT_EQ(summary["realtime"].value("log_unrecorded", 0), 0) << summary["realtime"];
  Process replay(bench.folder(), "replay", {"run", "--mode", "replay", "run.mcap", "--no-log"});
  EXPECT_EQ(replay.wait(), 0) << bench.folder().read("replay.out") << bench.folder().read("replay.err");
  EXPECT_THAT(bench.folder().read("replay.out"), testing::HasSubstr("every bit is as recorded"));
}

} // namespace
} // namespace hilda::test
