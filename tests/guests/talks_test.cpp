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

Outcome run(const Workplace& here, const std::string& attributes) {
  here.write("talks.xml", "<diagram format=\"1\" name=\"talks\" period=\"1 ms\">\n<block name=\"it\" "
                          "type=\"taking/Talks\" " +
                              attributes + "/>\n</diagram>\n");
  return here.hilda("run talks.xml --for 5ms --no-log --summary sum.json --plugins " + build_folder() +
                    "/tests/guests/plugins");
}

TEST(Talks, ReportsAndWarningsBeyondTwentyAreCounted) {
  const Workplace here;
  const Outcome refused = run(here, "reports=\"100000\"");
  EXPECT_EQ(refused.exit, 2);
  EXPECT_THAT(refused.err, HasSubstr("error[block-configure]: it (taking/Talks): configure makes 100000 reports; the "
                                     "99980 after the first 20 are left out"));
  EXPECT_THAT(refused.err, Not(HasSubstr("number 20")));
  const Outcome warned = run(here, "warnings=\"21\"");
  EXPECT_EQ(warned.exit, 0);
  EXPECT_THAT(warned.err,
              HasSubstr("warning[block-warning]: it (taking/Talks): configure makes 21 warnings; the 1 after "
                        "the first 20 are left out"));
  EXPECT_THAT(run(here, "warnings=\"20\"").err, Not(HasSubstr("left out")));
}

TEST(Talks, KeysAndTextsOfASummaryThatAreNoneAreLeftOut) {
  const Workplace here;
  const Outcome garbage = run(here, "garbage=\"true\"");
  EXPECT_EQ(garbage.exit, 0) << garbage.err;
  EXPECT_THAT(garbage.out + garbage.err,
              HasSubstr("summarize gives 2 figures whose key, unit or text is not UTF-8 text"));
  EXPECT_THAT(here.read("sum.json"), AllOf(HasSubstr("honest"), Not(HasSubstr("said"))));
}

TEST(Talks, ABlockWithoutStartIsStopped) { EXPECT_THAT(run(Workplace(), "").err, HasSubstr("it is stopped\n")); }

} // namespace
} // namespace hilda::test
