// SPDX-License-Identifier: BSD-3-Clause
// A block that writes beyond its own memory is named in plain runs, and not its neighbour.

#include "tests/cli/program.h"
#include "tests/project_folders.h"
#include "tests/realtime/axis.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

const std::string plugins = " --plugins " + build_folder() + "/tests/guests/plugins";

std::string overrunner(const std::string& attributes) {
  return "  <block name=\"source\" type=\"sources/Constant\" value=\"1\"/>\n"
         "  <block name=\"guest\" type=\"taking/Overruns\" " +
         attributes +
         "/>\n"
         "  <block name=\"neighbour\" type=\"math/Gain\" gain=\"2\"/>\n"
         "  <connect from=\"source.y\" to=\"guest.u\"/>\n"
         "  <connect from=\"guest.y\" to=\"neighbour.u\"/>\n";
}

Result run(const Workplace& here, const std::string& attributes, const std::string& options = "--for 10ms --no-log") {
  here.write("over.xml",
             "<diagram format=\"1\" name=\"over\" period=\"1 ms\">\n" + overrunner(attributes) + "</diagram>\n");
  return here.hilda("run over.xml " + options + plugins);
}

TEST(Overrun, AWordBehindOrBeforeItsMemoryNamesTheBlockInAPlainRun) {
  for (const auto& [bytes, said] :
       {std::pair("8", "behind the end"), {"-8", "before the beginning"}, {"-4", "before the beginning"}})
    for (const char* in : {"output", "stop"}) {
      const Workplace here;
      const Result got = run(here, std::string("bytes=\"") + bytes + "\" in=\"" + in + "\"");
      EXPECT_EQ(got.exit, 3) << got.err;
      EXPECT_THAT(got.err, AllOf(HasSubstr("block guest: taking/Overruns: it writes "), HasSubstr(said),
                                 HasSubstr("of its memory; "), HasSubstr("hilda check --audit names the phase"),
                                 Not(HasSubstr("neighbour")), Not(HasSubstr(", or "))))
          << bytes << " in " << in;
    }
}

/// Behind it there is no other block.
TEST(Overrun, OfTheLastBlockIsNamedToo) {
  const Workplace here;
  here.write("over.xml", "<diagram format=\"1\" name=\"over\" period=\"1 ms\">\n"
                         "  <block name=\"source\" type=\"sources/Constant\" value=\"1\"/>\n"
                         "  <block name=\"guest\" type=\"taking/Overruns\" bytes=\"8\"/>\n"
                         "  <connect from=\"source.y\" to=\"guest.u\"/>\n</diagram>\n");
  const Result got = here.hilda("run over.xml --for 10ms --no-log" + plugins);
  EXPECT_EQ(got.exit, 3) << got.err;
  EXPECT_THAT(got.err, HasSubstr("block guest: taking/Overruns: it writes behind the end of its memory; "));
}

TEST(Overrun, ACrashInTheNeighbourIsLaidAtTheRightDoor) {
  const Workplace here;
  const Result got = run(here, "bytes=\"64\"");
  EXPECT_NE(got.exit, 0);
  EXPECT_THAT(got.err, HasSubstr("guest (taking/Overruns) has written beyond its own memory before that"));
}

TEST(Overrun, WhatReachesIntoTheNextBlockNamesBothThatItCanBe) {
  const Workplace here;
  const Result got = run(here, "bytes=\"16\"");
  EXPECT_EQ(got.exit, 3) << got.err;
  EXPECT_THAT(got.err, HasSubstr("block guest: taking/Overruns: it writes behind the end of its memory, or neighbour "
                                 "(math/Gain) before the beginning of its memory"));
}

TEST(Overrun, InStartIsRefused) {
  const Workplace here;
  const Result got = run(here, "bytes=\"8\" in=\"start\"");
  EXPECT_NE(got.exit, 0);
  EXPECT_THAT(got.err,
              HasSubstr("over.xml:3: error[block-overrun]: guest (taking/Overruns), in start: it writes behind "
                        "the end of its memory"));
}

TEST(Overrun, EndsAPacedRunSoon) {
  const Workplace here;
  const Result got = run(here, "bytes=\"8\"", "--for 60s --realtime --no-log");
  EXPECT_EQ(got.exit, 3) << got.err;
  EXPECT_THAT(got.err, HasSubstr("block guest (taking/Overruns): it writes behind the end of its memory"));
}

TEST(Overrun, EndsAnArmedRunByTheRamp) {
  const AxisRun got("--arm --for 60s" + plugins, overrunner("bytes=\"8\" at=\"20\""));
  EXPECT_EQ(got.outcome.exit, 3) << got.outcome.err;
  EXPECT_THAT(got.outcome.err, HasSubstr("block guest (taking/Overruns): it writes behind the end of its memory"));
  EXPECT_LE(got.drive("last_step"), 1e-9) << "without a ramp";
}

TEST(Overrun, ABlockThatStaysWithinItsMemoryIsNotSpokenOf) {
  const Workplace here;
  const Result got = run(here, "bytes=\"0\"");
  EXPECT_EQ(got.exit, 0) << got.err;
}

TEST(Overrun, APluginThatIsWrittenIntoWhileItIsLoadedIsTheCause) {
  const Workplace here;
  const fs::path copy = here / "own/taking.so";
  fs::create_directories(copy.parent_path());
  fs::copy_file(build_folder() + "/tests/guests/plugins/taking.so", copy);
  here.write("over.xml", "<diagram format=\"1\" name=\"over\" period=\"1 ms\">\n" +
                             overrunner("cuts=\"own/taking.so\"") + "</diagram>\n");
  const Result got = here.hilda("run over.xml --for 10ms --no-log --plugins own");
  EXPECT_NE(got.exit, 0);
  EXPECT_THAT(got.err,
              AllOf(HasSubstr("error: bus error in block guest (taking/Overruns), in output"),
                    HasSubstr("own/taking.so changed since it was loaded\nhelp: restart hilda; install a plugin "
                              "under another name and rename it (mv), not by cp over the old one")));
}

} // namespace
} // namespace hilda::test
