// SPDX-License-Identifier: BSD-3-Clause
// Plugins are guests of the process: what belongs to the whole of it is put back after each call, and a run that moves
// something does not start with a plugin that takes it.

#include "tests/project_folders.h"
#include "tests/realtime/axis.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string taking = "--plugins " + build_folder() + "/tests/guests/plugins ";
/// Where one phase follows the other, up to the first tick.
constexpr std::array phases{"infer", "feeds_through", "configure", "prepare", "initialize", "start"};

std::string taker(const std::string& what, const std::string& phase, const std::string& more = "") {
  return "  <block name=\"guest\" type=\"taking/Takes\" what=\"" + what + "\" in=\"" + phase + "\" " + more + "/>\n";
}

std::string diagram(const std::string& block) {
  return "<diagram format=\"1\" name=\"guests\" period=\"1 ms\">\n  <parameter name=\"duration\" value=\"60 s\"/>\n" +
         block + "</diagram>\n";
}

/// A paced simulation, which Ctrl-C ends in tick 20 and nothing else before a minute is over.
Result paced(const std::string& block, const std::string& before = "") {
  const Workplace here;
  here.write("guests.xml", diagram(block));
  return here.hilda(std::string("run guests.xml --realtime --no-log ") + taking, before + " timeout -k 1 30");
}

class Phase : public ::testing::TestWithParam<const char*> {};

TEST_P(Phase, ThatTakesCtrlCStopsNoArmedRunFromBeingStopped) {
  const AxisRun run(std::string("--arm --for 60s ") + taking, taker("ignore", GetParam(), "interrupts_at=\"20\""));
  EXPECT_THAT(run.outcome.exit, AnyOf(2, 3)) << run.outcome.err;
  EXPECT_THAT(run.outcome.err,
              AllOf(HasSubstr("error[block-process]: guest (taking/Takes): "), HasSubstr(GetParam()),
                    HasSubstr("SIGINT: hilda's handler -> SIG_IGN"), HasSubstr("SIGTERM: hilda's handler -> SIG_IGN")));
  EXPECT_THAT(run.events_of("state"), Not(Contains("running")));
}

TEST_P(Phase, ThatTakesCtrlCInASimulationIsAWarningAndCtrlCEndsIt) {
  for (const auto& [what, said] : {std::pair("ignore", "SIGINT: hilda's handler -> SIG_IGN"),
                                   {"handler", "SIGINT: hilda's handler -> a handler of taking.so"},
                                   {"block", "blocked signals: none -> SIGHUP SIGINT"}}) {
    const Result run = paced(taker(what, GetParam(), "interrupts_at=\"20\""));
    EXPECT_EQ(run.exit, 130) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("guests.xml:3: warning[block-process]: guest (taking/Takes): " +
                                         std::string(GetParam()) + " changes what belongs to the whole process: "),
                               HasSubstr(said), HasSubstr("; it is as before again")));
  }
}

INSTANTIATE_TEST_SUITE_P(Guest, Phase, ::testing::ValuesIn(phases), [](const auto& each) { return each.param; });

TEST(Guests, WhatElseBelongsToTheProcessIsPutBackToo) {
  for (const auto& [what, said] :
       {std::pair("stack", "the stack for signal handlers: 131072 bytes at"),
        {"timer", "ITIMER_REAL: off -> in 1000 s"},
        {"timer_create", "a timer of timer_create that sends SIGALRM: none -> made"},
        {"folder", " -> /;"},
        {"locale", "the locale: C -> "},
        {"thread_locale", "the thread's locale: another one"},
        {"flags", "SIGINT: hilda's handler -> hilda's handler with other flags"},
        {"umask", "the umask: 00"},
        {"close", "standard output: open -> closed"},
        {"replace", "standard output: open -> another file"},
        {"seldom", "one of the calls before the first tick changes what belongs to the whole process: SIGRTMIN+3: "
                   "hilda's handler -> SIG_IGN"}}) {
    const Workplace here;
    here.write("guests.xml", diagram(taker(what, "configure")));
    const Result run = here.hilda(std::string("run guests.xml --for 5ms --log here.mcap ") + taking);
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("warning[block-process]"), HasSubstr(said))) << what;
    EXPECT_TRUE(here.has("here.mcap")) << what;
    EXPECT_THAT(run.out, HasSubstr("5 steps")) << what;
  }
}

/// The lines of a block that looks at the process in start and in stop.
std::vector<std::string> seen_by(const std::string& what, const std::string& phase) {
  const Workplace here;
  here.write("guests.xml", diagram(taker(what, phase, "at=\"3\" shows=\"true\"")));
  const Result run = here.hilda(std::string("run guests.xml --for 5ms --no-log ") + taking);
  EXPECT_EQ(run.exit, 0) << run.err;
  if (!what.empty()) { EXPECT_THAT(run.err, HasSubstr("; it is as before again")) << what; }
  std::vector<std::string> lines;
  std::istringstream text(run.err);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("in start:") || line.starts_with("in stop:")) lines.push_back(line);
  return lines;
}

/// A message that says so is not enough.
TEST(Guests, WhatIsReportedAsBeforeAgainIsSo) {
  const std::vector<std::string> before = seen_by("", "");
  ASSERT_EQ(before.size(), 2u);
  for (const char* what : {"ignore", "handler", "flags", "seldom", "block", "stack", "timer", "timer_create", "folder",
                           "locale", "thread_locale", "umask"}) {
    EXPECT_EQ(seen_by(what, "configure"), before) << what;
    EXPECT_EQ(seen_by(what, "output"), before) << what;
  }
}

TEST(Guests, APluginThatTakesCtrlCWhenItIsLoadedIsNamedAndMovesNothing) {
  const Result run = paced(taker("", "", "interrupts_at=\"20\""), "HILDA_TAKES=handler");
  EXPECT_EQ(run.exit, 130) << run.err;
  EXPECT_THAT(run.err, HasSubstr("taking.so: warning[plugin-process]: loading (constructors of static objects) "
                                 "changes what belongs to the whole process: SIGHUP: SIG_DFL -> a handler of "
                                 "taking.so"));
  const AxisRun armed(std::string("--arm ") + taking, taker("", ""), "HILDA_TAKES=handler");
  EXPECT_EQ(armed.outcome.exit, 3) << armed.outcome.err;
  EXPECT_THAT(armed.outcome.err, AllOf(HasSubstr("error[block-process]: guest (taking/Takes): its plugin "),
                                       HasSubstr("taking.so has changed something before: loading (")));
  const AxisRun others(std::string("--arm --for 100ms ") + taking, "", "HILDA_TAKES=handler");
  EXPECT_EQ(others.outcome.exit, 0) << "no block of it is in this diagram: " << others.outcome.err;
}

/// Signals that steer nothing are looked at once for all calls: those of one plugin, here.
TEST(Guests, WhatAPluginTakesOfRareSignalsWhenItIsLoadedIsItsOwn) {
  const AxisRun armed(std::string("--arm ") + taking, taker("", ""), "HILDA_TAKES=seldom");
  EXPECT_EQ(armed.outcome.exit, 3) << armed.outcome.err;
  EXPECT_THAT(armed.outcome.err,
              AllOf(HasSubstr("taking.so: warning[plugin-process]: loading it changes"),
                    HasSubstr("has changed something before: loading it changes what belongs to the whole process: "
                              "SIGRTMIN+3: ")));
}

TEST(Guests, WhoTakesCtrlCInStopFailsTheRun) {
  const AxisRun run(std::string("--arm --for 100ms ") + taking, taker("ignore", "stop"));
  const Workplace here;
  here.write("guests.xml", diagram(taker("ignore", "stop")));
  const Result simulation = here.hilda(std::string("run guests.xml --for 5ms --no-log ") + taking);
  for (const Result* each : {&run.outcome, &simulation}) {
    EXPECT_EQ(each->exit, 3) << each->err;
    EXPECT_THAT(each->err, AllOf(HasSubstr("block guest: stop changes what belongs to the whole process"),
                                 HasSubstr("SIGINT: hilda's handler -> SIG_IGN")));
  }
}

TEST(Guests, WhoTakesCtrlCInItsSummaryIsAWarningOfIt) {
  const Workplace here;
  here.write("guests.xml", diagram(taker("ignore", "summarize")));
  const Result run = here.hilda(std::string("run guests.xml --for 5ms --no-log ") + taking);
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.err + run.out, HasSubstr("summarize changes what belongs to the whole process"));
}

const std::string in_loop =
    "guests.xml:1: warning[block-process]: a plugin changed what belongs to the whole process while the loop ran: ";

/// From here on no look follows each call.
TEST(Guests, WhatChangesInTheLoopOfASimulationIsReportedAndPutBack) {
  for (const auto& [what, said] : {std::pair("ignore", "SIGINT: hilda's handler -> SIG_IGN"),
                                   {"handler", "SIGINT: hilda's handler -> a handler of taking.so"},
                                   {"seldom", "SIGRTMIN+3: hilda's handler -> SIG_IGN"},
                                   {"block", "blocked signals: none -> SIGHUP SIGINT"},
                                   {"stack", "the stack for signal handlers: 131072 bytes at"},
                                   {"timer", "ITIMER_REAL: off -> in 1000 s"},
                                   {"timer_create", "a timer of timer_create that sends SIGALRM: none -> made"},
                                   {"folder", " -> /;"},
                                   {"locale", "the locale: C -> "},
                                   {"thread_locale", "the thread's locale: another one"},
                                   {"flags", "SIGINT: hilda's handler -> hilda's handler with other flags"},
                                   {"umask", "the umask: 00"},
                                   {"close", "standard output: open -> closed"},
                                   {"held", ", which hilda holds open: open -> closed"},
                                   {"replace", "standard output: open -> another file"}}) {
    const Workplace here;
    here.write("guests.xml", diagram(taker(what, "output", "at=\"3\"")));
    const Result run = here.hilda(std::string("run guests.xml --for 5ms --summary here.json --no-log ") + taking);
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr(in_loop), HasSubstr(said), HasSubstr("; it is as before again"),
                               HasSubstr("help: hilda check --audit names the block")))
        << what;
    EXPECT_TRUE(here.has("here.json")) << what;
    EXPECT_THAT(run.out, HasSubstr("5 steps")) << what;
  }
}

TEST(Guests, ALogThatIsClosedOrReplacedIsRestoredAndWhole) {
  for (const auto& [what, said] : {std::pair("log", "open -> closed"), {"log_replaced", "open -> another file"}}) {
    const Workplace here;
    here.write("guests.xml", diagram(taker(what, "output", "at=\"3\"")));
    const Result run = here.hilda(std::string("run guests.xml --for 5ms --log here.mcap ") + taking);
    EXPECT_THAT(run.err,
                AllOf(HasSubstr(in_loop + "descriptor "), HasSubstr(", the output here.mcap: "), HasSubstr(said)));
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(here.hilda("info here.mcap").out, HasSubstr("guest.y")) << what;
  }
}

TEST(Guests, DescriptorsThatAreClosedStopAnArmedRunAndAreFoundByAuditAndCheck) {
  const std::string closed = ", which hilda holds open: open -> closed";
  for (const char* phase : {"configure", "start"}) {
    const AxisRun run(std::string("--arm --for 60s ") + taking, taker("held", phase));
    EXPECT_THAT(run.outcome.exit, AnyOf(2, 3)) << run.outcome.err;
    EXPECT_THAT(run.outcome.err,
                AllOf(HasSubstr("error[block-process]: guest (taking/Takes): "), HasSubstr(phase), HasSubstr(closed)));
    EXPECT_THAT(run.events_of("state"), Not(Contains("running")));
  }
  const AxisRun run(std::string("--arm --for 60s ") + taking, taker("held", "output", "at=\"20\""));
  EXPECT_EQ(run.outcome.exit, 3) << run.outcome.err;
  EXPECT_THAT(run.outcome.err, AllOf(HasSubstr("while the loop ran: "), HasSubstr(closed)));
  EXPECT_LE(run.drive("last_step"), 1e-9) << "without a ramp";
  const Workplace here;
  here.write("guests.xml", diagram(taker("held", "output", "at=\"3\"")));
  const Result audit = here.hilda(std::string("check --audit --for 10ms guests.xml ") + taking);
  EXPECT_EQ(audit.exit, 3) << audit.err;
  EXPECT_THAT(audit.err, AllOf(HasSubstr("block guest (taking/Takes) changes what belongs to the whole process in "
                                         "output, at t = 0.003 s, tick 3: "),
                               HasSubstr(closed)));
}

TEST(Guests, TheCheckProcessFindsTimersAndDescriptors) {
  for (const auto& [what, said] : {std::pair("timer_create", "a timer of timer_create: none -> made"),
                                   {"held_pipes", ", which is not its own: open -> closed, or another file"}}) {
    const Workplace here;
    here.write("guests.xml", diagram(taker(what, "configure")));
    const Result test =
        here.hilda("test-plugin " + build_folder() + "/tests/guests/plugins/taking.so --diagram guests.xml");
    EXPECT_THAT(test.out, AllOf(HasSubstr("FAILED taking/Takes: process: configure changes what belongs to the whole "
                                          "process: "),
                                HasSubstr(said)))
        << test.err;
  }
}

TEST(Guests, WhatChangesInUpdateAndWhileTheSolverAsksIsReportedToo) {
  const std::string integrates =
      "  <block name=\"guest\" type=\"taking/TakesWhileItIntegrates\" what=\"folder\" at=\"3\"/>\n";
  for (const std::string& block : {taker("folder", "update", "at=\"3\""), integrates}) {
    const Workplace here;
    here.write("guests.xml", diagram(block));
    const Result run = here.hilda(std::string("run guests.xml --for 5ms --log here.mcap ") + taking);
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr(in_loop + "the working folder: "), HasSubstr(" -> /; it is as before")));
    EXPECT_TRUE(here.has("here.mcap"));
  }
}

/// It would run for days.
TEST(Guests, CtrlCEndsASimulationWhosePluginTakesIt) {
  const Workplace here;
  here.write("guests.xml", diagram(taker("ignore", "output", "at=\"3\"")));
  const Result run = here.hilda(std::string("run guests.xml --for 1e9s --no-log ") + taking,
                                "timeout --preserve-status -k 20 -s INT 1");
  EXPECT_EQ(run.exit, 130) << run.err;
  EXPECT_THAT(run.err, HasSubstr(in_loop + "SIGHUP: "));
}

TEST(Guests, WhatChangesInTheLoopIsReportedOnceHoweverOftenItDoes) {
  const Workplace here;
  here.write("guests.xml", diagram(taker("ignore", "output", "at=\"3\"")));
  here.write("line", "step 2\nstep 2\nback 4\nstep 4\nstep 4\nquit\n");
  const Result run = here.hilda(std::string("run guests.xml --console --no-log ") + taking + "< line");
  const std::size_t at = run.err.find(in_loop + "SIGHUP: ");
  ASSERT_NE(at, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find(in_loop, at + 1), std::string::npos) << run.err;
}

TEST(Guests, WhatElseChangesInTheLoopEndsAnArmedRunByTheRamp) {
  for (const auto& [what, said] : {std::pair("folder", " -> /;"), {"timer", "ITIMER_REAL: off -> "}}) {
    const AxisRun run(std::string("--arm --for 60s ") + taking, taker(what, "output", "at=\"20\""));
    EXPECT_EQ(run.outcome.exit, 3) << run.outcome.err;
    EXPECT_THAT(run.outcome.err, AllOf(HasSubstr("while the loop ran: "), HasSubstr(said)));
    EXPECT_LE(run.drive("last_step"), 1e-9) << "without a ramp";
  }
}

/// What belongs to the loop's thread alone shows when it ends; so do the locale, which it may be reading, and the
/// umask.
TEST(Guests, WhatIsFoundAtTheEndOfAnArmedRunFailsIt) {
  for (const auto& [what, said] :
       {std::pair("block", "blocked signals: "), {"locale", "the locale: C -> "}, {"umask", "the umask: 00"}}) {
    const AxisRun run(std::string("--arm --for 200ms ") + taking, taker(what, "output", "at=\"20\""));
    EXPECT_EQ(run.outcome.exit, 3) << run.outcome.err;
    EXPECT_THAT(run.outcome.err, AllOf(HasSubstr("while the loop ran: "), HasSubstr(said)));
  }
}

TEST(Guests, WhoTakesCtrlCInTheLoopEndsAnArmedRunByTheRamp) {
  const AxisRun run(std::string("--arm --for 60s ") + taking, taker("ignore", "output", "at=\"20\""));
  EXPECT_EQ(run.outcome.exit, 3) << run.outcome.err;
  EXPECT_THAT(run.outcome.err,
              AllOf(HasSubstr("a plugin changed what belongs to the whole process while the loop ran: "),
                    HasSubstr("SIGINT: hilda's handler -> SIG_IGN")));
  EXPECT_LE(run.drive("last_step"), 1e-9) << "without a ramp";
  EXPECT_THAT(run.events_of("state"), ::testing::ElementsAre("idle", "armed", "running", "stopping", "ended"));
}

TEST(Guests, WhoTakesCtrlCInTheLoopOfASimulationIsToldOnceAndCtrlCEndsIt) {
  const Result run = paced(taker("ignore", "output", "at=\"20\" interrupts_at=\"1000\""));
  EXPECT_EQ(run.exit, 130) << run.err;
  EXPECT_THAT(run.err, HasSubstr("warning: a plugin changed what belongs to the whole process while the loop ran: "
                                 "SIGHUP: "));
}

TEST(Guests, AnAuditFindsWhoTakesCtrlCBeforeTheLoopAndInIt) {
  for (const auto& [phase, said] :
       {std::pair("configure", "warning[block-process]: guest (taking/Takes): configure changes what belongs to the "
                               "whole process: "),
        {"output", "block guest (taking/Takes) changes what belongs to the whole process in output, at t = 0.003 s, "
                   "tick 3: "}}) {
    const Workplace here;
    here.write("guests.xml", diagram(taker("ignore", phase, "at=\"3\"")));
    const Result audit = here.hilda(std::string("check --audit --for 10ms guests.xml ") + taking);
    EXPECT_NE(audit.exit, 0) << audit.err;
    EXPECT_THAT(audit.err, AllOf(HasSubstr(said), HasSubstr("SIGINT: SIG_DFL -> SIG_IGN"))) << phase;
  }
}

TEST(Guests, WhoTakesNothingIsNotSpokenOf) {
  const Result run = paced(taker("", "", "interrupts_at=\"20\""));
  EXPECT_EQ(run.exit, 130);
  EXPECT_THAT(run.err, Not(HasSubstr("-process")));
}

} // namespace
} // namespace hilda::test
