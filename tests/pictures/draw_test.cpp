#include "tests/cli/program.h"

#include "tools/svg/svg.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <sstream>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string diagrams = HILDA_SOURCE_DIR "/diagrams/";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

double number_after(const std::string& text, const std::string& name, std::size_t from) {
  const std::size_t at = text.find(" " + name + "=\"", from);
  return at == std::string::npos ? NAN : std::stod(text.substr(at + name.size() + 3));
}

/// The outline of the symbol with this path.
Box box_of(const std::string& svg, const std::string& path) {
  const std::size_t at = svg.find("<title>" + path + "</title>");
  if (at == std::string::npos) return {};
  return {number_after(svg, "x", at), number_after(svg, "y", at), number_after(svg, "width", at),
          number_after(svg, "height", at)};
}

double left_of(const std::string& svg, const std::string& path) { return box_of(svg, path).x; }

/// Paths of all symbols with an outline.
std::vector<std::string> paths_in(const std::string& svg) {
  std::vector<std::string> paths;
  for (std::size_t at = svg.find("<title>"); at != std::string::npos; at = svg.find("<title>", at + 1))
    if (svg.compare(svg.find('\n', at) + 1, 5, "<rect") == 0)
      paths.push_back(svg.substr(at + 7, svg.find('<', at + 7) - at - 7));
  return paths;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A figure that `hilda draw --measure` prints.
double measured(const Outcome& drawn, const std::string& name) {
  const std::size_t at = drawn.out.find(name + " ");
  return at == std::string::npos ? NAN : std::stod(drawn.out.substr(at + name.size() + 1));
}

TEST(Draw, ShowsBlocksWithTypeAndKeyParametersAndClosedSubsystems) {
  const Workplace here;
  const Outcome drawn = here.hilda("draw " + diagrams + "pida.xml -o pida.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const std::string svg = here.read("pida.svg");
  for (const char* text : {">identification<", ">AdaptiveKalmanFilter<", ">rig<", ">stiffness 176.275 N/mm<",
                           ">response delay 20 ms<", "every 1 ms<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr(">SensorSource<"))) << "it lies in the rig, which is closed";
}

TEST(Draw, ClosesALoopInARingOfTwoRows) {
  const Workplace here;
  const Outcome drawn = here.hilda("draw " + diagrams + "pida.xml --rows 2 --measure -o pida.svg");
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

TEST(Draw, KeepsSymbolsApartAndWiresOffEachOtherInEveryDiagram) {
  const Workplace here;
  for (const auto& file : std::filesystem::directory_iterator(diagrams)) {
    if (file.path().extension() != ".xml") continue;
    const Outcome drawn = here.hilda("draw '" + file.path().string() + "' --measure -o it.svg");
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

/// With --rows n the drawing has n rows; the author may want another fold than ours.
TEST(Draw, FoldsIntoAsManyRowsAsAskedFor) {
  const Workplace here;
  for (const char* rows : {"1", "2", "4"}) {
    const Outcome drawn = here.hilda("draw " + diagrams + std::string("pida.xml --measure -o p.svg --rows ") + rows);
    ASSERT_EQ(drawn.exit, 0) << drawn.err;
    EXPECT_EQ(measured(drawn, "rows"), std::stod(rows));
  }
  EXPECT_EQ(here.hilda("draw " + diagrams + "pida.xml --rows 7").exit, 64);
}

TEST(Draw, CrossesFewWires) {
  const Workplace here;
  // 9 and 7 before wires became tags and tags wires where that is worth it
  const std::pair<const char*, double> most[] = {{"pida", 4}, {"force_torque_control", 3}, {"pic", 4}};
  for (const auto& [name, crossings] : most) {
    const Outcome drawn = here.hilda("draw " + diagrams + name + ".xml --measure -o it.svg");
    EXPECT_LE(measured(drawn, "crossings"), crossings) << name << ": " << drawn.out;
  }
}

/// The loop of a controller and its plant with a block that watches.
std::string servo(const std::string& more, const std::string& feedback = "") {
  return "<diagram format=\"1\" name=\"servo\" period=\"1 ms\">\n"
         "  <block name=\"aim\" type=\"sources/Constant\" value=\"1\"/>\n"
         "  <block name=\"error\" type=\"math/Sum\" signs=\"+-\"/>\n"
         "  <block name=\"gain\" type=\"math/Gain\" gain=\"2\" " +
         more +
         "/>\n  <block name=\"plant\" type=\"discrete/LowPass\" cutoff=\"1 Hz\"/>\n"
         "  <block name=\"late\" type=\"discrete/UnitDelay\"/>\n"
         "  <connect from=\"aim.y\" to=\"error.u[0]\"/>\n  <connect from=\"error.y\" to=\"gain.u\"/>\n"
         "  <connect from=\"gain.y\" to=\"plant.u\"/>\n  <connect from=\"plant.y\" to=\"late.u\"/>\n"
         "  <connect from=\"late.y\" to=\"error.u[1]\" " +
         feedback + "/>\n</diagram>\n";
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

TEST(Draw, KeepsAWayRoundEveryLoop) {
  const Workplace here;
  here.write("servo.xml", servo(""));
  ASSERT_EQ(here.hilda("draw servo.xml -o it.svg").exit, 0);
  EXPECT_THAT(here.read("it.svg"), Not(HasSubstr("wire not drawn")));
}

TEST(Draw, FollowsTheAuthorAboutPlacesAndWires) {
  const Workplace here;
  here.write("servo.xml", servo("ui.row=\"1\" ui.column=\"0\"", "ui.draw=\"tag\""));
  const Outcome drawn = here.hilda("draw servo.xml --rows 2 -o it.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const std::string svg = here.read("it.svg");
  EXPECT_GT(box_of(svg, "plant").x, 0);
  EXPECT_THAT(svg, HasSubstr(">late.y<")) << "a tag at the sum";
  here.write("servo.xml", servo("ui.row=\"first\"", "ui.draw=\"line\""));
  const Outcome wrong = here.hilda("draw servo.xml -o it.svg");
  EXPECT_EQ(wrong.exit, 0);
  EXPECT_THAT(wrong.err, HasSubstr("servo.xml:4: ui.row is 'first'"));
  EXPECT_THAT(wrong.err, HasSubstr("servo.xml:11: ui.draw is 'line': it is wire or tag"));
}

TEST(Draw, BeginsWhereItIsToldTo) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --start rig --rows 2 -o it.svg").exit, 0);
  const std::string svg = here.read("it.svg");
  EXPECT_LT(left_of(svg, "rig"), left_of(svg, "on_wall"));
  EXPECT_LT(left_of(svg, "rig"), left_of(svg, "gate"));
  const Outcome unknown = here.hilda("draw " + diagrams + "pida.xml --start rgi -o it.svg");
  EXPECT_EQ(unknown.exit, 64);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'rig'?"));
}

TEST(Draw, DoesNotDependOnTheOrderOfWires) {
  const Workplace here;
  here.write("servo.xml", servo(""));
  ASSERT_EQ(here.hilda("draw servo.xml -o before.svg").exit, 0);
  std::string text = servo("");
  const std::string wire = "  <connect from=\"aim.y\" to=\"error.u[0]\"/>\n";
  text.erase(text.find(wire), wire.size());
  text.insert(text.find("</diagram>"), wire);
  here.write("servo.xml", text);
  ASSERT_EQ(here.hilda("draw servo.xml -o after.svg").exit, 0);
  EXPECT_EQ(here.read("before.svg"), here.read("after.svg"));
}

/// Points of a line, "x,y x,y".
std::vector<std::pair<double, double>> points_of(const std::string& text) {
  std::vector<std::pair<double, double>> points;
  std::istringstream in(text);
  double x = 0, y = 0;
  for (char comma = 0; in >> x >> comma >> y;) points.emplace_back(x, y);
  return points;
}

TEST(Draw, LeadsNoWireThroughASymbol) {
  const Workplace here;
  for (const char* name : {"pida", "tdpa_docking", "integrator_drift", "emulation_transmissivity"}) {
    ASSERT_EQ(here.hilda("draw " + diagrams + name + ".xml -o it.svg").exit, 0);
    const std::string svg = here.read("it.svg");
    std::vector<std::pair<std::string, Box>> boxes;
    for (const std::string& path : paths_in(svg)) boxes.emplace_back(path, box_of(svg, path));
    std::size_t lines = 0;
    for (std::size_t at = svg.find("<polyline points=\""); at != std::string::npos;
         at = svg.find("<polyline points=\"", at + 1), ++lines) {
      const auto points = points_of(svg.substr(at + 18, svg.find('"', at + 18) - at - 18));
      ASSERT_GT(points.size(), 1U);
      for (std::size_t i = 1; i < points.size(); ++i)
        for (const auto& [path, box] : boxes) {
          const auto [left, right] = std::minmax(points[i - 1].first, points[i].first);
          const auto [top, bottom] = std::minmax(points[i - 1].second, points[i].second);
          const bool through =
              right > box.x + 2 && left < box.x + box.width - 2 && bottom > box.y + 2 && top < box.y + box.height - 2;
          EXPECT_FALSE(through) << name << ": through " << path << " at " << points[i].first << "," << points[i].second;
        }
    }
    EXPECT_GT(lines, 10U);
  }
}

/// How many symbols of a picture are within four steps of the grid of where they are in another.
std::size_t at_rest(const std::string& before, const std::string& after) {
  std::size_t still = 0;
  for (const std::string& path : paths_in(before)) {
    const Box a = box_of(before, path), b = box_of(after, path);
    still += std::abs(a.x - b.x) <= 24 && std::abs(a.y - b.y) <= 24 ? 1 : 0;
  }
  return still;
}

struct Edit {
  const char *name, *what, *with; ///< what: a regular expression
};

/// In a drawing that is like the one before.
TEST(Draw, KeepsMostSymbolsWhereTheyWereWhenADiagramIsEdited) {
  const Workplace here;
  const std::string diagram = text_of(diagrams + "pida.xml");
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml -o before.svg").exit, 0);
  const std::string before = here.read("before.svg");
  const std::size_t all = paths_in(before).size();
  ASSERT_GT(all, 10U);
  for (const Edit& edit :
       {Edit{"a wire gone", "  <connect from=\"gate.in_contact\" to=\"lead.in_contact\"/>\n", ""},
        Edit{"a block more", "</diagram>",
             "<block name=\"watch\" type=\"sinks/Terminator\"/><connect from=\"passivity.energy\" to=\"watch.u\"/>"
             "</diagram>"},
        Edit{"a block renamed", R"("lead(["\.]))", "\"early$1"},
        Edit{"another renamed", R"("gate(["\.]))", "\"door$1"}}) {
    const std::string text = std::regex_replace(diagram, std::regex(edit.what), edit.with);
    ASSERT_NE(text, diagram) << edit.name;
    here.write("edited.xml", text); // its rig is found in the library path
    const Outcome drawn = here.hilda("draw edited.xml --like before.svg -o after.svg");
    ASSERT_EQ(drawn.exit, 0) << edit.name << drawn.err;
    EXPECT_GE(2 * at_rest(before, here.read("after.svg")), all) << edit.name;
  }
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --like before.svg -o before.svg").exit, 0);
  EXPECT_EQ(at_rest(before, here.read("before.svg")), all) << "without an edit";
}

TEST(Draw, TakesAnotherArrangementWhereThatIsMuchBetter) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --rows 1 -o strip.svg").exit, 0);
  const Outcome drawn = here.hilda("draw " + diagrams + "pida.xml --like strip.svg --measure -o it.svg");
  EXPECT_GT(measured(drawn, "rows"), 1) << "a strip is worse by far";
}

TEST(Draw, SaysWhatNoDrawingIsLike) {
  const Workplace here;
  here.write("empty.svg", "");
  here.write("other.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
  here.write("cut.svg", "<svg><metadata>hilda arrangement 1\nat rig 0\n</metadata></svg>");
  here.write("far.svg", "<svg><metadata>hilda arrangement 1\nat rig 0 4000000000\n</metadata></svg>");
  const std::pair<const char*, const char*> wrong[] = {{"empty.svg", "cannot be read, or is empty"},
                                                       {"none.svg", "cannot be read, or is empty"},
                                                       {"other.svg", "is not an SVG that hilda draw has written"},
                                                       {"cut.svg", "is damaged: 'at rig 0'"},
                                                       {"far.svg", "is damaged"}};
  for (const auto& [name, text] : wrong) {
    const Outcome drawn = here.hilda("draw " + diagrams + "tdpa.xml -o it.svg --like " + name);
    EXPECT_EQ(drawn.exit, 2) << name;
    EXPECT_THAT(drawn.err, HasSubstr(text)) << name;
    EXPECT_FALSE(here.has("it.svg"));
  }
  here.write("strange.svg", "<svg><metadata>hilda arrangement 1\nat nobody 3 7\ntag a b c\n</metadata></svg>");
  EXPECT_EQ(here.hilda("draw " + diagrams + "tdpa.xml -o it.svg --like strange.svg").exit, 0) << "it knows nobody";
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
  const Outcome unknown = here.hilda("draw " + diagrams + "pida.xml --inside rigg -o rig.svg");
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
  const Outcome drawn = here.hilda("draw loop.xml -o loop.svg");
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

TEST(Draw, TellsRatesApart) {
  const Workplace here;
  here.write("rates.xml", "<diagram format=\"1\" name=\"rates\" period=\"1 ms\">\n"
                          "  <block name=\"fast\" type=\"sources/Ramp\" slope=\"1 1/s\"/>\n"
                          "  <block name=\"slow\" type=\"discrete/UnitDelay\" sample_time=\"4 ms\"/>\n"
                          "  <block name=\"plant\" type=\"continuous/Integrator\"/>\n"
                          "  <connect from=\"fast.y\" to=\"slow.u\"/>\n  <connect from=\"slow.y\" to=\"plant.u\"/>\n"
                          "</diagram>\n");
  const Outcome drawn = here.hilda("draw rates.xml -o rates.svg");
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
  const Outcome large = here.hilda("draw many.xml -o m.svg");
  EXPECT_EQ(large.exit, 3);
  EXPECT_THAT(large.err, HasSubstr("500 symbols are too many"));
}

TEST(Draw, DrawsEveryDiagramThatComesWithTheProgram) {
  const Workplace here;
  for (const auto& file : std::filesystem::directory_iterator(diagrams)) {
    if (file.path().extension() != ".xml") continue;
    for (const char* depth : {"0", "9"}) {
      const Outcome drawn = here.hilda("draw '" + file.path().string() + "' --depth " + depth + " -o it.svg");
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
