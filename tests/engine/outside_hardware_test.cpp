// SPDX-License-Identifier: BSD-3-Clause
// Numbers from outside where something moves: what a handle writes passes the same gates as what a text sets, and is
// taken in the same states.
#include "engine/session/tuning.h"
#include "tests/engine/cell.h"
#include "tests/modules.h"

#include <gmock/gmock.h>
#include <numbers>
#include <vector>

namespace hilda::test {
namespace {

/// A device that a program drives by the diagram's input "go".
struct OutsideCell {
  OutsideCell()
      : loop(device() + R"(<input name="go" default="0 0 0"/>
<connect from="go" to="device.vector"/>
<limits on="device.vector" magnitude="1" rate="2 1/s" acceleration="40 1/s2"/>
)",
             on_hardware()),
        tuning(loop.runtime()) {
    Diagnostics diagnostics;
    go = tuning.input("go", diagnostics);
    EXPECT_NE(go, nullptr) << diagnostics.text();
  }
  bool tick() {
    const double before = sent();
    tuning.take(nullptr);
    const bool going = loop.runtime().step();
    EXPECT_LE(std::abs(sent() - before), 2e-3 * (1 + 1e-6)) << "rate";
    EXPECT_LE(std::abs(sent()), 1) << "magnitude";
    return going;
  }
  double sent() const { return loop.value("device.wire_vector"); }
  Written write(double x) { return go->write(std::vector<double>{x, 0, 0}); }
  std::string set(double x) {
    Diagnostics diagnostics;
    return tuning.set({{"go", decimal(x) + " 0 0"}}, nullptr, diagnostics) ? "" : diagnostics.text();
  }

  Loop loop;
  Tuning tuning;
  std::shared_ptr<Input> go;
};

/// At most 1.6 a second.
double smooth(int tick) { return 0.25 * (1 - std::cos(2 * std::numbers::pi * tick * 1e-3)); }

TEST(OutsideHardware, NumbersPassTheGatesThatTextsPass) {
  OutsideCell numbers, texts;
  ASSERT_EQ(numbers.loop.runtime().hold(), Runtime::HoldResult::holding);
  ASSERT_EQ(texts.loop.runtime().hold(), Runtime::HoldResult::holding);
  for (int k = 0; k < 500; ++k) {
    ASSERT_EQ(numbers.write(smooth(k)), Written::taken);
    ASSERT_EQ(texts.set(smooth(k)), "");
    ASSERT_TRUE(numbers.tick() && texts.tick()) << k;
    ASSERT_EQ(numbers.loop.bits(), texts.loop.bits()) << k;
  }
  EXPECT_GT(numbers.sent(), 0.4);
  ASSERT_EQ(numbers.write(-0.9), Written::taken);
  ASSERT_EQ(texts.set(-0.9), "");
  int ticks = 0;
  for (; numbers.tick() && ticks < 2000; ++ticks) { ASSERT_TRUE(texts.tick()); }
  EXPECT_FALSE(texts.tick());
  EXPECT_LT(ticks, 2000);
  EXPECT_EQ(numbers.loop.bits(), texts.loop.bits()) << "on the way to rest, too";
  const Ending ending = numbers.loop.runtime().ending();
  EXPECT_EQ(ending.kind, Ending::Kind::failed);
  EXPECT_EQ(ending.tick, 500);
  EXPECT_EQ(ending.text, texts.loop.runtime().ending().text);
  EXPECT_THAT(ending.text, testing::HasSubstr("rate"));
}

TEST(OutsideHardware, NumbersWaitWhileDevicesAreHeld) {
  OutsideCell cell;
  ASSERT_EQ(cell.write(2e-5), Written::taken);
  for (int k = 0; k < 5; ++k) {
    ASSERT_EQ(cell.loop.runtime().hold(), Runtime::HoldResult::holding);
    EXPECT_EQ(cell.sent(), 0);
  }
  ASSERT_TRUE(cell.tick());
  EXPECT_EQ(cell.sent(), 2e-5);
}

TEST(OutsideHardware, WhatWatchesTheDevicesTakesNoNumbers) {
  Loop loop(device() + R"(<input name="go" default="0 0 0"/>
<connect from="go" to="device.vector"/>
<limits on="device.vector" magnitude="1" rate="2 1/s" acceleration="40 1/s2"/>
<parameter name="most" value="20 N"/>
<block name="force" type="sources/Constant" value="1 N"/>
<block name="overload" type="sinks/AssertRange" upper="${most}"/>
<connect from="force.y" to="overload.u"/>
)",
            on_hardware());
  Tuning tuning(loop.runtime());
  for (const char* path : {"overload.upper", "most"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(tuning.input(path, diagnostics), nullptr) << path;
    EXPECT_THAT(diagnostics.text(), testing::HasSubstr("error[live-watch]: 'overload.upper' watches what moves"));
  }
  Diagnostics diagnostics;
  EXPECT_NE(tuning.input("go", diagnostics), nullptr) << diagnostics.text();
}

TEST(OutsideHardware, NothingIsTakenOnTheWayToRest) {
  OutsideCell cell;
  ASSERT_EQ(cell.loop.runtime().hold(), Runtime::HoldResult::holding);
  for (int k = 0; k < 200; ++k) {
    ASSERT_EQ(cell.write(smooth(k)), Written::taken);
    ASSERT_TRUE(cell.tick());
  }
  ASSERT_EQ(cell.write(smooth(200)), Written::taken);
  cell.loop.runtime().request_stop("an operator");
  EXPECT_EQ(cell.write(0.5), Written::gone);
  cell.tick();
  EXPECT_THAT(cell.set(0.5), testing::HasSubstr("error[live-ended]"));
  const std::vector<double> more{0.5, 0, 0};
  EXPECT_EQ(cell.tuning.post(std::vector<InputNumbers>{{cell.go.get(), more}}), Written::gone);
  while (cell.tick()) {}
  EXPECT_EQ(cell.loop.runtime().ending().kind, Ending::Kind::requested);
}

} // namespace
} // namespace hilda::test
