// SPDX-License-Identifier: BSD-3-Clause
// What single operations write: text in, text out.
#include "tests/edit/declared.h"
#include "tests/edit/edited.h"
#include "tests/folder.h"
#include "tests/project_folders.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

TEST(EditText, SetChangesTheBytesOfAValueAndNoOthers) {
  EXPECT_EQ(edited("<diagram format='1' >\n<!-- <block name=\"a\" gain=\"1\"/> -->\n"
                   "\t<block type='math/Gain'\n\t\tname = 'a' gain= \"1\" doc='say \"x\"'/></diagram>",
                   "set a.gain=2"),
            "<diagram format='1' >\n<!-- <block name=\"a\" gain=\"1\"/> -->\n"
            "\t<block type='math/Gain'\n\t\tname = 'a' gain= \"2\" doc='say \"x\"'/></diagram>");
}

TEST(EditText, AValueIsEscapedForItsOwnQuotes) {
  const std::string text = "<diagram format=\"1\"><block name='a' type='t/T' p='1' q=\"1\"/></diagram>";
  EXPECT_EQ(edited(text, "set a.p='\"<&>"),
            "<diagram format=\"1\"><block name='a' type='t/T' p='&apos;\"&lt;&amp;>' q=\"1\"/></diagram>");
  EXPECT_EQ(edited(text, "set a.q='\"<&>"),
            "<diagram format=\"1\"><block name='a' type='t/T' p='1' q=\"'&quot;&lt;&amp;>\"/></diagram>");
}

TEST(EditText, AFurtherAttributeStandsAsTheOthersDo) {
  EXPECT_EQ(
      edited("<diagram format=\"1\">\r\n  <block name=\"a\"\r\n         type=\"t/T\"/>\r\n</diagram>", "set a.p=1"),
      "<diagram format=\"1\">\r\n  <block name=\"a\"\r\n         type=\"t/T\"\r\n         p=\"1\"/>\r\n</diagram>");
  EXPECT_EQ(edited("<diagram format='1'>\n  <block name = 'a' type = 't/T' />\n</diagram>", "set a.p=1"),
            "<diagram format='1'>\n  <block name = 'a' type = 't/T' p = '1' />\n</diagram>");
  // several on a line: a new line where the longest would become longer
  EXPECT_EQ(edited("<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"\n         p=\"1\" q=\"1\"/>\n</diagram>",
                   "set a.r=12345678901234567890"),
            "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"\n         p=\"1\" q=\"1\"\n"
            "         r=\"12345678901234567890\"/>\n</diagram>");
}

TEST(EditText, WiresHaveBendsByTheInputAtWhichTheyEnd) {
  const std::string text = "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/>\n"
                           "  <subsystem name=\"rig\">\n    <block name=\"b\" type=\"t/T\"/>\n"
                           "    <connect from=\"b.y\" to=\"b.u\"/>\n  </subsystem>\n"
                           "  <connect from=\"a.y\" to=\"a.u\" mode=\"sim\"/>\n"
                           "  <connect from=\"a.y\" to=\"a.u\" mode=\"hardware\"/>\n</diagram>\n";
  const std::string outer = edited(text, "set connect:a.u@sim.ui.bend=60\\_-48");
  EXPECT_NE(outer.find("to=\"a.u\" mode=\"sim\" ui.bend=\"60 -48\"/>"), std::string::npos) << outer;
  EXPECT_EQ(outer.find("mode=\"hardware\" ui.bend"), std::string::npos) << outer;
  EXPECT_EQ(edited(outer, "unset connect:a.u@sim.ui.bend"), text);
  const std::string inner = edited(text, "set connect:rig.b.u.ui.draw=tag");
  EXPECT_NE(inner.find("to=\"b.u\" ui.draw=\"tag\"/>"), std::string::npos) << inner;
}

TEST(EditText, NotesAndAreasAreAddedRenamedAndRemovedLikeBlocks) {
  const std::string text = "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/>\n</diagram>\n";
  const std::string noted = edited(text, "add note why text=so ui.x=12 ui.y=-6");
  EXPECT_EQ(noted, "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/>\n\n"
                   "  <note name=\"why\" text=\"so\" ui.x=\"12\" ui.y=\"-6\"/>\n</diagram>\n");
  const std::string again = edited(edited(noted, "rename why reason"), "set reason.text=else");
  EXPECT_NE(again.find("<note name=\"reason\" text=\"else\""), std::string::npos) << again;
  EXPECT_NE(edited(again, "set note:reason.ui.x=6").find("ui.x=\"6\""), std::string::npos);
  const std::string area = edited(again, "add area plant title=Plant ui.width=240");
  EXPECT_NE(area.find("  <area name=\"plant\" title=\"Plant\" ui.width=\"240\"/>\n"), std::string::npos) << area;
  EXPECT_EQ(edited(area, "remove plant"), again);
}

TEST(EditText, UnsetTakesAnAttributeWithTheBlanksBeforeIt) {
  EXPECT_EQ(edited("<diagram format=\"1\"><block name=\"a\" type=\"t/T\"\n   p=\"1\" q=\"2\"/></diagram>", "unset a.p"),
            "<diagram format=\"1\"><block name=\"a\" type=\"t/T\" q=\"2\"/></diagram>");
}

TEST(EditText, AnElementIsAddedBehindItsKindAndLooksLikeIt) {
  EXPECT_EQ(edited("\xEF\xBB\xBF<diagram format='1'>\r\n\t<block name='a' type='t/T'/> <!-- why -->\r\n\r\n"
                   "\t<connect from='a.y' to='a.u'/>\r\n</diagram>",
                   "add math/Gain g gain=2"),
            "\xEF\xBB\xBF<diagram format='1'>\r\n\t<block name='a' type='t/T'/> <!-- why -->\r\n"
            "\t<block name='g' type='math/Gain' gain='2'/>\r\n\r\n\t<connect from='a.y' to='a.u'/>\r\n</diagram>");
}

TEST(EditText, AnEmptyDiagramGetsItsFirstElement) {
  EXPECT_EQ(edited("<diagram format=\"1\"/>", "add math/Gain g"),
            "<diagram format=\"1\">\n  <block name=\"g\" type=\"math/Gain\"/>\n</diagram>");
  EXPECT_EQ(edited("<diagram format=\"1\">\n</diagram>\n", "add math/Gain g"),
            "<diagram format=\"1\">\n  <block name=\"g\" type=\"math/Gain\"/>\n</diagram>\n");
  EXPECT_EQ(edited("<diagram format=\"1\"></diagram>", "add math/Gain g"),
            "<diagram format=\"1\">\n  <block name=\"g\" type=\"math/Gain\"/>\n</diagram>");
  EXPECT_EQ(edited("<diagram format=\"1\"><!-- a --></diagram>", "add math/Gain g"),
            "<diagram format=\"1\">\n  <block name=\"g\" type=\"math/Gain\"/>\n<!-- a --></diagram>");
}

TEST(EditText, ACopyStandsBehindItsOriginalWithoutItsPlaceInTheDrawing) {
  EXPECT_EQ(
      edited("<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\" ui.x=\"3\"\n         p=\"1\"/> <!-- why -->\n"
             "  <connect from=\"a.y\" to=\"a.u\"/>\n</diagram>",
             "duplicate a as b"),
      "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\" ui.x=\"3\"\n         p=\"1\"/> <!-- why -->\n"
      "  <block name=\"b\" type=\"t/T\"\n         p=\"1\"/>\n"
      "  <connect from=\"a.y\" to=\"a.u\"/>\n</diagram>");
  EXPECT_EQ(
      edited("<diagram format=\"1\">\n  <subsystem name=\"s\">\n    <input name=\"u\"/>\n  </subsystem>\n</diagram>",
             "duplicate s as z"),
      "<diagram format=\"1\">\n  <subsystem name=\"s\">\n    <input name=\"u\"/>\n  </subsystem>\n"
      "  <subsystem name=\"z\">\n    <input name=\"u\"/>\n  </subsystem>\n</diagram>");
  EXPECT_NE(refusal("<diagram format=\"1\"><block name=\"a\" type=\"t/T\"/></diagram>", "duplicate a as a")
                .find("edit-name-taken"),
            std::string::npos);
  EXPECT_NE(
      refusal("<diagram format=\"1\"><block name=\"a\" type=\"t/T\"/></diagram>", "duplicate a b").find("edit-usage"),
      std::string::npos);
}

TEST(EditText, AWireStandsBesideTheOthersOfItsBlock) {
  EXPECT_EQ(edited("<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/>\n  <block name=\"b\" type=\"t/T\"/>\n"
                   "  <connect from=\"a.y\" to=\"b.u\"/>\n  <connect from=\"b.y\" to=\"a.u\"/>\n</diagram>",
                   "connect a.z b.v mode=sim"),
            "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/>\n  <block name=\"b\" type=\"t/T\"/>\n"
            "  <connect from=\"a.y\" to=\"b.u\"/>\n  <connect from=\"a.z\" to=\"b.v\" mode=\"sim\"/>\n"
            "  <connect from=\"b.y\" to=\"a.u\"/>\n</diagram>");
}

const std::string whole =
    "<diagram format=\"1\">\n"
    "  <parameter name=\"gap\" value=\"3 mm\"/>\n"
    "  <parameter name=\"far\" value=\"${2 * gap}\" doc=\"${gap} doubled\"/>\n"
    "  <subsystem name=\"outer\" gap=\"${gap &gt; 1 mm ? gap : far}\">\n"
    "    <parameter name=\"gap\" value=\"1 m\"/>\n"
    "    <input name=\"in.u\"/>\n"
    "    <output name=\"y\"/>\n"
    "    <block name=\"lead\" type=\"t/T\" p=\"${gap} ${far}\"/>\n"
    "    <connect from=\"in.u[0]\" to=\"lead.u\"/>\n"
    "    <connect from=\"lead.y\" to=\"y\"/>\n"
    "  </subsystem>\n"
    "  <block name=\"lead\" type=\"t/T\" p=\"${gap}\"/>\n"
    "  <block name=\"leader\" type=\"t/T\" enable=\"lead.on\"/>\n"
    "  <connect from=\"lead.y\" to=\"outer.in.u\"/>\n"
    "  <connect from=\"outer.y.force\" to=\"leader.u\"/>\n"
    "  <power_port name=\"p\" effort=\"lead.y.force\" flow=\"leader.y\" from=\"lead\" to=\".\"/>\n"
    "  <quality on=\"lead.y\" noise=\"${gap}\"/>\n"
    "  <log signals=\"lead, leader.y  outer.lead.y ports.p outer.y lea*\" when=\"lead.on\"/>\n"
    "</diagram>\n";

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& changes) {
  for (const auto& [old, made] : changes) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    if (at != std::string::npos) text.replace(at, old.size(), made);
  }
  return text;
}

TEST(EditRename, ABlockWithAllThatRefersToIt) {
  std::string remarks;
  EXPECT_EQ(edited(whole, "rename lead first", &remarks),
            replaced(whole, {{"  <block name=\"lead\" type=\"t/T\" p=\"${gap}\"",
                              "  <block name=\"first\" type=\"t/T\" p=\"${gap}\""},
                             {"enable=\"lead.on\"", "enable=\"first.on\""},
                             {"\"lead.y\" to=\"outer", "\"first.y\" to=\"outer"},
                             {"effort=\"lead.", "effort=\"first."},
                             {"from=\"lead\" to=\".\"", "from=\"first\" to=\".\""},
                             {"on=\"lead.y\"", "on=\"first.y\""},
                             {"signals=\"lead,", "signals=\"first,"},
                             {"when=\"lead.", "when=\"first."}}));
  EXPECT_NE(remarks.find("lea*"), std::string::npos) << remarks;
}

TEST(EditRename, ABlockInASubsystemAndTheListsAroundIt) {
  EXPECT_EQ(edited(whole, "rename outer.lead first"),
            replaced(whole, {{"    <block name=\"lead\"", "    <block name=\"first\""},
                             {"to=\"lead.u\"", "to=\"first.u\""},
                             {"from=\"lead.y\" to=\"y\"", "from=\"first.y\" to=\"y\""},
                             {"outer.lead.y ports", "outer.first.y ports"}}));
}

TEST(EditRename, APortInsideAndOutside) {
  EXPECT_EQ(edited(whole, "rename outer.in.u force"),
            replaced(whole, {{"<input name=\"in.u\"", "<input name=\"force\""},
                             {"\"in.u[0]\"", "\"force[0]\""},
                             {"\"outer.in.u\"", "\"outer.force\""}}));
  EXPECT_EQ(edited(whole, "rename outer.y led"), replaced(whole, {{"<output name=\"y\"", "<output name=\"led\""},
                                                                  {"to=\"y\"", "to=\"led\""},
                                                                  {"outer.y.force", "outer.led.force"},
                                                                  {"outer.y lea", "outer.led lea"}}));
}

TEST(EditRename, AParameterWhereItIsMeantAndNotWhereAnotherIs) {
  EXPECT_EQ(edited(whole, "rename gap width"),
            replaced(whole, {{"name=\"gap\" value=\"3 mm\"", "name=\"width\" value=\"3 mm\""},
                             {"${2 * gap}", "${2 * width}"},
                             {"${gap &gt; 1 mm ? gap : far}", "${width &gt; 1 mm ? width : far}"},
                             {"T\" p=\"${gap}\"/>", "T\" p=\"${width}\"/>"},
                             {"noise=\"${gap}\"", "noise=\"${width}\""}}));
  EXPECT_EQ(edited(whole, "rename outer.gap width"),
            replaced(whole, {{"outer\" gap=", "outer\" width="},
                             {"name=\"gap\" value=\"1 m\"", "name=\"width\" value=\"1 m\""},
                             {"${gap} ${far}", "${width} ${far}"}}));
}

TEST(EditRename, DoesNotLetAParameterTakeTheMeaningOfAnother) {
  EXPECT_NE(refusal(whole, "rename outer.gap far").find("means another parameter here"), std::string::npos);
  EXPECT_NE(refusal(replaced(whole, {{"name=\"gap\" value=\"1 m\"", "name=\"near\" value=\"1 m\""}}), "rename far near")
                .find("means another parameter here"),
            std::string::npos);
}

TEST(EditRename, APathOfALiveParameterAndADefaultOfTheDiagram) {
  const std::string text = "<diagram format=\"1\">\n  <parameter name=\"gap\" value=\"1\"/>\n"
                           "  <input name=\"push\" default=\"5 N\"/>\n"
                           "  <subsystem name=\"outer\">\n    <block name=\"gap\" type=\"t/T\" p=\"${push}\"/>\n"
                           "  </subsystem>\n"
                           "  <live path=\"gap\" rate=\"1\"/>\n  <live path=\"push\" rate=\"1\"/>\n"
                           "  <live path=\"outer.gap.p\" rate=\"${gap}\"/>\n</diagram>\n";
  EXPECT_EQ(edited(text, "rename parameter:gap width"), replaced(text, {{"name=\"gap\" value", "name=\"width\" value"},
                                                                        {"path=\"gap\"", "path=\"width\""},
                                                                        {"rate=\"${gap}\"", "rate=\"${width}\""}}));
  EXPECT_EQ(edited(text, "rename outer.gap lead"),
            replaced(text, {{"block name=\"gap\"", "block name=\"lead\""}, {"outer.gap.p", "outer.lead.p"}}));
  EXPECT_EQ(edited(text, "rename push shove"), replaced(text, {{"name=\"push\"", "name=\"shove\""},
                                                               {"${push}", "${shove}"},
                                                               {"path=\"push\"", "path=\"shove\""}}));
  EXPECT_EQ(edited(text, "set push=8N"), replaced(text, {{"5 N", "8N"}}));
  EXPECT_EQ(edited(text, "remove outer"),
            replaced(text, {{"  <subsystem name=\"outer\">\n    <block name=\"gap\" type=\"t/T\" p=\"${push}\"/>\n"
                             "  </subsystem>\n",
                             ""},
                            {"  <live path=\"outer.gap.p\" rate=\"${gap}\"/>\n", ""}}));
}

TEST(EditRename, APowerPort) {
  EXPECT_EQ(edited(whole, "rename p robot"),
            replaced(whole, {{"power_port name=\"p\"", "power_port name=\"robot\""}, {"ports.p ", "ports.robot "}}));
}

TEST(EditRemove, TakesTheWiresAlongAndSaysSo) {
  std::string remarks;
  EXPECT_EQ(
      edited(whole, "remove leader", &remarks),
      replaced(whole,
               {{"  <block name=\"leader\" type=\"t/T\" enable=\"lead.on\"/>\n", ""},
                {"  <connect from=\"outer.y.force\" to=\"leader.u\"/>\n", ""},
                {"  <power_port name=\"p\" effort=\"lead.y.force\" flow=\"leader.y\" from=\"lead\" to=\".\"/>\n", ""},
                {"leader.y  ", ""}}));
  EXPECT_NE(remarks.find("the wire outer.y.force -> leader.u is removed too"), std::string::npos) << remarks;
  EXPECT_NE(remarks.find("<power_port> 'p' is removed too"), std::string::npos) << remarks;
}

TEST(EditRemove, KeepsARemarkBehindIt) {
  EXPECT_EQ(edited("<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\"/> <!-- why -->\n</diagram>", "remove a"),
            "<diagram format=\"1\">\n  <!-- why -->\n</diagram>");
  EXPECT_EQ(edited("<diagram format=\"1\"><block name=\"a\" type=\"t/T\"/> <block name=\"b\" type=\"t/T\"/></diagram>",
                   "remove b"),
            "<diagram format=\"1\"><block name=\"a\" type=\"t/T\"/></diagram>");
}

TEST(EditRemove, OfOneModeLeavesTheOther) {
  const std::string text = "<diagram format=\"1\">\n  <block name=\"a\" type=\"t/T\" mode=\"sim\"/>\n"
                           "  <block name=\"a\" type=\"t/U\" mode=\"hardware\"/>\n  <block name=\"b\" type=\"t/T\"/>\n"
                           "  <connect from=\"a.y\" to=\"b.u\"/>\n  <connect from=\"a.z\" to=\"b.v\" mode=\"sim\"/>\n"
                           "</diagram>\n";
  EXPECT_EQ(edited(text, "remove a@sim"),
            replaced(text, {{"  <block name=\"a\" type=\"t/T\" mode=\"sim\"/>\n", ""},
                            {"  <connect from=\"a.z\" to=\"b.v\" mode=\"sim\"/>\n", ""}}));
  EXPECT_EQ(edited(text, "set a@hardware.p=1"), replaced(text, {{"mode=\"hardware\"", "mode=\"hardware\" p=\"1\""}}));
}

TEST(EditConnect, GoesIntoASubsystemWhereBothEndsLieInIt) {
  EXPECT_EQ(
      edited(whole, "connect outer.in.u[1] outer.lead.v"),
      replaced(whole, {{"to=\"lead.u\"/>\n", "to=\"lead.u\"/>\n    <connect from=\"in.u[1]\" to=\"lead.v\"/>\n"}}));
  EXPECT_EQ(edited(whole, "disconnect outer.lead.y outer.y"),
            replaced(whole, {{"    <connect from=\"lead.y\" to=\"y\"/>\n", ""}}));
}

TEST(EditConnect, GoesIntoTheVariantOfOneMode) {
  const std::string variants = R"(<diagram format="1" name="v" period="1 ms">
  <subsystem name="rig" mode="sim">
    <block name="a" type="sources/Constant" value="1"/>
    <block name="b" type="sinks/Terminator"/>
  </subsystem>
  <subsystem name="rig" mode="late">
    <block name="a" type="sources/Constant" value="1"/>
    <block name="b" type="sinks/Terminator"/>
  </subsystem>
</diagram>
)";
  const std::string joined = edited(variants, "connect rig@late.a.y rig@late.b.u");
  EXPECT_LT(joined.find("mode=\"late\""), joined.find("    <connect from=\"a.y\" to=\"b.u\"/>\n"));
  const std::string cut = edited(joined, "disconnect rig@late.a.y rig@late.b.u");
  EXPECT_EQ(cut.find("connect"), std::string::npos) << cut;
  EXPECT_EQ(edited(joined, "disconnect rig@late.b.u"), cut);
  EXPECT_NE(refusal(joined, "disconnect rig@sim.a.y rig@sim.b.u").find("edit-not-connected"), std::string::npos);
  EXPECT_NE(refusal(variants, "connect rig@none.a.y rig@none.b.u"), "");
}

TEST(EditGroup, WiresThroughTheBorderBecomeItsPorts) {
  EXPECT_EQ(edited("<diagram format=\"1\">\n"
                   "  <block name=\"push\" type=\"t/T\"/>\n"
                   "  <block name=\"a\" type=\"t/T\" enable=\"push.on\"/> <!-- why -->\n"
                   "  <block name=\"b\"\n         type=\"t/T\"/>\n"
                   "  <block name=\"c\" type=\"t/T\" reset=\"b.on\"/>\n"
                   "  <connect from=\"push.y\" to=\"a.u\"/>\n"
                   "  <connect from=\"push.y\" to=\"b.v\"/>\n"
                   "  <connect from=\"a.y\" to=\"b.u\"/>\n"
                   "  <connect from=\"b.y.force\" to=\"c.u\"/>\n"
                   "  <log signals=\"a.y push\"/>\n"
                   "</diagram>\n",
                   "group a b as filter"),
            "<diagram format=\"1\">\n"
            "  <block name=\"push\" type=\"t/T\"/>\n"
            "  <subsystem name=\"filter\">\n"
            "    <input name=\"enable\"/>\n"
            "    <input name=\"u\"/>\n"
            "    <output name=\"on\"/>\n"
            "    <output name=\"y.force\"/>\n"
            "    <block name=\"a\" type=\"t/T\" enable=\"enable\"/> <!-- why -->\n"
            "    <block name=\"b\"\n           type=\"t/T\"/>\n"
            "    <connect from=\"u\" to=\"a.u\"/>\n"
            "    <connect from=\"u\" to=\"b.v\"/>\n"
            "    <connect from=\"a.y\" to=\"b.u\"/>\n"
            "    <connect from=\"b.on\" to=\"on\"/>\n"
            "    <connect from=\"b.y.force\" to=\"y.force\"/>\n"
            "  </subsystem>\n"
            "  <block name=\"c\" type=\"t/T\" reset=\"filter.on\"/>\n"
            "  <connect from=\"push.y\" to=\"filter.u\"/>\n"
            "  <connect from=\"filter.y.force\" to=\"c.u\"/>\n"
            "  <connect from=\"push.on\" to=\"filter.enable\"/>\n"
            "  <log signals=\"filter.a.y push\"/>\n"
            "</diagram>\n");
}

TEST(EditExtract, TheFileDeclaresWhatItTakesFromAround) {
  const test::Folder folder;
  std::filesystem::current_path(folder.path());
  DiagramEditor editor("whole.xml", folder.path("whole.xml"), whole);
  Diagnostics diagnostics;
  ASSERT_TRUE(editor.apply({{"extract", "outer", "to", "outer.xml"}}, diagnostics)) << diagnostics.text();
  ASSERT_EQ(editor.files().size(), 1U);
  EXPECT_EQ(editor.files()[0].text, "<diagram format=\"1\" name=\"outer\">\n"
                                    "  <parameter name=\"far\" doc=\"${gap} doubled\"/>\n"
                                    "  <parameter name=\"gap\" value=\"1 m\"/>\n"
                                    "  <input name=\"in.u\"/>\n"
                                    "  <output name=\"y\"/>\n"
                                    "  <block name=\"lead\" type=\"t/T\" p=\"${gap} ${far}\"/>\n"
                                    "  <connect from=\"in.u[0]\" to=\"lead.u\"/>\n"
                                    "  <connect from=\"lead.y\" to=\"y\"/>\n"
                                    "</diagram>\n");
  EXPECT_NE(editor.text().find("  <subsystem name=\"outer\" src=\"outer.xml\" gap=\"${gap &gt; 1 mm ? gap : far}\" "
                               "far=\"${far}\"/>\n  <block name=\"lead\""),
            std::string::npos)
      << editor.text();
  std::string error;
  ASSERT_TRUE(save_edited(editor, "whole.xml", std::nullopt, error)) << error;
  EXPECT_EQ(folder.read("whole.xml"), editor.text());
  EXPECT_EQ(folder.read("outer.xml"), editor.files()[0].text);
  EXPECT_TRUE(editor.undo());
  EXPECT_TRUE(editor.files().empty());
  EXPECT_EQ(editor.text(), whole);
  std::filesystem::current_path(test::source_folder());
}

TEST(EditValues, ThatAreNoTextAreRefused) {
  DiagramEditor editor("test.xml", "/nowhere/test.xml", whole);
  Diagnostics diagnostics;
  EXPECT_FALSE(editor.apply({{"set", "gap=\x01"}}, diagnostics));
  EXPECT_EQ(diagnostics.text(), "command line: error[edit-bad-value]: the value of 'gap' is not text\n"
                                "  help: values are UTF-8 without control characters\n");
}

TEST(EditSteps, SeveralOperationsAreOne) {
  DiagramEditor editor("test.xml", "/nowhere/test.xml", whole);
  Diagnostics diagnostics;
  EXPECT_TRUE(
      editor.apply({{"set", "gap=4mm", "far=1m"}, {"add", "math/Gain", "g"}, {"rename", "g", "h"}}, diagnostics));
  const std::string after = editor.text();
  EXPECT_FALSE(editor.apply({{"set", "gap=5mm"}, {"remove", "nobody"}}, diagnostics)); // none of them
  EXPECT_EQ(editor.text(), after);
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.text(), whole);
  EXPECT_FALSE(editor.undo());
  EXPECT_TRUE(editor.redo());
  EXPECT_EQ(editor.text(), after);
  EXPECT_FALSE(editor.redo());
}

} // namespace
} // namespace hilda::test
