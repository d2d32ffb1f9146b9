// SPDX-License-Identifier: BSD-3-Clause
// Which blocks a linearisation looks at: all that may change what is asked for, and no others.

#include "engine/analysis/detail/linearize/influence.h"
#include "engine/analysis/linearize.h"
#include "tests/engine/loop.h"
#include "tests/modules.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

BlockIndex place(const System& system, const std::string& path) {
  for (const BlockIndex b : system.blocks.indices())
    if (system.blocks[b].path == path) return b;
  ADD_FAILURE() << "no block " << path;
  return {};
}

/// Paths of the blocks that influence this one.
std::vector<std::string> behind(Loop& loop, const std::string& path) {
  const System& system = loop.runtime().system();
  const Indexed<BlockIndex, bool> found = influences(system, {place(system, path)});
  std::vector<std::string> paths;
  for (const BlockIndex b : found.indices())
    if (found[b]) paths.push_back(system.blocks[b].path);
  return paths;
}

TEST(Influence, GoesAlongWiresAndRoundLoopsAndNotAgainstThem) {
  Loop loop(R"(<block name="u" type="sources/Constant" value="1"/>
    <block name="sum" type="math/Sum" signs="+-"/>
    <block name="memory" type="discrete/UnitDelay"/>
    <block name="seen" type="math/Gain" gain="2"/>
    <block name="aside" type="discrete/UnitDelay"/>
    <connect from="u.y" to="sum.u[0]"/> <connect from="memory.y" to="sum.u[1]"/> <connect from="sum.y" to="memory.u"/>
    <connect from="memory.y" to="seen.u"/> <connect from="seen.y" to="aside.u"/>)");
  EXPECT_THAT(behind(loop, "seen"), UnorderedElementsAre("u", "sum", "memory", "seen"));
  EXPECT_THAT(behind(loop, "u"), ElementsAre("u"));
  EXPECT_THAT(behind(loop, "aside"), ::testing::SizeIs(5));
  const System& system = loop.runtime().system();
  const Indexed<BlockIndex, bool> ahead = influenced(system, {place(system, "seen")});
  for (const BlockIndex b : ahead.indices())
    EXPECT_EQ(ahead[b], system.blocks[b].path == "seen" || system.blocks[b].path == "aside") << system.blocks[b].path;
}

TEST(Influence, GoesFromTheConditionsOfASubsystemToAllInside) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
    <block name="open" type="math/Compare" operation="greater" with="1 s"/>
    <block name="again" type="math/Compare" operation="greater" with="2 s"/>
    <block name="inner" type="math/Compare" operation="greater" with="3 s"/>
    <block name="other" type="math/Compare" operation="greater" with="4 s"/>
    <connect from="clock.time" to="open.a"/> <connect from="clock.time" to="again.a"/>
    <connect from="clock.time" to="inner.a"/> <connect from="clock.time" to="other.a"/>
    <subsystem name="s" enable="open.y"><input name="i"/><input name="v"/>
      <block name="one" type="sources/Constant" value="1"/>
      <block name="deep" type="discrete/UnitDelay" enable="i"/>
      <block name="seen" type="math/Gain" gain="1"/>
      <connect from="v" to="deep.u"/> <connect from="one.y" to="seen.u"/>
    </subsystem>
    <connect from="inner.y" to="s.i"/>
    <block name="two" type="sources/Constant" value="1"/>
    <block name="back" type="discrete/UnitDelay" reset="again.y"/>
    <connect from="two.y" to="back.u"/> <connect from="two.y" to="s.v"/>)");
  EXPECT_THAT(behind(loop, "s.deep"), UnorderedElementsAre("clock", "open", "inner", "two", "s.deep"));
  EXPECT_THAT(behind(loop, "s.one"), UnorderedElementsAre("clock", "open", "s.one"));
  EXPECT_THAT(behind(loop, "back"), UnorderedElementsAre("clock", "again", "two", "back"));
}

TEST(Influence, ALimitOfOneInputThatMovesSomethingStopsAllOfThem) {
  Loop loop(R"(<block name="left_place" type="sources/Constant" value="0 m"/>
    <block name="right_place" type="sources/Constant" value="0 m"/>
    <block name="left" type="probes/Motor"/> <block name="right" type="probes/Motor"/>
    <connect from="left_place.y" to="left.command"/> <connect from="right_place.y" to="right.command"/>)");
  EXPECT_THAT(behind(loop, "left"), UnorderedElementsAre("left", "left_place", "right_place"));
}

TEST(LinearizeState, WhatReachesNoOutputIsNotMoved) {
  // Moved a little, `wild` overflows what it feeds; it is not asked for.
  const std::string blocks = R"(<block name="u" type="sources/Constant" value="0"/>
    <block name="memory" type="discrete/UnitDelay"/>
    <block name="wild" type="discrete/UnitDelay"/>
    <block name="bound" type="math/Gain" gain="1e308"/>
    <block name="more" type="math/Gain" gain="1e308"/>
    <connect from="u.y" to="memory.u"/> <connect from="bound.y" to="more.u"/>)";
  Loop loop(blocks + R"(<connect from="memory.y" to="bound.u"/> <connect from="more.y" to="wild.u"/>)");
  Loop apart(blocks + R"(<connect from="u.y" to="wild.u"/> <connect from="wild.y" to="bound.u"/>)");
  Diagnostics refused, diagnostics;
  EXPECT_FALSE(linearize(loop.runtime().system(), {{"u.y"}, {"memory.y"}, 0, 1e-4}, refused));
  EXPECT_NE(refused.text().find("error[linearize-slope]"), std::string::npos) << refused.text();
  const auto found = linearize(apart.runtime().system(), {{"u.y"}, {"memory.y"}, 0, 1e-4}, diagnostics);
  ASSERT_TRUE(found) << diagnostics.text();
  EXPECT_THAT(found->discrete.states, ElementsAre(::testing::StartsWith("memory.")));
  EXPECT_NEAR(found->discrete.B(0, 0), 1, 1e-9);
}

} // namespace
} // namespace hilda::test
