// SPDX-License-Identifier: BSD-3-Clause
// Where operations on a diagram's text could go wrong: found by changing the sources by hand and looking which change
// no test saw.
#include "engine/authoring/diagram_editor.h"
#include "tests/edit/edited.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

namespace hilda::test {
namespace {

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(EditEdges, GroupLeavesAWireToAnOutputThatIsCalledAsAMembersPort) {
  const std::string made = edited(R"(<diagram format="1">
  <output name="lead.force"/>
  <block name="lead" type="math/Gain" gain="1"/>
  <block name="other" type="math/Gain" gain="1"/>
  <connect from="other.y" to="lead.force"/>
</diagram>
)",
                                  "group lead as g");
  EXPECT_NE(made.find(R"(<connect from="other.y" to="lead.force"/>)"), std::string::npos) << made;
  EXPECT_EQ(count(made, "<input"), 0u) << made;
}

TEST(EditEdges, GroupTakesWhatOnlyASimulationKnowsAsAnOptionalInput) {
  const std::string made = edited(R"(<diagram format="1">
  <subsystem name="rig" src="rig.xml"/>
  <block name="lead" type="math/Gain" gain="1"/>
  <connect from="rig.truth.force" to="lead.u"/>
</diagram>
)",
                                  "group lead as g");
  EXPECT_NE(made.find(R"(<input name="u" optional="true"/>)"), std::string::npos) << made;
}

TEST(EditEdges, ExtractEndsTheFileWithoutTheIndentationOfTheClosingTag) {
  const test::Folder here;
  DiagramEditor editor("a.xml", here.path("a.xml"), R"(<diagram format="1">
  <subsystem name="part">
    <block name="a" type="math/Gain" gain="1"/>
      </subsystem>
</diagram>
)");
  Diagnostics diagnostics;
  ASSERT_TRUE(editor.apply({{"extract", "part", "to", here.path("part.xml")}}, diagnostics)) << diagnostics.text();
  ASSERT_EQ(editor.files().size(), 1u);
  EXPECT_EQ(editor.files()[0].text, R"(<diagram format="1" name="part">
  <block name="a" type="math/Gain" gain="1"/>
</diagram>
)");
}

TEST(EditEdges, RenameLeavesAPortOfTheSubsystemThatBeginsWithTheBlocksName) {
  const std::string made = edited(R"(<diagram format="1">
  <subsystem name="rig">
    <output name="led.force"/>
    <block name="led" type="math/Gain" gain="1"/>
    <connect from="led.y" to="led.force"/>
  </subsystem>
  <log signals="rig.led.force rig.led.y"/>
</diagram>
)",
                                  "rename rig.led lamp");
  EXPECT_NE(made.find(R"(signals="rig.led.force rig.lamp.y")"), std::string::npos) << made;
  EXPECT_NE(made.find(R"(<connect from="lamp.y" to="led.force"/>)"), std::string::npos) << made;
}

TEST(EditEdges, TolerancesFollowTheBlocksThatTheyName) {
  const std::string text = R"(<diagram format="1" solver="dopri5" atol="1e-9, osc.x=1e-6 , osc=2e-6, oscar.x=1e-5">
  <block name="osc" type="continuous/Integrator"/>
  <block name="oscar" type="continuous/Integrator"/>
  <connect from="osc.y" to="oscar.u"/>
</diagram>
)";
  EXPECT_NE(edited(text, "rename osc o2").find(R"(atol="1e-9, o2.x=1e-6 , o2=2e-6, oscar.x=1e-5")"), std::string::npos);
  EXPECT_NE(edited(text, "group osc as O").find(R"(atol="1e-9, O.osc.x=1e-6 , O.osc=2e-6, oscar.x=1e-5")"),
            std::string::npos);
  EXPECT_NE(refusal(text, "remove oscar").find("atol="), std::string::npos);
  const std::string inner = R"(<diagram format="1" solver="dopri5" atol="1e-9, rig.osc.x=1e-6">
  <subsystem name="rig">
    <block name="osc" type="continuous/Integrator"/>
  </subsystem>
</diagram>
)";
  EXPECT_NE(edited(inner, "rename rig.osc o2").find(R"(rig.o2.x=1e-6)"), std::string::npos);
  EXPECT_NE(edited(inner, "rename rig r2").find(R"(r2.osc.x=1e-6)"), std::string::npos);
}

TEST(EditEdges, RemoveTakesAPowerPortWholeOfWhichItIsEffortAndSide) {
  EXPECT_EQ(edited(R"(<diagram format="1">
  <block name="a" type="math/Gain" gain="1"/>
  <block name="b" type="math/Gain" gain="1"/>
  <power_port name="p" effort="a.y" flow="b.y" from="a" to="b"/>
</diagram>
)",
                   "remove a"),
            R"(<diagram format="1">
  <block name="b" type="math/Gain" gain="1"/>
</diagram>
)");
}

TEST(EditEdges, RemoveTakesTheLastWordsOfAListWithTheBlanksBefore) {
  const std::string text = R"(<diagram format="1">
  <block name="a" type="math/Gain" gain="1"/>
  <block name="b" type="math/Gain" gain="1"/>
  <log signals="a.y  b.u, b.y"/>
</diagram>
)";
  EXPECT_NE(edited(text, "remove b").find(R"(<log signals="a.y"/>)"), std::string::npos) << edited(text, "remove b");
  EXPECT_NE(edited(text, "remove a").find(R"(<log signals="b.u, b.y"/>)"), std::string::npos);
}

TEST(EditEdges, ANameMayBeGivenOnceInEachMode) {
  const std::string text = R"(<diagram format="1">
  <block name="rig" mode="sim" type="math/Gain" gain="1"/>
</diagram>
)";
  EXPECT_NE(edited(text, "add math/Gain rig mode=hardware gain=2").find("mode=\"hardware\""), std::string::npos);
  EXPECT_NE(refusal(text, "add math/Gain rig mode=sim gain=2").find("error[edit-name-taken]"), std::string::npos);
  EXPECT_NE(refusal(text, "add math/Gain rig gain=2").find("error[edit-name-taken]"), std::string::npos);
}

TEST(EditEdges, AnEditAfterUndoTakesThePlaceOfWhatWasUndone) {
  const std::string text = "<diagram format=\"1\">\n  <parameter name=\"gap\" value=\"1\"/>\n</diagram>\n";
  DiagramEditor editor("a.xml", "/nowhere/a.xml", text);
  Diagnostics diagnostics;
  ASSERT_TRUE(editor.apply({{"set", "gap=2"}}, diagnostics));
  ASSERT_TRUE(editor.apply({{"set", "gap=3"}}, diagnostics));
  ASSERT_TRUE(editor.undo() && editor.undo());
  ASSERT_TRUE(editor.apply({{"set", "gap=40"}}, diagnostics));
  EXPECT_FALSE(editor.redo()) << "what was undone is gone";
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.text(), text);
  EXPECT_FALSE(editor.undo());
  EXPECT_TRUE(editor.redo());
  EXPECT_NE(editor.text().find("\"40\""), std::string::npos);
}

TEST(EditEdges, AFileThatChangedSinceItWasReadIsLeftAsItIs) {
  const test::Folder here;
  const std::string path = here.path("a.xml"), text = "<diagram format=\"1\">\n</diagram>\n";
  DiagramEditor editor(path, path, text);
  Diagnostics diagnostics;
  ASSERT_TRUE(editor.apply({{"add", "parameter", "gap", "value=1"}}, diagnostics)) << diagnostics.text();
  here.write("a.xml", text + "<!-- someone was here -->\n");
  std::string error;
  EXPECT_FALSE(save_edited(editor, path, text, error));
  EXPECT_NE(error.find("has changed since it was read"), std::string::npos) << error;
  EXPECT_EQ(here.read("a.xml"), text + "<!-- someone was here -->\n");
  here.write("a.xml", text);
  EXPECT_TRUE(save_edited(editor, path, text, error)) << error;
  EXPECT_EQ(here.read("a.xml"), editor.text());
}

/// A list over two lines, with a line end that is written as a reference; the renamed name is behind it.
TEST(EditEdges, RenameFindsAWordBehindAReferenceInAList) {
  const std::string text =
      "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/>\n  <block name=\"b\" type=\"t/T\"/>\n"
      "  <log signals=\"a.y&#10;b.y b.z\"/>\n</diagram>\n";
  EXPECT_NE(edited(text, "rename b other").find("signals=\"a.y&#10;other.y other.z\""), std::string::npos);
  EXPECT_NE(edited(text, "remove a").find("signals=\"b.y b.z\""), std::string::npos);
}

/// A remark between two elements on one line may be that of the second.
TEST(EditEdges, ARemarkBeforeAnotherElementOfTheLineStaysWithIt) {
  const std::string text =
      "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/> <!-- b is next --> <block name=\"b\" "
      "type=\"t/T\"/> <!-- last -->\n</diagram>\n";
  EXPECT_EQ(edited(text, "group a as g"), "<diagram format=\"1\">\n  <subsystem name=\"g\">\n    <block name=\"a\" "
                                          "type=\"t/T\"/>\n  </subsystem> <!-- b is "
                                          "next --> <block name=\"b\" type=\"t/T\"/> <!-- last -->\n</diagram>\n");
}

/// One source goes to a member by a wire of each mode: each is a separate port, with the mode of its wire.
TEST(EditEdges, GroupMakesAPortForEachModeOfAWire) {
  const std::string text =
      "<diagram format=\"1\">\n  <block name=\"p\" type=\"t/T\"/>\n  <block name=\"a\" type=\"t/T\"/>\n"
      "  <connect from=\"p.y\" to=\"a.u\" mode=\"sim\"/>\n"
      "  <connect from=\"p.y\" to=\"a.v\" mode=\"hardware\"/>\n</diagram>\n";
  const std::string made = edited(text, "group a as g");
  EXPECT_NE(made.find("<input name=\"u\" mode=\"sim\"/>"), std::string::npos) << made;
  EXPECT_NE(made.find("<input name=\"v\" mode=\"hardware\"/>"), std::string::npos) << made;
  EXPECT_NE(made.find("<connect from=\"p.y\" to=\"g.u\" mode=\"sim\"/>"), std::string::npos) << made;
  EXPECT_NE(made.find("<connect from=\"p.y\" to=\"g.v\" mode=\"hardware\"/>"), std::string::npos) << made;
}

/// `period` is known in every file: an extracted file does not declare it.
TEST(EditEdges, ExtractDeclaresNoNameThatEveryFileKnows) {
  const test::Folder here;
  const std::string text =
      "<diagram format=\"1\">\n  <parameter name=\"k\" value=\"2\"/>\n  <subsystem name=\"s\">\n"
      "    <block name=\"a\" type=\"t/T\" p=\"${k*period + pi*1 s}\"/>\n  </subsystem>\n</diagram>\n";
  DiagramEditor editor(here.path("a.xml"), here.path("a.xml"), text);
  Diagnostics diagnostics;
  ASSERT_TRUE(editor.apply({{"extract", "s", "to", here.path("s.xml")}}, diagnostics)) << diagnostics.text();
  EXPECT_EQ(editor.files()[0].text, "<diagram format=\"1\" name=\"s\">\n  <parameter name=\"k\"/>\n"
                                    "  <block name=\"a\" type=\"t/T\" p=\"${k*period + pi*1 s}\"/>\n</diagram>\n");
  EXPECT_NE(editor.text().find("<subsystem name=\"s\" src=\"s.xml\" k=\"${k}\"/>"), std::string::npos) << editor.text();
}

/// Texts of which the beginning and the end are alike, so that both could be taken for the same bytes.
TEST(EditEdges, AnotherTextIsOneStepThatIsTakenBack) {
  for (const auto& [before, after] : {std::pair<std::string, std::string>{"aa", "aaa"},
                                      {"aaa", "aa"},
                                      {"abab", "ababab"},
                                      {"", "x"},
                                      {"x", ""},
                                      {"x", "x"}}) {
    DiagramEditor editor("a.xml", "/nowhere/a.xml", before);
    editor.rewrite(after, {});
    EXPECT_EQ(editor.text(), after);
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.text(), before) << after;
    EXPECT_TRUE(editor.redo());
    EXPECT_EQ(editor.text(), after) << before;
  }
}

test::Output program(const test::Folder& here, const std::string& arguments) {
  return test::run_with_errors("cd '" + here.path().string() + "' && '" + test::build_folder() + "/bin/hilda' " +
                               arguments);
}

TEST(EditEdges, ADifferenceJoinsChangesWithSixLinesBetweenThemAndNoMore) {
  const test::Folder here;
  std::string text = "<diagram format=\"1\" period=\"1 ms\">\n";
  for (int i = 0; i < 12; ++i) text += "  <parameter name=\"p" + std::to_string(i) + "\" value=\"1\"/>\n";
  here.write("a.xml", text + "</diagram>\n");
  EXPECT_EQ(count(program(here, "edit a.xml set p1=2 p8=2 --dry-run").text, "@@ -"), 1u);
  EXPECT_EQ(count(program(here, "edit a.xml set p1=2 p9=2 --dry-run").text, "@@ -"), 2u);
}

TEST(EditEdges, AMistakeOfTwoModesIsToldOnce) {
  const test::Folder here;
  here.write("a.xml", R"(<diagram format="1" period="1 ms">
  <block name="source" type="sources/Constant" mode="sim" value="1"/>
  <block name="source" type="sources/Constant" mode="hardware" value="2"/>
  <block name="gain" type="math/Gain" gain="1"/>
  <connect from="source.y" to="gain.u"/>
</diagram>
)");
  const test::Output done = program(here, "edit a.xml set gain.gian=2");
  EXPECT_EQ(done.status, 2) << done.text;
  EXPECT_EQ(count(done.text, "error[unknown-attribute]"), 1u) << done.text;
}

} // namespace
} // namespace hilda::test
