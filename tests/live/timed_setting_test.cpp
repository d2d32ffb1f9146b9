// SPDX-License-Identifier: BSD-3-Clause
// Overlays that set a parameter while the diagram runs: `<set path= value= at=>`.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

constexpr const char* diagram = R"(<diagram format="1" name="d" period="4 ms">
  <parameter name="level" value="1"/>
  <block name="source" type="sources/Constant" value="${level}"/>
  <block name="line" type="discrete/Delay" delay="8 ms"/>
  <connect from="source.y" to="line.u"/>
</diagram>)";

std::string overlay(const std::string& sets) { return "<overlay format=\"1\">\n" + sets + "\n</overlay>\n"; }

TEST(TimedSetting, WhatCannotBeTakenIsSaidBeforeTheFirstTick) {
  const struct {
    const char* set;
    const char* said;
  } cases[] = {
      {R"(<set path="level" value="2" at="9 ms"/>)",
       "o.xml:2: error[setting-time]: at: 0.009 s lies between two ticks of 1/250 s\n"},
      {R"(<set path="level" value="2" at="-1 s"/>)", "error[setting-time]: at: the run begins at 0 s"},
      {R"(<set path="level" value="2" at="1 m"/>)", "o.xml:2: error[unit-mismatch]: at:"},
      {R"(<set path="level" value="2" at="soon"/>)", "o.xml:2: error[value-kind]: at:"},
      {R"(<set path="level" value="2 m" at="1 s"/>)", "error[parameter-units]"},
      {R"(<set path="level" value="2" at="1 s"/>)", ""},
      {R"(<set path="levle" value="2" at="1 s"/>)", "did you mean 'level'?"},
      {R"(<set path="line.delay" value="4 ms" at="1 s"/>)", "error[live-fixed]: 'line.delay' is fixed"},
      {R"(<set path="level" value="2" at="1 s"/><set path="level" value="3" at="1 s"/>)",
       "error[duplicate-setting]: 'level' is set twice at '1 s'"},
  };
  for (const auto& each : cases) {
    const Workplace here;
    here.write("d.xml", diagram);
    here.write("o.xml", overlay(each.set));
    const Result check = here.hilda("check d.xml --overlay o.xml");
    if (*each.said == '\0') {
      EXPECT_EQ(check.exit, 0) << each.set << check.err;
      continue;
    }
    EXPECT_EQ(check.exit, 2) << each.set;
    EXPECT_THAT(check.out + check.err, HasSubstr(each.said)) << each.set;
  }
}

TEST(TimedSetting, LaterOverlaysWinAndTheyAreTakenTogether) {
  const Workplace here;
  here.write("d.xml", diagram);
  here.write("a.xml", overlay(R"(<set path="level" value="2" at="1 s"/><set path="level" value="5" at="2 s"/>)"));
  here.write("b.xml", overlay(R"(<set path="level" value="3" at="1000 ms"/>)"));
  const Result run = here.hilda("run d.xml --for 3s --overlay a.xml --overlay b.xml --log run.mcap --quiet");
  ASSERT_EQ(run.exit, 0) << run.err;
  ASSERT_EQ(here.hilda("export run.mcap source.y --csv -o run.csv").exit, 0);
  const std::string table = here.read("run.csv");
  EXPECT_THAT(table, HasSubstr("\n0.996,1\n1,3\n"));
  EXPECT_THAT(table, HasSubstr("\n1.996,3\n2,5\n"));
  EXPECT_EQ(here.hilda("run --mode replay run.mcap --quiet").exit, 0);
}

TEST(TimedSetting, WhoDoesNotTakeThemSaysSo) {
  const Workplace here;
  here.write("d.xml", diagram);
  here.write("o.xml", overlay(R"(<set path="level" value="2" at="1 s"/>)"));
  const Result linear = here.hilda("linearize d.xml --overlay o.xml --from source.y --to line.y");
  EXPECT_NE(linear.exit, 0);
  EXPECT_THAT(linear.err, HasSubstr("error[setting-untaken]"));
  const Result paced = here.hilda("run d.xml --overlay o.xml --for 1s --realtime");
  EXPECT_EQ(paced.exit, 64);
  EXPECT_THAT(paced.err, HasSubstr("takes nothing at set times"));
}

} // namespace
} // namespace hilda::test
