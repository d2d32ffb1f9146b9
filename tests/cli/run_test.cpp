// SPDX-License-Identifier: BSD-3-Clause
// Runs of small diagrams: how they end, what they leave behind.
#include "program.h"

#include "engine/log/log.h"
#include "tests/modules.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

namespace hilda::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

constexpr const char* wave = R"(<diagram format="1" name="wave" period="1 ms" doc="A sine, doubled and delayed">
  <parameter name="duration" value="200 ms"/>
  <parameter name="seed" value="7"/>
  <parameter name="height" value="30 mm"/>
  <block name="sine" type="sources/Sine" amplitude="${height}" frequency="5 Hz"/>
  <block name="twice" type="math/Gain" gain="2"/>
  <block name="delay" type="discrete/UnitDelay"/>
  <block name="end" type="sinks/Terminator"/>
  <connect from="sine.y" to="twice.u"/>
  <connect from="twice.y" to="delay.u"/>
  <connect from="delay.y" to="end.u"/>
</diagram>
)";

/// A block of the test plugin alone, and what goes with it.
std::string lone(const std::string& type, const std::string& rest = "") {
  return "<diagram format=\"1\" name=\"lone\" period=\"1 ms\">\n  <parameter name=\"duration\" value=\"100 ms\"/>\n"
         "  <block name=\"it\" type=\"" +
         type + "\"/>\n" + rest + "</diagram>\n";
}

TEST(Run, LeavesALogAndSaysWhere) {
  const Workplace here;
  here.write("wave.xml", wave);
  const Result run = here.hilda("run wave.xml");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("200 steps in "));
  EXPECT_THAT(run.out, HasSubstr("times real time"));
  EXPECT_THAT(run.out, HasSubstr("log      out/wave.mcap"));
  std::string error;
  auto log = Log::open((here.path() / "out/wave.mcap").string(), error);
  ASSERT_TRUE(log) << error;
  EXPECT_TRUE(log->complete());
  const auto signal = log->signal("delay.y", error);
  ASSERT_TRUE(signal) << error;
  ASSERT_EQ(signal->samples(), 200U);
  EXPECT_EQ(signal->value(0), 0.0);
  EXPECT_NEAR(signal->value(51), 0.06, 1e-12);
  EXPECT_EQ(signal->field.unit, "m");
  EXPECT_EQ(log->end().at("reason"), "duration");
  EXPECT_EQ(log->schema().metadata.at("seed"), "7");
  ASSERT_FALSE(log->schema().files.empty());
  EXPECT_EQ(log->schema().files.front().text, wave);
}

TEST(Run, SaysThatItReplacedALog) {
  const Workplace here;
  here.write("wave.xml", wave);
  here.hilda("run wave.xml");
  EXPECT_THAT(here.hilda("run wave.xml").out, HasSubstr("replaced the earlier one"));
}

TEST(Run, GivesTheSameBitsEveryTime) {
  const Workplace here;
  here.write("wave.xml", wave);
  here.hilda("run wave.xml --log a.mcap");
  here.hilda("run wave.xml --log b.mcap");
  here.hilda("export a.mcap --csv");
  here.hilda("export b.mcap --csv");
  EXPECT_GT(here.read("a.csv").size(), 1000U);
  EXPECT_EQ(here.read("a.csv"), here.read("b.csv"));
}

TEST(Run, TakesTimeAndValuesFromTheCommandLine) {
  const Workplace here;
  here.write("wave.xml", wave);
  const Result run =
      here.hilda("run wave.xml --no-log --for 50ms --set twice.gain=3 --set height=10mm --summary s.json");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_FALSE(here.has("out"));
  const Json summary = Json::parse(here.read("s.json"));
  EXPECT_EQ(summary.at("steps"), 50);
  EXPECT_EQ(summary.at("time"), 0.05);
  EXPECT_EQ(summary.at("parameters").at("twice.gain"), 3.0);
  EXPECT_EQ(summary.at("parameters").at("height"), 0.01);
  EXPECT_EQ(summary.at("parameters").at("sine.amplitude"), 0.01);
  EXPECT_TRUE(summary.at("log").is_null());
}

TEST(Run, OfATimeAboveZeroHasTheTickOfZero) {
  const Workplace here;
  here.write("wave.xml", wave);
  for (const auto& [time, steps] : {std::pair("1e-300s", 1), {"1ms", 1}, {"1.5ms", 2}, {"1.0000000001ms", 1}}) {
    const Result run = here.hilda(std::string("run wave.xml --no-log --summary s.json --for ") + time);
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_EQ(Json::parse(here.read("s.json")).at("steps"), steps) << time;
  }
}

TEST(Run, SaysHowLongItTakesWhereNobodyDoes) {
  const Workplace here;
  here.write("clock.xml", "<diagram format=\"1\" name=\"clock\" period=\"10 ms\">\n"
                          "  <block name=\"clock\" type=\"sources/Clock\"/>\n</diagram>\n");
  const Result run = here.hilda("run clock.xml --no-log");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("neither --for nor a parameter 'duration' says how long: 10 s"));
  EXPECT_THAT(run.out, HasSubstr("1000 steps in "));
}

TEST(Run, SaysWhichSettingsOfAnOverlayLieBeyondItsEnd) {
  const Workplace here;
  here.write("loop.xml", R"(<diagram format="1" name="loop" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="one" type="sources/Constant" value="1"/>
  <block name="twice" type="math/Gain" gain="2"/>
  <connect from="one.y" to="twice.u"/>
</diagram>)");
  here.write("late.xml", R"(<overlay format="1">
  <set path="one.value" value="3" at="19 ms"/>
  <set path="twice.gain" value="3" at="20 ms"/>
</overlay>)");
  const Result run = here.hilda("run loop.xml --overlay late.xml --no-log");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("'twice.gain' at 0.02 s, and the run ends at 0.02 s"));
  EXPECT_EQ(run.err.find("one.value"), std::string::npos) << run.err;
}

TEST(Run, QuietPrintsNothing) {
  const Workplace here;
  here.write("wave.xml", wave);
  const Result run = here.hilda("run wave.xml --quiet");
  EXPECT_EQ(run.exit, 0);
  EXPECT_EQ(run.out + run.err, "");
  EXPECT_TRUE(here.has("out/wave.mcap"));
}

TEST(Run, SuggestsANameWhereASettingHitsNothing) {
  const Workplace here;
  here.write("wave.xml", wave);
  const Result run = here.hilda("run wave.xml --set twice.gian=3");
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("gain"));
}

TEST(Run, OfABadFileReportsAllErrorsAndExitsWith2) {
  const Workplace here;
  here.write("bad.xml", "<diagram format=\"1\" name=\"bad\" period=\"1 ms\">\n"
                        "  <block name=\"a\" type=\"math/Gian\" gain=\"2\"/>\n"
                        "  <block name=\"b\" type=\"sources/Sine\" amplitude=\"2 mm\" frequency=\"3 N\"/>\n"
                        "</diagram>\n");
  for (const char* command : {"run", "check", "plan"}) {
    const Result run = here.hilda(std::string(command) + " bad.xml");
    EXPECT_EQ(run.exit, 2) << command;
    EXPECT_THAT(run.err, HasSubstr("bad.xml:2: error[")) << command;
    EXPECT_THAT(run.err, HasSubstr("bad.xml:3: error[")) << command;
    EXPECT_THAT(run.err, HasSubstr("math/Gain")) << command;
    EXPECT_THAT(run.err, HasSubstr("2 errors")) << command;
  }
}

TEST(Run, ThatFailsNamesTimeBlockAndSignalAndExitsWith3) {
  const Workplace here;
  here.write("breaks.xml", lone("faulty/Breaks"));
  const Result run = here.hilda("run breaks.xml --summary s.json");
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("the run failed at t = 0.051 s (tick 51), block it, signal it.y"));
  std::string error;
  auto log = Log::open((here.path() / "out/breaks.mcap").string(), error);
  ASSERT_TRUE(log) << error;
  EXPECT_TRUE(log->complete());
  const auto signal = log->signal("it.y", error);
  ASSERT_TRUE(signal) << error;
  EXPECT_EQ(signal->samples(), 52U) << "the tick that failed shows what happened";
  const Json summary = Json::parse(here.read("s.json"));
  EXPECT_EQ(summary.at("ending").at("reason"), "failed");
  EXPECT_EQ(summary.at("ending").at("block"), "it");
  EXPECT_EQ(summary.at("steps"), 51);
}

TEST(Run, ThatCrashesNamesTheBlockAndDiesOfItsSignal) {
  const Workplace here;
  here.write("crash.xml", lone("faulty/Crashes"));
  const Result crash = here.hilda("run crash.xml --no-log", "ulimit -c 0;");
  EXPECT_EQ(crash.exit, 128 + SIGSEGV) << crash.err;
  EXPECT_THAT(crash.err, HasSubstr("error: segmentation fault in block it (faulty/Crashes), in output, at t = "));
  EXPECT_THAT(crash.err, HasSubstr("/faulty.so finds which check it fails"));
  here.write("throw.xml", lone("faulty/Throws"));
  const Result thrown = here.hilda("run throw.xml --no-log", "ulimit -c 0;");
  EXPECT_EQ(thrown.exit, 3) << thrown.err;
  EXPECT_THAT(thrown.err, HasSubstr("block it: an exception leaves output"));
  EXPECT_THAT(thrown.err, HasSubstr("too hot"));
}

TEST(Run, EndsWhereABlockStopsIt) {
  const Workplace here;
  here.write("stop.xml", R"(<diagram format="1" name="stop" period="1 ms">
  <block name="clock" type="sources/Clock"/>
  <block name="late" type="math/Compare" operation="greater_or_equal" with="30 ms"/>
  <block name="stop" type="sinks/Stop"/>
  <connect from="clock.time" to="late.a"/>
  <connect from="late.y" to="stop.condition"/>
</diagram>
)");
  const Result run = here.hilda("run stop.xml --for 1s --summary s.json");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("stop stopped it"));
  EXPECT_EQ(Json::parse(here.read("s.json")).at("steps"), 31);
}

TEST(Run, InterruptedLeavesACompleteLog) {
  const Workplace here;
  here.write("wave.xml", wave);
  // once the log is there, the program knows what to do about Ctrl-C
  const Result run =
      here.hilda("run wave.xml --for 100000s --summary s.json", "",
                 "& for i in $(seq 600); do [ -s out/wave.mcap.part ] && break; sleep 0.05; done; sleep 0.3; "
                 "kill -INT $!; wait $!");
  EXPECT_EQ(run.exit, 130) << run.err;
  EXPECT_THAT(run.out, HasSubstr("interrupted"));
  std::string error;
  auto log = Log::open((here.path() / "out/wave.mcap").string(), error);
  ASSERT_TRUE(log) << error;
  EXPECT_TRUE(log->complete());
  EXPECT_EQ(log->end().at("reason"), "interrupted");
  const Json summary = Json::parse(here.read("s.json"));
  EXPECT_GT(summary.at("steps"), 0);
  EXPECT_EQ(log->end().at("steps"), std::to_string(summary.at("steps").get<long long>()));
}

/// [K2] A parent's signal mask is inherited through exec.
TEST(Run, IsInterruptedWhereItsParentBlockedTheSignals) {
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    const Workplace here;
    here.write("wave.xml", wave);
    const Result run = here.hilda(
        "run wave.xml --for 100000s --summary s.json",
        "python3 -c 'import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); "
        "os.execv(sys.argv[1], sys.argv[1:])' ",
        "& p=$!; for i in $(seq 600); do [ -s out/wave.mcap.part ] && break; sleep 0.05; done; sleep 0.3; kill -" +
            signal + " $p; (sleep 60; kill -KILL $p) >/dev/null 2>&1 & wait $p; s=$?; kill $!; exit $s");
    EXPECT_EQ(run.exit, 130) << signal;
    EXPECT_THAT(run.out, HasSubstr("interrupted")) << signal;
  }
}

/// A file that is opened takes the lowest number that is free, and that is the one of a stream that is closed.
TEST(Run, WithAStreamClosedKeepsItsWordsOutOfTheLog) {
  const Workplace here;
  here.write("wave.xml", wave);
  here.write("script.txt", "to 0.01\nto 0.02\nset twice.gain=x\n");
  for (const char* closed : {">&-", "2>&-", ">&- 2>&-"}) {
    const Result run = here.hilda("run wave.xml --console --log w.mcap", "", std::string("< script.txt ") + closed);
    EXPECT_EQ(run.exit, 2) << closed;
    const Result again = here.hilda("run --mode replay w.mcap");
    EXPECT_EQ(again.exit, 0) << closed << again.err;
    EXPECT_THAT(again.out, HasSubstr("20 ticks")) << closed;
  }
  EXPECT_EQ(here.hilda("run wave.xml --no-log", "", ">&-").exit, 3) << "what was to be said is lost";
}

TEST(Run, WithoutAPlaceForTheLogSaysSo) {
  const Workplace here;
  here.write("wave.xml", wave);
  const Result run = here.hilda("run wave.xml --log nowhere/wave.mcap");
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("nowhere/wave.mcap"));
}

TEST(Run, RefusesADurationThatIsNone) {
  const Workplace here;
  here.write("wave.xml", "<diagram format=\"1\" name=\"wave\" period=\"1 ms\">\n"
                         "<parameter name=\"duration\" value=\"1;2 3\"/>\n"
                         "<block name=\"c\" type=\"sources/Clock\"/>\n</diagram>\n");
  const Result run = here.hilda("run wave.xml --no-log");
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("wave.xml:2: error[bad-duration]"));
}

TEST(Run, FindsASummaryThatCannotBeWrittenBeforeTheRun) {
  const Workplace here;
  here.write("wave.xml", wave);
  const Result run = here.hilda("run wave.xml --for 100000s --summary nowhere/s.json");
  EXPECT_EQ(run.exit, 3);
  EXPECT_FALSE(here.has("out/wave.mcap"));
  EXPECT_FALSE(here.has("out/wave.mcap.part"));
}

/// The run is whole and so is its summary: that it has no whole log is still reported, and in the exit code.
TEST(Run, WhoseLogTheDiskDidNotTakeExitsWith3WithASummaryToo) {
  const Workplace here;
  here.write("wave.xml", wave);
  for (const char* summary : {"", " --summary s.json"}) {
    const Result run =
        here.hilda(std::string("run wave.xml --for 100s --log w.mcap") + summary, "trap '' XFSZ; ulimit -f 64;");
    EXPECT_EQ(run.exit, 3) << summary;
    EXPECT_THAT(run.err, HasSubstr("the log ends here, it cannot be written: File too large")) << summary;
  }
  EXPECT_EQ(Json::parse(here.read("s.json")).at("steps"), 100'000);
}

/// The free space is the machine's.
std::string without_free_space(const std::string& text) {
  return std::regex_replace(text, std::regex("and [0-9]+ [kMGT]B are free"), "and SOME are free");
}

TEST(Run, RefusesALogThatTheDiskHasNoRoomFor) {
  const Workplace here;
  here.write("wave.xml", wave);
  const std::string old = "\x89MCAP0\r\nthe old good file";
  here.write("w.mcap", old);
  const Result run = here.hilda("run wave.xml --for 1e12s --log w.mcap");
  EXPECT_EQ(run.exit, 3);
  EXPECT_EQ(without_free_space(run.err), "error: w.mcap cannot be written: the log of 1000000000000000 steps takes at "
                                         "least 4150 TB, and SOME are free there\n"
                                         "help: name another file with --log, or run with --no-log\n");
  EXPECT_EQ(here.read("w.mcap"), old);
  EXPECT_FALSE(here.has("w.mcap.part"));
}

TEST(Run, RefusesALogWhoseTimesDoNotReachItsEnd) {
  const Workplace here;
  here.write("slow.xml", R"(<diagram format="1" name="slow" period="1e9 s">
  <block name="clock" type="sources/Clock"/>
</diagram>)");
  const Result run = here.hilda("run slow.xml --for 1e11s --log w.mcap");
  EXPECT_EQ(run.exit, 3) << run.out;
  EXPECT_EQ(run.err,
            "error: w.mcap cannot be written: the times of a log are ns in 64 bits, which end after 584 years, and "
            "the last of 100 steps is later\n"
            "help: name another file with --log, or run with --no-log\n");
  EXPECT_FALSE(here.has("w.mcap"));
  EXPECT_EQ(here.hilda("run slow.xml --for 18e9s --log w.mcap").exit, 0);
  EXPECT_EQ(here.hilda("export w.mcap --csv").exit, 0);
}

// The diagram's duration is a limit: blocks end most runs before.
TEST(Run, WarnsWhereTheDiagramsDurationWouldFillTheDisk) {
  const Workplace here;
  here.write("wave.xml", "<diagram format=\"1\" name=\"wave\" period=\"1 ms\">\n"
                         "<parameter name=\"duration\" value=\"1e12 s\"/>\n"
                         "<block name=\"time\" type=\"sources/Clock\"/>\n"
                         "<block name=\"c\" type=\"math/Compare\" operation=\"greater\" with=\"10 ms\"/>\n"
                         "<block name=\"end\" type=\"sinks/Stop\"/>\n"
                         "<connect from=\"time.time\" to=\"c.a\"/>\n"
                         "<connect from=\"c.y\" to=\"end.condition\"/>\n</diagram>\n");
  const Result run = here.hilda("run wave.xml --log w.mcap");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(without_free_space(run.err),
            "warning: w.mcap: a log of the whole duration may take up to 68000 TB, and SOME are free there\n"
            "help: --for sets a shorter one; a run whose disk is full continues without a log\n");
}

TEST(Summary, HasWhatTheBlocksTell) {
  const Workplace here;
  here.write("tells.xml", lone("faulty/Tells"));
  const Result run = here.hilda("run tells.xml --summary s.json");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("contacts\n  index  peak force   cov\n                  N\n"));
  EXPECT_THAT(run.out, HasSubstr("      1        12.5  0.25\n      2          25     -\n"));
  EXPECT_THAT(run.out, testing::ContainsRegex("identified, stiffness +176275 N/m\n"));
  const Json summary = Json::parse(here.read("s.json"));
  ASSERT_EQ(summary.at("contacts").size(), 2U);
  EXPECT_EQ(summary.at("contacts").at(1).at("peak_force"), 25.0);
  EXPECT_TRUE(summary.at("contacts").at(1).at("cov").is_null());
  EXPECT_EQ(summary.at("identified").at("stiffness"), 176275);
  EXPECT_FALSE(summary.at("identified").contains("damping")) << "the engine knows no figure itself";
  EXPECT_NEAR(summary.at("final").at("y").get<double>(), 0.198, 1e-12);
  EXPECT_EQ(summary.at("units").at("contacts.peak_force"), "N");
  EXPECT_FALSE(summary.contains("momentum_error"));
  EXPECT_EQ(summary.at("never"), Json::array());
  EXPECT_EQ(summary.at("warnings"), Json::array({{{"block", "it"}, {"text", "y is only 0.198 m"}}}));
  EXPECT_THAT(run.err, HasSubstr("warning: it: y is only 0.198 m"));
  EXPECT_EQ(run.out.find("never"), std::string::npos);
}

TEST(Summary, OnStandardOutputIsAloneThere) {
  const Workplace here;
  here.write("wave.xml", wave);
  for (const std::string name : {"/dev/stdout", "-"}) {
    for (const char* quiet : {"", " --quiet"}) {
      const Result run = here.hilda("run wave.xml --no-log --summary " + name + quiet);
      EXPECT_EQ(run.exit, 0) << run.err;
      EXPECT_EQ(Json::parse(run.out).at("steps"), 200) << run.out;
      EXPECT_EQ(run.err.find("200 steps in ") == std::string::npos, *quiet != '\0') << run.err;
    }
    const Result into = here.hilda("run wave.xml --no-log --summary " + name, "", "> all.json");
    EXPECT_EQ(Json::parse(here.read("all.json")).at("steps"), 200) << into.err;
  }
  EXPECT_EQ(here.read("-"), "") << "no file of that name";
  const Result log = here.hilda("run wave.xml --log -");
  EXPECT_NE(log.exit, 0);
  EXPECT_THAT(log.err, HasSubstr("- is standard output, and this output must be a file"));
}

TEST(Log, WithoutItsFolderIsRefusedBeforeTheRun) {
  const Workplace here;
  here.write("wave.xml", wave);
  const Result run = here.hilda("run wave.xml --log there/is/none.mcap");
  EXPECT_NE(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("there is no folder there/is"));
  EXPECT_THAT(run.err, HasSubstr("help: mkdir -p there/is"));
  EXPECT_EQ(run.err.find("steps in"), std::string::npos);
}

TEST(Summary, OfADiagramWithoutFiguresHasNone) {
  const Workplace here;
  here.write("wave.xml", wave);
  ASSERT_EQ(here.hilda("run wave.xml --no-log --summary s.json").exit, 0);
  const Json summary = Json::parse(here.read("s.json"));
  for (const char* key : {"contacts", "identified", "momentum_error", "warnings"}) EXPECT_FALSE(summary.contains(key));
}

TEST(Summary, KeepsApartWhatTwoBlocksTell) {
  const Workplace here;
  here.write("tells.xml", lone("faulty/Tells", "  <block name=\"other\" type=\"faulty/Tells\"/>\n"));
  ASSERT_EQ(here.hilda("run tells.xml --summary s.json").exit, 0);
  const Json summary = Json::parse(here.read("s.json"));
  EXPECT_EQ(summary.at("contacts").size(), 2U);
  EXPECT_EQ(summary.at("blocks").at("other").at("contacts").size(), 2U);
}

} // namespace
} // namespace hilda::test
