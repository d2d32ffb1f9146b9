// SPDX-License-Identifier: BSD-3-Clause
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

/// Handles keep the same limit as `set`, also where both are used.
struct NumbersRates : LiveRates {
  NumbersRates() {
    Diagnostics diagnostics;
    level = live.tuning->input("level", diagnostics);
    EXPECT_NE(level, nullptr) << diagnostics.text();
  }
  void tick_to(std::int64_t tick) const {
    while (live.runtime->tick() < tick) {
      live.tuning->take(nullptr);
      live.runtime->step();
    }
  }
  Written post(double number) const {
    const std::vector<InputNumbers> one{{level.get(), std::span(&number, 1)}};
    return live.tuning->post(one);
  }
  std::shared_ptr<Input> level;
};

TEST_F(NumbersRates, AStepThatIsTooLargeIsRefusedInWords) {
  EXPECT_EQ(level->write(3.1), Written::too_fast);
  const double number = 3.1;
  EXPECT_EQ(
      level->refusal(Written::too_fast, std::span(&number, 1)),
      "input 'level' would move by more at once than its rate of 10 N/s allows for the time since it moved last: go "
      "there in steps of at most 1 N, 0.1 s from one to the next");
  tick_to(501);
  EXPECT_EQ(live.number("source.y"), 2);
  EXPECT_EQ(level->write(3), Written::taken);
  EXPECT_EQ(level->write(1), Written::taken) << "nothing has moved before the tick";
  tick_to(502);
  EXPECT_EQ(live.number("source.y"), 1);
}

TEST_F(NumbersRates, WhatIsStillForLessMayMoveLess) {
  EXPECT_EQ(level->write(3), Written::taken);
  tick_to(501);
  EXPECT_EQ(level->write(3.02), Written::too_fast) << "a tick allows 0.01 N";
  EXPECT_EQ(level->write(3.01), Written::taken);
  tick_to(531);
  EXPECT_EQ(level->write(3.32), Written::too_fast);
  EXPECT_EQ(level->write(3.3), Written::taken);
  tick_to(5000);
  EXPECT_EQ(level->write(9), Written::too_fast) << "it saves nothing up";
}

TEST_F(NumbersRates, TextsAndNumbersCountTogether) {
  EXPECT_EQ(level->write(3), Written::taken);
  tick_to(501);
  for (int k = 1; k <= 50; ++k) {
    EXPECT_EQ(level->write(3 + 0.01 * k), Written::taken) << k;
    tick_to(501 + k);
  }
  EXPECT_THAT(live.set({{"level", "3.6 N"}}), HasSubstr("N at once, and may by 0.01 N"));
  tick_to(600);
  EXPECT_EQ(live.set({{"level", "3.9 N"}}), "");
  EXPECT_EQ(level->write(4), Written::too_fast);
  tick_to(610);
  EXPECT_EQ(level->write(4), Written::taken);
  tick_to(611);
  EXPECT_EQ(live.number("source.y"), 4);
}

TEST_F(NumbersRates, OfOtherThreadsCountWhatWaits) {
  live.tuning->take(nullptr);
  EXPECT_EQ(post(3.1), Written::too_fast);
  EXPECT_EQ(post(3), Written::taken);
  EXPECT_EQ(post(2.5), Written::too_fast) << "the first one waits";
  tick_to(501);
  EXPECT_EQ(post(3.2), Written::too_fast);
  tick_to(550);
  EXPECT_EQ(post(3.4), Written::taken);
  tick_to(700);
  Diagnostics diagnostics;
  ASSERT_NE(live.tuning->post({{"level", "3.5 N"}}, diagnostics), nullptr) << diagnostics.text();
  EXPECT_EQ(post(3.6), Written::too_fast) << "a text waits";
}

TEST_F(NumbersRates, OfOtherThreadsBeginAtWhatATextHasSet) {
  EXPECT_EQ(live.set({{"level", "3 N"}}), "");
  tick_to(700);
  EXPECT_EQ(post(1.9), Written::too_fast);
  EXPECT_EQ(post(4), Written::taken);
  tick_to(701);
  EXPECT_EQ(live.number("source.y"), 4);
}

TEST_F(NumbersRates, BackTakesBackWhenItChanged) {
  Timeline timeline(*live.runtime, *live.tuning);
  timeline.note();
  tick_to(510);
  EXPECT_EQ(level->write(3), Written::taken);
  tick_to(550);
  EXPECT_EQ(level->write(4), Written::too_fast);
  ASSERT_TRUE(timeline.go_to(505));
  EXPECT_EQ(level->write(3), Written::taken);
}

TEST_F(NumbersRates, SeveralAreWrittenOrNone) {
  Diagnostics diagnostics;
  const std::shared_ptr<Input> gain = live.tuning->input("gain.gain", diagnostics);
  ASSERT_NE(gain, nullptr) << diagnostics.text();
  const double five = 5;
  const std::vector<InputNumbers> both{{gain.get(), std::span(&five, 1)}, {level.get(), std::span(&five, 1)}};
  std::size_t which = 0;
  EXPECT_EQ(live.tuning->write(both, &which), Written::too_fast);
  EXPECT_EQ(which, 1u);
  tick_to(501);
  EXPECT_EQ(live.number("gain.y"), 6);
}

} // namespace
} // namespace hilda::test
