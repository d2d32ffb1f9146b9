// Hints of the author in sources that no one has checked: the studio draws what it could read before the last edit.
#include "tools/draw/sketch/hints.h"

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

} // namespace
} // namespace hilda::test
