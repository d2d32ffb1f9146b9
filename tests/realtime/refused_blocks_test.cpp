// SPDX-License-Identifier: BSD-3-Clause
// Blocks that hardware does not put up with.
#include "axis.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

constexpr const char* waits = "  <block name=\"odd\" type=\"unsafe/Waits\"/>\n"
                              "  <block name=\"seen\" type=\"sinks/Record\"/>\n"
                              "  <connect from=\"odd.y\" to=\"seen.u\"/>\n";

TEST(UnsafeBlock, IsRefusedOnHardwareBeforeAnythingMoves) {
  const AxisRun run("--arm", waits);
  EXPECT_EQ(run.outcome.exit, 64);
  EXPECT_THAT(run.outcome.err, HasSubstr("not safe in real time, and this run moves devices: odd (unsafe/Waits)"));
  EXPECT_THAT(run.outcome.err, HasSubstr("--allow-unsafe-block odd"));
  EXPECT_TRUE(run.events.empty());
}

TEST(UnsafeBlock, RunsWhereItIsAllowedByName) {
  const AxisRun run("--arm --for 200ms --allow-unsafe-block odd", waits);
  EXPECT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const AxisRun other("--arm --for 200ms --allow-unsafe-block wish", waits);
  EXPECT_EQ(other.outcome.exit, 64);
}

TEST(UnsafeBlock, ThatIsAllowedAndNotThereIsAMistake) {
  const AxisRun run("--arm --for 200ms --allow-unsafe-block wish");
  EXPECT_EQ(run.outcome.exit, 64);
  EXPECT_THAT(run.outcome.err, HasSubstr("no block of that path is unsafe in real time"));
}

std::string rounding(const char* at) {
  return "  <block name=\"odd\" type=\"misbehaving/Misbehave\" act=\"round\" at=\"" + std::string(at) +
         "\"/>\n  <block name=\"seen\" type=\"sinks/Record\"/>\n  <connect from=\"odd.count\" to=\"seen.u\"/>\n";
}

TEST(FloatingPointMode, ThatABlockChangesEndsTheRunOnARampThatKeepsTheLimits) {
  const AxisRun run("--arm", rounding("50"));
  EXPECT_EQ(run.outcome.exit, 3);
  EXPECT_THAT(run.outcome.err, HasSubstr("changes the processor's floating-point mode"));
  EXPECT_LE(run.drive("largest_step"), 0.5 * 4e-3 * (1 + 1e-9));
  EXPECT_LE(run.drive("last_step"), 1e-9);
}

TEST(FloatingPointMode, IsComparedInSimulationToo) {
  const Workplace here;
  here.write("sim.xml", "<diagram format=\"1\" name=\"sim\" period=\"1 ms\">\n" + rounding("50") + "</diagram>\n");
  const Result outcome = here.hilda("run sim.xml --for 1s --no-log",
                                    "export HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins'; ");
  EXPECT_EQ(outcome.exit, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("changes the processor's floating-point mode"));
}

} // namespace
} // namespace hilda::test
