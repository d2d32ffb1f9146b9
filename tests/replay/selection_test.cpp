// SPDX-License-Identifier: BSD-3-Clause
// `<log>` and `<figure>`: what a run keeps, and that a replay still has all that it needs.
#include "engine/log/log.h"
#include "engine/log/log_figures.h"
#include "tests/cli/program.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

/// A wave, its square, and whether it is above a half; the square at 4 ms.
std::string wave(const std::string& elements, const std::string& more = "") {
  return R"(<diagram format="1" name="wave" period="1 ms">
  <parameter name="duration" value="200 ms"/>
  <block name="wave" type="sources/Sine" amplitude="1" frequency="10 Hz"/>
  <block name="above" type="math/Compare" operation="greater" with="0.5"/>
  <block name="slow" type="discrete/UnitDelay" sample_time="4 ms"/>
  <subsystem name="part">
    <input name="u"/>
    <output name="y"/>
    <block name="twice" type="math/Gain" gain="2"/>
    <block name="late" type="discrete/UnitDelay"/>
    <connect from="u" to="twice.u"/>
    <connect from="twice.y" to="late.u"/>
    <connect from="late.y" to="y"/>
    )" + more +
         R"(
  </subsystem>
  <connect from="wave.y" to="above.a"/>
  <connect from="wave.y" to="slow.u"/>
  <connect from="wave.y" to="part.u"/>
  )" + elements +
         "\n</diagram>\n";
}

std::optional<Log> log_of(const Workplace& here, const std::string& name = "it.mcap") {
  std::string error;
  auto log = Log::open((here.path() / name).string(), error);
  EXPECT_TRUE(log) << error;
  return log;
}

/// Runs the diagram and opens its log.
std::optional<Log> recorded(const Workplace& here, const std::string& diagram, const std::string& options = "") {
  here.write("wave.xml", diagram);
  const Result run = here.hilda("run wave.xml --quiet --log it.mcap " + options);
  EXPECT_EQ(run.exit, 0) << run.err;
  return log_of(here);
}

std::vector<std::int64_t> ticks(Log& log, const std::string& signal) {
  std::string error;
  const auto found = log.signal(signal, error);
  EXPECT_TRUE(found) << error;
  return found ? found->ticks() : std::vector<std::int64_t>{};
}

TEST(LogElement, KeepsWhatItNamesAndNothingElse) {
  const Workplace here;
  auto all = recorded(here, wave(""));
  EXPECT_THAT(all->signal_names(), UnorderedElementsAre("wave.y", "above.y", "slow.y", "part.twice.y", "part.late.y"));
  auto some = recorded(here, wave(R"(<log signals="wave.y, part.l*"/>)"));
  EXPECT_THAT(some->signal_names(), UnorderedElementsAre("wave.y", "part.late.y"));
  auto below = recorded(here, wave(R"(<log signals="part"/>)"));
  EXPECT_THAT(below->signal_names(), UnorderedElementsAre("part.twice.y", "part.late.y"));
  auto port = recorded(here, wave(R"(<log signals="part.y"/>)"));
  EXPECT_THAT(port->signal_names(), ElementsAre("part.late.y")) << "the signal that the port passes";
}

TEST(LogElement, TakesASampleEverySoOftenAndNoMoreOfASlowSignalThanItHas) {
  const Workplace here;
  auto log = recorded(here, wave(R"(<log signals="wave.y" every="10 ms"/><log signals="slow" every="2 ms"/>)"));
  const auto of_wave = ticks(*log, "wave.y"), of_slow = ticks(*log, "slow.y");
  ASSERT_EQ(of_wave.size(), 20U);
  for (std::size_t i = 0; i < of_wave.size(); ++i) EXPECT_EQ(of_wave[i], static_cast<std::int64_t>(10 * i));
  ASSERT_EQ(of_slow.size(), 50U);
  EXPECT_EQ(of_slow[1], 4);
}

TEST(LogElement, WithAConditionKeepsTheTicksInWhichItIsTrue) {
  const Workplace here;
  auto log = recorded(here, wave(R"(<log signals="above.y"/><log signals="wave.y" when="above.y"/>)"));
  std::string error;
  const auto above = log->signal("above.y", error);
  ASSERT_TRUE(above) << error;
  std::vector<std::int64_t> expected;
  for (std::size_t i = 0; i < above->samples(); ++i)
    if (above->value(i) != 0) expected.push_back(above->ticks()[i]);
  EXPECT_GT(expected.size(), 30U);
  EXPECT_LT(expected.size(), 100U);
  EXPECT_EQ(ticks(*log, "wave.y"), expected);
  auto sparse = recorded(here, wave(R"(<log signals="wave.y" every="5 ms" when="above.y"/>)"));
  for (const std::int64_t tick : ticks(*sparse, "wave.y")) {
    EXPECT_EQ(tick % 5, 0);
    EXPECT_THAT(expected, Contains(tick));
  }
}

TEST(LogElement, OfSeveralTheLastThatNamesASignalCounts) {
  const Workplace here;
  auto log = recorded(here, wave(R"(<log signals="*" every="50 ms"/><log signals="part.twice.y"/>)"));
  EXPECT_EQ(ticks(*log, "part.twice.y").size(), 200U);
  EXPECT_EQ(ticks(*log, "part.late.y").size(), 4U);
}

TEST(LogElement, InASubsystemChoosesThereUnlessTheDiagramAroundItDoes) {
  const Workplace here;
  const std::string inside = R"(<log signals="late.y"/>)";
  auto own = recorded(here, wave("", inside));
  EXPECT_THAT(own->signal_names(), UnorderedElementsAre("wave.y", "above.y", "slow.y", "part.late.y"));
  auto outer = recorded(here, wave(R"(<log signals="wave part.twice.y"/>)", inside));
  EXPECT_THAT(outer->signal_names(), UnorderedElementsAre("wave.y", "part.twice.y"));
}

TEST(LogElement, InASubsystemLeavesAloneWhatIsOnlyCalledAlike) {
  const Workplace here;
  auto log = recorded(here, wave(R"(<block name="partner" type="sources/Sine" amplitude="1" frequency="10 Hz"/>)",
                                 R"(<log signals="late.y"/>)"));
  EXPECT_THAT(log->signal_names(), Contains("partner.y"));
}

TEST(LogElement, TakesOneElementOfAVectorAsItsCondition) {
  const Workplace here;
  auto log = recorded(here, wave(R"(<block name="pair" type="sources/Sine" amplitude="1 -1" frequency="10 Hz"/>
  <block name="each" type="math/Compare" operation="greater" with="0.5"/>
  <connect from="pair.y" to="each.a"/>
  <log signals="wave.y"/><log signals="slow.y" every="1 ms" when="each.y[1]"/><log signals="above.y" when="each.y[0]"/>)"));
  std::string error;
  const auto wave_y = log->signal("wave.y", error);
  ASSERT_TRUE(wave_y) << error;
  std::vector<std::int64_t> high, low;
  for (std::size_t i = 0; i < wave_y->samples(); ++i) {
    if (wave_y->value(i) > 0.5) high.push_back(wave_y->ticks()[i]);
    if (wave_y->value(i) < -0.5 && i % 4 == 0) low.push_back(wave_y->ticks()[i]);
  }
  EXPECT_EQ(ticks(*log, "above.y"), high);
  EXPECT_EQ(ticks(*log, "slow.y"), low);
}

TEST(LogElement, GivesWayToLogAllAndCountsInItsModeAlone) {
  const Workplace here;
  auto all = recorded(here, wave(R"(<log signals="wave" every="20 ms"/>)"), "--log-all");
  EXPECT_EQ(all->signal_names().size(), 5U);
  EXPECT_EQ(ticks(*all, "wave.y").size(), 200U);
  auto elsewhere = recorded(here, wave(R"(<log signals="wave" mode="hardware"/>)"));
  EXPECT_EQ(elsewhere->signal_names().size(), 5U);
}

TEST(LogElement, LeavesALogThatReplaysToTheBit) {
  const Workplace here;
  const std::string chosen = wave(R"(<log signals="wave" every="30 ms"/><log signals="part.y" when="above.y"/>)");
  auto log = recorded(here, chosen);
  const Result again = here.hilda("run --mode replay it.mcap");
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("every bit is as recorded"), HasSubstr("200 ticks, 2 signals")));
}

TEST(LogElement, LeavesALogThatAnotherValueIsTriedOn) {
  const Workplace here;
  here.write("wave.xml", wave(R"(<log signals="wave" every="2 ms"/>)"));
  ASSERT_EQ(here.hilda("run wave.xml --quiet --log it.mcap").exit, 0);
  const Result other = here.hilda("run --mode replay it.mcap --set wave.frequency=11Hz");
  EXPECT_THAT(other.out, HasSubstr("wave.y"));
}

TEST(LogElement, SaysWhenTheRigWasNotKeptWhole) {
  const Workplace here;
  std::string diagram = wave(R"(<log signals="rig" every="20 ms"/>)");
  for (std::size_t at = diagram.find("\"part"); at != std::string::npos; at = diagram.find("\"part"))
    diagram.replace(at, 5, "\"rig");
  recorded(here, diagram);
  const Result other = here.hilda("run --mode replay it.mcap --set wave.frequency=11Hz");
  EXPECT_EQ(other.exit, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("it keeps rig.twice.y in part or not at all"), HasSubstr("--log-all")));
}

/// As in replay_test.cpp: a line that a drive behind a socket follows.
constexpr const char* axis = R"(<diagram format="1" name="axis" period="4 ms">
  <parameter name="duration" value="600 ms"/>
  <block name="wish" type="devices/Busy" speed="0.1"/>
  <block name="smooth" type="discrete/LowPass" cutoff="5 Hz"/>
  <block name="drive" type="devices/Drive"/>
  <limits on="drive.command" magnitude="2 m" rate="0.5 m/s" acceleration="100 m/s2" stop_time="100 ms"/>
  <connect from="wish.y" to="drive.command"/>
  <connect from="drive.position" to="smooth.u"/>
  <log signals="*" every="40 ms"/>
</diagram>
)";
const std::string devices = "export HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins'; ";

TEST(LogElement, NeverThinsWhatCameFromADeviceSoThatHardwareReplays) {
  const Workplace here;
  here.write("axis.xml", axis);
  const Result first = here.hilda("run axis.xml --arm --quiet --log it.mcap", devices);
  ASSERT_EQ(first.exit, 0) << first.err;
  auto log = log_of(here);
  const std::size_t all = ticks(*log, "realtime.lost").size();
  EXPECT_GE(all, 150U) << "the run and its ramp to rest";
  EXPECT_EQ(ticks(*log, "drive.position").size(), all) << "measured";
  EXPECT_EQ(ticks(*log, "smooth.y").size(), (all + 9) / 10);
  EXPECT_EQ(ticks(*log, "wish.y").size(), (all + 9) / 10);
  const Result again = here.hilda("run --mode replay it.mcap", devices);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("every bit is as recorded"), HasSubstr(std::to_string(all) + " ticks")));
}

TEST(LogElement, KeepsHowAThinnedHardwareRunEnded) {
  const Workplace here;
  here.write("axis.xml", axis);
  const Result first = here.hilda("run axis.xml --arm --quiet --log it.mcap --set drive.gone_at=200", devices);
  EXPECT_NE(first.exit, 0) << first.err;
  const Result again = here.hilda("run --mode replay it.mcap", devices);
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("every bit is as recorded"));
}

TEST(LogElement, IsToldByInfoAndExported) {
  const Workplace here;
  recorded(here, wave(R"(<log signals="part.twice.y" every="20 ms"/><log signals="wave" when="above.y"/>)"));
  const Result told = here.hilda("info it.mcap");
  EXPECT_THAT(told.out,
              AllOf(HasSubstr("every 20 ticks"), HasSubstr("while above.y"), HasSubstr("those that <log> names")));
  ASSERT_EQ(here.hilda("export it.mcap --csv -o it.csv").exit, 0);
  EXPECT_THAT(here.read("it.csv"), HasSubstr("part.twice.y"));
  EXPECT_EQ(here.hilda("export it.mcap --csv -o /dev/stdout").out, here.read("it.csv")) << "and not its name";
  ASSERT_EQ(here.hilda("export it.mcap --mat -o it.mat").exit, 0);
}

TEST(FigureElement, IsKeptInTheLogWithNamesFromTheTop) {
  const Workplace here;
  auto log = recorded(here, wave(R"(<figure title="The wave" signals="wave.y part.*"/>)",
                                 R"(<figure title="Inside" signals="late.y"/>)"));
  const std::vector<LogFigure> figures = figures_of(log->schema());
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].title, "The wave");
  EXPECT_THAT(figures[0].signals, ElementsAre("wave.y", "part.*"));
  EXPECT_THAT(figures[1].signals, ElementsAre("part.late.y"));
}

TEST(FigureElement, IsWhatPlotAndReportShowFirst) {
  const Workplace here;
  recorded(here, wave(R"(<figure title="What matters" signals="part.y wave.y"/>)"));
  ASSERT_EQ(here.hilda("plot it.mcap -o it.svg").exit, 0);
  EXPECT_THAT(here.read("it.svg"), AllOf(HasSubstr("What matters"), HasSubstr(">wave.y<"), HasSubstr(">part.late.y<")));
  ASSERT_EQ(here.hilda("report it.mcap -o it.html").exit, 0);
  EXPECT_THAT(here.read("it.html"),
              HasSubstr(R"("figures":[{"title":"What matters","unit":"","signals":["part.late.y","wave.y"]}])"));
  EXPECT_THAT(here.hilda("info it.mcap").out, HasSubstr("\nFigures\n  What matters: part.y wave.y\n"));
}

} // namespace
} // namespace hilda::test
