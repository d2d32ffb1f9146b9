// <live path= rate=>: how fast a parameter may change while the diagram runs.
#include "tests/live/live_diagram.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

const DiagramText limited{"limited.xml", R"(<diagram format="1" name="limited" period="1 ms">
  <parameter name="level" value="2 N"/>
  <block name="source" type="sources/Constant" value="${level}"/>
  <block name="gain" type="math/Gain" gain="3"/>
  <subsystem name="part">
    <input name="u"/>
    <block name="clip" type="math/Saturation" lower="-100 N" upper="100 N"/>
    <connect from="u" to="clip.u"/>
    <live path="clip.upper" rate="1 N/ms"/>
  </subsystem>
  <connect from="source.y" to="gain.u"/>
  <connect from="gain.y" to="part.u"/>
  <live path="level" rate="10 N/s"/>
  <live path="gain.gain" rate="2 1/s" mode="hardware"/>
</diagram>)"};

struct LiveRates : testing::Test {
  LiveRates() : live(limited) { live.run_to(500); }
  Live live;
};

TEST_F(LiveRates, AStepAsLargeAsATenthOfASecondAllowsIsTaken) {
  EXPECT_EQ(live.set({{"level", "3 N"}}), "");
  live.run_to(501);
  EXPECT_EQ(live.number("source.y"), 3);
}

TEST_F(LiveRates, ALargerOneIsRefusedAndNothingChanges) {
  EXPECT_EQ(live.set({{"level", "3.1 N"}, {"gain.gain", "9"}}),
            "live: error[live-rate]: 'level' would move by 1.1 N at once, and may by 1 N\n"
            "  limited.xml:13: its rate is given here\n"
            "  help: go there in steps of at most 1 N, 0.1 s from one to the next\n");
  live.run_to(501);
  EXPECT_EQ(live.number("source.y"), 2);
  EXPECT_EQ(live.number("gain.y"), 6);
  EXPECT_EQ(live.tuning->taken().size(), 0u);
}

TEST_F(LiveRates, WhatIsStillForLessMayMoveLess) {
  EXPECT_EQ(live.set({{"level", "3 N"}}), "");
  EXPECT_THAT(live.set({{"level", "3.25 N"}}), HasSubstr("would move by 0.25 N at once, and may by 0 N"));
  live.run_to(530);
  EXPECT_THAT(live.set({{"level", "3.5 N"}}), HasSubstr("and may by 0.3 N"));
  EXPECT_EQ(live.set({{"level", "3.3 N"}}), "");
  live.run_to(5000);
  EXPECT_THAT(live.set({{"level", "9 N"}}), HasSubstr("and may by 1 N")) << "it saves nothing up";
}

TEST_F(LiveRates, CountsWhatHangsOnAParameterAndThoseOfSubsystems) {
  EXPECT_THAT(live.set({{"part.clip.upper", "300 N"}}), HasSubstr("error[live-rate]: 'part.clip.upper' would move"));
  EXPECT_EQ(live.set({{"part.clip.upper", "200 N"}}), "");
  EXPECT_EQ(live.set({{"gain.gain", "900"}}), "") << "its rate is that of another mode";
  EXPECT_THAT(live.set({{"gain.gain", "1"}, {"source.value", "${level}"}, {"level", "12 N"}}), HasSubstr("live-rate"));
}

TEST_F(LiveRates, BackTakesBackWhenItChanged) {
  Timeline timeline(*live.runtime, *live.tuning);
  EXPECT_EQ(live.set({{"level", "3 N"}}), "");
  live.run_to(550);
  EXPECT_THAT(live.set({{"level", "4 N"}}), HasSubstr("and may by 0.5 N"));
  ASSERT_TRUE(timeline.go_to(500));
  EXPECT_EQ(live.set({{"level", "3 N"}}), "");
}

TEST_F(LiveRates, ARequestThatWaitsCountsAsMovingNow) {
  Diagnostics diagnostics;
  ASSERT_NE(live.tuning->post({{"level", "3 N"}}, diagnostics), nullptr) << diagnostics.text();
  EXPECT_EQ(live.tuning->post({{"level", "3.5 N"}}, diagnostics), nullptr);
  EXPECT_THAT(diagnostics.text(), HasSubstr("and may by 0 N"));
  live.tuning->take(nullptr);
  live.run_to(600);
  live.tuning->take(nullptr);
  EXPECT_NE(live.tuning->post({{"level", "4 N"}}, diagnostics), nullptr) << diagnostics.text();
}

} // namespace
} // namespace hilda::test
