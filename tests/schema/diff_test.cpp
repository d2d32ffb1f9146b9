// SPDX-License-Identifier: BSD-3-Clause
// hilda diff: what two diagrams mean, whatever they are written like.
#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string plain = R"(
  <parameter name="duration" value="0.5 s"/>
  <block name="source" type="sources/Constant" value="1 N"/>
  <block name="line" type="discrete/Delay" delay="2 ms"/>
  <block name="gate" type="sources/BooleanConstant" value="true"/>
  <block name="gain" type="math/Gain" gain="2" enable="gate.y"/>
  <block name="sink" type="sinks/Terminator"/>
  <connect from="source.y" to="line.u"/>
  <connect from="line.y" to="gain.u"/>
  <connect from="gain.y" to="sink.u"/>
)";

/// The diagram above in other words: order, units, expressions, parameters, the name, remarks.
const std::string reworded = R"(
  <!-- the same -->
  <parameter name="duration" value="500 ms"/>
  <parameter name="time" value="0.001 s"/>
  <block name="sink" type="sinks/Terminator" ui.x="5" doc="the end"/>
  <block name="gain" type="math/Gain" gain="${1 + 1}" enable="gate.y" outputs="hold"/>
  <block name="gate" type="sources/BooleanConstant" value="on"/>
  <block name="line" type="discrete/Delay" delay="${2 * time}" sample_time="0.001 s"/>
  <block name="source" type="sources/Constant" value="0.001 kN"/>
  <connect from="gain.y" to="sink.u"/>
  <connect from="line.y" to="gain.u"/>
  <connect from="source.y" to="line.u"/>
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

class Diff : public ::testing::Test {
protected:
  Result diff(const std::string& a, const std::string& b, const std::string& options = "",
              const std::string& period = "1 ms") const {
    place.write("a.xml", "<diagram format=\"1\" name=\"a\" period=\"1 ms\">" + a + "</diagram>");
    place.write("b.xml", "<diagram format=\"1\" name=\"b\" period=\"" + period + "\">" + b + "</diagram>");
    return place.hilda("diff a.xml b.xml " + options);
  }
  /// The changed diagram differs from the plain one in just this line.
  void expect_only(const std::string& changed, const std::string& line) const {
    const Result outcome = diff(plain, changed);
    EXPECT_EQ(outcome.exit, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\n  " + line + "\n"));
    EXPECT_THAT(outcome.out, HasSubstr("\n1 difference\n"));
  }
  Workplace place;
};

TEST_F(Diff, WhatMeansTheSameIsEqual) {
  const Result outcome = diff(plain, reworded, "", "0.001 s");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("mean the same: 5 blocks, 3 wires"));
}

TEST_F(Diff, FilesAndForwardingMakeNoDifference) {
  place.write("part.xml", "<diagram format=\"1\"><parameter name=\"k\"/><input name=\"u\"/><output name=\"y\"/>"
                          "<block name=\"gain\" type=\"math/Gain\" gain=\"${k}\"/>"
                          "<connect from=\"u\" to=\"gain.u\"/><connect from=\"gain.y\" to=\"y\"/></diagram>");
  const std::string around = R"(<block name="source" type="sources/Constant" value="1 N"/>
    <block name="sink" type="sinks/Terminator"/>
    <connect from="source.y" to="part.u"/><connect from="part.y" to="sink.u"/>)";
  const Result outcome = diff(around + "<subsystem name=\"part\" src=\"part.xml\" k=\"3\"/>",
                              around + R"(<subsystem name="part"><input name="u"/><output name="y"/>
      <block name="gain" type="math/Gain" gain="3"/>
      <connect from="u" to="gain.u"/><connect from="gain.y" to="y"/></subsystem>)");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

TEST_F(Diff, NamesAParameterInSi) {
  expect_only(replaced(plain, "delay=\"2 ms\"", "delay=\"3 ms\""), "~ line.delay  0.002 s -> 0.003 s");
}

TEST_F(Diff, NamesABlockOfAnotherTypeWithoutItsDetails) {
  expect_only(replaced(plain, "type=\"math/Gain\" gain=\"2\"", "type=\"math/Abs\""), "~ gain  math/Gain -> math/Abs");
}

TEST_F(Diff, NamesBlocksThatAreAddedAndRemoved) {
  const std::string more =
      plain + "<block name=\"more\" type=\"sinks/Terminator\"/><connect from=\"line.y\" to=\"more.u\"/>";
  expect_only(more, "+ more  sinks/Terminator");
  EXPECT_THAT(diff(more, plain).out, HasSubstr("\n  - more  sinks/Terminator\n"));
}

TEST_F(Diff, NamesAWireThatComesFromElsewhere) {
  expect_only(replaced(plain, "from=\"line.y\" to=\"gain.u\"", "from=\"source.y\" to=\"gain.u\""),
              "~ gain.u  from line.y -> source.y");
}

TEST_F(Diff, NamesARate) {
  expect_only(replaced(plain, "name=\"sink\"", "name=\"sink\" sample_time=\"2 ms\""), "~ sink  1 ms -> 2 ms");
}

TEST_F(Diff, NamesConditions) {
  expect_only(replaced(plain, "enable=\"gate.y\"", "enable=\"gate.y\" outputs=\"reset\""),
              "~ gain  enabled by gate.y, holds while disabled -> enabled by gate.y, zero while disabled");
  expect_only(replaced(plain, " enable=\"gate.y\"", ""), "- gain  enabled by gate.y, holds while disabled");
}

TEST_F(Diff, NamesHowFastAParameterMayChange) {
  expect_only(plain + "<live path=\"gain.gain\" rate=\"1 1/s\"/>", "+ gain.gain  at most 1 a second, in SI");
  EXPECT_THAT(
      diff(plain + "<live path=\"gain.gain\" rate=\"1 1/s\"/>", plain + "<live path=\"gain.gain\" rate=\"2 1/s\"/>")
          .out,
      HasSubstr("~ gain.gain  at most 1 a second, in SI -> at most 2 a second, in SI"));
}

TEST_F(Diff, NamesTheDuration) { expect_only(replaced(plain, "0.5 s", "2 s"), "~ duration  0.5 s -> 2 s"); }

TEST_F(Diff, NamesLimitsAndPowerPorts) {
  const std::string robot = R"(<block name="still" type="kinematics/MakePose"/>
    <block name="place" type="sources/Constant" value="0 0 0 m"/><block name="turn" type="sources/Constant" value="0 0 0 rad"/>
    <block name="speed" type="sources/Constant" value="0 0 0 m/s"/>
    <block name="spin" type="sources/Constant" value="0 0 0 rad/s"/>
    <connect from="place.y" to="still.position"/><connect from="turn.y" to="still.rotation"/>
    <connect from="speed.y" to="rest.linear"/><connect from="spin.y" to="rest.angular"/>
    <block name="rest" type="kinematics/MakeTwist"/><block name="robot" type="dynamics/RobotSink"/>
    <connect from="still.pose" to="robot.command_pose"/><connect from="rest.twist" to="robot.command_twist"/>)";
  const Result limits = diff(robot + "<limits on=\"robot.command_pose\" speed=\"0.2 m/s\"/>",
                             robot + "<limits on=\"robot.command_pose\" speed=\"300 mm/s\" step=\"1 mm\"/>");
  EXPECT_EQ(limits.exit, 1) << limits.err;
  EXPECT_THAT(limits.out, HasSubstr("~ robot.command_pose speed  0.2 m/s -> 0.3 m/s"));
  EXPECT_THAT(limits.out, HasSubstr("+ robot.command_pose step   0.001 m"));
  const std::string source = "<block name=\"far\" type=\"udp/UdpSource\" port=\"0\" size=\"3\" initial=\"0 N\"/>";
  const Result quality = diff(source + "<quality on=\"far.values\" noise=\"0.2 N\" rate=\"0\"/>",
                              source + "<quality on=\"far.values\" noise=\"300 mN\" delay=\"2 ms\"/>");
  EXPECT_EQ(quality.exit, 1) << quality.err;
  EXPECT_THAT(quality.out, HasSubstr("~ far.values noise  0.2 -> 0.3"));
  EXPECT_THAT(quality.out, HasSubstr("+ far.values delay  0.002 s"));
  const std::string power = plain + "<block name=\"v\" type=\"sources/Constant\" value=\"1 m/s\"/>";
  const Result ports = diff(power + "<power_port name=\"p\" effort=\"source.y\" flow=\"v.y\"/>",
                            power + "<power_port name=\"p\" effort=\"source.y\" flow=\"v.y\" rule=\"forward\"/>");
  EXPECT_THAT(ports.out, HasSubstr("~ p  source.y x v.y (backward) -> source.y x v.y (forward)"));
}

TEST_F(Diff, NamesWhatIsRecordedAndShown) {
  expect_only(plain + "<log signals=\"source\" every=\"4 ms\" when=\"gate.y\"/>",
              "+ source  recorded every 4 ms while gate.y");
  expect_only(plain + "<figure title=\"Force\" signals=\"source.y gain\"/>", "+ Force  source.y gain");
  const Result changed =
      diff(plain + "<figure title=\"Force\" signals=\"source.y\"/><log signals=\"gain\"/>",
           plain + "<figure title=\"Force\" signals=\"gain.y\"/><log signals=\"gain\" every=\"2 ms\"/>");
  EXPECT_THAT(changed.out, HasSubstr("~ Force  source.y -> gain.y"));
  EXPECT_THAT(changed.out, HasSubstr("~ gain  recorded -> recorded every 2 ms"));
}

TEST_F(Diff, ComparesTheModesOfOneDiagram) {
  place.write("m.xml", R"(<diagram format="1" period="1 ms">
    <block name="source" type="sources/Constant" value="1 N" mode="sim"/>
    <block name="source" type="sources/Constant" value="2 N" mode="bench"/>
    <block name="sink" type="sinks/Terminator"/><connect from="source.y" to="sink.u"/></diagram>)");
  const Result outcome = place.hilda("diff m.xml --modes sim,bench");
  EXPECT_EQ(outcome.exit, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("~ source.value  1 N -> 2 N"));
  EXPECT_EQ(place.hilda("diff m.xml --modes sim,sim").exit, 0);
}

TEST_F(Diff, AnOverlayOfTheCellIsLeftOutOfSimulation) {
  const std::string diagrams = source_folder() + "/diagrams/";
  const Result outcome = place.hilda("diff " + diagrams + "pida.xml --modes sim,hardware --overlay " + diagrams +
                                     "rigs/kuka_ati_loopback.xml");
  EXPECT_EQ(outcome.exit, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("mode sim is taken without the overlay"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("~ rig.robot +dynamics/RobotSink -> kuka_rsi/RsiRobot"));
}

TEST_F(Diff, GivesJson) {
  const Result outcome = diff(plain, replaced(plain, "delay=\"2 ms\"", "delay=\"3 ms\""), "--json");
  EXPECT_EQ(outcome.exit, 1);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["equal"], false);
  ASSERT_EQ(document["differences"].size(), 1u);
  EXPECT_EQ(document["differences"][0],
            (nlohmann::json{{"kind", "parameter"}, {"name", "line.delay"}, {"a", "0.002 s"}, {"b", "0.003 s"}}));
}

TEST_F(Diff, BadFilesAndMisuseAreSaid) {
  EXPECT_EQ(diff(plain, replaced(plain, "math/Gain", "math/Gian")).exit, 2);
  EXPECT_EQ(place.hilda("diff a.xml").exit, 64);
  EXPECT_EQ(place.hilda("diff a.xml --modes sim").exit, 64);
  EXPECT_EQ(place.hilda("diff a.xml a.xml --modes sim,hardware").exit, 64);
}

} // namespace
} // namespace hilda::test
