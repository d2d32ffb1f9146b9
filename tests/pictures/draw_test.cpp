// SPDX-License-Identifier: BSD-3-Clause
// What a drawing shows.
#include "tests/pictures/drawn.h"

#include "tests/modules.h"
#include "tools/graphics/svg.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Draw, ShowsBlocksWithTypeAndKeyParametersAndClosedSubsystems) {
  const Workplace here;
  const Result drawn = here.hilda("draw " + diagrams + "pida.xml -o pida.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const std::string svg = here.read("pida.svg");
  for (const char* text : {">identification<", ">AdaptiveKalmanFilter<", ">rig<", ">stiffness 176.275 N/mm<",
                           ">response delay 20 ms<", "every 1 ms<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr(">SensorSource<"))) << "it lies in the rig, which is closed";
}

TEST(Draw, ClosesALoopInARingOfTwoRows) {
  const Workplace here;
  const Result drawn = here.hilda("draw " + diagrams + "pida.xml --rows 2 --measure -o pida.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const std::string svg = here.read("pida.svg");
  double before = 0;
  for (const char* path : {"satellites", "rig", "on_wall", "gate", "lead"}) {
    EXPECT_GT(left_of(svg, path), before) << path;
    before = left_of(svg, path);
  }
  before = 1e9;
  for (const char* path : {"compensator", "clamp", "passivity", "on_tool"}) {
    EXPECT_LT(left_of(svg, path), before) << path;
    EXPECT_GT(box_of(svg, path).y, box_of(svg, "rig").y + box_of(svg, "rig").height) << path << ": in the row below";
    before = left_of(svg, path);
  }
  EXPECT_EQ(measured(drawn, "rows"), 2);
}

TEST(Draw, NamesEveryInputAndTellsWhereATaggedOneComesFrom) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml -o pida.svg").exit, 0);
  const std::string svg = here.read("pida.svg");
  for (const char* text :
       {">commanded_position<", ">actual_velocity<", ">contact_ticks<", ">in_contact<", ">wall_force<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, HasSubstr(">passivity.controlled.force<")) << "figures only look on, and have tags";
  EXPECT_THAT(svg, HasSubstr(">comes from the named output (wire not drawn)<"));
}

/// The system has no wire there, and the file has.
TEST(Draw, ShowsAnOutputThatNobodyOutsideTakes) {
  const Workplace here;
  here.write("sub.xml", R"(<diagram format="1" name="sub">
  <input name="u"/>
  <output name="y"/>
  <output name="yaw"/>
  <block name="g" type="math/Gain" gain="2"/>
  <block name="h" type="discrete/UnitDelay"/>
  <connect from="u" to="g.u"/>
  <connect from="g.y" to="y"/>
  <connect from="g.y" to="h.u"/>
  <connect from="h.y" to="yaw"/>
</diagram>)");
  here.write("m.xml", R"(<diagram format="1" name="m" period="1 ms">
  <subsystem name="a" src="sub.xml"/>
  <block name="i" type="discrete/UnitDelay"/>
  <connect from="a.yaw" to="a.u"/>
  <connect from="a.yaw" to="i.u"/>
</diagram>)");
  ASSERT_EQ(here.hilda("draw m.xml --inside a -o a.svg").exit, 0);
  const std::string svg = here.read("a.svg");
  EXPECT_THAT(svg, AllOf(HasSubstr(">y<"), HasSubstr(">yaw<")));
  EXPECT_THAT(svg, HasSubstr("a.g.y to a.y"));
  EXPECT_EQ(svg.find(">u<"), svg.rfind(">u<")) << "an input is none, though its signal is made inside: that of h alone";
}

TEST(Draw, KeepsSymbolsApartAndWiresOffEachOtherInEveryDiagram) {
  const Workplace here;
  for (const auto& file : std::filesystem::directory_iterator(diagrams)) {
    if (file.path().extension() != ".xml") continue;
    const Result drawn = here.hilda("draw '" + file.path().string() + "' --measure -o it.svg");
    ASSERT_EQ(drawn.exit, 0) << file.path() << drawn.err;
    EXPECT_EQ(measured(drawn, "shared"), 0) << file.path();
    EXPECT_LE(measured(drawn, "aspect"), 2.405) << file.path();
    const std::string svg = here.read("it.svg");
    std::vector<std::pair<std::string, Box>> boxes;
    for (const std::string& path : paths_in(svg)) boxes.emplace_back(path, box_of(svg, path));
    ASSERT_FALSE(boxes.empty()) << file.path();
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Box &a = boxes[i].second, &b = boxes[j].second;
        const bool apart = a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
        EXPECT_TRUE(apart) << file.path() << ": " << boxes[i].first << " and " << boxes[j].first;
      }
  }
}

TEST(Draw, MeasuresTextWithTheAdvancesOfTheFontThatItNames) {
  // as fontTools reads them from DejaVuSans.ttf and DejaVuSans-Bold.ttf, 2048 units a square
  EXPECT_NEAR(svg::text_width("WiM %", 2048), 2025 + 569 + 1767 + 651 + 1946, 0.5);
  EXPECT_GT(svg::text_width("compensator", 11.5, true), svg::text_width("compensator", 11.5));
  EXPECT_NEAR(svg::text_width("\xC2\xB5", 10), svg::text_width("u", 10), 0.5) << "one character, not two bytes";
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml -o pida.svg").exit, 0);
  EXPECT_THAT(here.read("pida.svg"), HasSubstr("font-family=\"'DejaVu Sans'"));
}

TEST(Draw, ShowsValuesInTheUnitThatTheAuthorWrote) {
  const Workplace here;
  std::string diagram = servo("");
  diagram.insert(diagram.find("  <block name=\"aim\""), "  <parameter name=\"turn\" value=\"90 deg\"/>\n");
  diagram.insert(diagram.find("  <connect"),
                 "  <block name=\"swing\" type=\"sources/Sine\" amplitude=\"${turn}\" "
                 "frequency=\"50 mHz\"/>\n"
                 "  <block name=\"port\" type=\"sources/Constant\" value=\"47101\"/>\n"
                 "  <block name=\"both\" type=\"sources/Constant\" value=\"${2 * turn}\"/>\n");
  here.write("servo.xml", diagram);
  ASSERT_EQ(here.hilda("draw servo.xml -o it.svg").exit, 0);
  EXPECT_THAT(here.read("it.svg"),
              AllOf(HasSubstr(">cutoff 1 Hz<"), HasSubstr(">amplitude 90 deg<"), HasSubstr(">frequency 50 mHz<"),
                    HasSubstr(">value 47101<"), HasSubstr(">value 3.14159 rad<")));
}

TEST(Draw, ShowsAConstantOfZero) {
  const Workplace here;
  here.write("zero.xml", "<diagram format=\"1\" name=\"zero\" period=\"1 ms\">\n"
                         "  <block name=\"rest\" type=\"sources/Constant\" value=\"0 0 N\"/>\n</diagram>\n");
  ASSERT_EQ(here.hilda("draw zero.xml -o zero.svg").exit, 0);
  EXPECT_THAT(here.read("zero.svg"), HasSubstr(">value 0 0 N<"));
}

TEST(Draw, OpensSubsystemsAsFrames) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --depth 1 -o pida.svg").exit, 0);
  const std::string svg = here.read("pida.svg");
  EXPECT_THAT(svg, HasSubstr(">SensorSource<"));
  EXPECT_THAT(svg, HasSubstr(">satellites<"));
  EXPECT_EQ(count(svg, "fill=\"#fafafa\""), 3U) << "satellites, rig and figures";
  const Box rig = box_of(svg, "rig"), sensor = box_of(svg, "rig.sensor");
  EXPECT_GT(sensor.x, rig.x);
  EXPECT_LT(sensor.x + sensor.width, rig.x + rig.width);
  EXPECT_LT(sensor.y + sensor.height, rig.y + rig.height);
}

TEST(Draw, ShowsTheInsideOfASubsystemWithItsPorts) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --inside rig -o rig.svg").exit, 0);
  const std::string svg = here.read("rig.svg");
  for (const char* text : {">command.pose<", ">wrench<", ">SensorSource<", ">truth.wall_force<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr(">AdaptiveKalmanFilter<")));
  const Result unknown = here.hilda("draw " + diagrams + "pida.xml --inside rigg -o rig.svg");
  EXPECT_EQ(unknown.exit, 64);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'rig'?"));
}

/// A sum and a gain around each other; with a delay there is no algebraic loop.
std::string loop(const std::string& delay) {
  return "<diagram format=\"1\" name=\"loop\" period=\"1 ms\">\n"
         "  <block name=\"reference\" type=\"sources/Constant\" value=\"1 m\"/>\n"
         "  <block name=\"error\" type=\"math/Sum\" signs=\"+-\"/>\n"
         "  <block name=\"gain\" type=\"math/Gain\" gain=\"0.5\"/>\n" +
         delay + "  <connect from=\"reference.y\" to=\"error.u[0]\"/>\n  <connect from=\"error.y\" to=\"gain.u\"/>\n";
}

TEST(Draw, ShowsTheAlgebraicLoopInRed) {
  const Workplace here;
  here.write("loop.xml", loop("") + "  <connect from=\"gain.y\" to=\"error.u[1]\"/>\n</diagram>\n");
  ASSERT_EQ(here.hilda("plan loop.xml").exit, 2) << "it is an error";
  const Result drawn = here.hilda("draw loop.xml -o loop.svg");
  EXPECT_EQ(drawn.exit, 0) << drawn.err;
  EXPECT_THAT(drawn.err, HasSubstr("algebraic loop, drawn red"));
  const std::string svg = here.read("loop.svg");
  EXPECT_THAT(svg, HasSubstr(">algebraic loop<"));
  const std::size_t gain = svg.find("<title>gain</title>"), reference = svg.find("<title>reference</title>");
  EXPECT_THAT(svg.substr(gain, 200), HasSubstr("#c81e1e"));
  EXPECT_THAT(svg.substr(reference, 200), Not(HasSubstr("#c81e1e")));
}

/// A chain of gains in a loop; the sum at its end also takes the first gain's output, across the whole chain.
TEST(Draw, DrawsEveryWireOfAnAlgebraicLoop) {
  const Workplace here;
  std::string diagram = "<diagram format=\"1\" name=\"loop\" period=\"1 ms\">\n"
                        "  <block name=\"one\" type=\"sources/Constant\" value=\"1\"/>\n"
                        "  <block name=\"sum\" type=\"math/Sum\" signs=\"++\"/>\n"
                        "  <block name=\"end\" type=\"math/Sum\" signs=\"++\"/>\n"
                        "  <connect from=\"one.y\" to=\"sum.u[0]\"/>\n";
  constexpr int gains = 12;
  for (int i = 0; i < gains; ++i) {
    const std::string name = "gain_" + std::to_string(i);
    diagram += "  <block name=\"" + name + "\" type=\"math/Gain\" gain=\"2\"/>\n";
    if (i > 0) diagram += "  <connect from=\"gain_" + std::to_string(i - 1) + ".y\" to=\"" + name + ".u\"/>\n";
  }
  here.write("loop.xml", diagram + "  <connect from=\"gain_11.y\" to=\"end.u[0]\"/>\n"
                                   "  <connect from=\"gain_0.y\" to=\"end.u[1]\"/>\n"
                                   "  <connect from=\"end.y\" to=\"sum.u[1]\"/>\n"
                                   "  <connect from=\"sum.y\" to=\"gain_0.u\"/>\n</diagram>\n");
  ASSERT_EQ(here.hilda("draw loop.xml --rows 1 -o loop.svg").exit, 0);
  EXPECT_THAT(here.read("loop.svg"), AllOf(HasSubstr(">algebraic loop<"), Not(HasSubstr("wire not drawn"))));
}

TEST(Draw, HasNoRedWhereADelayBreaksTheLoop) {
  const Workplace here;
  here.write("loop.xml", loop("  <block name=\"delay\" type=\"discrete/UnitDelay\"/>\n") +
                             "  <connect from=\"gain.y\" to=\"delay.u\"/>\n"
                             "  <connect from=\"delay.y\" to=\"error.u[1]\"/>\n</diagram>\n");
  ASSERT_EQ(here.hilda("draw loop.xml -o loop.svg").exit, 0);
  const std::string svg = here.read("loop.svg");
  EXPECT_THAT(svg, Not(HasSubstr("#c81e1e")));
  EXPECT_THAT(svg, HasSubstr(">outputs do not follow from inputs of the same tick<"));
  EXPECT_THAT(svg, HasSubstr("<circle")) << "a sum is round";
}

/// The width of the line whose title holds a text.
double width_of_line(const std::string& svg, const std::string& title) {
  const std::size_t at = svg.find(title), line = svg.find("<polyline", svg.find("</title>", at));
  return at == std::string::npos ? NAN : number_after(svg, "stroke-width", line);
}

TEST(Draw, ShowsABusAsOneThickWireBetweenItsEnds) {
  const Workplace here;
  here.write("bus.xml",
             "<diagram format=\"1\" name=\"bus\" period=\"1 ms\">\n"
             "  <block name=\"place\" type=\"sources/Ramp\" slope=\"2 m/s\"/>\n"
             "  <block name=\"push\" type=\"sources/Constant\" value=\"1 2 3 N\"/>\n"
             "  <block name=\"state\" type=\"routing/Bundle\" parts=\"position force\"/>\n"
             "  <block name=\"apart\" type=\"routing/Unbundle\"/>\n"
             "  <block name=\"far\" type=\"math/Gain\" gain=\"2\"/>\n"
             "  <block name=\"hard\" type=\"math/Norm\"/>\n"
             "  <connect from=\"place.y\" to=\"state.position\"/>\n  <connect from=\"push.y\" to=\"state.force\"/>\n"
             "  <connect from=\"state.bus\" to=\"apart.bus\"/>\n  <connect from=\"apart.position\" to=\"far.u\"/>\n"
             "  <connect from=\"apart.force\" to=\"hard.u\"/>\n</diagram>\n");
  const Result drawn = here.hilda("draw bus.xml -o bus.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const std::string svg = here.read("bus.svg");
  const std::string both = "place.y to far.u\npush.y to hard.u</title>";
  EXPECT_EQ(count(svg, both + "\n<polyline"), 1U) << "one wire for both signals, from the one symbol to the other";
  EXPECT_EQ(count(svg, "place.y to far.u</title>\n<polyline"), 2U) << "into the bus, and out of it";
  EXPECT_GT(width_of_line(svg, both), 1.5 * width_of_line(svg, "place.y to far.u</title>"));
  const Box bundle = box_of(svg, "state"), apart = box_of(svg, "apart");
  EXPECT_GT(left_of(svg, "state"), box_of(svg, "place").x + box_of(svg, "place").width);
  EXPECT_GT(apart.x, bundle.x + bundle.width);
  EXPECT_GT(left_of(svg, "far"), apart.x + apart.width);
  for (const char* text : {">position<", ">force<", ">several signals together<"}) EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr(">.position<"))) << "the wire is the whole bus";
}

TEST(Draw, TellsRatesApart) {
  const Workplace here;
  here.write("rates.xml", "<diagram format=\"1\" name=\"rates\" period=\"1 ms\">\n"
                          "  <block name=\"fast\" type=\"sources/Ramp\" slope=\"1 1/s\"/>\n"
                          "  <block name=\"slow\" type=\"discrete/UnitDelay\" sample_time=\"4 ms\"/>\n"
                          "  <block name=\"plant\" type=\"continuous/Integrator\"/>\n"
                          "  <connect from=\"fast.y\" to=\"slow.u\"/>\n  <connect from=\"slow.y\" to=\"plant.u\"/>\n"
                          "</diagram>\n");
  const Result drawn = here.hilda("draw rates.xml -o rates.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  for (const char* text : {">every 1 ms<", ">every 4 ms<", ">continuous<", ">holds continuous states<"})
    EXPECT_THAT(here.read("rates.svg"), HasSubstr(text));
}

TEST(Draw, RefusesADiagramWithErrorsAndTooLargeAPicture) {
  const Workplace here;
  here.write("wrong.xml",
             "<diagram format=\"1\" name=\"w\" period=\"1 ms\"><block name=\"a\" type=\"math/Gian\"/></diagram>");
  EXPECT_EQ(here.hilda("draw wrong.xml -o w.svg").exit, 2);
  std::string many = "<diagram format=\"1\" name=\"many\" period=\"1 ms\">\n";
  for (int i = 0; i < 500; ++i)
    many += "<block name=\"b" + std::to_string(i) + "\" type=\"sources/Constant\" value=\"1\"/>\n";
  here.write("many.xml", many + "</diagram>\n");
  const Result large = here.hilda("draw many.xml -o m.svg");
  EXPECT_EQ(large.exit, 3);
  EXPECT_THAT(large.err, HasSubstr("500 symbols are too many"));
}

TEST(Draw, DrawsEveryDiagramThatComesWithTheProgram) {
  const Workplace here;
  for (const auto& file : std::filesystem::directory_iterator(diagrams)) {
    if (file.path().extension() != ".xml") continue;
    for (const char* depth : {"0", "9"}) {
      const Result drawn = here.hilda("draw '" + file.path().string() + "' --depth " + depth + " -o it.svg");
      EXPECT_EQ(drawn.exit, 0) << file.path() << drawn.err;
      EXPECT_THAT(here.read("it.svg"), Not(HasSubstr("nan"))) << file.path();
    }
  }
}

TEST(Draw, GivesTheSamePictureEveryTime) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "tdpa.xml --depth 1 -o a.svg").exit, 0);
  ASSERT_EQ(here.hilda("draw " + diagrams + "tdpa.xml --depth 1 -o b.svg").exit, 0);
  EXPECT_EQ(here.read("a.svg"), here.read("b.svg"));
}

} // namespace
} // namespace hilda::test
