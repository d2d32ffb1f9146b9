// SPDX-License-Identifier: BSD-3-Clause
// `hilda run --profile`: a block that is known to be slow, what is counted, and that nothing else changes.
#include "axis.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace hilda::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// One slow block of 40 us and one of 10 us in a subsystem, and twenty that take next to nothing.
std::string slow_diagram() {
  std::string text = R"(<diagram format="1" name="slow" period="1 ms">
  <parameter name="duration" value="500 ms"/>
  <block name="wave" type="sources/Sine" amplitude="1 N" frequency="2 Hz"/>
  <subsystem name="rig">
    <input name="u"/>
    <output name="y"/>
    <block name="slow" type="devices/Spin" work="40 us"/>
    <block name="slower" type="devices/Spin" work="10 us"/>
    <connect from="u" to="slow.u"/>
    <connect from="slow.y" to="slower.u"/>
    <connect from="slower.y" to="y"/>
  </subsystem>
  <connect from="wave.y" to="rig.u"/>
)";
  std::string before = "rig.y";
  for (int i = 0; i < 20; ++i) {
    const std::string name = "quick" + std::to_string(i);
    text += "  <block name=\"" + name + "\" type=\"math/Gain\" gain=\"1\"/>\n  <connect from=\"" + before + "\" to=\"" +
            name + ".u\"/>\n";
    before = name + ".y";
  }
  return text + "  <block name=\"filter\" type=\"discrete/LowPass\" cutoff=\"5 Hz\"/>\n  <connect from=\"" + before +
         "\" to=\"filter.u\"/>\n  <block name=\"end\" type=\"sinks/Terminator\"/>\n"
         "  <connect from=\"filter.y\" to=\"end.u\"/>\n</diagram>\n";
}

/// A loop of continuous blocks with a slow one in it.
constexpr const char* continuous_diagram = R"(<diagram format="1" name="continuous" period="1 ms">
  <parameter name="duration" value="200 ms"/>
  <block name="x" type="continuous/Integrator" initial="1 m"/>
  <block name="slow" type="devices/Spin" work="10 us"/>
  <block name="back" type="math/Gain" gain="-3 1/s"/>
  <connect from="x.y" to="slow.u"/>
  <connect from="slow.y" to="back.u"/>
  <connect from="back.y" to="x.u"/>
</diagram>
)";

/// A run of a diagram with --profile.
class Profiled {
public:
  explicit Profiled(const std::string& diagram, const std::string& options = "") {
    here_.write("it.xml", diagram);
    outcome = here_.hilda("run it.xml --profile --summary it.json --log it.mcap " + options, devices);
    if (here_.has("it.json")) summary = json::parse(here_.read("it.json"));
  }
  /// Whether a run without a profile has the same signals.
  bool same_bits() const {
    here_.hilda("run it.xml --log plain.mcap", devices);
    return here_.hilda("export it.mcap --csv").exit == 0 && here_.hilda("export plain.mcap --csv").exit == 0 &&
           here_.read("it.csv").size() > 1000 && here_.read("it.csv") == here_.read("plain.csv");
  }
  const json& profile() const { return summary.at("profile"); }
  const json& block(const std::string& name) const { return named("blocks", name); }
  const json& named(const char* list, const std::string& name) const {
    static const json none;
    for (const json& each : profile().at(list))
      if (each.at("name") == name) return each;
    ADD_FAILURE() << "no " << name << " among " << list;
    return none;
  }

  Result outcome;
  json summary;

private:
  inline static const std::string devices =
      "export HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins'; ";
  Workplace here_;
};

double sum_of(const json& list, const char* key) {
  return std::accumulate(list.begin(), list.end(), 0.0,
                         [key](double sum, const json& each) { return sum + each.at(key).get<double>(); });
}

TEST(Profile, ShowsTheSlowBlockOnTopAndHowSlowItIs) {
  const Profiled run(slow_diagram());
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const json& top = run.profile().at("blocks").at(0);
  EXPECT_EQ(top.at("name"), "rig.slow");
  EXPECT_EQ(top.at("type"), "devices/Spin");
  EXPECT_EQ(top.at("calls"), 500);
  EXPECT_GE(top.at("step_p50"), 39.5e-6);
  EXPECT_LE(top.at("step_p50"), 50e-6) << "a bin is a sixteenth wide";
  EXPECT_GE(top.at("step_p99"), top.at("step_p50"));
  EXPECT_GE(top.at("step_max"), top.at("step_p99"));
  EXPECT_GE(top.at("time"), 500 * 39.5e-6);
  EXPECT_EQ(run.profile().at("blocks").at(1).at("name"), "rig.slower");
  EXPECT_EQ(run.profile().at("steps"), 500);
  EXPECT_THAT(run.outcome.out, testing::ContainsRegex("block +type +calls +time +share +a step, median +p99 +most\n"
                                                      "  rig.slow +devices/Spin +500 "));
}

TEST(Profile, SumsTypesAndSubsystemsAndLeavesNothingOut) {
  const Profiled run(slow_diagram());
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const json& profile = run.profile();
  const double both = run.block("rig.slow").at("time").get<double>() + run.block("rig.slower").at("time").get<double>();
  EXPECT_NEAR(run.named("types", "devices/Spin").at("time"), both, 1e-6 * both);
  EXPECT_NEAR(run.named("subsystems", "rig").at("time"), both, 1e-6 * both);
  EXPECT_EQ(run.named("types", "devices/Spin").at("calls"), 1000);
  EXPECT_GE(run.named("subsystems", "rig").at("step_p50"), 49e-6) << "a step of both";
  EXPECT_EQ(run.named("types", "math/Gain").at("calls"), 20 * 500);
  const double loop = profile.at("loop"), log = profile.at("log"), total = profile.at("total");
  EXPECT_NEAR(sum_of(profile.at("blocks"), "time") + loop + log, total, 1e-9);
  EXPECT_NEAR(sum_of(profile.at("blocks"), "share") + (loop + log) / total, 1, 1e-9);
  EXPECT_LE(total, run.summary.at("wall_time")) << "more than the run took";
  EXPECT_EQ(sum_of(profile.at("blocks"), "calls"), profile.at("clock").at("calls"));
}

/// What the clock costs is found on a call that does nothing, and twenty gains must not be charged for it.
TEST(Profile, DoesNotChargeTheClockToTheBlocks) {
  const Profiled run(slow_diagram());
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const json& clock = run.profile().at("clock");
  EXPECT_GT(clock.at("inside"), 0);
  EXPECT_GT(clock.at("outside"), 0);
  const double reads_alone = 20 * clock.at("inside").get<double>();
  EXPECT_LT(run.named("types", "math/Gain").at("step_p50"), reads_alone);
}

TEST(Profile, CountsMinorSteps) {
  const Profiled run(continuous_diagram);
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const json& top = run.profile().at("blocks").at(0);
  EXPECT_EQ(top.at("name"), "slow");
  EXPECT_EQ(top.at("calls"), 200 * 5) << "the tick's own, three stages of RK4 and the step's end";
  EXPECT_GE(top.at("step_p50"), 5 * 9.9e-6);
  EXPECT_TRUE(run.same_bits());
}

TEST(Profile, LeavesEveryBitAsItIs) {
  EXPECT_TRUE(Profiled(slow_diagram()).same_bits());
  EXPECT_TRUE(Profiled(continuous_diagram, "--solver rk4").same_bits());
}

TEST(Profile, IsKeptInPacedRunsToo) {
  const Profiled run(continuous_diagram, "--realtime");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_EQ(run.profile().at("steps"), 200);
  EXPECT_EQ(run.profile().at("blocks").at(0).at("name"), "slow");
  EXPECT_EQ(run.profile().at("blocks").at(0).at("calls"), 200 * 5);
  EXPECT_TRUE(run.summary.contains("realtime"));
  EXPECT_LT(run.profile().at("step_p50"), 0.5e-3) << "waiting for the clock is no part of a step";
}

TEST(Profile, BeginsWithTheFirstStepWhereADeviceIsHeldBefore) {
  const AxisRun run("--arm --profile --set wish.at=100 --set wish.work=10ms");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const json& profile = run.summary.at("profile");
  EXPECT_EQ(profile.at("steps"), run.summary.at("steps"));
  const json& blocks = profile.at("blocks");
  const auto wish = std::find_if(blocks.begin(), blocks.end(), [](const json& b) { return b.at("name") == "wish"; });
  ASSERT_NE(wish, blocks.end());
  EXPECT_EQ(wish->at("calls"), profile.at("steps"));
  EXPECT_GE(wish->at("step_max"), 10e-3);
  EXPECT_LT(wish->at("step_p50"), 1e-3);
}

TEST(Profile, OfDevicesThatAreHeldAloneHasNoStep) {
  const AxisRun run("--profile --for 200ms");
  EXPECT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_EQ(run.summary.at("profile").at("steps"), 0);
  EXPECT_TRUE(run.summary.at("profile").at("blocks").empty());
  EXPECT_THAT(run.outcome.out, HasSubstr("no step was whole"));
}

TEST(Profile, IsNotThereUnlessAskedFor) {
  const AxisRun run("--for 100ms");
  EXPECT_FALSE(run.summary.contains("profile"));
  EXPECT_THAT(run.outcome.out, Not(HasSubstr("profile")));
}

TEST(Profile, GoesWithOneRunAlone) {
  const Workplace here;
  here.write("it.xml", continuous_diagram);
  for (const char* const other : {"--console", "--serve", "--watch --keep-state", "--mode replay"}) {
    const Result run = here.hilda(std::string("run it.xml --profile ") + other);
    EXPECT_EQ(run.exit, 64) << other;
    EXPECT_THAT(run.err, HasSubstr("--profile measures one run")) << other;
  }
}

} // namespace
} // namespace hilda::test
