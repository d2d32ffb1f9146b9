// SPDX-License-Identifier: BSD-3-Clause
// Where a drawing puts symbols and wires, and that it keeps them there.
#include "tests/pictures/drawn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// With --rows n the drawing has n rows; the author may want another fold than ours.
TEST(Draw, FoldsIntoAsManyRowsAsAskedFor) {
  const Workplace here;
  for (const char* rows : {"1", "2", "4"}) {
    const Result drawn = here.hilda("draw " + diagrams + std::string("pida.xml --measure -o p.svg --rows ") + rows);
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
    const Result drawn = here.hilda("draw " + diagrams + name + ".xml --measure -o it.svg");
    EXPECT_LE(measured(drawn, "crossings"), crossings) << name << ": " << drawn.out;
  }
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
  const Result drawn = here.hilda("draw servo.xml --rows 2 -o it.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const std::string svg = here.read("it.svg");
  EXPECT_GT(box_of(svg, "plant").x, 0);
  EXPECT_THAT(svg, HasSubstr(">late.y<")) << "a tag at the sum";
  here.write("servo.xml", servo("ui.row=\"first\"", "ui.draw=\"line\""));
  const Result wrong = here.hilda("draw servo.xml -o it.svg");
  EXPECT_EQ(wrong.exit, 0);
  EXPECT_THAT(wrong.err, HasSubstr("servo.xml:4: warning[drawing-hint]: ui.row is 'first'"));
  EXPECT_THAT(wrong.err,
              HasSubstr("servo.xml:11: warning[drawing-hint]: ui.draw is 'line'\n  help: it is wire or tag"));
}

TEST(Draw, BeginsWhereItIsToldTo) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --start rig --rows 2 -o it.svg").exit, 0);
  const std::string svg = here.read("it.svg");
  EXPECT_LT(left_of(svg, "rig"), left_of(svg, "on_wall"));
  EXPECT_LT(left_of(svg, "rig"), left_of(svg, "gate"));
  const Result unknown = here.hilda("draw " + diagrams + "pida.xml --start rgi -o it.svg");
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
    const Result drawn = here.hilda("draw edited.xml --like before.svg -o after.svg");
    ASSERT_EQ(drawn.exit, 0) << edit.name << drawn.err;
    EXPECT_GE(2 * at_rest(before, here.read("after.svg")), all) << edit.name;
  }
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --like before.svg -o before.svg").exit, 0);
  EXPECT_EQ(at_rest(before, here.read("before.svg")), all) << "without an edit";
}

TEST(Draw, TakesAnotherArrangementWhereThatIsMuchBetter) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --rows 1 -o strip.svg").exit, 0);
  const Result drawn = here.hilda("draw " + diagrams + "pida.xml --like strip.svg --measure -o it.svg");
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
    const Result drawn = here.hilda("draw " + diagrams + "tdpa.xml -o it.svg --like " + name);
    EXPECT_EQ(drawn.exit, 2) << name;
    EXPECT_THAT(drawn.err, HasSubstr(text)) << name;
    EXPECT_FALSE(here.has("it.svg"));
  }
  here.write("strange.svg", "<svg><metadata>hilda arrangement 1\nat nobody 3 7\ntag a b c\n</metadata></svg>");
  EXPECT_EQ(here.hilda("draw " + diagrams + "tdpa.xml -o it.svg --like strange.svg").exit, 0) << "it knows nobody";
}

} // namespace
} // namespace hilda::test
