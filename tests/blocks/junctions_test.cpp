// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string position = "<block name=\"position\" type=\"sources/Ramp\" slope=\"2 m/s\"/>";
const std::string force = "<block name=\"force\" type=\"sources/Constant\" value=\"1 2 3 N\"/>";
const std::string state = position + force +
                          "<block name=\"state\" type=\"routing/Bundle\" parts=\"position force\"/>" +
                          wire("position.y", "state.position") + wire("force.y", "state.force");

std::string gain_of(const std::string& name, const std::string& from) {
  return "<block name=\"" + name + "\" type=\"math/Gain\" gain=\"2\"/>" + wire(from, name + ".u");
}

TEST(Goto, IsAWireThatIsNotDrawn) {
  const std::string sent = force + "<block name=\"sent\" type=\"routing/Goto\" tag=\"push\"/>" +
                           wire("force.y", "sent.u") + "<block name=\"here\" type=\"routing/From\" tag=\"push\"/>";
  const Trial trial = sound_trial(sent + gain_of("all", "here.y") + gain_of("one", "here.y[2]"));
  EXPECT_THAT(trial["all.y"].row(1), ElementsAre(2, 4, 6));
  EXPECT_THAT(trial["one.y"].row(1), ElementsAre(6));
  EXPECT_EQ(trial.units.at("all.y"), "N");
}

TEST(Goto, HasATagOfItsDiagramAlone) {
  const std::string inside = "<subsystem name=\"part\">" + force +
                             "<block name=\"sent\" type=\"routing/Goto\" tag=\"push\"/>" + wire("force.y", "sent.u") +
                             "<block name=\"here\" type=\"routing/From\" tag=\"push\"/>" + gain_of("all", "here.y") +
                             "</subsystem>";
  EXPECT_THAT(sound_trial(inside)["part.all.y"].row(0), ElementsAre(2, 4, 6));
  EXPECT_THAT(
      run_trial(inside + "<block name=\"here\" type=\"routing/From\" tag=\"push\"/>" + gain_of("all", "here.y")).errors,
      HasSubstr("from-without-goto"));
}

const std::string store = "<block name=\"kept\" type=\"routing/DataStore\" initial=\"5\"/>";

std::string reads(const std::string& name, const std::string& of = "kept") {
  return "<block name=\"" + name + "\" type=\"routing/DataStoreRead\" store=\"" + of + "\"/>";
}

TEST(DataStore, GivesWhatWasWrittenInTheTickBefore) {
  const std::string writes = "<block name=\"write\" type=\"routing/DataStoreWrite\" store=\"kept\"/>";
  const Trial trial = sound_trial(reads("here") + gain_of("twice", "here.y") + store +
                                  "<subsystem name=\"outer\"><subsystem name=\"in\">" + position + writes +
                                  wire("position.y", "write.u") + "</subsystem>" + reads("there") +
                                  gain_of("also", "there.y") + "</subsystem>");
  EXPECT_EQ(trial.units.at("twice.y"), "m");
  EXPECT_EQ(trial["twice.y"].at(0), 10) << "until something is written";
  for (std::size_t k = 1; k < 20; ++k) {
    EXPECT_EQ(trial["twice.y"].at(k), 2 * trial["outer.in.position.y"].at(k - 1));
    EXPECT_EQ(trial["outer.also.y"].at(k), trial["twice.y"].at(k));
  }
}

TEST(DataStore, HoldsWhileItsWriterStandsStill) {
  // on from the fifth tick to the ninth, and from then on not
  const std::string clocked =
      "<block name=\"clock\" type=\"sources/Clock\"/><block name=\"on\" type=\"math/Function\" "
      "expression=\"(u > 0.0045) * (u &lt; 0.0095)\"/><block name=\"is\" type=\"math/RealToBool\"/>" +
      wire("clock.time", "on.u") + wire("on.y", "is.u");
  const Trial trial = sound_trial(
      clocked +
      "<block name=\"kept\" type=\"routing/DataStore\" initial=\"5 s\"/><subsystem name=\"part\" "
      "enable=\"is.y\"><input name=\"time\"/><block name=\"write\" type=\"routing/DataStoreWrite\" "
      "store=\"kept\"/>" +
      wire("time", "write.u") + "</subsystem>" + wire("clock.time", "part.time") + gain_of("twice", "kept.y"));
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_NEAR(trial["twice.y"].at(k), k <= 5 ? 10 : 0.002 * static_cast<double>(std::min<std::size_t>(k - 1, 9)),
                1e-15)
        << k;
}

TEST(DataStore, ClosesALoop) {
  const Trial trial = sound_trial(reads("before") + store +
                                  "<block name=\"more\" type=\"math/Bias\" bias=\"1\"/><block name=\"write\" "
                                  "type=\"routing/DataStoreWrite\" store=\"kept\"/>" +
                                  wire("before.y", "more.u") + wire("more.y", "write.u"));
  EXPECT_EQ(trial["more.y"].at(0), 6);
  EXPECT_EQ(trial["more.y"].at(7), 13);
}

TEST(Bundle, CarriesSignalsOfDifferentUnitsAndShapesAsOneWire) {
  const Trial trial =
      sound_trial(state + "<block name=\"apart\" type=\"routing/Unbundle\"/>" + wire("state.bus", "apart.bus") +
                  gain_of("p", "apart.position") + gain_of("f", "apart.force") + gain_of("z", "apart.force[2]"));
  EXPECT_EQ(trial["p.y"].at(50), 2 * trial["position.y"].at(50));
  EXPECT_THAT(trial["f.y"].row(0), ElementsAre(2, 4, 6));
  EXPECT_THAT(trial["z.y"].row(0), ElementsAre(6));
  EXPECT_EQ(trial.units.at("p.y"), "m");
  EXPECT_EQ(trial.units.at("f.y"), "N");
}

TEST(Bundle, PassesPortsOfSubsystemsAndOtherBundles) {
  const Trial trial =
      sound_trial(state +
                  "<block name=\"whole\" type=\"routing/Bundle\" parts=\"robot time\"/><block name=\"clock\" "
                  "type=\"sources/Clock\"/>" +
                  wire("state.bus", "whole.robot") + wire("clock.time", "whole.time") +
                  "<block name=\"sent\" type=\"routing/Goto\" tag=\"all\"/>" + wire("whole.bus", "sent.u") +
                  "<block name=\"here\" type=\"routing/From\" tag=\"all\"/>" +
                  "<subsystem name=\"part\"><input name=\"all\"/><output name=\"robot\"/>" +
                  gain_of("x", "all.robot.force[0]") + wire("all.robot", "robot") + "</subsystem>" +
                  wire("here.y", "part.all") + gain_of("f", "part.robot.force") + gain_of("t", "whole.bus.time"));
  EXPECT_THAT(trial["part.x.y"].row(0), ElementsAre(2));
  EXPECT_THAT(trial["f.y"].row(0), ElementsAre(2, 4, 6));
  EXPECT_EQ(trial.units.at("t.y"), "s");
}

TEST(Bundle, IsNoBlockAndCostsNothing) {
  const Trial direct = sound_trial(position + force + gain_of("p", "position.y"));
  const Trial bundled = sound_trial(state + gain_of("p", "state.bus.position"));
  EXPECT_EQ(direct["p.y"].values, bundled["p.y"].values);
  EXPECT_EQ(bundled.units.count("state.bus"), 0u);
}

std::string loop(const std::string& shape) {
  return "<block name=\"sum\" type=\"math/Sum\"/><block name=\"late\" type=\"discrete/UnitDelay\" initial=\"1\"/>" +
         wire("late.y", "sum.u[0]") + wire("sum.y", "late.u") + "<connect from=\"late.y\" to=\"sum.u[1]\"" + shape +
         "/>";
}

TEST(WireShape, IsTakenWhereNothingElseSaysOne) {
  EXPECT_THAT(sound_trial(loop(""))["sum.y"].row(0), ElementsAre(2));
  EXPECT_THAT(sound_trial(loop(" shape=\"3\""))["sum.y"].row(0), ElementsAre(2, 2, 2));
  EXPECT_EQ(sound_trial(loop(" shape=\"2 2\""))["sum.y"].row(0).size(), 4);
  EXPECT_THAT(run_trial(loop(" shape=\"3\"") + gain_of("g", "sum.y") + force +
                        "<block name=\"add\" type=\"math/Sum\"/>" + wire("g.y", "add.u[0]") +
                        wire("force.y[0]", "add.u[1]"))
                  .errors,
              HasSubstr("has the shape '3', but carries scalar"));
}

} // namespace
} // namespace hilda::test
