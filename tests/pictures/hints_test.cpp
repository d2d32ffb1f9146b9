// SPDX-License-Identifier: BSD-3-Clause
// Hints of the author in sources that no one has checked: the studio draws what it could read before the last edit.
#include "tests/modules.h"
#include "tools/graphics/detail/draw/sketch/hints.h"
#include "tools/graphics/detail/draw/sketch/note_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::Key;

const std::string pinned = "<block name=\"b\" ui.row=\"1\" ui.column=\"2\"/>";

std::string including(const std::string& first, const std::string& second) {
  return "<diagram>" + pinned + "<subsystem name=\"x\" src=\"" + first + "\"/><subsystem name=\"y\" src=\"" + second +
         "\"/></diagram>";
}

draw::Hints hints_in(const Sources& sources) {
  System system;
  system.where = {&sources.files().front()->name, 1};
  return draw::hints_of(system, sources);
}

TEST(Hints, OfAFileThatIncludesItselfEnd) {
  Sources sources;
  sources.add("a.xml", "/d/a.xml", including("a.xml", "a.xml"));
  EXPECT_THAT(hints_in(sources).pins, ElementsAre(Key("b")));
}

TEST(Hints, OfFilesThatIncludeEachOtherEnd) {
  Sources sources;
  sources.add("a.xml", "/d/a.xml", including("parts/b.xml", "parts/b.xml"));
  sources.add("parts/b.xml", "/d/parts/b.xml", including("../a.xml", "a.xml"));
  EXPECT_THAT(hints_in(sources).pins, ElementsAre(Key("b"), Key("x.b"), Key("y.b")));
}

TEST(Hints, AreOfTheFileThatIsNearestAndNotOfOneOfThatName) {
  Sources sources;
  sources.add("part.xml", "/d/part.xml", including("parts/part.xml", "none.xml"));
  sources.add("parts/part.xml", "/d/parts/part.xml", "<diagram><block name=\"inside\" ui.row=\"0\"/></diagram>");
  EXPECT_THAT(hints_in(sources).pins, ElementsAre(Key("b"), Key("x.inside")));
  Sources nested;
  nested.add("top.xml", "/d/top.xml", including("parts/part.xml", "none.xml"));
  nested.add("part.xml", "/d/part.xml", "<diagram><block name=\"far\" ui.row=\"0\"/></diagram>");
  nested.add("parts/part.xml", "/d/parts/part.xml", "<diagram><subsystem name=\"s\" src=\"inner.xml\"/></diagram>");
  nested.add("inner.xml", "/d/inner.xml", "<diagram><block name=\"far\" ui.row=\"0\"/></diagram>");
  nested.add("parts/inner.xml", "/d/parts/inner.xml", "<diagram><block name=\"near\" ui.row=\"0\"/></diagram>");
  EXPECT_THAT(hints_in(nested).pins, ElementsAre(Key("b"), Key("x.s.near")));
}

TEST(Hints, NotesAreasAndBendsAreReadOfTheModeThatIsDrawn) {
  Sources sources;
  sources.add("a.xml", "/d/a.xml",
              "<diagram><note name='why' text='so&#10;it' ui.x='13' ui.y='0' ui.width='100'/>"
              "<area name='plant' title='Plant' ui.x='0' ui.y='0'/><area name='lost' title='nowhere'/>"
              "<connect from='a.y' to='b.u' ui.bend='61 -48 12'/><connect from='a.y' to='c.u' ui.bend='60 far'/>"
              "<subsystem name='rig' mode='sim'><note name='n' text='here'/></subsystem>"
              "<subsystem name='rig' mode='hardware'><note name='n' text='there' ui.width='4'/></subsystem></diagram>");
  System system;
  system.where = {&sources.files().front()->name, 1};
  system.mode = "sim";
  const draw::Hints hints = draw::hints_of(system, sources);
  ASSERT_EQ(hints.notes.size(), 2U);
  EXPECT_EQ(hints.notes[0].text, "so\nit");
  EXPECT_EQ(hints.notes[0].width, 102);
  EXPECT_EQ(hints.notes[1].inside + " " + hints.notes[1].path + " " + hints.notes[1].text, "rig rig.n here");
  ASSERT_EQ(hints.areas.size(), 1U);
  EXPECT_EQ(hints.areas[0].width, 240);
  EXPECT_THAT(hints.bends, ElementsAre(std::pair(std::string("b.u"), draw::Hints::Bend{60, -48, 12})));
  ASSERT_EQ(hints.problems.size(), 1U);
  EXPECT_EQ(hints.problems[0].what, "ui.bend is '60 far'");
}

TEST(NoteText, IsFilledInLinesWithBoldLinksAndLists) {
  const auto shown = [](const std::string& text, double width) {
    std::vector<std::string> lines;
    for (const draw::NoteLine& line : draw::note_lines(text, width)) {
      lines.emplace_back(line.indent > 0 ? ">" : "");
      for (const draw::NotePiece& piece : line.pieces)
        lines.back() += (piece.bold ? "*" : "") + piece.text + (piece.link.empty() ? "" : "@" + piece.link);
    }
    return lines;
  };
  EXPECT_THAT(shown("one **two three** four", 400), ElementsAre("one *two three four"));
  EXPECT_THAT(shown("one two three four five six", 70).size(), testing::Gt(1U));
  EXPECT_THAT(shown("- first item that is long\n- second", 80),
              ElementsAre("\xE2\x80\xA2 first item that", ">is long", "\xE2\x80\xA2 second"));
  EXPECT_THAT(shown("see [it](https://a.b/c), or [x](javascript:1)", 400),
              ElementsAre("see it@https://a.b/c, or [x](javascript:1)"));
  EXPECT_THAT(shown("2 ** 3 and **", 400), ElementsAre("2 ** 3 and **"));
  EXPECT_THAT(shown("a\n\nb", 400), ElementsAre("a", "", "b"));
}

} // namespace
} // namespace hilda::test
