// SPDX-License-Identifier: BSD-3-Clause
// `<quality>`: what measured channels must be like before anything is armed, and the words where one is not.
#include "axis.h"
#include "engine/compile/loaded_diagram.h"
#include "engine/plugin/library.h"
#include "engine/session/detail/channels/channel_quality.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A contact of 140 N and 0.8 mm, at 4 ms, with all that can be asked of two channels.
class QualityElement : public testing::Test {
protected:
  QualityElement() {
    host_.load(build_folder() + "/tests/realtime/plugins/devices.so", diagram_.diagnostics());
    diagram_.load(DiagramText{"rig.xml", R"(<diagram format="1" name="rig" period="4 ms">
  <parameter name="speed" value="20 mm/s"/>
  <parameter name="stiffness" value="176.275 N/mm"/>
  <parameter name="mass" value="279 kg"/>
  <parameter name="loudest" value="10 um"/>
  <block name="drive" type="devices/Drive"/>
  <limits on="drive.command" magnitude="2" rate="0.5" acceleration="150"/>
  <quality on="drive.position" resolution="1 um" noise="${loudest}" delay="2 ms" rate="240" doc="the drive's manual, page 3"/>
  <block name="wish" type="devices/Busy"/>
  <connect from="wish.y" to="drive.command"/>
</diagram>
)"},
                  {});
  }
  /// The verdict on a channel that is like this.
  std::string said(double resolution, double noise, double age, double rate) {
    const std::vector<ChannelQuality> channels{{"drive.position", "m", resolution, noise, age, rate, QualityIndex(0)}};
    Diagnostics found;
    report_quality(channels, diagram_.system(), found);
    EXPECT_EQ(meets_quality(channels, diagram_.system()), found.ok());
    return found.text();
  }
  Host host_;
  LoadedDiagram diagram_{host_.catalogue()};
};

TEST_F(QualityElement, IsSatisfiedUpToItsLimits) {
  ASSERT_TRUE(diagram_.ok()) << diagram_.diagnostics().text();
  EXPECT_EQ(said(1e-6, 1e-5, 2e-3, 240), "");
  EXPECT_EQ(said(1e-9, 0, 0, 1000), "");
}

TEST_F(QualityElement, SaysWhatEachFigureIsAndWhatToDo) {
  ASSERT_TRUE(diagram_.ok()) << diagram_.diagnostics().text();
  EXPECT_EQ(
      said(1e-5, 0, 0, 250),
      "rig.xml:8: error[quality-unmet]: 'drive.position': its resolution is 10 um, 1 um at the most is asked for; "
      "what it is like may change: stiffness 1.3 %, energy x1.27\n"
      "  help: let the device send finer steps (more decimals, a smaller range); or ask for less; the file says: "
      "the drive's manual, page 3\n");
  EXPECT_EQ(said(1e-7, 2e-5, 0, 250),
            "rig.xml:8: error[quality-unmet]: 'drive.position': its noise is 20 um, 10 um at the most is asked for; "
            "what it is like may change: stiffness 2.5 %, energy x1.56\n"
            "  rig.xml:5: the requirement is here\n"
            "  help: find what shakes the device, look at its cable, its shield and its filter; or ask for less; the "
            "file says: the drive's manual, page 3\n");
  EXPECT_EQ(said(1e-7, 0, 0.005, 250),
            "rig.xml:8: error[quality-unmet]: 'drive.position': its delay is 5 ms, 2 ms at the most is asked for; "
            "what it is like may change: stiffness 0.013 %, energy x1\n"
            "  help: let the device send more often and without buffers on the way; or ask for less; the file says: "
            "the drive's manual, page 3\n");
  EXPECT_EQ(said(1e-7, 0, 0, 50),
            "rig.xml:8: error[quality-unmet]: 'drive.position': its rate is 50/s, 240/s at the least is asked for\n"
            "  help: let the device send more often, and let nothing on the way drop packets; a tick sees one sample, "
            "so 250/s are the most here; or ask for less; the file says: the drive's manual, page 3\n");
}

TEST_F(QualityElement, DoesNotTakeWhatIsNotKnownForGood) {
  ASSERT_TRUE(diagram_.ok()) << diagram_.diagnostics().text();
  EXPECT_THAT(said(-1, 0, 0, 250),
              HasSubstr("its resolution is not known (it never changed, as one that is stuck), 1 um "
                        "at the most is asked for"));
  EXPECT_THAT(said(1e-7, 0, -1, 250), HasSubstr("its delay is not known (its block has no output 'age'), 2 ms at"));
  EXPECT_THAT(said(-1, -1, -1, 0),
              AllOf(HasSubstr("resolution"), HasSubstr("noise"), HasSubstr("delay"), HasSubstr("its rate is 0/s")));
}

// With a device that is at rest at 0.25 m: its noise is zero, its rate that of its cycles.

TEST(Quality, OfADeviceThatIsAsItMustBeLetsItBeArmed) {
  const AxisRun run("--arm --for 200ms", "  <quality on=\"drive.position\" noise=\"1 um\" rate=\"100\"/>\n");
  EXPECT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_THAT(run.outcome.err, HasSubstr("measured, at rest"));
  EXPECT_GT(run.drive("furthest"), 0);
}

TEST(Quality, AndLimitsStandInTheLogAndAreToldOfIt) {
  AxisRun run("--arm --for 200ms", "  <quality on=\"drive.position\" noise=\"1 um\" rate=\"100\"/>\n");
  const Result info = run.info();
  EXPECT_EQ(info.exit, 0) << info.err;
  EXPECT_THAT(
      info.out,
      AllOf(
          HasSubstr(
              "Limits of motion, in SI\n  drive.command  acceleration 150.0, magnitude 2.0, rate 0.5, stop_time 0.1\n"),
          HasSubstr("Quality asked of measurements, in SI\n  drive.position  noise 1e-06, rate 100.0\n")));
}

TEST(Quality, ThatIsNotMetRefusesToArmAndNothingMoves) {
  for (const char* const how : {"--arm", "--dry-run"}) {
    const AxisRun run(std::string(how) + " --for 200ms",
                      "  <quality on=\"drive.position\" noise=\"1 um\" resolution=\"1 um\" rate=\"300\"/>\n");
    EXPECT_EQ(run.outcome.exit, 3) << how;
    EXPECT_EQ(run.drive("furthest"), 0);
    EXPECT_THAT(run.outcome.err,
                AllOf(HasSubstr("axis.xml:7: error[quality-unmet]: 'drive.position': its resolution is not known"),
                      HasSubstr("300/s at the least is asked for"), Not(HasSubstr("its noise")),
                      HasSubstr("a measured channel is not what <quality> asks for, so nothing was moved")));
    EXPECT_THAT(run.events_of("state"), ElementsAre("idle", "armed", "ended"));
  }
}

TEST(Quality, IsSaidEvenIfTheRunIsQuiet) {
  const AxisRun run("--arm --quiet --for 200ms", "  <quality on=\"drive.position\" rate=\"300\"/>\n");
  EXPECT_EQ(run.outcome.exit, 3);
  EXPECT_THAT(run.outcome.err, AllOf(HasSubstr("error[quality-unmet]"), Not(HasSubstr("measured, at rest"))));
}

TEST(Quality, NotArmedIsAWarning) {
  const AxisRun run("--for 1s", "  <quality on=\"drive.position\" rate=\"300\"/>\n");
  EXPECT_EQ(run.outcome.exit, 0) << run.outcome.err;
  EXPECT_THAT(run.outcome.err, HasSubstr("warning[quality-unmet]"));
}

TEST(Quality, CountsCyclesThatWereLostAsSamplesThatDidNotCome) {
  const AxisRun run("--arm --set drive.quiet_at=20 --set drive.quiet=40 --for 200ms",
                    "  <quality on=\"drive.position\" rate=\"200\"/>\n");
  EXPECT_EQ(run.outcome.exit, 3);
  EXPECT_THAT(run.outcome.err, HasSubstr("200/s at the least is asked for"));
}

} // namespace
} // namespace hilda::test
