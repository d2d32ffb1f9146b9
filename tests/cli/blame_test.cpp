// SPDX-License-Identifier: BSD-3-Clause
// Nothing in a plugin ends hilda without the names of plugin, block and phase: every way of ending it, in every phase.

#include "program.h"
#include "tests/project_folders.h"

#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string ways = "--plugins " + build_folder() + "/tests/cli/ways_plugins";

/// Three equal blocks, so that the loop runs them in one call; the second of them is the culprit.
std::string diagram(const std::string& way, const std::string& phase) {
  return "<diagram format=\"1\" name=\"ways\" period=\"1 ms\">\n  <parameter name=\"duration\" value=\"20 ms\"/>\n"
         "  <block name=\"one\" type=\"ways/Misbehaves\"/>\n"
         "  <block name=\"it\" type=\"ways/Misbehaves\" way=\"" +
         way + "\" in=\"" + phase +
         "\"/>\n"
         "  <block name=\"three\" type=\"ways/Misbehaves\"/>\n</diagram>\n";
}

struct Way {
  std::string way;
  std::string said; ///< what the message calls it
  int exit;         ///< in the loop; 0: any but that
};

class Blame : public ::testing::TestWithParam<std::tuple<Way, std::string>> {};

TEST_P(Blame, NamesPluginBlockAndPhase) {
  const auto& [way, phase] = GetParam();
  const bool in_loop = phase == "output" || phase == "update";
  const Workplace here;
  here.write("ways.xml", diagram(way.way, phase));
  const Result run =
      here.hilda(std::string("run ways.xml --no-log ") + ways, "ulimit -c 0; HILDA_CALL_LIMIT=0.5 timeout 60");
  EXPECT_NE(run.exit, 0) << run.err;
  EXPECT_NE(run.exit, 124) << "it hangs: " << run.err;
  EXPECT_THAT(run.err, ::testing::AnyOf(HasSubstr("it (ways/Misbehaves)"),
                                        AllOf(HasSubstr("block it: "), HasSubstr("(ways/Misbehaves)"))));
  EXPECT_THAT(run.err, HasSubstr(way.said));
  EXPECT_THAT(run.err, Not(HasSubstr("does not happen again")));
  // the SDK turns a throw before the loop into a report, whose code is that of the phase
  const std::map<std::string, std::string> codes{{"infer", "block-shape"}, {"feeds_through", "block-feedthrough"}};
  EXPECT_THAT(run.err, ::testing::AnyOf(HasSubstr(phase), HasSubstr(codes.count(phase) > 0 ? codes.at(phase) : phase)));
  if (way.exit != 0 && in_loop) { EXPECT_EQ(run.exit, way.exit) << run.err; }
}

const Way all_ways[] = {{"segv", "segmentation fault", 128 + SIGSEGV},
                        {"fpe", "arithmetic fault", 128 + SIGFPE},
                        {"ill", "illegal instruction", 128 + SIGILL},
                        {"bus", "bus error", 128 + SIGBUS},
                        {"abort", "abort", 128 + SIGABRT},
                        {"overflow", "stack overflow", 128 + SIGSEGV},
                        {"exit", "ends the program by exit", 3},
                        {"quick_exit", "ends the program by quick_exit", 3},
                        {"_exit", "ends the program by _exit", 3},
                        {"_Exit", "ends the program by _Exit", 3},
                        {"throw", "too hot", 3},
                        {"throw int", "not a std::exception", 3},
                        {"hang", "has not come back from", 3}};

INSTANTIATE_TEST_SUITE_P(Ways, Blame,
                         ::testing::Combine(::testing::ValuesIn(all_ways),
                                            ::testing::Values("feeds_through", "infer", "configure", "prepare",
                                                              "initialize", "output", "update", "summarize")),
                         [](const auto& one) {
                           std::string name = std::get<0>(one.param).way + "_in_" + std::get<1>(one.param);
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

TEST(Blame, AnotherFloatingPointModeIsPutBackAndNamedInEveryPhaseBeforeTheLoop) {
  for (const char* phase : {"feeds_through", "infer", "configure", "prepare", "initialize"}) {
    const Workplace here;
    here.write("ways.xml", diagram("round", phase));
    const Result run = here.hilda(std::string("check ways.xml ") + ways);
    EXPECT_EQ(run.exit, 2) << run.err;
    EXPECT_THAT(run.err, HasSubstr("ways.xml:4: error[block-floating-point]: it (ways/Misbehaves): " +
                                   std::string(phase) + " changes the processor's floating-point mode"));
  }
}

TEST(Blame, AnotherFloatingPointModeEndsTheRunAtThatTick) {
  for (const char* phase : {"output", "update"}) {
    const Workplace here;
    here.write("ways.xml", diagram("round", phase));
    const Result run = here.hilda(std::string("run ways.xml --no-log ") + ways);
    EXPECT_EQ(run.exit, 3) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("block it"), HasSubstr("t = 0.005 s"),
                               HasSubstr("changes the processor's floating-point mode")));
  }
}

/// A block whose input jumps at 5 ms, whose rate is driven and which restarts at 12 ms.
std::string seldom(const std::string& way, const std::string& phase, const std::string& solver) {
  return "<diagram format=\"1\" name=\"seldom\" period=\"1 ms\"" + solver +
         ">\n<parameter name=\"duration\" value=\"20 ms\"/>\n"
         "<block name=\"jump\" type=\"sources/Step\" time=\"5 ms\" before=\"1\" after=\"2\"/>\n"
         "<block name=\"ramp\" type=\"continuous/Integrator\"/>\n"
         "<block name=\"slope\" type=\"sources/Constant\" value=\"90.7 1/s\"/>\n"
         "<block name=\"clock\" type=\"sources/Clock\"/>\n"
         "<block name=\"late\" type=\"math/Compare\" operation=\"greater_or_equal\" with=\"12 ms\"/>\n"
         "<block name=\"other\" type=\"ways/Seldom\"/>\n"
         "<block name=\"it\" type=\"ways/Seldom\" reset=\"late.y\" way=\"" +
         way + "\" in=\"" + phase +
         "\"/>\n"
         "<connect from=\"slope.y\" to=\"ramp.u\"/>\n<connect from=\"clock.time\" to=\"late.a\"/>\n"
         "<connect from=\"jump.y\" to=\"it.rate\"/>\n"
         "<connect from=\"ramp.y\" to=\"it.u\"/>\n<connect from=\"ramp.y\" to=\"other.u\"/>\n</diagram>\n";
}

TEST(Blame, WhatIsCalledSeldomIsNamedToo) {
  const std::string variable = " solver=\"dopri5\""; // its step from 4 ms on ends at the jump, which prepares
  for (const auto& [phase, solver, time] : {std::tuple("prime", std::string(), "t = 0 s"),
                                            {"prepare", std::string(), "t = 0.005 s"},
                                            {"prepare", variable, "t = 0.004 s"},
                                            {"initialize", std::string(), "t = 0.012 s"},
                                            {"derivative", std::string(), "t = 0 s"},
                                            {"derivative", variable, "t = 0 s"},
                                            {"event", variable, "t = 0.005 s"}}) {
    const Workplace here;
    here.write("seldom.xml", seldom("round", phase, solver));
    const Result run = here.hilda(std::string("run seldom.xml --no-log ") + ways);
    EXPECT_EQ(run.exit, 3) << phase << run.err;
    EXPECT_THAT(run.err,
                AllOf(HasSubstr("block it: "), HasSubstr(time),
                      HasSubstr(std::string(phase) + " (ways/Seldom) changes the processor's floating-point mode")))
        << phase;
  }
  const Workplace here;
  here.write("seldom.xml", seldom("", "", variable));
  EXPECT_EQ(here.hilda(std::string("run seldom.xml --no-log ") + ways).exit, 0);
}

std::string connected(const std::string& way, const std::string& more = "") {
  return "<diagram format=\"1\" name=\"connected\" period=\"1 ms\">\n"
         "<parameter name=\"duration\" value=\"20 ms\"/>\n"
         "<block name=\"one\" type=\"ways/Connected\"/>\n<block name=\"it\" type=\"ways/Connected\" way=\"" +
         way + "\"/>\n<block name=\"three\" type=\"ways/Connected\"/>\n" + more + "</diagram>\n";
}

/// The log is whole, and so are the devices: those that come after it are stopped, too.
TEST(Blame, ABlockThatFailsWhileItIsStoppedFailsTheRun) {
  for (const auto& [way, said] : {std::pair("throw", "an exception leaves stop: too hot (ways/Connected)"),
                                  {"throw int", "an exception leaves stop: what is not a std::exception"},
                                  {"round", "stop changes the processor's floating-point mode"}}) {
    const Workplace here;
    here.write("connected.xml", connected(way));
    const Result run = here.hilda(std::string("run connected.xml --log run.mcap --summary sum.json ") + ways);
    EXPECT_EQ(run.exit, 3) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("block it: "), HasSubstr("t = 0.02 s"), HasSubstr(said)));
    for (const char* name : {"one stops", "it stops", "three stops"}) EXPECT_THAT(run.err, HasSubstr(name)) << way;
    EXPECT_THAT(here.read("sum.json"), HasSubstr("\"failed\""));
    EXPECT_TRUE(here.has("run.mcap"));
    EXPECT_FALSE(here.has("run.mcap.part"));
    EXPECT_THAT(here.hilda("info run.mcap").out, HasSubstr("failed"));
  }
}

TEST(Blame, TheFirstFailureIsTheOneThatCounts) {
  const Workplace here;
  here.write("connected.xml", connected("throw", "<block name=\"fails\" type=\"ways/Misbehaves\" way=\"throw\" "
                                                 "in=\"output\"/>\n"));
  const Result run = here.hilda(std::string("run connected.xml --no-log ") + ways);
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, AllOf(HasSubstr("block fails"), HasSubstr("three stops"), HasSubstr("one stops")));
}

TEST(Blame, AnAuditNamesTheTickAsARunDoes) {
  const Workplace here;
  here.write("ways.xml", diagram("throw", "output"));
  for (const char* command : {"run ways.xml --no-log ", "check --audit ways.xml "}) {
    const Result run = here.hilda(std::string(command) + ways);
    EXPECT_NE(run.exit, 0);
    EXPECT_THAT(run.err, HasSubstr("t = 0.005 s (tick 5), block it")) << command;
  }
}

std::string keeps(const std::string& way, const std::string& phase) {
  return "<diagram format=\"1\" name=\"keeps\" period=\"1 ms\">\n"
         "<parameter name=\"duration\" value=\"20 ms\"/>\n<parameter name=\"n\" value=\"1\"/>\n"
         "<block name=\"it\" type=\"ways/Keeps\" way=\"" +
         way + "\" in=\"" + phase + "\"/>\n</diagram>\n";
}

/// An audit makes checkpoints and goes back to them.
TEST(Blame, StateThatIsNotGivenOrTakenIsNamed) {
  for (const char* phase : {"save_state", "load_state"})
    for (const auto& [way, said] : {std::pair(std::string("throw"), "an exception leaves " + std::string(phase)),
                                    {"round", phase + std::string(" changes the processor's floating-point mode")}}) {
      const Workplace here;
      here.write("keeps.xml", keeps(way, phase));
      const Result audit = here.hilda(std::string("check --audit keeps.xml ") + ways);
      EXPECT_EQ(audit.exit, 3) << audit.err;
      EXPECT_THAT(audit.err, HasSubstr("it (ways/Keeps): " + said));
    }
}

/// Runs of a study follow each other in one process.
TEST(Blame, AModeThatADestructorLeavesBehindReachesNoOtherRun) {
  const auto rows = [](const std::string& phase) {
    const Workplace here;
    here.write("keeps.xml", keeps("", phase));
    here.write("study.xml", "<study format=\"1\" name=\"thirds\" diagram=\"keeps.xml\">\n"
                            "<axis path=\"n\" from=\"1\" to=\"3\" count=\"3\"/>\n"
                            "<figure name=\"third\" from=\"blocks.it.third\"/>\n</study>\n");
    const Result run = here.hilda(std::string("sweep study.xml -j 1 -o rows.sqlite ") + ways);
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_EQ(here.hilda("sweep export rows.sqlite --csv -o rows.csv").exit, 0);
    return here.read("rows.csv");
  };
  EXPECT_EQ(rows("destructor"), rows(""));
}

TEST(Blame, AnOverrunIsItsOwnFaultAndNotTheNeighbours) {
  for (const char* way : {"overrun", "underrun"})
    for (const char* phase : {"configure", "initialize", "output", "update"}) {
      const Workplace here;
      here.write("ways.xml", diagram(way, phase));
      const Result audit = here.hilda(std::string("check --audit ways.xml ") + ways);
      EXPECT_NE(audit.exit, 0) << way << phase << audit.out;
      EXPECT_THAT(audit.err, HasSubstr("it (ways/Misbehaves)"));
      EXPECT_THAT(audit.err, HasSubstr("writes beyond its own memory in " + std::string(phase)));
      if (phase == std::string("configure")) { EXPECT_THAT(audit.err, HasSubstr("error[block-overrun]")); }
      EXPECT_THAT(audit.err, Not(HasSubstr("one (ways/Misbehaves)")));
      EXPECT_THAT(audit.err, Not(HasSubstr("three (ways/Misbehaves)")));
    }
}

/// What a block writes into its neighbours' memory before the loop is found without an audit.
TEST(Blame, AnOverrunBeforeTheLoopIsAnErrorOfEachRun) {
  for (const char* way : {"overrun", "underrun"})
    for (const std::string phase : {"configure", "prepare", "initialize"}) {
      const Workplace here;
      here.write("ways.xml", diagram(way, phase));
      const Result run = here.hilda(std::string("run ways.xml --no-log ") + ways);
      EXPECT_EQ(run.exit, 2) << way << phase << run.err;
      EXPECT_THAT(run.err,
                  HasSubstr("error[block-overrun]: it (ways/Misbehaves) writes beyond its own memory in " + phase));
    }
}

std::string overwriter(const std::string& phase, const std::string& more = "") {
  return "<diagram format=\"1\" name=\"ways\" period=\"1 ms\">\n<parameter name=\"duration\" value=\"5 ms\"/>\n"
         "<block name=\"it\" type=\"ways/Overwrites\" in=\"" +
         phase + "\" " + more + "/>\n</diagram>\n";
}

TEST(Blame, AParameterThatABlockOverwritesBeforeTheLoopIsAWarningOfEachCommand) {
  for (const std::string command : {"run --no-log", "check", "check --audit"})
    for (const std::string phase : {"configure", "prepare", "initialize"}) {
      const Workplace here;
      here.write("ways.xml", overwriter(phase));
      const Result done = here.hilda(command + " ways.xml " + ways);
      EXPECT_EQ(done.exit, command == "check --audit" ? 3 : 0) << done.err;
      EXPECT_THAT(done.err, HasSubstr("ways.xml:3: warning[block-parameter]: it (ways/Overwrites): " + phase +
                                      " overwrites its parameter gain: 2 -> 5; the diagram, the log and the summary "
                                      "keep the first value, and the run computes with the second\n"
                                      "  help: let it keep what it derives from a parameter in another variable"));
    }
}

TEST(Blame, AnElementOfAParameterThatABlockOverwritesIsNamed) {
  for (const int element : {0, 1, 2}) {
    const Workplace here;
    const std::string said = fmt::format("overwrites its parameter weights[{0}]: {1} -> 5", element, element + 1);
    for (const std::string phase : {"configure", "output"}) {
      here.write("ways.xml", overwriter(phase, fmt::format("element=\"{}\"", element)));
      const Result audit = here.hilda(std::string("check --audit ways.xml ") + ways);
      EXPECT_EQ(audit.exit, 3) << audit.err;
      EXPECT_THAT(audit.err, HasSubstr(said)) << phase;
    }
  }
}

TEST(Blame, AParameterThatABlockOverwritesInTheLoopIsFoundByAnAudit) {
  for (const std::string phase : {"output", "update"}) {
    const Workplace here;
    here.write("ways.xml", overwriter(phase));
    const Result audit = here.hilda(std::string("check --audit ways.xml ") + ways);
    EXPECT_NE(audit.exit, 0) << audit.err;
    EXPECT_THAT(audit.err, HasSubstr("block it (ways/Overwrites) overwrites its parameter gain: 2 -> 5 in " + phase +
                                     ", at t = 0 s, tick 0; the diagram decides it"));
  }
  const Workplace here;
  here.write("ways.xml", overwriter(""));
  const Result sound = here.hilda(std::string("check --audit ways.xml ") + ways);
  EXPECT_EQ(sound.exit, 0) << sound.err;
  EXPECT_THAT(sound.err, Not(HasSubstr("overwrites")));
}

/// Beyond the fence, and beyond all blocks' memory, lies a page without access: the data that name the block
/// stay whole.
TEST(Blame, AnOverrunThatReachesFarIsNamedToo) {
  for (const std::string command : {"run --no-log", "check --audit"})
    for (const std::string phase : {"configure", "output"}) {
      const Workplace here;
      here.write("ways.xml", diagram("far overrun", phase));
      const Result run = here.hilda(command + " ways.xml " + ways, "ulimit -c 0;");
      EXPECT_EQ(run.exit, 128 + SIGSEGV) << run.out;
      EXPECT_THAT(run.err, HasSubstr("block it (ways/Misbehaves), in " + phase));
    }
}

std::string speaking(const std::string& attributes) {
  return "<diagram format=\"1\" name=\"ways\" period=\"1 ms\">\n  <parameter name=\"duration\" value=\"20 ms\"/>\n"
         "  <block name=\"it\" type=\"ways/Speaks\"\n    limit=\"0.9\" " +
         attributes + "/>\n</diagram>\n";
}

TEST(Boundary, BlocksWarnWithFileAndLine) {
  for (const std::string phase : {"configure", "prepare", "initialize"}) {
    const Workplace here;
    here.write("speaks.xml", speaking("in=\"" + phase + "\""));
    const Result run = here.hilda(std::string("run speaks.xml --no-log ") + ways);
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.err,
                HasSubstr("warning[block-warning]: it (ways/Speaks), limit: is odd, says " + phase + " to hilda 0."));
    EXPECT_THAT(run.err, HasSubstr("speaks.xml:"));
  }
}

// Codes: block-configure, block-prepare, block-initialize.
TEST(Boundary, BlocksRefuseInEveryPhaseBeforeTheLoop) {
  for (const std::string phase : {"configure", "prepare", "initialize"}) {
    const Workplace here;
    here.write("speaks.xml", speaking("in=\"" + phase + "\" refuses=\"true\""));
    const Result run = here.hilda(std::string("check speaks.xml ") + ways);
    EXPECT_EQ(run.exit, 2) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr("error[block-" + phase + "]: it (ways/Speaks), limit: is not what I like"));
  }
}

TEST(Boundary, ARangeMayExcludeItsEnd) {
  const Workplace here;
  here.write("range.xml", "<diagram format=\"1\" name=\"range\" period=\"1 ms\">\n"
                          "  <block name=\"it\" type=\"ways/Speaks\" limit=\"1\"/>\n</diagram>\n");
  const Result check = here.hilda(std::string("check range.xml ") + ways);
  EXPECT_EQ(check.exit, 2) << check.out;
  EXPECT_THAT(check.err, HasSubstr("range.xml:2"));
}

TEST(Boundary, StateOutsideOfTheRecordIsInCheckpointsOfTheCppSdk) {
  const Workplace here;
  here.write("outside.xml", "<diagram format=\"1\" name=\"outside\" period=\"1 ms\">\n"
                            "  <parameter name=\"duration\" value=\"20 ms\"/>\n"
                            "  <block name=\"it\" type=\"ways/Outside\"/>\n</diagram>\n");
  // A fresh instance made from a checkpoint goes the same way: the audit compares them.
  const Result audit = here.hilda(std::string("check --audit outside.xml ") + ways);
  EXPECT_EQ(audit.exit, 0) << audit.out << audit.err;
  EXPECT_THAT(audit.err, Not(HasSubstr("was not compared")));
}

TEST(Plugins, CheckSaysWhyOneWasRefused) {
  const Workplace here;
  std::filesystem::create_directory(here.path() / "own");
  here.write("own/broken.so",
             "this is not a library, but long enough to be checked by any program that loads it, byte by byte\n");
  here.write("own.xml", "<diagram format=\"1\" name=\"own\" period=\"1 ms\">\n"
                        "  <block name=\"it\" type=\"broken/Block\"/>\n</diagram>\n");
  for (const char* command : {"check own.xml", "check --audit own.xml", "run own.xml --no-log", "plan own.xml"}) {
    const Result said = here.hilda(std::string(command) + " --plugins own");
    EXPECT_EQ(said.exit, 2) << command;
    EXPECT_THAT(said.err, HasSubstr("own/broken.so: error[plugin-load]")) << command;
  }
}

TEST(Plugins, WhatAnyoneMayWriteIsNotLoaded) {
  const Workplace here;
  namespace fs = std::filesystem;
  fs::create_directory(here.path() / "own");
  fs::copy_file(build_folder() + "/tests/cli/ways_plugins/ways.so", here.path() / "own" / "ways.so");
  here.write("outside.xml", "<diagram format=\"1\" name=\"outside\" period=\"1 ms\">\n"
                            "  <block name=\"it\" type=\"ways/Outside\"/>\n</diagram>\n");
  EXPECT_EQ(here.hilda("check outside.xml --plugins own").exit, 0);
  fs::permissions(here.path() / "own", fs::perms::others_write, fs::perm_options::add);
  const Result folder = here.hilda("check outside.xml --plugins own");
  EXPECT_EQ(folder.exit, 2);
  EXPECT_THAT(folder.err, HasSubstr("error[plugin-writable]: anyone may write to own"));
  fs::permissions(here.path() / "own", fs::perms::others_write, fs::perm_options::remove);
  fs::permissions(here.path() / "own" / "ways.so", fs::perms::others_write, fs::perm_options::add);
  const Result file = here.hilda("check outside.xml --plugins own");
  EXPECT_EQ(file.exit, 2);
  EXPECT_THAT(file.err, HasSubstr("error[plugin-writable]: anyone may write to own/ways.so"));
}

} // namespace
} // namespace hilda::test
