// SPDX-License-Identifier: BSD-3-Clause
// Each check finds the plugin that lies in just that way, and no other check does; `hilda test-plugin` says the same.

#include "tests/project_folders.h"
#include "tests/shell.h"

#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <hilda/testing.h>
#include <map>
#include <set>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace kit = hilda::testing;

// A shell's background job ignores SIGINT. The programs that are started inherit what this sets.
const auto before_any_check = std::signal(SIGINT, SIG_DFL);

std::string liar(const std::string& lie) { return build_folder() + "/tests/author/plugins/liar_" + lie + ".so"; }

Output test_plugin(const std::string& arguments) {
  return run_with_errors("env -u HILDA_PLUGIN_PATH '" + build_folder() + "/bin/hilda' test-plugin " + arguments);
}

TEST(Checks, EachFindsItsLiarAndNoOther) {
  for (const kit::Check& check : kit::all_checks()) {
    const kit::Plugin plugin(liar(check.name));
    for (const kit::Finding& finding : kit::check_all(plugin))
      EXPECT_EQ(finding.verdict == kit::Verdict::failed, finding.check == check.name)
          << "liar " << check.name << ": " << finding.text();
  }
}

TEST(Checks, FindWhoSaysThatItFlagsWhatItDoesAndDoesNot) {
  const kit::Plugin plugin(liar("flags"));
  for (const kit::Finding& finding : kit::check_all(plugin)) {
    EXPECT_EQ(finding.verdict == kit::Verdict::failed, finding.check == "numbers") << finding.text();
    if (finding.check != "numbers") continue;
    EXPECT_THAT(finding.why, HasSubstr("'y' is not finite after output at tick"));
  }
}

TEST(Checks, FindWhatEventDoes) {
  const kit::Plugin plugin(liar("event"));
  for (const kit::Finding& finding : kit::check_all(plugin)) {
    EXPECT_EQ(finding.verdict == kit::Verdict::failed, finding.check == "allocation") << finding.text();
    if (finding.check == "allocation") { EXPECT_THAT(finding.why, HasSubstr(" in event at tick ")); }
  }
  kit::Bench bench(plugin.type("Block"));
  bench.set("u", 1);
  bench.compute();
  bench.fire_restart();
  EXPECT_EQ(bench.number("mode"), 0);
  bench.fire("far", 1);
  EXPECT_EQ(bench.number("mode"), 1);
  bench.fire("far", -1);
  EXPECT_EQ(bench.number("mode"), -1);
  EXPECT_THROW(bench.fire("u", 1), kit::Impossible);
  EXPECT_THROW(bench.fire("far", 1, 1), kit::Impossible);
}

TEST(Checks, FindLanesThatAreMixedUp) {
  const std::map<std::string, std::string> lies{
      {"lanes", "by the functions for lanes the output 'y' of lane 1 is another one at tick 1"},
      {"lane_room", "a function for one record writes where the numbers of another lane would be"}};
  for (const auto& [name, why] : lies) {
    const kit::Plugin plugin(liar(name));
    for (const kit::Finding& finding : kit::check_all(plugin)) {
      EXPECT_EQ(finding.verdict == kit::Verdict::failed, finding.check == "many") << finding.text();
      if (finding.check == "many") { EXPECT_EQ(finding.why, why); }
    }
  }
}

TEST(Checks, FindAModeThatADestructorLeavesBehind) {
  const kit::Plugin plugin(liar("destroy"));
  for (const kit::Finding& finding : kit::check_all(plugin)) {
    EXPECT_EQ(finding.verdict == kit::Verdict::failed, finding.check == "phases") << finding.text();
    if (finding.check == "phases") { EXPECT_THAT(finding.why, HasSubstr("destroy changes the processor's")); }
  }
}

TEST(Checks, FindWhoReadsBeyondAnInput) {
  const kit::Plugin plugin(liar("reads_beyond"));
  for (const kit::Finding& finding : kit::check_all(plugin))
    if (finding.check == "memory") {
      EXPECT_EQ(finding.why, "output fills 'y' with what lies behind the end of an input, a state or a parameter at "
                             "tick 3");
    }
}

TEST(Checks, FindWhoTakesTheWayToStopARun) {
  const kit::Plugin plugin(liar("process"));
  for (const kit::Finding& finding : kit::check_all(plugin))
    if (finding.check == "process") {
      EXPECT_EQ(finding.why, "configure changes what belongs to the whole process: SIGINT: SIG_DFL -> SIG_IGN");
    }
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL) << "it is not put back";
}

struct Act {
  const char *act, *check, *why;
};

TEST(Checks, FindEachCallThatTakesAnUnknownTimeInTheLoop) {
  const kit::Plugin plugin(liar("offending"));
  for (const Act& each :
       {Act{"buffered", "syscalls", "uses a file by fprintf in output at tick 3; 1 calls in all"},
        Act{"thread", "locks", "calls pthread_create in output at tick 3; 2 calls in all"},
        Act{"thread", "syscalls", "makes the system call "}, Act{"semaphore", "locks", "calls sem_wait in output"},
        Act{"shared", "locks", "calls pthread_rwlock_rdlock in output"},
        Act{"sleep", "syscalls", "makes the system call clock_nanosleep in output at tick 3; 1 calls in all"},
        Act{"open", "syscalls", "makes the system call openat in output at tick 3; 2 calls in all"},
        Act{"socket", "syscalls", "makes the system call socket in output at tick 3; 2 calls in all"}}) {
    for (const kit::Finding& finding : kit::check_all(plugin.type("Block"), {.parameters = {{"act", each.act}}})) {
      if (finding.check != each.check) continue;
      if (finding.verdict == kit::Verdict::not_applicable) {
        EXPECT_THAT(finding.why, HasSubstr("not checked: this kernel")) << each.act;
        continue;
      }
      EXPECT_EQ(finding.verdict, kit::Verdict::failed) << each.act << ": " << finding.text();
      EXPECT_THAT(finding.why, HasSubstr(each.why)) << each.act;
    }
  }
}

TEST(Checks, AllowTheTimeInTheLoop) {
  const kit::Plugin plugin(liar("offending"));
  for (const kit::Finding& finding : kit::check_all(plugin.type("Block"), {.parameters = {{"act", "time"}}}))
    EXPECT_NE(finding.verdict, kit::Verdict::failed) << finding.text();
}

TEST(Checks, WatchTheTicksOfABenchThatATestHasStarted) {
  const kit::Plugin plugin(liar("offending"));
  kit::Bench waits(plugin.type("Block"), {.parameters = {{"act", "semaphore"}}});
  EXPECT_EQ(kit::loop_offence(waits, 3), "");
  EXPECT_EQ(kit::loop_offence(waits, 3), "calls sem_wait in output at tick 3; 1 calls in all");
  EXPECT_EQ(kit::loop_offence(waits, 3), "");
}

TEST(Checks, LetTheHonestPass) {
  const kit::Plugin plugin(liar("honest"));
  std::size_t passed = 0;
  for (const kit::Finding& finding : kit::check_all(plugin)) {
    EXPECT_NE(finding.verdict, kit::Verdict::failed) << finding.text();
    if (finding.verdict == kit::Verdict::passed) ++passed;
  }
  EXPECT_EQ(passed, kit::all_checks().size() - 3); // all inputs feed through, no extensions, no live parameter
}

TEST(TestPlugin, NamesEachLieWithItsReasonAndExitsWith3) {
  for (const kit::Check& check : kit::all_checks()) {
    const Output done = test_plugin(liar(check.name));
    EXPECT_EQ(done.status, 3) << done.text;
    EXPECT_THAT(done.text, HasSubstr(std::string("FAILED liar_") + check.name + "/Block: " + check.name + ": "));
    EXPECT_THAT(done.text, HasSubstr(" 1 failed")) << check.name;
  }
}

TEST(TestPlugin, PrintsATableOfBlocksAndChecks) {
  const Output done = test_plugin(liar("honest"));
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(
      done.text,
      "block              extensions  defaults  phases  process  numbers  memory  feedthrough  pure  determinism  "
      "reset  checkpoint  prepare  live  many  allocation  locks  syscalls  units\n"
      "liar_honest/Block  -a          ok        ok      ok       ok       ok      -b           ok    ok           "
      "ok     ok          ok       -c    ok    ok          ok     ok        ok\n"
      "  -a  it has no extensions\n"
      "  -b  all inputs, if any, feed through\n"
      "  -c  no parameter is live\n"
      "1 block: 15 checks passed, 0 failed, 3 do not apply\n");
}

TEST(TestPlugin, AsksDriversAndStartsNone) {
  const Output done = test_plugin("'" + build_folder() + "/lib/hilda/plugins/udp.so'");
  EXPECT_EQ(done.status, 0) << done.text;
  EXPECT_THAT(done.text, HasSubstr("udp/UdpSource"));
  EXPECT_THAT(done.text, HasSubstr("it is a driver: only its start touches the world, and no check starts it\n"));
}

TEST(TestPlugin, OutlivesABlockThatCrashesHangsOrEndsTheProgram) {
  const Output crashed = test_plugin(liar("crashing")), left = test_plugin(liar("leaving")),
               hung = test_plugin(liar("hanging") + " --time-limit 1");
  const Output far = test_plugin(liar("far"));
  EXPECT_EQ(far.status, 3);
  EXPECT_THAT(far.text, ::testing::AnyOf(HasSubstr("liar_far/Block: memory: crashes in configure: Segmentation"),
                                         HasSubstr("liar_far/Block: memory: ends the program in configure")));
  EXPECT_EQ(crashed.status, 3);
  // a sanitizer ends the program itself
  EXPECT_THAT(crashed.text, ::testing::AnyOf(HasSubstr("liar_crashing/Block: phases: crashes in output: Segmentation"),
                                             HasSubstr("liar_crashing/Block: phases: ends the program in output")));
  EXPECT_EQ(left.status, 3);
  EXPECT_THAT(left.text, HasSubstr("liar_leaving/Block: phases: ends the program in output with exit code 0"));
  EXPECT_EQ(hung.status, 3);
  EXPECT_THAT(hung.text, HasSubstr("liar_hanging/Block: phases: does not come back from output within 1 s"));
  // Findings that need no run are reported nevertheless.
  for (const Output* each : {&crashed, &left, &hung}) EXPECT_THAT(each->text, Not(HasSubstr("Block: defaults")));
}

/// A check that hangs has a minute, in which someone waits before a screen.
TEST(TestPlugin, SaysWhatItIsAtWhileABlockDoesNotComeBack) {
  const Output hung = test_plugin(liar("hanging") + " --time-limit 2.5");
  EXPECT_EQ(hung.status, 3);
  // on a busy machine the first of the two may be stopped before its note is due
  EXPECT_THAT(hung.text, ::testing::ContainsRegex("note: Block, (a setup for it|check [a-z]+), has run for 2 s, now in "
                                                  "output; its limit is 2.5 s\n"));
  EXPECT_THAT(test_plugin(liar("honest")).text, Not(HasSubstr("note: ")));
}

TEST(TestPlugin, RefusesWhatIsNoPlugin) {
  const Output none = test_plugin("nowhere.so"), text = test_plugin("'" + source_folder() + "/README.md'"),
               diagram = test_plugin(liar("honest") + " --diagram nowhere.xml"),
               limit = test_plugin(liar("honest") + " --time-limit -1");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.text, HasSubstr("error[plugin-load]"));
  EXPECT_EQ(text.status, 2);
  EXPECT_EQ(diagram.status, 2) << diagram.text;
  EXPECT_EQ(limit.status, 64) << limit.text;
}

/// The blocks of the table's first column that were not run.
std::set<std::string> not_run(const std::string& table) {
  std::set<std::string> names;
  for (std::size_t at = 0, end; (end = table.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = table.substr(at, end - at);
    if (line.find("  not run: ") != std::string::npos) names.insert(line.substr(0, line.find(' ')));
  }
  return names;
}

class StandardPlugin : public ::testing::TestWithParam<std::string> {};

/// Diagrams that use the blocks of a plugin; the general ones are together in one.
std::vector<std::string> diagrams_of(const std::string& plugin) {
  if (plugin == "arm")
    return {"diagrams/cartesian_control.xml", "diagrams/force_torque_control.xml", "diagrams/free_tumble.xml"};
  if (plugin == "emulation") return {"diagrams/emulation_two_link.xml", "diagrams/emulation_constrained.xml"};
  if (plugin == "passivity") return {"diagrams/pida.xml", "diagrams/tdpa.xml", "diagrams/passive_integrator.xml"};
  if (plugin == "contact") return {"diagrams/pida.xml"};
  if (plugin == "dynamics" || plugin == "kinematics") return {"diagrams/pida.xml", "tests/blocks/hexapod.xml"};
  if (plugin == "estimation") return {"diagrams/pida.xml", "tests/blocks/every_block.xml"};
  return {"tests/blocks/every_block.xml"};
}

TEST_P(StandardPlugin, KeepsEveryPromise) {
  std::string diagrams;
  for (const std::string& file : diagrams_of(GetParam()))
    diagrams += " --diagram '" + source_folder() + "/" + file + "'";
  const Output done = test_plugin("'" + build_folder() + "/lib/hilda/plugins/" + GetParam() + ".so'" + diagrams);
  EXPECT_EQ(done.status, 0) << done.text;
  EXPECT_EQ(not_run(done.text), std::set<std::string>()) << done.text;
}

std::vector<std::string> standard_plugins() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/blocks"))
    if (entry.is_directory()) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Blocks, StandardPlugin, ::testing::ValuesIn(standard_plugins()),
                         [](const auto& test) { return test.param; });

} // namespace
} // namespace hilda::test
