// SPDX-License-Identifier: BSD-3-Clause
// Requests from four threads into a run with its log: none is lost, none is torn, and the log does it all again.
#include "engine/log/log.h"
#include "engine/session/run_log.h"
#include "tests/folder.h"
#include "tests/live/random_session.h"
#include "tests/modules.h"

#include <atomic>
#include <map>
#include <set>
#include <thread>

namespace hilda::test {
namespace {

/// Sums up over all ticks how far two vectors are from each other that each request sets to one value.
constexpr const char* twins = R"(<diagram format="1" name="twins" period="1 ms">
  <block name="one" type="sources/Constant" value="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"/>
  <block name="gain" type="math/Gain" gain="1"/>
  <block name="other" type="sources/Constant" value="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"/>
  <block name="apart" type="math/Sum" signs="+-"/>
  <block name="size" type="math/Abs"/>
  <block name="torn" type="discrete/DiscreteIntegrator"/>
  <connect from="one.y" to="gain.u"/>
  <connect from="gain.y" to="apart.u[0]"/>
  <connect from="other.y" to="apart.u[1]"/>
  <connect from="apart.y" to="size.u"/>
  <connect from="size.y" to="torn.u"/>
  <log signals="*" every="0.1 s"/>
</diagram>)";

constexpr int askers = 4, requests = 250; // of each

std::vector<LiveSetting> twin_request(int number) {
  std::string text;
  for (int i = 0; i < 16; ++i) text += std::to_string(number + i) + " ";
  return {{"one.value", text}, {"other.value", text}};
}

using Posted = std::vector<std::shared_ptr<const LiveRequest>>;

/// Asks until it is heard: the queue may be full.
Posted ask(Tuning& tuning, int first) {
  Posted posted;
  while (posted.size() < requests) {
    Diagnostics diagnostics;
    auto request = tuning.post(twin_request(first + static_cast<int>(posted.size())), diagnostics);
    if (request != nullptr)
      posted.push_back(std::move(request));
    else if (diagnostics.text().find("live-queue") == std::string::npos) {
      ADD_FAILURE() << diagnostics.text();
      return posted;
    } else
      std::this_thread::yield();
  }
  return posted;
}

struct LoggedRun {
  LoggedRun() : live((here.write("twins.xml", twins), here.path("twins.xml"))) {
    RunOrigin origin;
    origin.diagram = here.path("twins.xml");
    origin.plugins = &all_plugins();
    origin.sources = &live.diagram.sources();
    std::string error;
    if (live.ok()) log = RunLog::create(*live.runtime, origin, here.path("run.mcap"), {}, error);
    EXPECT_NE(log, nullptr) << error << live.diagram.diagnostics().text();
    options.interrupt = &over;
    options.tuning = live.tuning.get();
  }
  std::multimap<std::int64_t, std::string> changes_in_log() const {
    std::string error;
    auto opened = Log::open(here.path("run.mcap"), error);
    EXPECT_TRUE(opened) << error;
    std::multimap<std::int64_t, std::string> changes;
    if (opened)
      for (const LogEvent& each : opened->events()) changes.emplace(each.tick, each.kind + " " + each.text);
    return changes;
  }

  Folder here;
  Live live;
  std::unique_ptr<RunLog> log;
  std::atomic<bool> over{false};
  SimulationOptions options;
};

TEST(MailboxRun, AThousandRequestsOfFourThreadsAreTakenWholeLoggedAndReplayed) {
  LoggedRun run;
  ASSERT_NE(run.log, nullptr);
  std::vector<Posted> posted(askers);
  std::vector<std::thread> threads;
  for (int i = 0; i < askers; ++i)
    threads.emplace_back(
        [&run, &mine = posted[static_cast<std::size_t>(i)], i] { mine = ask(*run.live.tuning, 1 + i * 1000); });
  std::thread ends([&] {
    for (std::thread& each : threads) each.join();
    for (const Posted& each : posted)
      while (!each.empty() && each.back()->taken() == LiveRequest::waiting) std::this_thread::yield();
    run.over = true;
  });
  const SimulationResult result = simulate(*run.live.runtime, &run.log->recorder(), run.options);
  ends.join();
  EXPECT_EQ(result.reason, SimulationResult::Reason::interrupted);
  std::string error;
  ASSERT_TRUE(run.log->close(result, error)) << error;

  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(run.live.number("torn.y", i), 0) << i;
  std::multimap<std::int64_t, std::string> wanted;
  std::set<std::int64_t> ticks;
  for (const Posted& each : posted) {
    EXPECT_EQ(each.size(), std::size_t{requests});
    std::int64_t before = 0;
    for (const auto& request : each) {
      EXPECT_GE(request->taken(), before) << "in the order in which a thread has asked";
      before = request->taken();
      ticks.insert(before);
      wanted.emplace(before, "set " + settings_text(request->settings()));
    }
  }
  EXPECT_GT(ticks.size(), 10u) << "the run went on meanwhile";
  const auto logged = run.changes_in_log();
  EXPECT_EQ(std::multiset(logged.begin(), logged.end()), std::multiset(wanted.begin(), wanted.end()));
  EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "");
}

TEST(MailboxRun, WhatIsAskedForAfterItsEndIsRefusedAndWhatWaitedIsDropped) {
  LoggedRun run;
  ASSERT_NE(run.log, nullptr);
  run.options.duration = 0.05;
  const SimulationResult result = simulate(*run.live.runtime, &run.log->recorder(), run.options);
  Diagnostics diagnostics;
  const auto late = run.live.tuning->post(twin_request(5), diagnostics);
  ASSERT_NE(late, nullptr) << "a run of limited time may go on: " << diagnostics.text();
  run.live.tuning->close();
  EXPECT_EQ(late->taken(), LiveRequest::dropped);
  EXPECT_EQ(run.live.tuning->post(twin_request(6), diagnostics), nullptr);
  EXPECT_NE(diagnostics.text().find("error[live-ended]"), std::string::npos) << diagnostics.text();
  std::string error;
  ASSERT_TRUE(run.log->close(result, error)) << error;
  EXPECT_TRUE(run.changes_in_log().empty());
  EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "");
}

} // namespace
} // namespace hilda::test
