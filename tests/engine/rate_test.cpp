// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/common_system.h"

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

class RateRules : public CommonSystem {
protected:
  RateRules() {
    s.type(Descriptor("Tick").out("y"));
    s.type(Descriptor("Pass").in("u").out("y"));
    s.type(Descriptor("Pair").in("a").in("b").out("y"));
    s.type(Descriptor("Memory").in("a").in("b").out("y").state("x"));
    s.type(Descriptor("Level").in("u").out("y").state("x", "", "", HILDA_CONTINUOUS));
  }
  std::string rate(const std::string& block) const { return rate_text(s.system, s.at(block)); }
};

TEST_F(RateRules, ASourceTakesTheDiagramsPeriod) {
  s.block("a", "Tick");
  s.block("b", "Pass");
  s.wire("a.y", "b.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(rate("a"), "1 ms");
  EXPECT_EQ(rate("b"), "1 ms");
  EXPECT_EQ(s.system.base, Rational(1, 1000));
}

TEST_F(RateRules, AStatelessBlockTakesItsFastestInput) {
  s.block("slow", "Tick", {}, 10);
  s.block("fast", "Tick", {}, 2);
  s.block("p", "Pair");
  s.wire("slow.y", "p.a");
  s.wire("fast.y", "p.b");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(rate("p"), "2 ms");
  EXPECT_EQ(s.at("p").divider, 2);
  EXPECT_EQ(s.at("slow").divider, 10);
}

TEST_F(RateRules, ContinuousIsFastest) {
  s.block("a", "Tick");
  s.block("level", "Level");
  s.block("p", "Pair");
  s.wire("a.y", "level.u");
  s.wire("a.y", "p.a");
  s.wire("level.y", "p.b");
  EXPECT_EQ(s.infer(), "");
  EXPECT_TRUE(s.at("level").continuous);
  EXPECT_TRUE(s.at("p").continuous);
  EXPECT_FALSE(s.at("a").continuous);
}

TEST_F(RateRules, ABlockWithAStateAndDifferentInputsMustSay) {
  s.block("slow", "Tick", {}, 10);
  s.block("fast", "Tick", {}, 2);
  s.block("m", "Memory");
  s.wire("slow.y", "m.a");
  s.wire("fast.y", "m.b");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:3: error[sample-time-missing]: 'm' keeps a state"));
  EXPECT_THAT(text, HasSubstr("test.xml:4: 'm.a' is driven by 'slow.y' at 10 ms"));
  EXPECT_THAT(text, HasSubstr("test.xml:5: 'm.b' is driven by 'fast.y' at 2 ms"));
}

TEST_F(RateRules, AndMaySayAnyTime) {
  s.block("slow", "Tick", {}, 10);
  s.block("fast", "Tick", {}, 2);
  s.block("m", "Memory", {}, 5);
  s.wire("slow.y", "m.a");
  s.wire("fast.y", "m.b");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(rate("m"), "5 ms");
  EXPECT_EQ(s.system.base, Rational(1, 1000));
}

TEST_F(RateRules, ABlockWithAStateSamplesAContinuousSignalAtThePeriod) {
  s.block("a", "Tick");
  s.block("level", "Level");
  s.block("m", "Memory");
  s.wire("a.y", "level.u");
  s.wire("level.y", "m.a");
  s.wire("a.y", "m.b");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(rate("m"), "1 ms");
}

TEST_F(RateRules, CyclesTakeTheFastestThatEntersThem) {
  s.block("slow", "Tick", {}, 4);
  s.block("p", "Pair");
  s.block("q", "Pass");
  s.wire("slow.y", "p.a");
  s.wire("q.y", "p.b");
  s.wire("p.y", "q.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(rate("q"), "4 ms");
}

TEST_F(RateRules, ACycleOnItsOwnTakesThePeriod) {
  s.block("p", "Pass");
  s.block("q", "Pass");
  s.wire("p.y", "q.u");
  s.wire("q.y", "p.u");
  s.infer();
  EXPECT_EQ(rate("p"), "1 ms");
}

TEST_F(RateRules, TheBaseIsTheGreatestCommonDivisor) {
  s.system.period = Rational(6, 1000);
  s.block("a", "Tick", {}, 4);
  s.block("b", "Tick");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.system.base, Rational(2, 1000));
  EXPECT_EQ(s.at("a").divider, 2);
  EXPECT_EQ(s.at("b").divider, 3);
}

TEST_F(RateRules, TimesWithoutAReasonableTickAreRefused) {
  s.block("a", "Tick", {}, 1);
  s.system.blocks[0].sample_time.period = Rational(1'000'003, 1'000'000'000);
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:1: error[sample-time-ratio]"));
}

TEST_F(RateRules, AContinuousStateHasNoSampleTime) {
  s.block("a", "Tick");
  s.block("level", "Level", {}, 3);
  s.wire("a.y", "level.u");
  EXPECT_THAT(s.infer(), HasSubstr("test.xml:2: error[sample-time-kind]: 'level' has a continuous state"));
}

TEST_F(RateRules, AStateThatStepsAtTicksIsNotContinuous) {
  s.block("a", "Tick");
  s.block("m", "Memory", {}, -1);
  s.wire("a.y", "m.a");
  s.wire("a.y", "m.b");
  EXPECT_THAT(s.infer(), HasSubstr("test.xml:2: error[sample-time-kind]: 'm' steps its state at ticks"));
}

TEST_F(RateRules, ADiagramHasAPeriod) {
  s.system.period = Rational();
  s.block("a", "Tick");
  EXPECT_THAT(s.infer(), HasSubstr("error[period-range]"));
}

TEST_F(RateRules, ASampleTimeIsAboveZero) {
  s.block("a", "Tick", {}, 1);
  s.system.blocks[0].sample_time.period = Rational(-1, 1000);
  EXPECT_THAT(s.infer(), HasSubstr("error[sample-time-range]"));
}

TEST(TimeText, HasTheUnitThatReadsBest) {
  EXPECT_EQ(time_text(Rational(2)), "2 s");
  EXPECT_EQ(time_text(Rational(1, 250)), "4 ms");
  EXPECT_EQ(time_text(Rational(1, 8000)), "125 us");
}

} // namespace
} // namespace hilda::test
