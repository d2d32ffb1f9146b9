// SPDX-License-Identifier: BSD-3-Clause
// `hilda run --serve` and `hilda studio` as processes: whether clients watch or not, the log has the same bits.
#include "engine/log/log.h"
#include "tests/cli/program.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/studio/served.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::test {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string pida = source_folder() + "/diagrams/pida.xml";

/// Waits until the run is paused.
Json standing(const WebClient& client) {
  while (true) {
    const std::string text = client.text_with("\"op\":\"state\"");
    if (text.empty()) return {};
    Json state = Json::parse(text);
    if (state["state"] != "running") return state;
  }
}

/// Each signal of the first log is in the second, with the same ticks and the same bits.
void expect_same(const Workplace& here, const std::string& first, const std::string& second) {
  std::string error;
  auto a = Log::open(here.path(first), error), b = Log::open(here.path(second), error);
  ASSERT_TRUE(a && b) << error;
  EXPECT_GT(a->signal_names().size(), 2U);
  for (const std::string& name : a->signal_names()) {
    const auto x = a->signal(name, error), y = b->signal(name, error);
    ASSERT_TRUE(x && y) << error;
    EXPECT_GT(x->samples(), 10U) << name;
    EXPECT_EQ(x->ticks(), y->ticks()) << name;
    EXPECT_TRUE(x->values == y->values) << name;
  }
}

TEST(Serve, WhoLooksOnChangesNoBitOfTheLog) {
  const Workplace here;
  ASSERT_EQ(here.hilda("run " + std::string(pida) + " --for 3s --log alone.mcap").exit, 0);
  Served run(here, "run", {"run", pida, "--for", "3s", "--log", here.path("seen.mcap"), "--realtime", "--serve", "0"});
  ASSERT_NE(run.port, 0) << run.said();
  {
    const WebClient reader = run.connect("foxglove.sdk.v1"), page = run.connect("hilda.v1");
    ASSERT_NE(reader.text_with("advertise"), "");
    reader.send(R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1},{"id":2,"channelId":2}]})");
    ASSERT_NE(page.text_with("\"op\":\"hello\""), "");
    const Json scope = ask(page, {{"op", "scope"}, {"scope", "a"}, {"signals", {"rig.wrench"}}});
    EXPECT_EQ(scope["series"].size(), 6U) << scope;
    int binary = 0;
    while (const auto message = reader.receive()) binary += message->opcode == 2 ? 1 : 0;
    EXPECT_GT(binary, 1000);
  }
  EXPECT_EQ(run.process.wait(), 0) << run.said();
  expect_same(here, "alone.mcap", "seen.mcap");
}

TEST(Serve, AStoppedClientChangesNothingAndLosesFrames) {
  const Workplace here;
  const std::string arguments = "run " + std::string(pida) + " --for 5s --log alone.mcap";
  ASSERT_EQ(here.hilda(arguments).exit, 0);
  Served run(here, "run", {"run", pida, "--for", "5s", "--log", here.path("seen.mcap"), "--realtime", "--serve", "0"});
  ASSERT_NE(run.port, 0) << run.said();
  const pid_t client = ::fork();
  if (client == 0) { // subscribes to everything, and then stops reading
    const WebClient stopped = run.connect("foxglove.sdk.v1");
    stopped.text_with("advertise");
    for (int i = 1; i < 40; ++i)
      stopped.send(R"({"op":"subscribe","subscriptions":[{"id":)" + std::to_string(i) + R"(,"channelId":)" +
                   std::to_string(i) + "}]}");
    ::kill(::getpid(), SIGSTOP);
    ::_exit(0);
  }
  EXPECT_EQ(run.process.wait(), 0) << run.said();
  ::kill(client, SIGKILL);
  ::waitpid(client, nullptr, 0);
  expect_same(here, "alone.mcap", "seen.mcap");
}

/// Chosen signals, of a slow rate, and only while a condition holds.
constexpr const char* choosy = R"(<diagram format="1" name="choosy" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="2 N" frequency="3 Hz"/>
  <block name="high" type="math/Compare" operation="greater" with="1 N"/>
  <block name="twice" type="math/Gain" gain="2"/>
  <block name="slow" type="discrete/LowPass" cutoff="2 Hz" sample_time="4 ms"/>
  <connect from="wave.y" to="high.a"/>
  <connect from="wave.y" to="twice.u"/>
  <connect from="wave.y" to="slow.u"/>
  <log signals="twice.y" when="high.y"/>
  <log signals="slow.y" every="20 ms"/>
  <log signals="high.y"/>
</diagram>)";

TEST(Serve, TheFileKeepsWhatLogChoosesThoughAllIsSeen) {
  const Workplace here;
  here.write("choosy.xml", choosy);
  ASSERT_EQ(here.hilda("run choosy.xml --for 2s --log alone.mcap").exit, 0);
  const Result served = here.hilda("run choosy.xml --for 2s --log seen.mcap --serve 0");
  ASSERT_EQ(served.exit, 0) << served.err;
  expect_same(here, "alone.mcap", "seen.mcap");
  std::string error;
  const auto alone = Log::open(here.path("alone.mcap"), error), seen = Log::open(here.path("seen.mcap"), error);
  ASSERT_TRUE(alone && seen) << error;
  EXPECT_EQ(alone->schema().channels, seen->schema().channels);
}

TEST(Serve, ARunIsLookedAtAndNotEdited) {
  const Workplace here;
  here.write("choosy.xml", choosy);
  Served run(here, "run", {"run", here.path("choosy.xml"), "--for", "1s", "--no-log", "--realtime", "--serve", "0"});
  ASSERT_NE(run.port, 0) << run.said();
  const WebClient page = run.connect("hilda.v1");
  ASSERT_NE(page.text_with("\"op\":\"hello\""), "");
  const Json reply =
      ask(page, {{"op", "edit"}, {"revision", 1}, {"operations", Json::array({Json::array({"remove", "slow"})})}});
  EXPECT_FALSE(reply["ok"]) << reply;
  EXPECT_EQ(here.read("choosy.xml"), choosy);
  EXPECT_EQ(run.process.wait(), 0) << run.said();
}

TEST(Serve, WithoutALogThereIsMuchToSeeAndNoFile) {
  const Workplace here;
  here.write("choosy.xml", choosy);
  Served run(here, "run", {"run", here.path("choosy.xml"), "--for", "60s", "--no-log", "--realtime", "--serve", "0"});
  ASSERT_NE(run.port, 0) << run.said();
  const WebClient page = run.connect("hilda.v1");
  const Json hello = Json::parse(page.text_with("\"op\":\"hello\""));
  std::set<std::string> signals;
  for (const Json& each : hello["signals"]) signals.insert(each["path"]);
  for (const char* each : {"wave.y", "high.y", "twice.y", "slow.y"})
    EXPECT_TRUE(signals.contains(each)) << each << ": the file would keep three of them";
  EXPECT_EQ(ask(page, {{"op", "watch"}, {"signals", {"wave.y"}}})["ok"], true);
  Json values;
  do {
    values = Json::parse(page.text_with("\"op\":\"values\""));
  } while (values["values"]["wave.y"].is_null()); // no tick yet
  EXPECT_LE(std::abs(values["values"]["wave.y"].get<double>()), 2.0);
  run.process.interrupt();
  EXPECT_EQ(run.process.wait(), 130);
  EXPECT_FALSE(here.has("out/choosy.mcap"));
}

class StudioRun : public ::testing::Test {
protected:
  StudioRun() { here.write("loop.xml", tuned_loop); }
  /// `hilda studio loop.xml`, with its log in this folder.
  std::unique_ptr<Served> open(std::vector<std::string> more = {"--for", "2s"}) {
    std::vector<std::string> arguments{"studio", here.path("loop.xml"), "--no-open", "--port", "0",
                                       "--log",  here.path("run.mcap")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return std::make_unique<Served>(here, "studio", arguments);
  }
  Workplace here;
};

TEST_F(StudioRun, WaitsAtTheBeginningStepsRunsAndGoesBack) {
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  Json state = standing(page);
  EXPECT_EQ(state["state"], "paused");
  EXPECT_EQ(state["tick"], 0);
  EXPECT_EQ(state["last"], 2.0);
  EXPECT_EQ(ask(page, {{"op", "step"}, {"n", 250}})["ok"], true);
  const Json at_250 = ask(page, {{"op", "get"}, {"path", "position.y"}});
  EXPECT_EQ(at_250["unit"], "m");
  EXPECT_EQ(ask(page, {{"op", "run"}, {"until", 1}, {"speed", 0}})["ok"], true);
  do { state = standing(page); } while (state["tick"] < 1000);
  EXPECT_EQ(state["tick"], 1000);
  EXPECT_NE(ask(page, {{"op", "get"}, {"path", "position.y"}})["value"], at_250["value"]);
  EXPECT_EQ(ask(page, {{"op", "back"}, {"to", 0.25}})["ok"], true);
  EXPECT_EQ(ask(page, {{"op", "get"}, {"path", "position.y"}})["value"], at_250["value"]);
  EXPECT_THAT(ask(page, {{"op", "back"}, {"to", 1.5}})["error"].get<std::string>(), HasSubstr("not come to"));
  EXPECT_EQ(ask(page, {{"op", "run"}, {"speed", 0}})["ok"], true);
  do { state = standing(page); } while (state["state"] != "ended");
  EXPECT_EQ(state["ending"]["reason"], "duration");
  studio->process.interrupt();
  EXPECT_EQ(studio->process.wait(), 0) << studio->said();
  EXPECT_TRUE(here.has("run.mcap"));
  EXPECT_TRUE(here.has("run.2.mcap"));
}

/// Of each connection over TCP that a process has: it sends at once, and does not wait for an acknowledgement.
std::vector<bool> connections_that_do_not_wait(pid_t process) {
  std::vector<bool> found;
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  for (int number = 3; number < 100; ++number) {
    const int copy = static_cast<int>(::syscall(SYS_pidfd_getfd, handle, number, 0));
    if (copy < 0) continue;
    sockaddr_storage other{};
    socklen_t size = sizeof other;
    int at_once = 0;
    socklen_t length = sizeof at_once;
    if (::getpeername(copy, reinterpret_cast<sockaddr*>(&other), &size) == 0 && other.ss_family == AF_INET &&
        ::getsockopt(copy, IPPROTO_TCP, TCP_NODELAY, &at_once, &length) == 0)
      found.push_back(at_once != 0);
    ::close(copy);
  }
  ::close(handle);
  return found;
}

TEST_F(StudioRun, AReplyDoesNotWaitForTheAcknowledgementOfTheMessageBefore) {
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  ASSERT_EQ(ask(page, {{"op", "step"}, {"n", 1}})["ok"], true); // the new state comes first, then the reply
  EXPECT_EQ(connections_that_do_not_wait(studio->process.id()), std::vector<bool>{true})
      << "one that waits for acknowledgements answers 0.04 s later";
}

TEST_F(StudioRun, AnExperimentThatIsSavedGivesTheSameBitsInATerminal) {
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  std::string command;
  {
    const WebClient page = studio->connect("hilda.v1");
    EXPECT_EQ(ask(page, {{"op", "step"}, {"n", 500}})["ok"], true);
    const Json set = ask(page, {{"op", "set"}, {"settings", {{{"path", "push"}, {"text", "3000 mN"}}}}});
    EXPECT_EQ(set["ok"], true) << set;
    EXPECT_EQ(set["tick"], 500);
    EXPECT_EQ(ask(page, {{"op", "get"}, {"path", "push"}})["text"], "3000 mN");
    const Json refused = ask(page, {{"op", "set"}, {"settings", {{{"path", "push"}, {"text", "3 kg"}}}}});
    EXPECT_EQ(refused["ok"], false);
    EXPECT_THAT(refused["error"].get<std::string>(), HasSubstr("N"));
    EXPECT_EQ(refused["diagnostics"].size(), 1U);
    EXPECT_EQ(ask(page, {{"op", "step"}, {"n", 1500}})["ok"], true);
    const Json saved = ask(page, {{"op", "save"}});
    ASSERT_EQ(saved["ok"], true) << saved;
    command = saved["command"];
    EXPECT_EQ(ask(page, {{"op", "save"}})["ok"], true) << "tune, save, tune, save";
    EXPECT_EQ(ask(page, {{"op", "save"}, {"file", "run.mcap"}})["ok"], false);
    for (const Json& request :
         {Json{{"op", "run"}, {"for", -1}}, Json{{"op", "step"}, {"n", 1.5}}, Json{{"op", "step"}, {"n", 0}},
          Json{{"op", "back"}, {"n", 0.5}}, Json{{"op", "back"}, {"n", 1e20}}, Json{{"op", "back"}, {"to", -1}}})
      EXPECT_EQ(ask(page, request)["ok"], false) << request;
    for (const char* file : {"../x.xml", ".x.xml", "x.txt", "loop.xml"})
      EXPECT_EQ(ask(page, {{"op", "save"}, {"file", file}})["ok"], false) << file;
  }
  studio->process.interrupt();
  EXPECT_EQ(studio->process.wait(), 0) << studio->said();
  ASSERT_TRUE(command.starts_with("hilda ")) << command;
  const Result again = here.hilda(command.substr(6) + " --log again.mcap");
  ASSERT_EQ(again.exit, 0) << again.err;
  expect_same(here, "run.mcap", "again.mcap");
  EXPECT_EQ(here.read("loop.xml"), tuned_loop);
}

TEST_F(StudioRun, ABrokenDiagramIsShownWithWhatIsWrongUntilItIsMended) {
  std::string broken = tuned_loop;
  broken.replace(broken.find("math/Gain"), 9, "math/Gian");
  here.write("loop.xml", broken);
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  const Json hello = Json::parse(page.text_with("\"op\":\"hello\""));
  EXPECT_EQ(standing(page)["state"], "broken");
  EXPECT_TRUE(hello["scene"].is_null());
  EXPECT_EQ(hello["diagnostics"][0]["code"], "unknown-type");
  EXPECT_EQ(hello["diagnostics"][0]["line"], 5);
  EXPECT_EQ(ask(page, {{"op", "run"}})["ok"], false);
  EXPECT_EQ(ask(page, {{"op", "check"}, {"text", tuned_loop}})["diagnostics"].size(), 0U);
  EXPECT_GT(ask(page, {{"op", "check"}, {"text", "<diagram"}})["diagnostics"].size(), 0U);
  here.write("loop.xml", tuned_loop);
  const std::string mended = page.text_with("\"op\":\"hello\"");
  ASSERT_NE(mended, "") << studio->said();
  EXPECT_EQ(Json::parse(mended)["scene"]["symbols"].size(), 8U);
  EXPECT_EQ(standing(page)["state"], "paused");
}

TEST_F(StudioRun, AFileThatIsSavedGoesOnWithItsStatesAndOneWithErrorsChangesNothing) {
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  EXPECT_EQ(ask(page, {{"op", "step"}, {"n", 300}})["ok"], true);
  const Json before = ask(page, {{"op", "get"}, {"path", "position.y"}});
  std::string text = tuned_loop;
  text.replace(text.find("40 N/m"), 6, "50 N/m");
  here.write("loop.xml", text);
  Json hello;
  do { hello = Json::parse(page.text_with("\"op\":\"hello\"")); } while (hello["revision"] != 2);
  EXPECT_EQ(standing(page)["tick"], 300);
  EXPECT_EQ(ask(page, {{"op", "get"}, {"path", "position.y"}})["value"], before["value"]);
  EXPECT_EQ(ask(page, {{"op", "get"}, {"path", "spring.gain"}})["text"], "50 N/m");
  here.write("loop.xml", "<diagram");
  EXPECT_THAT(page.text_with("\"op\":\"diagnostics\""), HasSubstr("stays as it was"));
  EXPECT_EQ(ask(page, {{"op", "step"}})["ok"], true);
}

TEST_F(StudioRun, ARunToATimeStandsThereThoughTheFileIsSavedOnTheWay) {
  const auto studio = open({"--for", "20s"});
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  EXPECT_EQ(ask(page, {{"op", "step"}, {"n", 100}})["ok"], true);
  EXPECT_EQ(ask(page, {{"op", "run"}, {"until", 3}, {"speed", 1}})["ok"], true);
  std::string text = tuned_loop;
  text.replace(text.find("40 N/m"), 6, "50 N/m");
  here.write("loop.xml", text);
  Json hello;
  do { hello = Json::parse(page.text_with("\"op\":\"hello\"")); } while (hello["revision"] != 2);
  EXPECT_EQ(ask(page, {{"op", "run"}, {"until", 0}})["ok"], false) << "which changes nothing";
  EXPECT_EQ(standing(page)["tick"], 3000);
}

TEST_F(StudioRun, MarkupInADiagramStaysText) {
  std::string text = tuned_loop;
  text.replace(text.find("What pushes"), 11, "&lt;script&gt;alert(1)&lt;/script&gt;");
  here.write("loop.xml", text);
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  const Json hello = Json::parse(page.text_with("\"op\":\"hello\""));
  EXPECT_EQ(hello["parameters"][1]["doc"], "<script>alert(1)</script>");
  const Reply html = get(static_cast<unsigned>(studio->port), std::string("/?token=") + served_token);
  EXPECT_THAT(html.body, Not(HasSubstr("alert")));
}

// The word is compared with what happens: of a named parameter it follows from all that depends on it.
TEST_F(StudioRun, SaysOfEachParameterWhatAnotherValueTakes) {
  std::string text = tuned_loop;
  text.replace(text.find("  <connect"), 0, R"(<parameter name="idle" value="1"/>
  <parameter name="lag" value="5 ms"/>
  <parameter name="both" value="5 ms"/>
  <block name="late" type="discrete/Delay" delay="${lag}"/>
  <block name="slower" type="discrete/LowPass" cutoff="${1 rad / both}"/>
  <block name="later" type="discrete/Delay" delay="${both}"/>
  <connect from="position.y" to="late.u"/>
  <connect from="position.y" to="slower.u"/>
  <connect from="position.y" to="later.u"/>
)");
  here.write("loop.xml", text);
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  const Json hello = Json::parse(page.text_with("\"op\":\"hello\""));
  std::map<std::string, Json> said;
  for (const Json& each : hello["parameters"]) said[each["path"]] = each;
  const std::map<std::string, std::string> others{{"push", "2 N"},       {"corner", "3 Hz"}, {"idle", "2"},
                                                  {"lag", "6 ms"},       {"both", "4 ms"},   {"spring.gain", "41 N/m"},
                                                  {"late.delay", "7 ms"}};
  for (const auto& [path, value] : others) {
    ASSERT_TRUE(said.count(path)) << path;
    const bool taken =
        ask(page, {{"op", "set"}, {"settings", Json::array({Json{{"path", path}, {"text", value}}})}})["ok"]
            .get<bool>();
    EXPECT_EQ(said[path]["change"] != "fixed", taken) << path << " " << said[path];
    EXPECT_EQ(said[path].contains("why"), path == "idle" || path == "lag" || path == "both") << path;
  }
  EXPECT_EQ(said["push"]["change"], "live");
  EXPECT_EQ(said["both"]["why"], "later.delay is fixed while the diagram runs");
}

TEST(Serve, WhatDoesNotGoTogetherIsSaid) {
  const Workplace here;
  here.write("loop.xml", tuned_loop);
  const auto error = [&](const std::string& arguments, const std::string& before = "") {
    const Result run = here.hilda(arguments, before, "< /dev/null");
    EXPECT_EQ(run.exit, 64) << arguments << run.out << run.err;
    return run.err;
  };
  EXPECT_THAT(error("run loop.xml --serve 0 --console"), HasSubstr("--console"));
  EXPECT_THAT(error("run loop.xml --serve 0 --watch"), HasSubstr("--watch"));
  EXPECT_THAT(error("run loop.xml --serve 99999"), HasSubstr("99999"));
  EXPECT_THAT(error("run loop.xml --operate"), HasSubstr("--serve"));
  EXPECT_THAT(error("run loop.xml --serve 0 --listen 127.0.0.1", "env -u HILDA_STUDIO_TOKEN"),
              HasSubstr("HILDA_STUDIO_TOKEN"));
  EXPECT_THAT(error("run loop.xml --serve 0", "HILDA_STUDIO_TOKEN=short"), HasSubstr("16"));
  EXPECT_THAT(error("run loop.xml --serve 0 --listen nowhere", "HILDA_STUDIO_TOKEN=a-token-of-a-test-0123"),
              HasSubstr("nowhere"));
}

/// Files of programs that are started meanwhile have no more than 64 kB, and the disk is slow.
struct SmallSlowDisk {
  SmallSlowDisk() {
    std::signal(SIGXFSZ, SIG_IGN); // it is inherited
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small = {std::uint64_t{64} << 10U, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    ::setenv("LD_PRELOAD", (build_folder() + "/tests/attacks/libslow_disk.so").c_str(), 1);
    ::setenv("HILDA_SLOW_DISK", "100000", 1); // us, the longest wait of a write
    ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 0);
  }
  ~SmallSlowDisk() {
    ::unsetenv("LD_PRELOAD");
    ::unsetenv("HILDA_SLOW_DISK");
    ::setrlimit(RLIMIT_FSIZE, &before);
  }
  SmallSlowDisk(const SmallSlowDisk&) = delete;
  SmallSlowDisk& operator=(const SmallSlowDisk&) = delete;
  rlimit before = {};
};

TEST(Serve, TellsOfALogWhoseEndIsFoundAfterTheRunHasPaused) {
  const Workplace here;
  here.write("loop.xml", tuned_loop);
  std::optional<SmallSlowDisk> disk(std::in_place);
  Served studio(here, "studio",
                {"studio", here.path("loop.xml"), "--no-open", "--port", "0", "--log", here.path("x.mcap")});
  disk.reset();
  ASSERT_NE(studio.port, 0) << studio.said();
  const WebClient page = studio.connect("hilda.v1");
  ASSERT_EQ(ask(page, {{"op", "run"}, {"until", 20}, {"speed", 0}})["ok"], true);
  Json state = standing(page);
  EXPECT_EQ(state["tick"], 20000) << state;
  for (int i = 0; i < 4 && state["log_lost"] == ""; ++i) state = standing(page);
  EXPECT_THAT(state.value("log_lost", ""), HasSubstr("File too large")) << studio.said();
}

} // namespace
} // namespace hilda::test
