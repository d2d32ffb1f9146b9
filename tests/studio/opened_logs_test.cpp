// SPDX-License-Identifier: BSD-3-Clause
// Logs that pages hand over: who may, how much, and that nothing of it lands elsewhere.
#include "tools/studio/detail/logs/opened_logs.h"

#include "tests/engine/sample_log.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/studio/served.h"
#include "tests/studio/web_client.h"
#include "tools/studio/detail/logs/log_answers.h"
#include "tools/studio/detail/server/query.h"
#include "tools/studio/server.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace hilda::test {
namespace {

using nlohmann::json;
using studio::OpenedLogs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* token = "a-token-of-a-test-0123";
constexpr const char* tone = R"(<diagram format="1" name="tone" period="1 ms">
  <parameter name="push" value="2 N"/>
  <block name="tone" type="sources/Sine" amplitude="${push}" frequency="5 Hz"/>
</diagram>)";

/// A server with a separate folder for temporary files.
class Logs : public ::testing::Test {
protected:
  Logs() {
    std::filesystem::create_directory(folder.path("tmp"));
    ::setenv("TMPDIR", folder.path("tmp").c_str(), 1);
    open(true);
  }
  ~Logs() override { ::unsetenv("TMPDIR"); }
  void open(bool logs) {
    server.reset();
    std::string error;
    server = studio::Server::open({.token = token, .origins = {}, .logs = logs}, hub, error);
    ASSERT_NE(server, nullptr) << error;
  }
  Reply ask(const std::string& verb, const std::string& target, const std::string& body = "",
            const std::string& head = "") const {
    const Connection connection(server->port());
    const std::string own = std::to_string(server->port());
    connection.send(verb + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + own + "\r\nCookie: hilda_" + own + "=" +
                    token + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + head + "\r\n" + body);
    return reply_of(connection.receive());
  }
  static Reply reply_of(const std::string& all) {
    const std::size_t end = std::min(all.find("\r\n\r\n"), all.size());
    return {all.size() > 12 ? std::atoi(all.substr(9, 3).c_str()) : 0, all.substr(0, end),
            all.substr(std::min(end + 4, all.size()))};
  }
  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder.path("tmp")))
      count += each.is_regular_file() ? 1 : 0;
    return count;
  }
  std::string recorded() {
    folder.write("tone.xml", tone);
    Process made(folder, "record",
                 {"run", folder.path("tone.xml"), "--for", "50ms", "--log", folder.path("tone.mcap")});
    EXPECT_EQ(made.wait(), 0) << folder.read("record.err");
    return folder.read("tone.mcap");
  }

  Folder folder;
  studio::Hub hub;
  std::unique_ptr<studio::Server> server;
};

TEST_F(Logs, OneIsARunWithSignalsSamplesAndParameters) {
  const Reply opened = ask("POST", "/logs?name=a%20b.mcap", recorded());
  ASSERT_EQ(opened.status, 200) << opened.body;
  const json log = json::parse(opened.body);
  EXPECT_EQ(log["log"], 1);
  EXPECT_EQ(log["name"], "a b.mcap");
  EXPECT_DOUBLE_EQ(log["end"], 0.049);
  EXPECT_EQ(log["signals"][0]["path"], "tone.y");
  EXPECT_EQ(log["signals"][0]["unit"], "N");
  EXPECT_EQ(log["parameters"]["push"], 2);
  EXPECT_EQ(log["diagnostics"], json::array());
  const Reply samples = ask("GET", "/logs/1?signal=tone.y");
  ASSERT_EQ(samples.status, 200);
  std::uint32_t head = 0;
  std::memcpy(&head, samples.body.data(), sizeof head);
  const json about = json::parse(samples.body.substr(sizeof head, head));
  EXPECT_EQ(about["count"], 50);
  EXPECT_EQ(about["thinned"], false);
  ASSERT_EQ(samples.body.size(), sizeof head + head + 100 * sizeof(double));
  double last = 0;
  std::memcpy(&last, samples.body.data() + sizeof head + head + 49 * sizeof last, sizeof last);
  EXPECT_DOUBLE_EQ(last, 0.049);
  EXPECT_EQ(json::parse(ask("GET", "/logs").body)["logs"][0]["name"], "a b.mcap");
  EXPECT_EQ(ask("GET", "/logs/1?signal=tone.z").status, 404);
  EXPECT_EQ(ask("GET", "/logs/1").status, 400);
  EXPECT_EQ(ask("DELETE", "/logs/1").status, 200);
  EXPECT_EQ(ask("GET", "/logs/1?signal=tone.y").status, 404);
  EXPECT_EQ(files(), 0);
}

TEST_F(Logs, LongSignalsAreThinnedToLeastAndGreatest) {
  recorded();
  std::string error;
  const std::string bytes = studio::samples_of_log(folder.path("tone.mcap"), {"tone.y"}, 20, error);
  ASSERT_EQ(error, "");
  std::uint32_t head = 0;
  std::memcpy(&head, bytes.data(), sizeof head);
  const json about = json::parse(bytes.substr(sizeof head, head));
  EXPECT_EQ(about["count"], 20);
  EXPECT_EQ(about["thinned"], true);
}

TEST_F(Logs, ThosePutDownLieInOneFolderWhateverTheyAreCalled) {
  const std::string bytes = recorded();
  const auto before = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  for (const char* name :
       {"../../evil.mcap", "/etc/passwd", "..%2f..%2fevil.mcap", "%00", "", "a%0d%0aSet-Cookie:%20x"}) {
    const Reply opened = ask("POST", std::string("/logs?name=") + name, bytes);
    EXPECT_EQ(opened.status, 200) << name;
    EXPECT_THAT(opened.head, Not(HasSubstr("Set-Cookie"))) << name;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("tmp")), {}), 1);
  EXPECT_EQ(files(), 6);
  for (const char* target :
       {"/logs/../../etc/passwd?signal=a", "/logs/1.mcap?signal=a", "/logs/-1?signal=a", "/logs/x"})
    EXPECT_EQ(ask("GET", target).status, 404) << target;
  server.reset();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("tmp")), {}), 0);
}

TEST_F(Logs, WhatIsNoLogIsADiagnosticAndIsNotKept) {
  const Reply reply = ask("POST", "/logs?name=notes.mcap", "not a log");
  EXPECT_EQ(reply.status, 200); // the request was served: the file is at fault
  const json said = json::parse(reply.body);
  EXPECT_EQ(said["ok"], false);
  const json& found = said["diagnostics"][0];
  EXPECT_EQ(found["severity"], "error");
  EXPECT_EQ(found["code"], "opened-log");
  EXPECT_EQ(found["file"], "notes.mcap");
  EXPECT_EQ(found["what"],
            "this file does not open as a run: it is neither a log (MCAP), nor a MAT file, nor a table of "
            "comma-separated values as text (UTF-8)");
  EXPECT_EQ(found["line"], 0);
  EXPECT_THAT(found["help"].get<std::string>(), HasSubstr("'hilda recover'"));
  EXPECT_EQ(files(), 0);
}

TEST_F(Logs, TablesAreRunsInSiAndAnEmptyCellIsNoSample) {
  const Reply opened =
      ask("POST", "/logs?name=bench.csv",
          "\xEF\xBB\xBF# bench 3\r\ntime [ms];\"tone.y\" [kN];level [1];bare\r\n0;1;;nan\r\n\r\n2.5;-2e-3;7;4\r\n");
  const json log = json::parse(opened.body);
  ASSERT_EQ(log["ok"], true) << log;
  EXPECT_DOUBLE_EQ(log["end"], 0.0025);
  EXPECT_EQ(log["signals"].size(), 3);
  EXPECT_EQ(log["signals"][0]["path"], "tone.y");
  EXPECT_EQ(log["signals"][0]["unit"], "N");
  ASSERT_EQ(log["diagnostics"].size(), 1);
  EXPECT_EQ(log["diagnostics"][0]["what"], "the file does not give the units of all its signals");
  const auto numbers = [this](const std::string& signal) {
    const std::string bytes = ask("GET", "/logs/1?signal=" + signal).body;
    std::uint32_t head = 0;
    std::memcpy(&head, bytes.data(), sizeof head);
    std::vector<double> all((bytes.size() - sizeof head - head) / sizeof(double));
    std::memcpy(all.data(), bytes.data() + sizeof head + head, all.size() * sizeof(double));
    return all;
  };
  EXPECT_EQ(numbers("tone.y"), (std::vector<double>{0, 0.0025, 1000, -2}));
  EXPECT_EQ(numbers("level"), (std::vector<double>{0.0025, 7}));
  EXPECT_TRUE(std::isnan(numbers("bare").at(2)));
}

TEST_F(Logs, CellsOfATableMayBeEmptyAtTheEndsAndNamesMayHoldSeparators) {
  const json tabs = json::parse(ask("POST", "/logs?name=tabs.csv", "time [s]\ta, b\tc\n0\t1\t\n1\t\t2\t\n").body);
  EXPECT_EQ(tabs["ok"], false);
  EXPECT_EQ(tabs["diagnostics"][0]["line"], 3) << "a cell too many";
  const json fits = json::parse(ask("POST", "/logs?name=tabs.csv", "time [s]\ta, b\tc\n0\t1\t\n1\t\t2\n").body);
  ASSERT_EQ(fits["ok"], true) << fits;
  EXPECT_EQ(fits["signals"][0]["path"], "a, b");
  EXPECT_DOUBLE_EQ(fits["end"], 1);
  const json semicolons = json::parse(ask("POST", "/logs?name=a.csv", "time [s];\"a;b, c\";d\n0;1;2\n").body);
  ASSERT_EQ(semicolons["ok"], true) << semicolons;
  EXPECT_EQ(semicolons["signals"][0]["path"], "a;b, c");
  const json quoted = json::parse(ask("POST", "/logs?name=a.csv", "\"time [s]\",\"say \"\"a\"\"\"\n0,1\n").body);
  ASSERT_EQ(quoted["ok"], true) << quoted;
  EXPECT_EQ(quoted["signals"][0]["path"], "say \"a\"");
}

TEST_F(Logs, WhatIsWrongInATableIsReportedWithItsLine) {
  struct Case {
    std::string text;
    int line;
    std::string what;
  };
  const std::vector<Case> cases{
      {"time [s],a [N]\n0,1\n0.1,x\n", 3, "'a' is 'x'"},
      {"time [s],a [N]\n\n# first\n0,1\n0.1,1,2\n", 5, "it has 3 cells, and the first line names 2 columns"},
      {"time [s],a [N]\n0.2,1\n0.1,2\n", 3, "its time 0.1 is not later than that of line 2"},
      {"time [s],a [N]\nnow,1\n", 2, "the time is 'now'"},
      {"time [m],a [N]\n0,1\n", 1, "the first column is 'time' in m, and must be a time"},
      {"time [s],a [Nn]\n0,1\n", 1, "the unit of column 'a' is 'Nn'"},
      {"time,a,a\n0,1,2\n", 1, "two columns are called 'a'"},
      {"time,,a\n0,1,2\n", 1, "column 2 has no name"},
      {"0,1\n1,2\n", 1, "the columns have no names"},
      {"time [s],a [N]\n", 1, "it has no line of numbers"},
  };
  for (const Case& each : cases) {
    const json said = json::parse(ask("POST", "/logs?name=bench.csv", each.text).body);
    ASSERT_EQ(said["ok"], false) << each.text;
    const json& found = said["diagnostics"][0];
    EXPECT_EQ(found["line"], each.line) << each.text;
    EXPECT_THAT(found["what"].get<std::string>(), HasSubstr(each.what));
    EXPECT_NE(found["help"], "") << each.text;
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(Logs, MatFilesAreRuns) {
  recorded();
  Process made(folder, "export", {"export", folder.path("tone.mcap"), "--mat", "--out", folder.path("tone.mat")});
  ASSERT_EQ(made.wait(), 0) << folder.read("export.err");
  const json log = json::parse(ask("POST", "/logs?name=tone.mat", folder.read("tone.mat")).body);
  ASSERT_EQ(log["ok"], true) << log;
  EXPECT_EQ(log["signals"].size(), 1) << log["signals"];
  EXPECT_EQ(log["signals"][0]["path"], "tone.y");
  EXPECT_EQ(log["signals"][0]["unit"], "N");
  EXPECT_DOUBLE_EQ(log["end"], 0.049);
  const json hurt = json::parse(ask("POST", "/logs?name=hurt.mat", folder.read("tone.mat").substr(0, 200)).body);
  EXPECT_EQ(hurt["ok"], false);
  EXPECT_THAT(hurt["error"].get<std::string>(), HasSubstr("this MAT file"));
}

TEST_F(Logs, SamplesOfAPageBecomeALogAtTheTicksOfTheRun) {
  const std::string samples =
      R"({"period":0.001,"signals":[{"path":"tone.y","unit":"N","times":[0.002,0.003],"values":[1.5,null]}]})";
  const Reply made = ask("POST", "/mcap", samples);
  ASSERT_EQ(made.status, 200) << made.body;
  folder.write("made.mcap", made.body);
  std::string error;
  std::optional<Log> log = Log::open(folder.path("made.mcap"), error);
  ASSERT_TRUE(log) << error;
  const auto signal = log->signal("tone.y", error);
  ASSERT_TRUE(signal) << error;
  EXPECT_EQ(signal->ticks(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(signal->field.unit, "N");
  EXPECT_EQ(signal->value(0), 1.5);
  EXPECT_TRUE(std::isnan(signal->value(1)));
  EXPECT_EQ(files(), 0) << "what was written for the answer is gone";
  for (const char* wrong : {"", "{}", R"({"period":1e-3,"signals":[]})",
                            R"({"period":1e-3,"signals":[{"path":"a","times":[1],"values":[]}]})",
                            R"({"period":1e-3,"signals":[{"path":"a","times":[2,1],"values":[0,0]}]})"}) {
    const Reply refused = ask("POST", "/mcap", wrong);
    EXPECT_EQ(refused.status, 422) << wrong;
    EXPECT_THAT(refused.body, HasSubstr("no log could be made of these samples")) << wrong;
  }
  open(false);
  EXPECT_EQ(ask("POST", "/mcap", samples).status, 403);
}

TEST_F(Logs, HurtBytesHarmNobody) {
  const std::string whole = recorded();
  std::uint32_t random = 7; // seeded: the same each time
  const auto next = [&random] { return random = random * 1664525U + 1013904223U; };
  int opened = 0;
  for (int i = 0; i < 40; ++i) {
    std::string bytes = whole.substr(0, i % 3 == 0 ? next() % whole.size() : whole.size());
    for (int hit = 0; hit < 1 + i % 5; ++hit)
      if (!bytes.empty()) bytes[next() % bytes.size()] = static_cast<char>(next() >> 16);
    const Reply reply = ask("POST", "/logs?name=hurt.mcap", bytes);
    EXPECT_EQ(reply.status, 200) << i;
    const json said = json::parse(reply.body);
    EXPECT_EQ(said["diagnostics"].empty(), false) << "hurt, and nothing says so: " << i;
    if (!said["ok"]) continue;
    ++opened;
    ask("DELETE", "/logs/" + said["log"].dump());
  }
  EXPECT_GT(opened, 5);
  EXPECT_EQ(files(), 0);
}

TEST_F(Logs, TooMuchIsRefusedBeforeItIsSent) {
  const std::string own = std::to_string(server->port());
  const Connection connection(server->port());
  connection.send("POST /logs?name=huge.mcap HTTP/1.1\r\nHost: 127.0.0.1:" + own + "\r\nCookie: hilda_" + own + "=" +
                  token + "\r\nContent-Length: 999999999999\r\n\r\n");
  const Reply reply = reply_of(connection.receive());
  EXPECT_EQ(reply.status, 413);
  const json said = json::parse(reply.body);
  EXPECT_EQ(said["error"], "huge.mcap has more than 256 MB, which is the most that a page may open");
  EXPECT_EQ(said["help"], "'hilda export' and 'hilda plot' take logs of any size");
  EXPECT_EQ(files(), 0);
}

TEST_F(Logs, AsManyAsThereIsRoomForAreOpen) {
  const std::string bytes = recorded();
  for (std::size_t i = 0; i < OpenedLogs::most; ++i) EXPECT_EQ(ask("POST", "/logs?name=a", bytes).status, 200);
  const Reply reply = ask("POST", "/logs?name=a", bytes);
  EXPECT_EQ(reply.status, 507);
  EXPECT_THAT(reply.body, AllOf(HasSubstr("16 logs with 0 MB are open"), HasSubstr("remove one in the tab Runs")));
  EXPECT_EQ(files(), OpenedLogs::most);
}

TEST(OpenedLogs, OneThatIsOnItsWayCountsAsTheLargest) {
  OpenedLogs logs;
  std::string error;
  int open = 0;
  while (logs.add(error)) ++open;
  EXPECT_EQ(open, 4); // of 256 MB each
  EXPECT_EQ(error, "4 logs with 1024 MB are open: at most 16 with 1024 MB can be\nhelp: remove one in the tab Runs");
  logs.keep(1, "{\"ok\":true}"); // and has no bytes
  EXPECT_TRUE(logs.add(error).has_value());
}

/// Files of the greatest size, of which no byte is on the disk.
TEST_F(Logs, AsManyBytesAsThereIsRoomForAreOpen) {
  OpenedLogs logs;
  std::string error;
  for (int i = 0; i < 4; ++i) {
    const auto place = logs.add(error);
    ASSERT_TRUE(place) << error;
    folder.write("tmp/empty", "");
    std::filesystem::rename(folder.path("tmp/empty"), place->path);
    std::filesystem::resize_file(place->path, OpenedLogs::most_bytes);
  }
  EXPECT_FALSE(logs.add(error));
  EXPECT_EQ(error, "4 logs with 1024 MB are open: at most 16 with 1024 MB can be\nhelp: remove one in the tab Runs");
  logs.remove(2);
  EXPECT_TRUE(logs.add(error));
}

TEST_F(Logs, TicksThatWereLostAreReported) {
  const hilda::testing::TemporaryFile file("lost.mcap");
  const LogSchema schema = hilda::testing::sample_schema();
  std::string error;
  const auto writer = LogWriter::create(file.path(), schema, {.ring_bytes = 1 << 15}, error);
  ASSERT_NE(writer, nullptr) << error;
  hilda::testing::SampleSignals signals;
  auto recorder =
      Recorder::create(schema, hilda::testing::sample_sources(signals), writer->ring(), WhenFull::drop_observed, error);
  for (std::int64_t tick = 0; recorder->lost() < 20 && tick < 10'000'000; ++tick) {
    signals.set(tick);
    while (!recorder->has_room()) std::this_thread::yield();
    ASSERT_NE(recorder->record(tick), RecordStatus::no_room);
  }
  ASSERT_TRUE(writer->close());
  const json said = json::parse(studio::described_log(file.path(), "lost.mcap"));
  ASSERT_EQ(said["diagnostics"].size(), 1) << said["diagnostics"];
  EXPECT_EQ(said["diagnostics"][0]["what"], "the log has lost 20 ticks while it was recorded");
}

TEST_F(Logs, OnlyWhoHasTheTokenComesInAndOnlyWhereTheyAreTaken) {
  const std::string bytes = recorded();
  EXPECT_EQ(ask("POST", "/logs?name=a", bytes, "Origin: https://evil.example\r\n").status, 403);
  EXPECT_EQ(get(server->port(), "/logs").status, 401);
  EXPECT_EQ(ask("PUT", "/logs?name=a", bytes).status, 404);
  open(false);
  const Reply reply = ask("POST", "/logs?name=a", bytes);
  EXPECT_EQ(reply.status, 403);
  EXPECT_THAT(reply.body, HasSubstr("this run takes no logs"));
  EXPECT_EQ(ask("GET", "/logs").status, 403);
  EXPECT_EQ(files(), 0);
}

TEST(Query, ValuesAreDecoded) {
  EXPECT_THAT(studio::values_in("/logs?name=a%20b%2fc&x=1&name=d+e", "name"), ::testing::ElementsAre("a b/c", "d e"));
  EXPECT_THAT(studio::values_in("/logs?name=%", "name"), ::testing::ElementsAre("%"));
  EXPECT_THAT(studio::values_in("/logs?name=%4", "name"), ::testing::ElementsAre("%4"));
  EXPECT_THAT(studio::values_in("/logs?name=%zz", "name"), ::testing::ElementsAre("%zz"));
  EXPECT_THAT(studio::values_in("/logs", "name"), ::testing::IsEmpty());
  EXPECT_EQ(studio::number_behind("/logs/12", "/logs/"), 12);
  EXPECT_EQ(studio::number_behind("/logs/", "/logs/"), -1);
  EXPECT_EQ(studio::number_behind("/logs/99999999999999", "/logs/"), -1);
}

} // namespace
} // namespace hilda::test
