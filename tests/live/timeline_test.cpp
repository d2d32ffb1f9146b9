// Back to any tick: everything is as it was, to the bit, and the run goes on as it did.
#include "tests/live/live_diagram.h"

#include <random>

namespace hilda::test {
namespace {

constexpr const char* pida = HILDA_SOURCE_DIR "/diagrams/pida.xml";

/// Outputs and states of every tick of a run that never went back.
std::vector<std::vector<unsigned char>> straight(std::int64_t ticks, std::int64_t change_at,
                                                 const LiveSetting& setting) {
  const Live live(pida);
  std::vector<std::vector<unsigned char>> all;
  for (std::int64_t tick = 0; tick < ticks; ++tick) {
    if (tick == change_at) { EXPECT_EQ(live.set({setting}), ""); }
    live.runtime->step();
    all.push_back(live.runtime->checkpoint().bytes);
  }
  return all;
}

TEST(Timeline, AWalkBackAndForthHasTheBitsOfAStraightRun) {
  constexpr std::int64_t ticks = 2000, change_at = 700;
  const LiveSetting setting{"lead_time", "3 ms"};
  const Live live(pida);
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  Diagnostics diagnostics;
  ASSERT_TRUE(live.tuning->look({setting}, diagnostics)) << diagnostics.text();
  const auto expected = straight(ticks, change_at, setting);
  Timeline timeline(*live.runtime, *live.tuning, 300'000); // little: it has to thin out
  ASSERT_EQ(timeline.obstacle(), "");
  std::mt19937 random(7);
  std::int64_t furthest = 0;
  std::size_t checkpoints = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const std::int64_t target = std::uniform_int_distribution<std::int64_t>(1, ticks)(random);
    if (target <= live.runtime->tick()) { ASSERT_TRUE(timeline.go_to(target)) << target; }
    while (live.runtime->tick() < target) {
      timeline.note();
      if (live.runtime->tick() == change_at) { ASSERT_EQ(live.set({setting}), ""); }
      ASSERT_TRUE(live.runtime->step());
    }
    furthest = std::max(furthest, target);
    checkpoints = std::max(checkpoints, timeline.checkpoints());
    ASSERT_EQ(live.runtime->checkpoint().bytes, expected[static_cast<std::size_t>(target - 1)])
        << "turn " << turn << ", tick " << target;
  }
  EXPECT_GT(furthest, 1500);
  EXPECT_GE(checkpoints, 2u);
}

TEST(Timeline, WhatWasSetSinceIsTakenBack) {
  const Live live(DiagramText{"g.xml", R"(<diagram format="1" name="g" period="1 ms">
  <block name="c" type="sources/Constant" value="1"/>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="c.y" to="g.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  Timeline timeline(*live.runtime, *live.tuning);
  live.run_to(10);
  EXPECT_EQ(live.set({{"g.gain", "5"}}), "");
  live.run_to(20);
  EXPECT_EQ(live.set({{"g.gain", "7"}}), "");
  live.run_to(30);
  EXPECT_EQ(live.number("g.y"), 7);
  ASSERT_TRUE(timeline.go_to(20));
  EXPECT_EQ(live.number("g.y"), 5);
  EXPECT_EQ(live.tuning->text_of("g.gain"), "5");
  EXPECT_EQ(live.tuning->taken().size(), 1u);
  live.run_to(25);
  EXPECT_EQ(live.number("g.y"), 5);
  ASSERT_TRUE(timeline.go_to(3));
  EXPECT_EQ(live.tuning->text_of("g.gain"), "2");
  EXPECT_FALSE(timeline.go_to(4)) << "it has not come there yet";
}

} // namespace
} // namespace hilda::test
