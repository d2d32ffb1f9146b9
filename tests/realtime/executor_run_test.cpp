// SPDX-License-Identifier: BSD-3-Clause
// Paced runs of the program: operator states, endings, what is measured, what is in the log.
#include "axis.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// In the shell: until the run has moved for a second, or has ended. Its log has 8 kB before, and 45 kB a second.
constexpr const char* after_a_second = "& p=$!; until [ \"$(stat -c %s axis.mcap.part 2>/dev/null || echo 0)\" -gt "
                                       "50000 ] || ! kill -0 $p; do sleep 0.02; done; ";

/// m that the drive may be asked to move in one cycle: by its limit of 0.5 m/s.
constexpr double longest_step = 0.5 * 4e-3 * (1 + 1e-9);

TEST(PacedRun, WithoutArmHoldsTheDeviceWhereItIsAndSaysSo) {
  const AxisRun run("--for 400ms");
  EXPECT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_THAT(run.outcome.err, HasSubstr("not armed: devices are held where they are"));
  EXPECT_THAT(run.outcome.out, HasSubstr("not armed, nothing moved"));
  EXPECT_THAT(run.outcome.out, HasSubstr("drive.position"));
  EXPECT_THAT(run.events_of("state"), ElementsAre("idle", "ended"));
  EXPECT_EQ(run.drive("furthest"), 0);
  EXPECT_GE(run.drive("replies"), 50) << "the device is answered all the same";
  EXPECT_EQ(run.figure("ticks"), 100);
  EXPECT_EQ(run.summary["steps"], 0);
  EXPECT_TRUE(run.log_complete());
}

TEST(PacedRun, ArmedBeginsWhereTheDeviceStandsAndEndsAtRest) {
  const AxisRun run("--arm");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_THAT(run.events_of("state"), ElementsAre("idle", "armed", "running", "stopping", "ended"));
  EXPECT_THAT(run.events_of("rest"), ElementsAre(R"({"drive.command": ["0x1p-2"]})"));
  EXPECT_THAT(run.events_of("stop"), ElementsAre("its time was over"));
  EXPECT_EQ(run.summary["ending"]["reason"], "duration");
  EXPECT_LE(run.drive("largest_step"), longest_step);
  EXPECT_GE(run.drive("furthest"), 0.09);
  EXPECT_LE(run.drive("last_step"), 1e-9) << "it was still moving when it was left";
  const std::vector<double> sent = run.signal("drive.sent"), position = run.signal("drive.position");
  EXPECT_EQ(sent.front(), 0.25);
  EXPECT_EQ(position.front(), 0.25);
  EXPECT_TRUE(run.log_complete());
}

TEST(PacedRun, WhereTheDiagramStartsElsewhereThanTheDeviceSendsNothingOutsideOfTheLimits) {
  const AxisRun run("--arm --set wish.offset=0.5");
  EXPECT_EQ(run.outcome.exit, 3);
  EXPECT_LE(run.drive("largest_step"), longest_step);
  EXPECT_THAT(run.outcome.err, HasSubstr("wish.y"));
}

/// Of the replies that there were, to the width of a bin.
void expect_median(double figure, std::vector<double> reply) {
  std::erase(reply, 0.0); // cycles that did not come
  ASSERT_FALSE(reply.empty());
  std::sort(reply.begin(), reply.end());
  const double median = reply[(reply.size() + 1) / 2 - 1];
  EXPECT_GE(figure, median * (1 - 1e-9));
  EXPECT_LE(figure, median * (1 + 1.0 / 16) + 1e-9);
}

TEST(PacedRun, SaysWhatTheLoopDid) {
  const AxisRun run("--arm --witness");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const nlohmann::json& figures = run.summary["realtime"];
  EXPECT_EQ(figures["period"], 0.004);
  EXPECT_EQ(figures["clock"], "drive");
  EXPECT_GE(figures["ticks"], 250);
  EXPECT_EQ(figures["ticks"], run.signal("realtime.lost").size());
  for (const char* const key : {"late", "lost", "jitter_p50", "jitter_p99", "jitter_p999", "jitter_max", "reply_p99",
                                "witness_late", "overruns", "compute_p50"})
    EXPECT_TRUE(figures.at(key).is_number()) << key;
  EXPECT_THAT(run.outcome.out, HasSubstr("paced by drive, 4 ms"));
  const std::vector<double> reply = run.signal("realtime.reply"), compute = run.signal("realtime.compute");
  EXPECT_TRUE(std::all_of(compute.begin(), compute.end(), [](double time) { return time > 0; }));
  expect_median(figures["reply_p50"], reply);
  const std::vector<double> late = run.signal("realtime.late");
  ASSERT_EQ(late.size(), reply.size());
  for (std::size_t i = 0; i < late.size(); ++i) EXPECT_EQ(late[i] != 0, reply[i] > 0.004) << i << ": " << reply[i];
}

TEST(PacedRun, WithoutAWitnessKnowsNothingOfIt) {
  const AxisRun run("--for 100ms");
  EXPECT_TRUE(run.summary["realtime"]["witness_late"].is_null());
}

TEST(PacedRun, CountsEachCycleThatDoesNotComeAsATickAndMakesNoStepOfIt) {
  const AxisRun run("--arm --set drive.quiet_at=200 --set drive.quiet=5");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const std::vector<double> lost = run.signal("realtime.lost"), stale = run.signal("drive.stale");
  EXPECT_EQ(lost, stale);
  EXPECT_GE(std::count(lost.begin(), lost.end(), 1.0), 5);
  EXPECT_EQ(run.figure("lost"), std::count(lost.begin(), lost.end(), 1.0));
  EXPECT_LE(run.drive("largest_step"), longest_step);
}

TEST(PacedRun, FailsInOrderWhereTheDeviceIsGone) {
  const AxisRun run("--arm --set drive.gone_at=200");
  EXPECT_EQ(run.outcome.exit, 3);
  EXPECT_THAT(run.outcome.err, HasSubstr("block drive: the device that paces the loop is gone"));
  EXPECT_EQ(run.summary["ending"]["reason"], "failed");
  EXPECT_EQ(run.summary["ending"]["block"], "drive");
  EXPECT_THAT(run.events_of("state"), ElementsAre("idle", "armed", "running", "stopping", "ended"));
  EXPECT_TRUE(run.log_complete());
}

TEST(PacedRun, EndsADiagramThatFailsByTheRamp) {
  const AxisRun run("--arm --set wish.nan_at=100");
  EXPECT_EQ(run.outcome.exit, 3);
  EXPECT_THAT(run.outcome.err, HasSubstr("t = 0.4 s (tick 100), block wish"));
  EXPECT_THAT(run.outcome.err, HasSubstr("block wish, signal wish.y: the output is not a number"));
  EXPECT_LE(run.drive("largest_step"), longest_step);
  EXPECT_LE(run.drive("last_step"), 1e-9);
  EXPECT_GT(run.summary["steps"], 110) << "it ended at once, without a ramp";
  EXPECT_TRUE(run.log_complete());
}

TEST(PacedRun, DoesNotStartFromAPlaceThatTheDeviceDoesNotKnow) {
  const AxisRun run("--arm --set drive.knows=false --for 1s");
  EXPECT_EQ(run.outcome.exit, 3);
  EXPECT_THAT(run.outcome.err, HasSubstr("a device does not say where it is"));
  EXPECT_EQ(run.drive("replies"), 0);
  EXPECT_THAT(run.events_of("state"), ElementsAre("idle", "armed", "ended"));
}

TEST(PacedRun, StopsByTheRampWhenTheOperatorWantsIt) {
  const AxisRun run("--arm --for 60s", "", "", after_a_second + std::string("kill -INT $p; wait $p"));
  EXPECT_EQ(run.outcome.exit, 130) << run.outcome.err;
  EXPECT_THAT(run.events_of("stop"), ElementsAre("the operator stopped it"));
  EXPECT_LE(run.drive("largest_step"), longest_step);
  EXPECT_LE(run.drive("last_step"), 1e-9);
  EXPECT_EQ(run.summary["ending"]["reason"], "interrupted");
  EXPECT_TRUE(run.log_complete());
}

TEST(PacedRun, StopsAtOnceWhenTheOperatorInsists) {
  const std::string endless_ramp = "--arm --for 60s --set wish.speed=0.4";
  const AxisRun run(endless_ramp, "", "", after_a_second + std::string("kill -INT $p; kill -TERM $p; wait $p"));
  EXPECT_EQ(run.outcome.exit, 130) << run.outcome.err;
  EXPECT_GT(run.drive("last_step"), 1e-9) << "it had come to rest: that was the ramp";
  EXPECT_TRUE(run.log_complete());
}

TEST(PacedRun, NamesTheBlocksThatMadeATickOverrun) {
  const AxisRun run("--arm --set wish.at=100 --set wish.work=10ms --time-blocks");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_GE(run.figure("overruns"), 1);
  const nlohmann::json& overruns = run.summary["realtime"]["first_overruns"];
  const auto it = std::find_if(overruns.begin(), overruns.end(), [](const auto& each) { return each["tick"] == 100; });
  ASSERT_NE(it, overruns.end()) << overruns;
  EXPECT_GE((*it)["slowest"]["wish"], 0.0099);
  EXPECT_THAT(run.outcome.out, testing::ContainsRegex("overrun at t = 0.4 s .tick 100.: .* slowest: wish "));
  const std::vector<double> late = run.signal("realtime.late"), time = run.signal("realtime.wish.time");
  EXPECT_EQ(late[100], 1);
  EXPECT_GE(time[100], 0.0099);
  // A machine that is busy may keep any tick from its end, and never most of them from theirs for as long as that.
  EXPECT_LT(std::count_if(time.begin(), time.end(), [](double t) { return t >= 0.0099; }),
            static_cast<std::ptrdiff_t>(time.size() / 2));
}

TEST(PacedRun, AnswersOnlyTheNewestCycleAfterAnOverrunAndSkipsNoneThatComesLater) {
  // In step with the loop, and during tick 100 it is not: so the machine's own delays count for nothing.
  const AxisRun run("--arm --set drive.in_step=true --set wish.at=100 --set wish.words=3");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  const std::vector<double> number = run.signal("drive.number"), stale = run.signal("drive.stale");
  ASSERT_GT(number.size(), 150U);
  EXPECT_GE(number[101] - number[100], 3);
  EXPECT_EQ(stale[101], 0);
  for (std::size_t i = 102; i < number.size(); ++i) EXPECT_EQ(number[i] - number[i - 1], stale[i] != 0 ? 0 : 1) << i;
}

TEST(PacedRun, DryRunDoesAllButSend) {
  const AxisRun run("--dry-run --for 400ms");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_EQ(run.drive("replies"), 0);
  EXPECT_GT(run.drive("sent"), 90);
  const std::vector<double> sent = run.signal("drive.sent");
  EXPECT_GT(*std::max_element(sent.begin(), sent.end()), 0.28);
}

TEST(PacedRun, ByTheTimerTakesItsTime) {
  const AxisRun run("--arm --set drive.paces=false --for 400ms");
  ASSERT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_EQ(run.summary["realtime"]["clock"], "timer");
  EXPECT_GE(run.summary["wall_time"], 0.39);
  EXPECT_THAT(run.outcome.out, HasSubstr("paced by the timer"));
}

TEST(PacedRun, ThatNeedsRightsRefusesBeforeAnythingStarts) {
  const AxisRun run("--arm --require-realtime", "  <realtime processors=\"1000\"/>\n");
  EXPECT_EQ(run.outcome.exit, 64);
  EXPECT_THAT(run.outcome.err, HasSubstr("the loop cannot be bound to processor 1000"));
  EXPECT_THAT(run.outcome.err, HasSubstr("nothing was started"));
  EXPECT_THAT(run.events, IsEmpty());
}

TEST(PacedRun, WithoutTheRightsWarnsLoudlyAndRuns) {
  const AxisRun run("--arm --quiet --for 200ms", "  <realtime processors=\"1000\"/>\n");
  EXPECT_EQ(run.outcome.exit, 0);
  EXPECT_THAT(run.outcome.err, HasSubstr("NOT IN REAL TIME"));
}

TEST(PacedRun, GivesItsPriorityToTheLoopAndTheWitnessAlone) {
  const AxisRun run("--arm --quiet --for 60s --witness", "  <realtime priority=\"73\"/>\n", "",
                    after_a_second + std::string("cat /proc/$p/task/*/stat > threads.txt; kill -INT $p; wait $p"));
  if (run.outcome.err.find("SCHED_FIFO") != std::string::npos) GTEST_SKIP() << "this user may not have priorities";
  int loops = 0, others = 0;
  std::istringstream threads(run.file("threads.txt"));
  for (std::string line; std::getline(threads, line);) {
    std::istringstream fields(line.substr(line.rfind(')') + 1)); // from the third on, see proc(5)
    const std::vector<std::string> field(std::istream_iterator<std::string>(fields), {});
    ASSERT_GT(field.size(), 38U) << line;
    const std::string &priority = field[37], &policy = field[38];
    constexpr const char *normal = "0", *fifo = "1", *of_the_device = "90";
    if (policy == fifo && priority == "73") ++loops;
    if (policy == normal) ++others;
    EXPECT_TRUE(policy == normal || priority == "73" || priority == of_the_device) << line;
  }
  EXPECT_EQ(loops, 2) << "the loop and its witness";
  EXPECT_GE(others, 2) << "the program and its log's writer";
}

TEST(PacedRun, IsCheckedWithoutItsDevices) {
  const Workplace here;
  here.write("axis.xml", R"(<diagram format="1" name="axis" period="4 ms">
  <block name="wish" type="devices/Busy" speed="0.1"/>
  <block name="drive" type="devices/Drive" cycle="2 ms"/>
  <limits on="drive.command" magnitude="2" rate="0.5" acceleration="150"/>
  <connect from="wish.y" to="drive.command"/>
</diagram>
)");
  const std::string plugins = "export HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins'; ";
  const Result wrong = here.hilda("check axis.xml", plugins);
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_THAT(wrong.err, HasSubstr("error[clock-period]"));
  EXPECT_THAT(wrong.out, Not(HasSubstr("sound")));
  const Result right = here.hilda("check axis.xml --audit --set drive.cycle=4ms", plugins);
  EXPECT_EQ(right.exit, 0) << right.err;
  EXPECT_THAT(right.out, HasSubstr("not audited, for it needs its devices"));
}

constexpr const char* plain = R"(<diagram format="1" name="plain" period="2 ms">
  <block name="wish" type="devices/Busy" speed="0.1"/>
  <block name="end" type="sinks/Terminator"/>
  <connect from="wish.y" to="end.u"/>
</diagram>
)";

Result run_plain(const std::string& options) {
  const Workplace here;
  here.write("plain.xml", plain);
  return here.hilda("run plain.xml --for 300ms " + options,
                    "export HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins'; ");
}

TEST(PlainSimulation, IsPacedWhenAskedFor) {
  const Result run = run_plain("--realtime --witness");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("paced by the timer, 2 ms: 150 ticks"));
}

TEST(PlainSimulation, RefusesWhatIsForDevices) {
  EXPECT_EQ(run_plain("--arm").exit, 64);
  EXPECT_THAT(run_plain("--dry-run").err, HasSubstr("--dry-run is for a run that moves devices"));
  const Result run = run_plain("--witness");
  EXPECT_EQ(run.exit, 64);
  EXPECT_THAT(run.err, HasSubstr("--realtime paces a simulation by the timer"));
  EXPECT_THAT(run_plain("").out, Not(HasSubstr("realtime  paced")));
}

} // namespace
} // namespace hilda::test
