// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/comparison.h"
#include "engine/log/signal_pattern.h"
#include "tests/cli/program.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using test::Result;
using test::Workplace;
using testing::ContainsRegex;
using testing::HasSubstr;

/// A ramp through a gain, ten ticks of 1 ms.
std::string ramp(const std::string& gain, const std::string& more = "") {
  return "<diagram format=\"1\" name=\"ramp\" period=\"1 ms\">\n  <parameter name=\"duration\" value=\"10 ms\"/>\n"
         "  <block name=\"clock\" type=\"sources/Ramp\" slope=\"1 m/s\"/>\n"
         "  <block name=\"gain\" type=\"math/Gain\" gain=\"" +
         gain + "\"/>\n  <connect from=\"clock.y\" to=\"gain.u\"/>\n" + more + "</diagram>\n";
}

class TwoRuns : public testing::Test {
protected:
  void run(const std::string& name, const std::string& text, const std::string& options = "") {
    here.write(name + ".xml", text);
    const Result ran = here.hilda("run " + name + ".xml --quiet --log " + name + ".mcap " + options);
    ASSERT_EQ(ran.exit, 0) << ran.err;
  }
  Workplace here;
};

TEST(Pattern, MeansANameAllUnderItOrWhatStarsStandFor) {
  EXPECT_TRUE(pattern_means("rig.sensor", "rig.sensor"));
  EXPECT_TRUE(pattern_means("rig.sensor", "rig.sensor.wrench.force.x"));
  EXPECT_TRUE(pattern_means("arm.q", "arm.q[2]"));
  EXPECT_FALSE(pattern_means("rig.sens", "rig.sensor"));
  EXPECT_TRUE(pattern_means("*.energy", "a.b.energy"));
  EXPECT_FALSE(pattern_means("*.energy", "a.b.energy.x"));
  EXPECT_TRUE(pattern_means("a?.*x", "ab.c.xx"));
  EXPECT_FALSE(pattern_means("a*b*c", "aXbX"));
}

TEST(ReadTolerance, TakesNumbersAloneOrAfterAPattern) {
  std::string error;
  const auto plain = read_tolerance("1e-9", error);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->pattern, "*");
  EXPECT_EQ(plain->absolute, 1e-9);
  const auto both = read_tolerance("*.energy=0.5,1e-3", error);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->pattern, "*.energy");
  EXPECT_EQ(both->relative, 1e-3);
  for (const char* wrong : {"", "x", "=1", "a=", "1,", "-1", "nan", "a=1,2,3"}) {
    EXPECT_FALSE(read_tolerance(wrong, error)) << wrong;
    EXPECT_THAT(error, HasSubstr("is not a tolerance"));
  }
}

TEST_F(TwoRuns, ThatDifferEverywhereAreToldByWhatDiffersFirst) {
  const auto many = [](const std::string& number) {
    std::string values;
    for (int i = 0; i < 25; ++i) values += number + " ";
    return "  <block name=\"many\" type=\"sources/Constant\" value=\"" + values + "\"/>\n";
  };
  run("a", ramp("2", many("1")));
  run("b", ramp("2", many("2")));
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 1);
  EXPECT_THAT(compared.out, HasSubstr("  many.y[19]\n"));
  EXPECT_THAT(compared.out, testing::Not(HasSubstr("  many.y[20]\n")));
  EXPECT_THAT(compared.out, HasSubstr("  and 5 more numbers"));
}

TEST_F(TwoRuns, ThatAreTheSameAreEqual) {
  run("a", ramp("2"));
  run("b", ramp("2"));
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 0) << compared.out;
  EXPECT_THAT(compared.out, HasSubstr("equal: 2 numbers a tick, 20 samples"));
}

TEST_F(TwoRuns, ThatDifferAreNamedWithFirstTimePlaceAndWorst) {
  run("a", ramp("2"));
  run("b", ramp("2.5"));
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 1);
  EXPECT_THAT(compared.out, HasSubstr("beyond tolerance first at t = 0.001 s in gain.y; 1 of 2 numbers differ"));
  EXPECT_THAT(compared.out, ContainsRegex("first at t = 0.001 s: 0.002 and 0.0025 m, apart by 0.0005, allowed none"));
  EXPECT_THAT(compared.out, ContainsRegex("worst at t = 0.009 s: .*apart by 0.0045; 9 of 10 samples"));
}

TEST_F(TwoRuns, AreEqualWithinAToleranceThatIsWideEnough) {
  run("a", ramp("2"));
  run("b", ramp("2.5"));
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --tolerance gain=0.0046").exit, 0);
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --tolerance gain=0.0044").exit, 1);
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --tolerance '*=0,0.21'").exit, 0);
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --tolerance '*=0,0.19'").exit, 1);
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --tolerance 1 --tolerance gain=0").exit, 1) << "the last one counts";
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --ignore gain").exit, 0);
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --signals clock").exit, 0);
}

TEST_F(TwoRuns, OfWhichOneHasMoreSignalsAreNotEqual) {
  run("a", ramp("2"));
  run("b",
      ramp("2",
           "  <block name=\"more\" type=\"math/Gain\" gain=\"3\"/>\n  <connect from=\"clock.y\" to=\"more.u\"/>\n"));
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 1);
  EXPECT_THAT(compared.out, HasSubstr("more.y is in b.mcap only"));
  EXPECT_THAT(here.hilda("compare b.mcap a.mcap").out, HasSubstr("more.y is in b.mcap only"));
}

TEST_F(TwoRuns, OfWhichOneIsLongerAreNotEqual) {
  run("a", ramp("2"));
  run("b", ramp("2"), "--for 12ms");
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 1);
  EXPECT_THAT(compared.out, HasSubstr("clock and 1 more: 2 samples from t = 0.01 s on are in b.mcap only"));
}

TEST_F(TwoRuns, OfUnlikeUnitsAreNotComparedButNamed) {
  run("a", ramp("2"));
  run("b", ramp("2 N/m"));
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 1);
  EXPECT_THAT(compared.out, HasSubstr("gain.y is 1x1 f64 in m in A and 1x1 f64 in N in B"));
}

TEST_F(TwoRuns, OfUnlikePeriodsAreComparedOnlyWhenAskedFor) {
  run("a", ramp("2"));
  run("b", ramp("2"), "--set period=0.5ms");
  const Result refused = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(refused.exit, 64);
  EXPECT_THAT(refused.err, HasSubstr("different periods, 1/1000 s and 1/2000 s"));
  EXPECT_THAT(refused.err, HasSubstr("--by-time"));
  const Result compared = here.hilda("compare a.mcap b.mcap --by-time --tolerance 1e-15");
  EXPECT_EQ(compared.exit, 0) << compared.out;
  EXPECT_THAT(compared.out, HasSubstr("20 samples"));
}

TEST_F(TwoRuns, NeedLogsAndSignalsThatExist) {
  run("a", ramp("2"));
  EXPECT_EQ(here.hilda("compare a.mcap none.mcap").exit, 2);
  const Result unknown = here.hilda("compare a.mcap a.mcap --signals gian.y");
  EXPECT_EQ(unknown.exit, 64);
  EXPECT_THAT(unknown.err, HasSubstr("nearest is \"gain.y\""));
  EXPECT_EQ(here.hilda("compare a.mcap a.mcap --tolerance wide").exit, 64);
  EXPECT_EQ(here.hilda("compare a.mcap a.mcap --tolerance gian=1").exit, 64) << "a name that means nothing is a slip";
  EXPECT_EQ(here.hilda("compare a.mcap a.mcap --ignore gian").exit, 64);
  EXPECT_EQ(here.hilda("compare a.mcap a.mcap --tolerance 'gian*=1'").exit, 0) << "a pattern may mean nothing";
}

/// What the project promises of every run: the same file gives the same bits.
TEST_F(TwoRuns, OfADiagramWithContactsAndNoiseAreTheSameBitByBit) {
  const std::string line =
      "run " + test::source_folder() +
      "/diagrams/pida.xml --quiet --set response_delay=20ms --set force_noise=0.5N --for 1s --log ";
  ASSERT_EQ(here.hilda(line + "a.mcap").exit, 0);
  ASSERT_EQ(here.hilda(line + "b.mcap").exit, 0);
  ASSERT_EQ(here.hilda(line + "c.mcap --set seed=2").exit, 0);
  const Result same = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(same.exit, 0) << same.out;
  EXPECT_EQ(here.hilda("compare a.mcap c.mcap").exit, 1) << "another seed is another run";
  const std::string wrench = "compare a.mcap c.mcap --signals rig.wrench.force.x --tolerance ";
  EXPECT_EQ(here.hilda(wrench + "rig.wrench=100").exit, 0) << "the rig's port is another name of a block's output";
  EXPECT_EQ(here.hilda(wrench + "rig.wrench=0.1").exit, 1);
}

} // namespace
} // namespace hilda::test
