// SPDX-License-Identifier: BSD-3-Clause
// Repeated messages are counted, bytes that are not text are left out, and a stop needs no start.

#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Result run(const Workplace& here, const std::string& attributes) {
  here.write("talks.xml", "<diagram format=\"1\" name=\"talks\" period=\"1 ms\">\n<block name=\"it\" "
                          "type=\"taking/Talks\" " +
                              attributes + "/>\n</diagram>\n");
  return here.hilda("run talks.xml --for 5ms --no-log --summary sum.json --plugins " + build_folder() +
                    "/tests/guests/plugins");
}

TEST(Talks, ReportsAndWarningsBeyondTwentyAreCounted) {
  const Workplace here;
  const Result refused = run(here, "reports=\"100000\"");
  EXPECT_EQ(refused.exit, 2);
  EXPECT_THAT(refused.err, HasSubstr("error[block-configure]: it (taking/Talks): configure makes 100000 reports in "));
  EXPECT_THAT(refused.err, HasSubstr(" a second; the 99980 after the first 20 are left out"));
  EXPECT_THAT(refused.err, Not(HasSubstr("number 20")));
  const Result warned = run(here, "warnings=\"21\"");
  EXPECT_EQ(warned.exit, 0);
  EXPECT_THAT(warned.err, HasSubstr("warning[block-warning]: it (taking/Talks): configure makes 21 warnings in "));
  EXPECT_THAT(warned.err, HasSubstr(" a second; the 1 after the first 20 are left out"));
  EXPECT_THAT(run(here, "warnings=\"20\"").err, Not(HasSubstr("left out")));
}

TEST(Talks, KeysAndTextsOfASummaryThatAreNoneAreLeftOut) {
  const Workplace here;
  const Result garbage = run(here, "garbage=\"true\"");
  EXPECT_EQ(garbage.exit, 0) << garbage.err;
  EXPECT_THAT(garbage.out + garbage.err,
              HasSubstr("summarize gives 2 figures whose key, unit or text is not UTF-8 text"));
  EXPECT_THAT(here.read("sum.json"), AllOf(HasSubstr("honest"), Not(HasSubstr("said"))));
}

TEST(Talks, AFigureThatABlockGivesTwiceIsAWarningAndTheFirstIsKept) {
  const Workplace here;
  const Result got = run(here, "twice=\"true\"");
  EXPECT_EQ(got.exit, 0) << got.err;
  EXPECT_THAT(got.err,
              HasSubstr("warning: it: summarize gives figures of one name more than once: honest; the first of "
                        "each is kept"));
  EXPECT_THAT(here.read("sum.json"), AllOf(HasSubstr("\"honest\": 1,"), Not(HasSubstr("\"honest\": 2"))));
}

TEST(Talks, AFigureOfTwoBlocksNamesBothAndSaysWhereEachIs) {
  const Workplace here;
  here.write("two.xml",
             "<diagram format=\"1\" name=\"two\" period=\"1 ms\">\n<block name=\"it\" type=\"taking/Talks\"/>\n"
             "<block name=\"other\" type=\"taking/Talks\"/>\n</diagram>\n");
  const Result got = here.hilda("run two.xml --for 5ms --no-log --summary sum.json --plugins " + build_folder() +
                                "/tests/guests/plugins");
  EXPECT_EQ(got.exit, 0) << got.err;
  EXPECT_THAT(got.err,
              HasSubstr("note: the blocks it and other both give figures that are called honest: the summary has "
                        "those of it by that name, and those of other under blocks.other"));
}

TEST(Talks, RepeatedReportsAreShownOnce) {
  const Workplace here;
  const Result got = run(here, "same=\"100000\"");
  EXPECT_EQ(got.exit, 2);
  const std::size_t at = got.err.find("error[block-configure]: it (taking/Talks), reports: again");
  ASSERT_NE(at, std::string::npos) << got.err;
  EXPECT_EQ(got.err.find("reports: again", at + 60), std::string::npos) << got.err;
  EXPECT_THAT(got.err, HasSubstr("configure makes 100000 reports in "));
}

TEST(Talks, ABlockWithoutStartIsStopped) { EXPECT_THAT(run(Workplace(), "").err, HasSubstr("it is stopped\n")); }

} // namespace
} // namespace hilda::test
