// SPDX-License-Identifier: BSD-3-Clause
// Several clients ask for all that there is at once, while the diagram runs, goes back, and its file is saved. .ci/run
// threads has it under ThreadSanitizer, with which a race ends the program.
#include "tests/cli/program.h"
#include "tests/studio/served.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

namespace hilda::test {
namespace {

using Request = nlohmann::json;

constexpr int clients = 4, requests_each = 60;

/// Of a simulation in the studio.
std::vector<Request> studio_requests() {
  const Request set{{"op", "set"}, {"settings", Request::array({{{"path", "push"}, {"text", "2 N"}}})}};
  const Request trigger{{"signal", "position.y"}, {"level", 0.01}, {"edge", "rising"}, {"pre", 0.01}, {"mode", "auto"}};
  const Request scope{{"op", "scope"}, {"scope", "a"}, {"signals", {"position.y", "slow.y"}}, {"window", 1}};
  Request triggered = scope;
  triggered["trigger"] = trigger;
  const Request edit{{"op", "edit"},
                     {"revision", 1},
                     {"operations", Request::array({Request::array({"set", "damper.gain=5 N s/m"})})}};
  return {{{"op", "run"}, {"speed", 0}, {"for", 0.5}},
          {{"op", "run"}, {"speed", 1}},
          {{"op", "pause"}},
          {{"op", "step"}, {"n", 50}},
          {{"op", "back"}, {"n", 20}},
          {{"op", "back"}, {"to", 0.01}},
          {{"op", "get"}, {"path", "position.y"}},
          {{"op", "watch"}, {"signals", {"position.y", "spring.y"}}},
          {{"op", "view"}},
          {{"op", "try"}, {"operations", Request::array({Request::array({"remove", "spring"})})}},
          {{"op", "documents"}},
          {{"op", "diff"}, {"against", "file"}},
          {{"op", "fits"}, {"inside", ""}, {"port", "spring.y"}},
          {{"op", "palette"}},
          {{"op", "undo"}, {"revision", 2}},
          {{"op", "check"}, {"text", "<diagram"}},
          {{"op", "source"}},
          {{"op", "changes"}},
          {{"op", "summary"}},
          {{"op", "hello"}},
          {{"op", "scene"}, {"inside", ""}},
          {{"op", "save"}},
          {{"op", "reload"}},
          {{"op", "restart"}},
          {{"op", "write"}},
          {{"op", "unscope"}, {"scope", "a"}},
          set,
          set,
          scope,
          triggered,
          edit};
}

/// Of a run that is paced.
std::vector<Request> paced_requests() {
  std::vector<Request> all;
  for (const char* push : {"1 N", "2 N", "3000 mN"})
    all.push_back({{"op", "set"}, {"settings", Request::array({{{"path", "push"}, {"text", push}}})}});
  for (const Request& each : studio_requests())
    for (const char* op : {"get", "watch", "scope", "unscope", "scene", "changes", "check", "source", "hello", "back"})
      if (each["op"] == op) all.push_back(each);
  return all;
}

/// Asks in an order drawn by `seed`, and counts the answers.
void ask_on_and_on(const Served& run, const std::vector<Request>& choice, unsigned seed, std::atomic<int>& answers) {
  const WebClient client = run.connect("hilda.v1");
  std::mt19937 chance(seed);
  for (int i = 0; i < requests_each; ++i) {
    Request request = choice[chance() % choice.size()];
    request["id"] = i;
    client.send(request.dump());
    const std::string reply = client.text_with("\"op\":\"reply\",\"id\":" + std::to_string(i) + ",");
    if (reply.empty()) return;
    const Request said = Request::parse(reply);
    if (said["ok"].is_boolean() && (said["ok"] || said["error"].is_string())) ++answers;
  }
}

/// Foxglove's protocol: all signals, and a parameter that is set.
void look_on(const Served& run, const std::atomic<bool>& over) {
  const WebClient client = run.connect("foxglove.sdk.v1");
  client.text_with("advertise");
  Request subscriptions = Request::array();
  for (int i = 1; i < 9; ++i) subscriptions.push_back({{"id", i}, {"channelId", i}});
  client.send(Request{{"op", "subscribe"}, {"subscriptions", subscriptions}}.dump());
  client.send(R"({"op":"subscribeParameterUpdates","parameterNames":["push"]})");
  for (int i = 0; !over && client.receive(); ++i)
    if (i % 500 == 0) client.send(R"({"op":"setParameters","parameters":[{"name":"push","value":1.5}]})");
}

/// All clients at once, and `beside` until they are done.
template <typename Beside>
int answers_of_all(const Served& run, const std::vector<Request>& choice, const Beside& beside) {
  std::atomic<int> answers{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= clients; ++seed)
    threads.emplace_back([&, seed] { ask_on_and_on(run, choice, seed, answers); });
  std::thread foxglove([&] { look_on(run, over); }), other([&] {
    while (!over) beside();
  });
  for (std::thread& each : threads) each.join();
  over = true;
  other.join();
  foxglove.join();
  return answers;
}

TEST(ManyClients, AreAllAnsweredWhileTheStudioRunsGoesBackAndIsSaved) {
  const Workplace here;
  here.write("loop.xml", tuned_loop);
  Served studio(here, "studio",
                {"studio", here.path("loop.xml"), "--no-open", "--port", "0", "--log", here.path("run.mcap")});
  ASSERT_NE(studio.port, 0) << studio.said();
  std::string other = tuned_loop;
  other.replace(other.find("40 N/m"), 6, "50 N/m");
  bool turn = false;
  const int answers = answers_of_all(studio, studio_requests(), [&] {
    here.write("loop.xml", (turn = !turn) ? other : tuned_loop); // as an editor would, next to what is edited here
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
  });
  EXPECT_EQ(answers, clients * requests_each) << studio.said();
  studio.process.interrupt();
  EXPECT_EQ(studio.process.wait(), 0) << studio.said();
}

TEST(ManyClients, AreAllAnsweredByARunThatIsPacedAndItsLogReplays) {
  const Workplace here;
  here.write("loop.xml", tuned_loop);
  Served run(
      here, "run",
      {"run", here.path("loop.xml"), "--realtime", "--serve", "0", "--for", "300s", "--log", here.path("run.mcap")});
  ASSERT_NE(run.port, 0) << run.said();
  const int answers =
      answers_of_all(run, paced_requests(), [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  EXPECT_EQ(answers, clients * requests_each) << run.said();
  run.process.interrupt();
  EXPECT_EQ(run.process.wait(), 130) << run.said();
  const Result replay = here.hilda("run --mode replay run.mcap");
  EXPECT_EQ(replay.exit, 0) << replay.out << replay.err;
}

} // namespace
} // namespace hilda::test
