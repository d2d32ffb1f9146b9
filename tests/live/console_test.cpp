// SPDX-License-Identifier: BSD-3-Clause
// `hilda run --console`: commands from a pipe. What was set is logged and replayed to the bit, and the overlay that it
// saves gives the same bits again.
#include "engine/log/log.h"
#include "tests/cli/program.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string pida = source_folder() + "/diagrams/pida.xml";

constexpr const char* loop = R"(<diagram format="1" name="loop" period="1 ms">
  <parameter name="level" value="1 N"/>
  <block name="push" type="sources/Constant" value="${level}"/>
  <block name="force" type="math/Sum" signs="+-"/>
  <block name="acceleration" type="math/Gain" gain="0.1 1/kg"/>
  <block name="velocity" type="discrete/DiscreteIntegrator"/>
  <block name="position" type="discrete/DiscreteIntegrator"/>
  <block name="spring" type="math/Gain" gain="4 N/mm"/>
  <connect from="push.y" to="force.u[0]"/>
  <connect from="spring.y" to="force.u[1]"/>
  <connect from="force.y" to="acceleration.u"/>
  <connect from="acceleration.y" to="velocity.u"/>
  <connect from="velocity.y" to="position.u"/>
  <connect from="position.y" to="spring.u"/>
</diagram>)";

struct Console {
  Console() { here.write("loop.xml", loop); }
  Result operator()(const std::string& script, const std::string& arguments = "loop.xml --for 1s") const {
    here.write("script.txt", script);
    return here.hilda("run " + arguments + " --console --log run.mcap", "", "< script.txt");
  }
  Result hilda(const std::string& arguments) const { return here.hilda(arguments); }
  void expect_replay(const std::string& log) const {
    const Result replay = hilda("run --mode replay " + log);
    EXPECT_EQ(replay.exit, 0) << log << "\n" << replay.out << replay.err;
    EXPECT_THAT(replay.out, HasSubstr("every bit is as recorded")) << log;
  }
  Workplace here;
};

std::vector<LogEvent> events(const Console& console, const std::string& log) {
  std::string error;
  auto opened = Log::open(console.here.path(log), error);
  EXPECT_TRUE(opened) << error;
  return opened ? opened->events() : std::vector<LogEvent>();
}

TEST(Console, AScriptSetsAtATickAndTheLogSaysSoAndReplaysToTheBit) {
  const Console console;
  const Result run = console("to 0.25\nset level=2N & spring.gain = 3 N/mm\nrun\nget level\nget position.y\nquit\n");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("t = 0.25 s, tick 250\n"));
  EXPECT_THAT(run.out, HasSubstr("level = 2N\n"));
  EXPECT_THAT(run.out, HasSubstr("t = 1 s, tick 1000, its time is over\n"));
  const auto noted = events(console, "run.mcap");
  ASSERT_EQ(noted.size(), 1u);
  EXPECT_EQ(noted[0].tick, 250);
  EXPECT_EQ(noted[0].kind, "set");
  EXPECT_EQ(noted[0].text, R"([["level","2N"],["spring.gain","3 N/mm"]])");
  console.expect_replay("run.mcap");
}

TEST(Console, SavesAgainUnderTheSameName) {
  const Console console;
  const Result run = console("set level=2 N\nstep 5\nsave tuned.xml\nset level=3 N\nstep 5\nsave tuned.xml\nrun\n");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(console.here.read("tuned.xml"), HasSubstr("3 N"));
}

TEST(Console, WhatItSavesGivesTheSameBitsFromTheCommandLine) {
  const Console console;
  const Result run = console("to 100 ms\nset level=2 N\nstep 7\nset spring.gain 3N/mm\nset spring.gain 5N/mm\n"
                             "run 0.3s\nset level=${period / 1 s * 700 N}\nrun\nsave again.xml\n");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(console.here.read("again.xml"), R"(<overlay format="1">
    <set path="level" value="2 N" at="0.1 s"/>
    <set path="spring.gain" value="5N/mm" at="0.107 s"/>
    <set path="level" value="${period / 1 s * 700 N}" at="0.407 s"/>
</overlay>
)");
  const Result again = console.hilda("run loop.xml --for 1s --overlay again.xml --log again.mcap --quiet");
  ASSERT_EQ(again.exit, 0) << again.err;
  const Result compared = console.hilda("compare run.mcap again.mcap");
  EXPECT_EQ(compared.exit, 0) << compared.out << compared.err;
  console.expect_replay("again.mcap");
  const Result plain = console.hilda("run loop.xml --for 1s --log plain.mcap --quiet");
  EXPECT_EQ(console.hilda("compare run.mcap plain.mcap").exit, 1) << "the settings show";
  EXPECT_EQ(plain.exit, 0);
}

TEST(Console, GoingBackEndsTheLogAndEachOfTheLogsReplaysAlone) {
  const Console console;
  const Result run = console("to 0.5\nset level=9 N\nrun 0.2 s\nback 0.3 s\nget level\nset level=4N\nrun\n"
                             "back 10\nrun\n");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("t = 0.4 s, tick 400\nlevel = 1 N\n"));
  for (const char* log : {"run.mcap", "run.2.mcap", "run.3.mcap"}) {
    ASSERT_TRUE(console.here.has(log)) << log;
    console.expect_replay(log);
  }
  // one who never went back
  const Result straight = Console{}("");
  EXPECT_EQ(straight.exit, 0);
  console.here.write("straight.xml", R"(<overlay format="1"><set path="level" value="4N" at="0.4 s"/></overlay>)");
  ASSERT_EQ(console.hilda("run loop.xml --for 1s --overlay straight.xml --log straight.mcap --quiet").exit, 0);
  const Result compared = console.hilda("compare run.3.mcap straight.mcap");
  EXPECT_THAT(compared.out + compared.err, Not(HasSubstr("differ"))) << compared.out;
}

TEST(Console, PidaIsTunedLive) {
  const Console console;
  const Result run =
      console("to 0.8\nset lead_time=3ms\nrun 1 s\nback 0.5s\nset lead_time=1ms\nrun 1s\nsave pida_again.xml\n",
              std::string(pida) + " --for 3s");
  ASSERT_EQ(run.exit, 0) << run.err;
  console.expect_replay("run.mcap");
  console.expect_replay("run.2.mcap");
}

TEST(Console, AMistakeInAScriptEndsItAndTheLogIsWhole) {
  const struct {
    const char* command;
    int exit;
    const char* said;
  } cases[] = {
      {"set level=2 m", 2, "error[parameter-units]"},
      {"set levle=2 N", 2, "did you mean 'level'?"},
      {"set level", 64, "sets nothing"},
      {"get levle", 2, "did you mean 'level'?"},
      {"stpe 3", 64, "did you mean 'step'?"},
      {"step soon", 64, "is not a time"},
      {"step 1.5 ms", 64, "is 1.5 ticks of 1 ms, and no whole number of them"},
      {"back 1 s", 2, "no way back: the run began at tick 0, and the requested time is 900 ticks before t = 0"},
      {"to -3", 64, "is not a time"},
      {"save", 64, "save FILE"},
      {"set spring.gain=${level}", 2, "parameter-units"},
  };
  for (const auto& each : cases) {
    const Console console;
    const Result run = console(std::string("to 0.1\n") + each.command + "\nrun\n");
    EXPECT_EQ(run.exit, each.exit) << each.command << "\n" << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr(each.said)) << each.command;
    EXPECT_THAT(run.out, Not(HasSubstr("tick 1000"))) << each.command;
    console.expect_replay("run.mcap");
  }
}

TEST(Console, AStepBeyondTheEndGoesThere) {
  for (const char* far : {"1e300", "1e300 s", "9223372036854775807"}) {
    const Result run = Console()(std::string("step\nstep ") + far + "\n");
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("tick 1000, its time is over")) << far;
  }
}

TEST(Console, ReloadGoesOnInTheEditedDiagramWithTheStatesKept) {
  const Console console;
  // the edit adds a damper; its state is new, those of the integrators are kept
  std::string edited = loop;
  edited.replace(edited.find("signs=\"+-\""), 10, "signs=\"+--\"");
  edited.replace(edited.find("  <connect"), 0,
                 "  <block name=\"damper\" type=\"math/Gain\" gain=\"20 N s/m\"/>\n"
                 "  <block name=\"late\" type=\"discrete/UnitDelay\"/>\n"
                 "  <connect from=\"velocity.y\" to=\"damper.u\"/>\n"
                 "  <connect from=\"damper.y\" to=\"late.u\"/>\n"
                 "  <connect from=\"late.y\" to=\"force.u[2]\"/>\n");
  console.here.write("edited.xml", edited);
  console.here.write("script.txt", "set level=2N\nto 0.3\nget position.y\n");
  const std::string feed = "(cat script.txt; sleep 0.5; cp edited.xml loop.xml; "
                           "printf 'reload\\nget position.y\\nget level\\nrun\\n') | ";
  const Result run = console.here.hilda("run loop.xml --for 1s --console --log run.mcap", feed);
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("restarts: late: it was not there"));
  EXPECT_THAT(run.out, HasSubstr("level = 2N"));
  const std::size_t first = run.out.find("position.y ="), second = run.out.find("position.y =", first + 1);
  ASSERT_NE(second, std::string::npos) << run.out;
  EXPECT_EQ(run.out.substr(first, run.out.find('\n', first) - first),
            run.out.substr(second, run.out.find('\n', second) - second));
  console.expect_replay("run.mcap");
  console.expect_replay("run.2.mcap");
}

TEST(Console, AnEditWithErrorsChangesNothing) {
  const Console console;
  console.here.write("script.txt", "to 0.3\n");
  const std::string feed = "(cat script.txt; sleep 0.5; sed -i 's/spring.u/sprig.u/' loop.xml; printf 'reload\\n') | ";
  const Result run = console.here.hilda("run loop.xml --for 1s --console --log run.mcap", feed);
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("did you mean 'spring'?"));
  EXPECT_FALSE(console.here.has("run.2.mcap"));
  console.expect_replay("run.mcap");
}

TEST(Console, APacedRunTakesItBetweenTwoTicksAndReplaysToTheBit) {
  const Console console;
  const std::string feed = "(sleep 0.4; printf 'set level=3N\\nget level\\nback 3\\n'; sleep 0.5) | ";
  const Result run = console.here.hilda("run loop.xml --for 1s --realtime --console --log run.mcap", feed);
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("level=3N\n"));
  EXPECT_THAT(run.err, HasSubstr("does not wait for commands"));
  std::size_t sets = 0;
  for (const LogEvent& each : events(console, "run.mcap")) sets += each.kind == "set" ? 1 : 0;
  EXPECT_EQ(sets, 1u);
  console.expect_replay("run.mcap");
}

TEST(Console, WhatALineMeansAtItsEdges) {
  const Console console;
  const Result run = console("step 570 ms # a remark\nsave a#b.xml\nset level=2N\nget level", // no line break
                             "loop.xml --for 1s --set level=7N --set level=3N");
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("t = 0.57 s, tick 570\n")) << "0.57 / 0.001 is a digit below 570";
  EXPECT_THAT(run.out, HasSubstr("level = 2N\n"));
  const std::string saved = console.here.read("a#b.xml");
  EXPECT_THAT(saved, HasSubstr("value=\"3N\""));
  EXPECT_THAT(saved, Not(HasSubstr("7N"))) << "of several for one path the last";
}

TEST(Console, ListsParametersThatMayBeSetAndNoOthers) {
  const Console console;
  console.here.write("list.xml", R"(<diagram format="1" name="list" period="1 ms">
  <parameter name="level" value="1"/>
  <parameter name="pace" value="2 ms"/>
  <parameter name="idle" value="3"/>
  <block name="push" type="sources/Constant" value="${level}"/>
  <block name="slow" type="discrete/UnitDelay" sample_time="${pace}"/>
  <connect from="push.y" to="slow.u"/>
</diagram>)");
  const Result run = console("list\nget idle\n", "list.xml --for 1s");
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("level\n"));
  EXPECT_THAT(run.out, HasSubstr("push.y\n"));
  EXPECT_THAT(run.out, AllOf(Not(HasSubstr("pace\n")), Not(HasSubstr("idle\n"))));
  EXPECT_THAT(run.out, HasSubstr("idle = 3"));
}

TEST(Console, GetTellsTheBeginningOfAWideSignalAndPortsOfSubsystems) {
  const Console console;
  console.here.write("wide.xml", R"(<diagram format="1" name="wide" period="1 ms">
  <block name="wide" type="sources/Constant" value="1 2 3 4 5 6 7 8 9 10"/>
  <subsystem name="part">
    <input name="u"/>
    <output name="out" shape="10"/>
    <block name="twice" type="math/Gain" gain="2"/>
    <connect from="u" to="twice.u"/>
    <connect from="twice.y" to="out"/>
  </subsystem>
  <connect from="wide.y" to="part.u"/>
</diagram>)");
  const Result run = console("step\nget wide.y\nget part.out\n", "wide.xml --for 1s");
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("wide.y = 1 2 3 4 5 6 7 8 ...\n"));
  EXPECT_THAT(run.out, HasSubstr("part.out = 2 4 6 8 10 12 14 16 ...\n"));
}

} // namespace
} // namespace hilda::test
