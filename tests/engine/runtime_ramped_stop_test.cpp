// SPDX-License-Identifier: BSD-3-Clause
// Whatever ends a run on hardware, the device comes to rest on a ramp.

#include "tests/engine/cell.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using Kind = Ending::Kind;
using Hold = Runtime::HoldResult;

TEST(RampedStop, OfAnOperator) {
  Cell cell;
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 200);
  EXPECT_FALSE(cell.runtime.stopping());
  cell.runtime.request_stop("Ctrl-C");
  EXPECT_TRUE(cell.runtime.stopping());
  cell.runtime.request_failure("later and therefore not the cause");
  EXPECT_NEAR(cell.wind_down(), 0.15 / 4 * 1e3, 2) << "as long as the acceleration asks for";
  const Ending ending = cell.runtime.ending();
  EXPECT_EQ(ending.kind, Kind::requested);
  EXPECT_EQ(ending.text, "Ctrl-C");
  EXPECT_EQ(ending.tick, 200);
  EXPECT_EQ(ending.time, 0.2);
  cell.expect_rest();
}

TEST(RampedStop, OfADiagramThatBreaksNamesWhereItBroke) {
  const std::string more = R"(<block name="clock" type="sources/Clock"/>
<block name="bad" type="probes/Poison" from="150"/>
<block name="after" type="math/Gain" gain="2"/>
<block name="before" type="discrete/UnitDelay"/>
<block name="sum" type="math/Sum" signs="++"/>
<connect from="before.y" to="sum.u[0]"/>
<connect from="clock.time" to="sum.u[1]"/>
<connect from="sum.y" to="bad.u"/>
<connect from="bad.y" to="after.u"/>
<connect from="after.y" to="before.u"/>
)";
  Cell cell(more);
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 150);
  cell.wind_down();
  const Ending ending = cell.runtime.ending();
  EXPECT_EQ(ending.kind, Kind::failed);
  EXPECT_EQ(ending.signal, "bad.y") << "by now it is everywhere, and 'before' comes first";
  EXPECT_EQ(ending.tick, 150);
  EXPECT_EQ(ending.text, "the output is not a number (element 0)");
  cell.expect_rest();
}

TEST(RampedStop, OfABadStateInTheMiddleOfATick) {
  Cell cell("<block name='bad' type='probes/PoisonState' from='150'/>\n");
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 151);
  EXPECT_TRUE(cell.runtime.stopping());
  cell.wind_down();
  EXPECT_EQ(cell.runtime.ending().signal, "bad.x");
  cell.expect_rest();
}

TEST(RampedStop, OfADeviceWithAFault) {
  Cell cell("", "broken_from='150'");
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 150);
  cell.wind_down();
  const Ending ending = cell.runtime.ending();
  EXPECT_EQ(ending.kind, Kind::failed);
  EXPECT_EQ(ending.block, "device");
  EXPECT_EQ(ending.text, "the device has a fault");
  EXPECT_EQ(ending.value, 7);
  cell.expect_rest();
}

TEST(RampedStop, OfAPlannedStop) {
  Cell cell(R"(<block name="clock" type="sources/Clock"/>
<block name="late" type="math/Compare" operation="greater_or_equal" with="150 ms"/>
<block name="end" type="sinks/Stop"/>
<connect from="clock.time" to="late.a"/>
<connect from="late.y" to="end.condition"/>
)");
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 150);
  cell.wind_down();
  EXPECT_EQ(cell.runtime.ending().kind, Kind::stopped);
  EXPECT_EQ(cell.runtime.ending().block, "end");
  cell.expect_rest();
}

TEST(RampedStop, WaitsForLostCyclesButNotForEver) {
  Cell cell;
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 150);
  cell.runtime.request_failure("the robot is gone", BlockIndex(0));
  for (int k = 0; k < 20; ++k) {
    if (k % 3 != 0) cell.runtime.cycle_lost();
    ASSERT_TRUE(cell.tick());
  }
  int silent = 0;
  do cell.runtime.cycle_lost();
  while (cell.tick() && ++silent < 2000);
  EXPECT_NEAR(silent, 500, 5) << "ticks of 1 ms";
  EXPECT_EQ(cell.runtime.ending().block, "device");
  EXPECT_EQ(cell.runtime.ending().text, "the robot is gone");
}

TEST(RampedStop, DoesNotWaitForADeviceThatIsDisabled) {
  Loop loop("<block name='off' type='sources/Pulse' high='1' repeat='1 s' width='5 ms'/>"
            "<block name='on' type='math/Compare' operation='greater' with='0.5'/><connect from='off.y' to='on.a'/>" +
                device("enable='on.y'") + driven,
            on_hardware());
  auto* command = static_cast<double*>(loop.runtime().find_signal("hand.pose")->span.data);
  command[3] = 1;
  ASSERT_EQ(loop.runtime().hold(), Hold::holding);
  loop.run(20);
  loop.runtime().request_stop("an operator");
  loop.run(3);
  EXPECT_LE(loop.runtime().tick(), 21);
  EXPECT_EQ(loop.runtime().ending().kind, Kind::requested);
}

} // namespace
} // namespace hilda::test
