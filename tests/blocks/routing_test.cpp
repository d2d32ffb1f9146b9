// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string constant(const std::string& name, const std::string& value) {
  return "<block name=\"" + name + "\" type=\"sources/Constant\" value=\"" + value + "\"/>\n";
}
TEST(Routing, MuxPutsVectorsOfAnySizesTogether) {
  const Trial trial = sound_trial(constant("a", "1 m") + constant("c", "2 3 m") + constant("d", "4 5 6 m") +
                                  "<block name=\"m\" type=\"routing/Mux\" inputs=\"3\"/>" + wire("a.y", "m.u[0]") +
                                  wire("c.y", "m.u[1]") + wire("d.y", "m.u[2]"));
  EXPECT_THAT(trial["m.y"].row(0), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(trial.units.at("m.y"), "m");
  const Trial one = sound_trial(constant("a", "1 m") + "<block name=\"m\" type=\"routing/Mux\" inputs=\"1\"/>" +
                                wire("a.y", "m.u[0]"));
  EXPECT_THAT(one["m.y"].row(0), ElementsAre(1));
}

TEST(FreeMux, TakesSignalsOfAnyUnitsAsNumbers) {
  const Trial trial = sound_trial(constant("a", "1 mm") + constant("c", "2 3 N") + constant("d", "4") +
                                  "<block name=\"m\" type=\"routing/FreeMux\" inputs=\"3\"/>" + wire("a.y", "m.u[0]") +
                                  wire("c.y", "m.u[1]") + wire("d.y", "m.u[2]") +
                                  "<block name=\"g\" type=\"math/Gain\" gain=\"2 N/m\"/>" + wire("a.y", "g.u"));
  EXPECT_THAT(trial["m.y"].row(0), ElementsAre(0.001, 2, 3, 4));
  EXPECT_EQ(trial.units.at("m.y"), "1");
  EXPECT_EQ(trial.units.at("a.y"), "m") << "the wire keeps its unit";
  EXPECT_EQ(trial.units.at("g.y"), "N");
  EXPECT_THAT(run_trial(constant("a", "1 m") + constant("b", "1 N") + "<block name=\"m\" type=\"routing/Mux\"/>" +
                        wire("a.y", "m.u[0]") + wire("b.y", "m.u[1]"))
                  .errors,
              HasSubstr("wire-unit"));
}

TEST(Routing, DemuxTakesAVectorApart) {
  const Trial trial = sound_trial(
      constant("c", "1 2 3 4 5 6") + "<block name=\"d\" type=\"routing/Demux\" parts=\"3\" sizes=\"1 3 2\"/>" +
      wire("c.y", "d.u") + "<block name=\"e\" type=\"routing/Demux\" parts=\"3\" sizes=\"2\"/>" + wire("c.y", "e.u"));
  EXPECT_THAT(trial["d.y[0]"].row(0), ElementsAre(1));
  EXPECT_THAT(trial["d.y[1]"].row(0), ElementsAre(2, 3, 4));
  EXPECT_THAT(trial["d.y[2]"].row(0), ElementsAre(5, 6));
  EXPECT_THAT(trial["e.y[2]"].row(0), ElementsAre(5, 6));
  EXPECT_THAT(run_trial(constant("c", "1 2") +
                        "<block name=\"d\" type=\"routing/Demux\" parts=\"2\" sizes=\"1 1 1\"/>" + wire("c.y", "d.u"))
                  .errors,
              HasSubstr("3 numbers for 2 parts"));
  EXPECT_NE(
      run_trial(constant("c", "1 2 3") + "<block name=\"d\" type=\"routing/Demux\" parts=\"2\"/>" + wire("c.y", "d.u"))
          .errors,
      "");
}

TEST(Routing, SelectPicksReordersAndRepeats) {
  const Trial trial =
      sound_trial(constant("c", "10 20 30 N") + "<block name=\"s\" type=\"routing/Select\" indices=\"2 0 0 1\"/>" +
                  wire("c.y", "s.u"));
  EXPECT_THAT(trial["s.y"].row(0), ElementsAre(30, 10, 10, 20));
  EXPECT_THAT(run_trial(constant("c", "10 20 30 N") + "<block name=\"s\" type=\"routing/Select\" indices=\"0 3\"/>" +
                        wire("c.y", "s.u"))
                  .errors,
              HasSubstr("names element 3, but the input has 3 elements"));
}

TEST(Routing, SwitchFollowsItsConditionAtOnce) {
  for (const char* shape : {"1", "1 2 3", "1 2 3 4 5 6", "1 2; 3 4"}) {
    const std::string noise = std::string(" type=\"sources/Noise\" deviation=\"") + shape + "\"/>";
    const Trial trial = sound_trial("<block name=\"p\" type=\"sources/Pulse\" high=\"1\" width=\"3 ms\" repeat=\"7 "
                                    "ms\"/><block name=\"on\" type=\"math/RealToBool\"/>" +
                                    wire("p.y", "on.u") + "<block name=\"a\"" + noise + "<block name=\"b\"" + noise +
                                    "<block name=\"s\" type=\"routing/Switch\"/>" + wire("on.y", "s.condition") +
                                    wire("a.y", "s.when_true") + wire("b.y", "s.when_false"));
    for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(trial["s.y"].row(k), trial[k % 7 < 3 ? "a.y" : "b.y"].row(k));
  }
}

TEST(Routing, MultiSwitchTakesAnIndexAndRefusesOneBeyond) {
  const auto run = [](const std::string& index) {
    return run_trial(constant("i", index) + "<block name=\"n\" type=\"math/RealToInteger\"/>" + wire("i.y", "n.u") +
                     constant("a", "1 2") + constant("b", "3 4") + "<block name=\"s\" type=\"routing/MultiSwitch\"/>" +
                     wire("n.y", "s.index") + wire("a.y", "s.u[0]") + wire("b.y", "s.u[1]"));
  };
  EXPECT_THAT(run("0")["s.y"].row(0), ElementsAre(1, 2));
  EXPECT_THAT(run("1")["s.y"].row(0), ElementsAre(3, 4));
  for (const char* wrong : {"2", "-1"}) {
    EXPECT_EQ(run(wrong).ending.kind, Ending::Kind::failed);
    EXPECT_EQ(run(wrong).ending.block, "s");
  }
}

} // namespace
} // namespace hilda::test
