// SPDX-License-Identifier: BSD-3-Clause
// What an edit of a diagram moves in its drawing, and that pinned symbols stay.
#include "tests/pictures/drawn.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <regex>
#include <sstream>

namespace hilda::test {
namespace {

using testing::HasSubstr;

struct Corner {
  double x = 0, y = 0;
};

/// Left upper corners as the picture's arrangement has them: from an origin that a wider picture does not move.
std::map<std::string, Corner> corners_in(const std::string& svg) {
  std::map<std::string, Corner> corners;
  std::istringstream lines(svg);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, name;
    int row = 0, column = 0;
    Corner corner;
    words >> kind >> name;
    if ((kind == "sink" || (kind == "at" && words >> row >> column)) && words >> corner.x >> corner.y)
      corners[name] = corner;
  }
  return corners;
}

/// How far each symbol that is in both is from where it was.
std::vector<double> ways(const std::map<std::string, Corner>& before, const std::map<std::string, Corner>& after) {
  std::vector<double> all;
  for (const auto& [name, corner] : before)
    if (const auto now = after.find(name); now != after.end())
      all.push_back(std::hypot(now->second.x - corner.x, now->second.y - corner.y));
  return all;
}

double share_at_rest(const std::vector<double>& all) {
  const auto still = std::count_if(all.begin(), all.end(), [](double way) { return way < 1; });
  return static_cast<double>(still) / static_cast<double>(all.size());
}

/// The diagram with a block that looks at one of its signals, or with a gain of 1 in one of its wires.
std::string edited(const std::string& diagram, std::mt19937& random, bool into_a_wire) {
  static const std::regex wire("<connect from=\"([\\w.\\[\\]]+)\" to=");
  const std::vector<std::smatch> wires(std::sregex_iterator(diagram.begin(), diagram.end(), wire), {});
  const std::smatch& chosen = wires.at(random() % wires.size());
  const std::string from = chosen[1];
  std::string text = diagram;
  const std::string more = into_a_wire ? "<block name=\"newcomer\" type=\"math/Gain\" gain=\"1\"/>"
                                       : "<block name=\"newcomer\" type=\"sinks/Terminator\"/>";
  if (into_a_wire) {
    text.replace(static_cast<std::size_t>(chosen.position()), static_cast<std::size_t>(chosen.length()),
                 "<connect from=\"newcomer.y\" to=");
  }
  text.insert(text.rfind("</diagram>"), more + "<connect from=\"" + from + "\" to=\"newcomer.u\"/>");
  return text;
}

TEST(DrawStability, AnEditMovesNoOtherSymbolFurtherThanNeeded) {
  const Workplace here;
  std::mt19937 random(21);
  std::vector<double> like, anew, undone;
  int edits = 0;
  for (const auto& entry : std::filesystem::directory_iterator(diagrams)) {
    if (entry.path().extension() != ".xml") continue;
    const std::string diagram = text_of(entry.path().string());
    here.write("first.xml", diagram);
    if (here.hilda("draw first.xml -o before.svg").exit != 0) continue;
    here.write("second.xml", edited(diagram, random, edits % 2 == 0));
    if (here.hilda("draw second.xml --like before.svg -o after.svg").exit != 0) continue;
    ASSERT_EQ(here.hilda("draw second.xml -o anew.svg").exit, 0);
    ASSERT_EQ(here.hilda("draw first.xml --like after.svg -o undone.svg").exit, 0);
    const auto before = corners_in(here.read("before.svg")), after = corners_in(here.read("after.svg"));
    EXPECT_TRUE(after.contains("newcomer"));
    const auto add = [](std::vector<double>& all, const std::vector<double>& more) {
      all.insert(all.end(), more.begin(), more.end());
    };
    add(like, ways(before, after));
    add(anew, ways(before, corners_in(here.read("anew.svg"))));
    add(undone, ways(after, corners_in(here.read("undone.svg"))));
    ++edits;
  }
  ASSERT_GE(edits, 20);
  EXPECT_GE(share_at_rest(like), 0.95) << "a block more";
  EXPECT_GE(share_at_rest(undone), 0.95) << "a block less";
  EXPECT_LE(share_at_rest(anew), 0.5) << "without the drawing before; else this test says nothing";
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(DrawStability, PinnedSymbolsStayAndTheOthersGoAround) {
  const Workplace here;
  // where the plant would be, and left of everything
  for (const Corner pin : {Corner{240, 0}, Corner{-300, -60}, Corner{36, 36}, Corner{600, 600}}) {
    const std::string place =
        "ui.x=\"" + std::to_string(pin.x) + "\" ui.y=\"" + std::to_string(static_cast<int>(pin.y)) + "\"";
    here.write("servo.xml", servo(place));
    const Result drawn = here.hilda("draw servo.xml -o it.svg");
    ASSERT_EQ(drawn.exit, 0) << drawn.err;
    EXPECT_EQ(drawn.err, "");
    const std::string svg = here.read("it.svg");
    const auto corners = corners_in(svg);
    EXPECT_EQ(corners.at("gain").x, pin.x);
    EXPECT_EQ(corners.at("gain").y, pin.y);
    const std::vector<std::string> paths = paths_in(svg);
    for (std::size_t i = 0; i < paths.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(overlap(box_of(svg, paths[i]), box_of(svg, paths[j]))) << paths[i] << " and " << paths[j];
    // a symbol that is pinned elsewhere moves alone
    here.write("servo.xml", servo("ui.x=\"900\" ui.y=\"300\""));
    ASSERT_EQ(here.hilda("draw servo.xml --like it.svg -o moved.svg").exit, 0);
    const auto moved = corners_in(here.read("moved.svg"));
    EXPECT_EQ(moved.at("gain").x, 900);
    EXPECT_EQ(moved.at("gain").y, 300);
  }
}

TEST(DrawStability, SaysWhatIsWrongWithAPin) {
  const Workplace here;
  const std::pair<const char*, const char*> wrong[] = {
      {"ui.x=\"12\"", "servo.xml:4: warning[drawing-hint]: ui.x and ui.y belong together, and ui.y is missing"},
      {"ui.x=\"left\" ui.y=\"0\"", "servo.xml:4: warning[drawing-hint]: ui.x is 'left'"},
      {"ui.x=\"0\" ui.y=\"1e9\"", "servo.xml:4: warning[drawing-hint]: ui.y is '1e9'"},
      {"ui.x=\"nan\" ui.y=\"12 px\"", "ui.y is '12 px'"}};
  here.write("servo.xml", servo(""));
  ASSERT_EQ(here.hilda("draw servo.xml -o plain.svg").exit, 0);
  for (const auto& [attributes, text] : wrong) {
    here.write("servo.xml", servo(attributes));
    const Result drawn = here.hilda("draw servo.xml -o it.svg");
    EXPECT_EQ(drawn.exit, 0);
    EXPECT_THAT(drawn.err, HasSubstr(text));
    EXPECT_EQ(here.read("it.svg"), here.read("plain.svg")) << "drawn as without it";
    EXPECT_EQ(here.hilda("check servo.xml").exit, 0) << "the engine never reads it";
  }
}

} // namespace
} // namespace hilda::test
