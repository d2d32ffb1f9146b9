// SPDX-License-Identifier: BSD-3-Clause
// Threads and processes that a plugin leaves behind are reported when its blocks are gone.

#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string taking = "--plugins " + build_folder() + "/tests/guests/plugins ";

Result run(const std::string& command, const std::string& what, const std::string& phase) {
  const Workplace here;
  here.write("guests.xml", "<diagram format=\"1\" name=\"guests\" period=\"1 ms\">\n<block name=\"guest\" "
                           "type=\"taking/Takes\" at=\"3\" what=\"" +
                               what + "\" in=\"" + phase + "\"/>\n</diagram>\n");
  return here.hilda(command + " guests.xml " + taking);
}

class Left : public ::testing::TestWithParam<const char*> {};

TEST_P(Left, BehindByARunIsAWarning) {
  for (const auto& [what, said] : {std::pair("thread", "1 thread (guest's own)"), {"process", "1 process (hilda)"}}) {
    const Result done = run("run --for 5ms --no-log", what, GetParam());
    EXPECT_EQ(done.exit, 0) << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr("guests.xml:1: warning[plugin-leaves]: a plugin has started what is still "
                                          "there after the run, when its blocks are gone: "),
                                HasSubstr(said), HasSubstr("help: let the block end them in stop"),
                                HasSubstr("The plugins are: taking.so\n")));
  }
}

TEST_P(Left, BehindByAnAuditFailsIt) {
  const Result audit = run("check --audit --for 5ms", "thread", GetParam());
  EXPECT_EQ(audit.exit, 3) << audit.err;
  EXPECT_THAT(audit.err, AllOf(HasSubstr("guests.xml: warning[plugin-leaves]: "), HasSubstr("(guest's own"),
                               HasSubstr("taking.so")));
}

INSTANTIATE_TEST_SUITE_P(Phases, Left, ::testing::Values("configure", "output"),
                         [](const auto& each) { return each.param; });

TEST(LeftBehind, IsCountedAndNamedByFiveNames) {
  const Result done = run("run --for 5ms --no-log", "threads", "configure");
  EXPECT_THAT(done.err, HasSubstr("gone: 7 threads (guest 0, guest 1, guest 2, guest 3, guest 4, ...)\n"));
}

TEST(LeftBehind, NamesAllPluginsInUse) {
  const Workplace here;
  here.write("two.xml",
             "<diagram format=\"1\" name=\"two\" period=\"1 ms\">\n"
             "<block name=\"clock\" type=\"sources/Clock\"/>\n<block name=\"t\" type=\"sinks/Terminator\"/>\n"
             "<block name=\"guest\" type=\"taking/Takes\" what=\"thread\" in=\"configure\"/>\n"
             "<connect from=\"clock.time\" to=\"t.u\"/>\n</diagram>\n");
  const Result done = here.hilda("run two.xml --for 5ms --no-log " + taking);
  EXPECT_THAT(done.err, HasSubstr("The plugins are: sinks.so, sources.so, taking.so\n"));
}

TEST(LeftBehind, IsNothingBySoundBlocks) {
  for (const char* command : {"run --for 5ms --log here.mcap", "run --for 50ms --realtime --no-log", "check --audit"}) {
    const Result done = run(command, "", "");
    EXPECT_EQ(done.exit, 0) << done.err;
    EXPECT_THAT(done.err, Not(HasSubstr("plugin-leaves")));
  }
}

} // namespace
} // namespace hilda::test
