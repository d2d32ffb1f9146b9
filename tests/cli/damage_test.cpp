// SPDX-License-Identifier: BSD-3-Clause
// Damaged, unfinished and unwanted files: every command says what it finds, and takes nothing that is not its own.
#include "program.h"

#include <cstdint>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* two_gains = R"(<diagram format="1" name="gains" period="1 ms">
  <block name="s" type="sources/Sine" amplitude="1" frequency="5 Hz"/>
  <subsystem name="part">
    <input name="u"/>
    <block name="k" type="math/Gain" gain="2"/>
    <output name="y"/>
    <connect from="u" to="k.u"/>
    <connect from="k.y" to="y"/>
  </subsystem>
  <block name="d" type="discrete/UnitDelay"/>
  <connect from="s.y" to="part.u"/>
  <connect from="part.y" to="d.u"/>
</diagram>
)";

class Logs : public testing::Test {
protected:
  void SetUp() override {
    here.write("gains.xml", two_gains);
    const Result run = here.hilda("run gains.xml --for 0.2s --log p.mcap --quiet");
    ASSERT_EQ(run.exit, 0) << run.err;
  }
  /// Flips a bit of the byte that is `into` bytes behind the begin of a record.
  void flip(char opcode, int number, std::size_t into) const {
    std::string bytes = here.read("p.mcap");
    for (std::size_t at = 8; at + 9 <= bytes.size();) {
      if (bytes[at] == opcode && number-- == 0) {
        bytes[at + into] = static_cast<char>(bytes[at + into] ^ 1);
        return here.write("p.mcap", bytes);
      }
      std::uint64_t length = 0;
      std::memcpy(&length, bytes.data() + at + 1, sizeof length);
      at += 9 + static_cast<std::size_t>(length);
    }
    FAIL() << "no such record";
  }
  Workplace here;
};

class DamagedLogs : public Logs, public testing::WithParamInterface<std::pair<char, std::size_t>> {};

TEST_P(DamagedLogs, AreCalledDamagedByEveryCommand) {
  const Result sound = here.hilda("info p.mcap");
  ASSERT_EQ(sound.exit, 0) << sound.err;
  ASSERT_THAT(sound.out, HasSubstr(", complete\n"));
  here.write("sound.mcap", here.read("p.mcap"));
  flip(GetParam().first, 1, GetParam().second);
  const Result info = here.hilda("info p.mcap");
  EXPECT_THAT(info.out, AllOf(HasSubstr(", damaged\n"), Not(HasSubstr("complete"))));
  for (const char* command : {"info p.mcap", "export p.mcap --csv -o p.csv", "export p.mcap --mat -o p.mat",
                              "plot p.mcap --signals s.y", "report p.mcap", "compare sound.mcap p.mcap"}) {
    const Result done = here.hilda(command);
    EXPECT_EQ(done.exit, 2) << command << "\n" << done.out << done.err;
    EXPECT_THAT(done.err, HasSubstr(" is damaged")) << command;
  }
  const Result replay = here.hilda("run --mode replay p.mcap");
  EXPECT_EQ(replay.exit, 2) << replay.out << replay.err;
  EXPECT_THAT(replay.out, Not(HasSubstr("every bit is as recorded")));
}

/// A channel's kind, its id and its topic; of metadata a name or a value; a message index, which nothing needs.
INSTANTIATE_TEST_SUITE_P(OfARecord, DamagedLogs,
                         testing::Values(std::pair<char, std::size_t>{'\x04', 0},
                                         std::pair<char, std::size_t>{'\x04', 9},
                                         std::pair<char, std::size_t>{'\x04', 20},
                                         std::pair<char, std::size_t>{'\x0C', 60},
                                         std::pair<char, std::size_t>{'\x07', 30}));

TEST_F(Logs, WithADamagedChannelAreRecoveredWhole) {
  here.write("sound.mcap", here.read("p.mcap"));
  flip('\x04', 1, 0);
  const Result done = here.hilda("recover p.mcap -o q.mcap");
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("its copy in the log's summary is taken"));
  EXPECT_EQ(here.hilda("compare sound.mcap q.mcap").exit, 0);
  const Result replay = here.hilda("run --mode replay q.mcap");
  EXPECT_EQ(replay.exit, 0) << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("every bit is as recorded"));
}

TEST_F(Logs, OfWhichPartsAreLostAreRecoveredWithExitCode2) {
  flip('\x06', 0, 100);
  const Result done = here.hilda("recover p.mcap -o q.mcap");
  EXPECT_EQ(done.exit, 2) << done.out << done.err;
  EXPECT_TRUE(here.has("q.mcap"));
}

TEST_F(Logs, ThatAreUnfinishedStayWhereAnotherIsRecovered) {
  here.write("k.mcap.part", here.read("p.mcap").substr(0, 2000));
  const Result done = here.hilda("recover p.mcap -o k.mcap");
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("it is k.cut.mcap now"));
  EXPECT_EQ(here.read("k.cut.mcap"), here.read("p.mcap").substr(0, 2000));
  EXPECT_TRUE(here.has("k.mcap"));
}

TEST_F(Logs, ThatAreUnfinishedAreNamedWhereThereIsNoOther) {
  std::filesystem::rename(here / "p.mcap", here / "k.mcap.part");
  const Result done = here.hilda("recover k.mcap");
  EXPECT_EQ(done.exit, 2);
  EXPECT_THAT(done.err, HasSubstr("hilda recover k.mcap.part"));
}

TEST_F(Logs, AndPicturesLeaveFilesOfUnfinishedNamesAlone) {
  for (const char* name : {"x.csv.part", "x.mat.part", "x.svg.part", "x.html.part", "x.json.part"})
    here.write(name, "mine");
  for (const char* command :
       {"export p.mcap --csv -o x.csv", "export p.mcap --mat -o x.mat", "plot p.mcap --signals s.y -o x.svg",
        "report p.mcap -o x.html", "run gains.xml --for 10ms --no-log --summary x.json"}) {
    const Result done = here.hilda(command);
    EXPECT_EQ(done.exit, 0) << command << done.err;
  }
  for (const char* name : {"x.csv", "x.mat", "x.svg", "x.html", "x.json"}) {
    EXPECT_TRUE(here.has(name)) << name;
    EXPECT_EQ(here.read(name + std::string(".part")), "mine") << name;
    EXPECT_FALSE(here.has(name + std::string(".part2"))) << name;
  }
}

TEST_F(Logs, AreNotAskedForWhatNoCommandDoes) {
  const auto refused = [this](const std::string& command, const std::string& answer) {
    const Result done = here.hilda(command);
    EXPECT_EQ(done.exit, 64) << command << "\n" << done.out;
    EXPECT_THAT(done.err, HasSubstr(answer)) << command;
  };
  refused("report p.mcap p.mcap --tolerance nope=1", "the log has no signal \"nope\"");
  refused("report p.mcap -o x.svg", "x.svg would hold an HTML page");
  refused("export p.mcap --mat --hold", "--hold is for CSV");
  for (const char* window : {"--from nan", "--to nan", "--from inf", "--to=-inf"})
    refused("plot p.mcap --signals s.y " + std::string(window), "must be numbers of seconds");
  refused("plot p.mcap --signals s.y --from 100", "the log ends at 0.199 s");
  refused("plot p.mcap --signals s.y --to=-1", "the log begins at 0 s");
  EXPECT_EQ(here.hilda("plot p.mcap --signals s.y --from 0.1").exit, 0);
  const Result nothing = here.hilda("compare p.mcap p.mcap --ignore '*'");
  EXPECT_EQ(nothing.exit, 1);
  EXPECT_THAT(nothing.out, HasSubstr("nothing was compared: no signal is chosen"));
}

TEST_F(Logs, ThatCouldNotBeWrittenAreNotReported) {
  const Result run = here.hilda("run gains.xml --for 60s --log full.mcap", "trap '' XFSZ; ulimit -f 100; ");
  EXPECT_EQ(run.exit, 3) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("full.mcap.part"));
  EXPECT_THAT(run.out, Not(HasSubstr("log      full.mcap")));
}

TEST_F(Logs, AreReplayedAsTheyWereMadeOrNotAtAll) {
  for (const char* option :
       {"--for 1s", "--solver euler", "--rtol 1e-3", "--atol 1e-3", "--max-step 1ms", "--arm", "--dry-run",
        "--realtime", "--require-realtime", "--witness", "--time-blocks", "--detach", "--allow-unsafe-block k"}) {
    const Result done = here.hilda("run --mode replay p.mcap " + std::string(option));
    EXPECT_EQ(done.exit, 64) << option << "\n" << done.out;
    EXPECT_THAT(done.err,
                HasSubstr(std::string(option).substr(0, std::string(option).find(' ')) + " says how a run is made"));
  }
  EXPECT_EQ(here.hilda("run --mode replay p.mcap --log-all").exit, 64) << "nothing is recorded";
  EXPECT_EQ(here.hilda("run --mode replay p.mcap --log-all --log again.mcap").exit, 0);
}

TEST(Environment, OfBudgetsThatAreNoneIsRefused) {
  const Workplace here;
  for (const char* wrong : {"HILDA_BUDGET_MEMORY=abc", "HILDA_BUDGET_MEMORY=-3", "HILDA_BUDGET_MEMORY=1Mb",
                            "HILDA_BUDGET_TIME=abc", "HILDA_BUDGET_TIME=nan", "HILDA_BUDGET_TIME=5min"}) {
    const Result done = here.hilda("blocks", wrong + std::string(" "));
    EXPECT_EQ(done.exit, 64) << wrong;
    EXPECT_THAT(done.err, HasSubstr(std::string(wrong).substr(0, std::string(wrong).find('=')))) << wrong;
  }
  EXPECT_EQ(here.hilda("blocks", "HILDA_BUDGET_MEMORY=4GB HILDA_BUDGET_TIME=100 ").exit, 0);
}

} // namespace
} // namespace hilda::test
