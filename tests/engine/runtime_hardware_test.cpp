// SPDX-License-Identifier: BSD-3-Clause
// A run that moves something outside: it holds before it starts, starts at rest, and survives lost cycles. What counts
// is what the device was sent.

#include "tests/engine/cell.h"

#include <gmock/gmock.h>
#include <limits>

namespace hilda::test {
namespace {

using Kind = Ending::Kind;
using Hold = Runtime::HoldResult;

TEST(Hold, KeepsTheDeviceWhereItIsOnceItKnows) {
  Cell cell("", "known_from='2' place='0.3 0.2 0.1 m'");
  EXPECT_EQ(cell.hold(), Hold::rest_unknown);
  EXPECT_EQ(cell.hold(), Hold::rest_unknown);
  EXPECT_EQ(cell.loop.value("device.emits"), 0) << "nothing is sent before it is known what keeps the device at rest";
  EXPECT_EQ(cell.hold(), Hold::holding);
  EXPECT_EQ(cell.hold(), Hold::holding);
  EXPECT_EQ(cell.loop.value("device.emits"), 2);
  EXPECT_EQ(cell.loop.value("device.wire_pose", 1), 0.2);
  EXPECT_EQ(cell.loop.value("device.wire_pose", 3), 1);
  EXPECT_EQ(cell.loop.value("device.last_time"), -1e-3) << "before the first tick";
  EXPECT_EQ(cell.runtime.tick(), 0);
  const std::vector<GateView> gates = cell.runtime.gates();
  ASSERT_EQ(gates.size(), 1u);
  EXPECT_EQ(gates[0].input, "device.pose");
  EXPECT_THAT(gates[0].rest, ::testing::ElementsAre(0.3, 0.2, 0.1, 1, 0, 0, 0));
  EXPECT_THAT(gates[0].sent, ::testing::ElementsAre(0.3, 0.2, 0.1, 1, 0, 0, 0));
}

/// Before tick 0 too a slow device is asked at its own rate.
TEST(Hold, AsksASlowDeviceAtItsOwnRate) {
  Loop loop(device("sample_time='3 ms'") + driven + "<block name='clock' type='sources/Clock'/>\n", on_hardware());
  for (int k = 0; k < 10; ++k) {
    ASSERT_NE(loop.runtime().hold(), Hold::failed);
    EXPECT_EQ(loop.value("device.acquired"), k / 3 + 1) << k;
    EXPECT_EQ(loop.value("device.emits"), loop.value("device.acquired")) << k;
  }
}

TEST(Hold, RefusesAPlaceWhereNothingRests) {
  Cell cell("", "nowhere='true'");
  EXPECT_EQ(cell.hold(), Hold::failed);
  EXPECT_EQ(cell.loop.value("device.emits"), 0);
  EXPECT_EQ(cell.runtime.ending().kind, Kind::failed);
  EXPECT_THAT(cell.runtime.ending().text, ::testing::HasSubstr("its quaternion has the norm 0"));
}

TEST(Start, WithoutAHoldSendsNothing) {
  Cell cell;
  EXPECT_FALSE(cell.tick());
  EXPECT_EQ(cell.loop.value("device.emits"), 0);
  EXPECT_THAT(cell.runtime.ending().text, ::testing::HasSubstr("has not yet reported where it is at rest"));
}

TEST(Start, AtAnotherPlaceThanTheDeviceIsNoStep) {
  Cell cell("", "place='0.3 0 0 m'");
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.wire = 0.3, cell.first = false;
  cell.wind_down(false);
  const Ending ending = cell.runtime.ending();
  EXPECT_EQ(ending.kind, Kind::failed);
  EXPECT_EQ(ending.tick, 0);
  EXPECT_EQ(ending.block, "device");
  EXPECT_EQ(ending.signal, "hand.pose");
  EXPECT_THAT(ending.text, ::testing::HasSubstr("speed 300 m/s is asked for, 0.2 m/s is allowed"));
  EXPECT_EQ(cell.wire, 0.3);
}

TEST(Start, WithASpeedKeepsTheAcceleration) {
  Cell cell;
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.speed = 0.1;
  cell.wind_down();
  EXPECT_THAT(cell.runtime.ending().text, ::testing::HasSubstr("acceleration 100 m/s2 is asked for"));
  cell.expect_rest();
}

TEST(Enabling, OfADeviceWhoseCommandHasGoneOnMeanwhileIsNoStep) {
  Cell cell("<block name='beat' type='sources/Pulse' high='1' repeat='200 ms' width='100 ms'/>"
            "<block name='on' type='math/Compare' operation='greater' with='0.5'/><connect from='beat.y' to='on.a'/>",
            "enable='on.y'");
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.02, 100);
  const double left_at = cell.wire;
  cell.move(0.02, 100); // nothing is sent
  EXPECT_EQ(cell.wire, left_at);
  cell.wind_down(); // each sample that is sent is compared with the limits
  EXPECT_EQ(cell.runtime.ending().kind, Kind::failed);
  EXPECT_LT(cell.wire - left_at, 1e-3) << "it does not hurry after the command, which is 2 mm ahead";
}

TEST(LostCycle, SendsNothingAndNoStepAfterwards) {
  Cell cell;
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 200);
  const double emits = cell.loop.value("device.emits"), acquired = cell.loop.value("device.acquired");
  for (int k = 0; k < 4; ++k) {
    cell.runtime.cycle_lost();
    cell.move(0.15, 1);
  }
  EXPECT_EQ(cell.loop.value("device.emits"), emits);
  EXPECT_EQ(cell.loop.value("device.acquired"), acquired + 4) << "the device shows what it has, and counts";
  EXPECT_NEAR(cell.command[0] - cell.wire, 4 * 0.15e-3, 1e-12);
  cell.move(0.15, 100);
  EXPECT_NEAR(cell.command[0] - cell.wire, 4 * 0.15e-3 * std::exp(-1), 0.03e-3);
  cell.move(0.15, 2000);
  EXPECT_EQ(cell.command[0], cell.wire) << "to the bit again";
  EXPECT_EQ(cell.loop.value("device.sent"), cell.wire);
}

TEST(DryRun, DoesAllButEmit) {
  RuntimeOptions options = on_hardware();
  options.dry_run = true;
  Cell cell("", "", options);
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 200);
  EXPECT_EQ(cell.loop.value("device.emits"), 0);
  EXPECT_EQ(cell.loop.value("device.sent"), cell.command[0]);
  cell.runtime.request_stop("an operator");
  cell.wind_down();
  EXPECT_EQ(cell.loop.value("device.emits"), 0);
}

/// Gives the device's place from a table.
struct Recorded : AcquireSource {
  bool acquire(std::int64_t tick) noexcept override {
    if (tick >= 5) return false;
    *place = 0.01 * static_cast<double>(tick);
    return true;
  }
  double* place = nullptr;
};

TEST(Replay, StandsInForTheDevice) {
  Recorded recorded;
  RuntimeOptions options = on_hardware();
  options.replay = &recorded;
  Cell cell("", "", options);
  recorded.place = static_cast<double*>(cell.runtime.find_signal("device.setpoint")->span.data);
  const std::vector<double> rest{0.1, 0, 0, 1, 0, 0, 0}, none(7, 0.0);
  EXPECT_FALSE(cell.runtime.set_rest("device.pos", rest));
  EXPECT_FALSE(cell.runtime.set_rest("device.pose", std::span(rest).first(3)));
  EXPECT_FALSE(cell.runtime.set_rest("device.pose", none));
  ASSERT_TRUE(cell.runtime.set_rest("device.pose", rest));
  cell.command[0] = 0.1;
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(cell.tick());
    EXPECT_EQ(cell.loop.value("device.setpoint"), 0.01 * k);
    EXPECT_EQ(cell.loop.value("device.sent"), 0.1);
  }
  EXPECT_EQ(cell.loop.value("device.acquired"), 0);
  EXPECT_EQ(cell.loop.value("device.emits"), 0);
  EXPECT_FALSE(cell.tick());
  EXPECT_EQ(cell.runtime.ending().text, "nothing was recorded of this tick");
}

TEST(CheckpointOnHardware, HoldsTheOffsetTheStopAndItsCulprit) {
  const auto drive = [](Cell& cell, int from, int to, std::vector<double>& sent) {
    for (int k = from; k < to; ++k) {
      cell.command[0] = 1.5e-6 * (k < 40 ? k * k : 1600 + 80 * (k - 40));
      if (k == 200) cell.command[0] = 1;
      if (k > 80 && k < 86) cell.runtime.cycle_lost();
      const bool going = cell.runtime.compute();
      sent.push_back(cell.loop.value("device.sent"));
      if (!going || !cell.runtime.advance()) return;
    }
  };
  Cell straight, again;
  ASSERT_EQ(straight.hold(), Hold::holding);
  std::vector<double> all;
  std::vector<Checkpoint> at;
  for (const int next : {70, 84, 90, 203, 400}) {
    at.push_back(straight.runtime.checkpoint());
    drive(straight, static_cast<int>(straight.runtime.tick()), next, all);
  }
  for (const Checkpoint& from : at) {
    ASSERT_TRUE(again.runtime.restore(from));
    EXPECT_EQ(again.runtime.checkpoint(), from);
    std::vector<double> rest;
    drive(again, static_cast<int>(from.tick), 400, rest);
    EXPECT_EQ(rest, std::vector<double>(all.begin() + from.tick, all.end())) << "from tick " << from.tick;
    EXPECT_EQ(again.runtime.ending().text, straight.runtime.ending().text) << "from tick " << from.tick;
    EXPECT_EQ(again.runtime.ending().signal, "hand.pose");
  }
}

TEST(State, ThatIsInfiniteEndsTheRun) {
  Loop loop(R"(<block name="one" type="sources/Constant" value="1"/>
<block name="zero" type="sources/Constant" value="0"/>
<block name="ratio" type="math/Divide"/>
<block name="held" type="discrete/UnitDelay"/>
<connect from="one.y" to="ratio.a"/>
<connect from="zero.y" to="ratio.b"/>
<connect from="ratio.y" to="held.u"/>
)");
  loop.run(10);
  EXPECT_EQ(loop.runtime().ending().kind, Kind::failed);
  EXPECT_EQ(loop.runtime().ending().block, "held");
  EXPECT_EQ(loop.runtime().ending().text, "the state is infinite (element 0)");
}

TEST(Gate, RefusesAnInfinityAndNamesItsSource) {
  Cell cell;
  ASSERT_EQ(cell.hold(), Hold::holding);
  cell.move(0.15, 100);
  cell.command[1] = -std::numeric_limits<double>::infinity();
  cell.wind_down();
  EXPECT_EQ(cell.runtime.ending().signal, "hand.pose");
  EXPECT_EQ(cell.runtime.ending().text, "the safety stage refuses what would be sent: it is not finite");
  cell.expect_rest();
}

std::string refusal(const std::string& body) {
  try {
    Loop loop(body, on_hardware());
  } catch (const std::runtime_error& error) { return error.what(); }
  return "";
}

TEST(OnHardware, NothingMovesWithoutLimitsOrWithoutARest) {
  const std::string hand = "<block name='hand' type='probes/Hand'/>\n";
  EXPECT_THAT(
      refusal(device() + hand + "<connect from='hand.pose' to='device.pose'/>\n"),
      ::testing::HasSubstr("error[limits-missing]: 'device.pose' moves hardware and is not limited in position"));
  EXPECT_THAT(refusal(device() + hand + "<connect from='hand.vector' to='device.vector'/>\n"),
              ::testing::HasSubstr("add <limits on=\"device.vector\" magnitude=\"...\" rate=\"... 1/s\" "
                                   "acceleration=\"... 1/s2\"/>"));
  EXPECT_THAT(
      refusal("<block name='device' type='probes/MuteDevice'/>\n" + driven),
      ::testing::HasSubstr("error[rest-unknown]: 'device.pose' moves hardware, but its block cannot tell where"));
  EXPECT_EQ(refusal(device() + driven), "");
}

} // namespace
} // namespace hilda::test
