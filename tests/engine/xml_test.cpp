// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/document.h"
#include "engine/diagram/reader.h"
#include "engine/diagram/recorded_files.h"
#include "tests/engine/loading.h"
#include "tests/modules.h"

namespace hilda::test {
namespace {

struct ReadText {
  Sources sources;
  Diagnostics diagnostics;
  std::shared_ptr<const DiagramDecl> diagram;

  explicit ReadText(const std::string& text) {
    SearchRoots roots;
    diagram = DiagramReader(roots, sources, diagnostics).text("test.xml", text);
  }
  std::string codes() const {
    std::string out;
    for (const Diagnostic& one : diagnostics.sorted())
      out += (out.empty() ? "" : " ") + one.code + ":" + std::to_string(one.line);
    return out;
  }
};

ReadText read_body(const std::string& content) {
  return ReadText("<diagram format=\"1\">\n" + content + "\n</diagram>");
}

TEST(XmlReader, KeepsEveryAttributeOfABlock) {
  const ReadText read =
      read_body("<block name='lead' type='contact/PhaseLead' mode='sim' sample_time='2 ms' enable='g.y'\n"
                "  reset='r.y' outputs='reset' doc='why' time_constant='2 ms'\n  ui.x='10'/>");
  ASSERT_TRUE(read.diagnostics.ok()) << read.diagnostics.text();
  const BlockDecl& block = read.diagram->blocks.at(0);
  EXPECT_EQ(block.name, "lead");
  EXPECT_EQ(block.type, "contact/PhaseLead");
  EXPECT_EQ(block.mode, "sim");
  EXPECT_EQ(block.sample_time, "2 ms");
  EXPECT_EQ(block.enable, "g.y");
  EXPECT_EQ(block.reset, "r.y");
  EXPECT_EQ(block.outputs, "reset");
  EXPECT_EQ(block.doc, "why");
  ASSERT_EQ(block.parameters.size(), 1u);
  EXPECT_EQ(block.parameters[0].name, "time_constant");
  EXPECT_EQ(block.parameters[0].text, "2 ms");
  EXPECT_EQ(block.parameters[0].where.line, 3);
  EXPECT_EQ(block.where.line, 2);
}

TEST(XmlReader, AttributesOfEditorsAreNeverRead) {
  EXPECT_TRUE(read_body("<parameter name='a' value='1' ui.color='red'/><connect from='a.y' to='b.u' ui.route='1 2'/>")
                  .diagnostics.ok());
}

TEST(XmlReader, NotesAndAreasAreForDrawingsAlone) {
  const ReadText read = read_body("<block name='a' type='t/T'/>\n<note name='why' text='**so** &#10;- it'/>\n"
                                  "<area name='plant' title='Plant' ui.x='0' ui.y='0' ui.width='120'/>");
  EXPECT_TRUE(read.diagnostics.ok()) << read.diagnostics.text();
  EXPECT_EQ(read.diagram->blocks.size(), 1U);
  EXPECT_EQ(read_body("<note name='why'/>").codes(), "missing-attribute:2");
  EXPECT_EQ(read_body("<note name='w' text='t'>words</note>").codes(), "stray-text:2");
  EXPECT_EQ(read_body("<area name='p' text='t'/>").codes(), "unknown-attribute:2");
  EXPECT_EQ(read_body("<note name='1w' text='t'/>").codes(), "bad-name:2");
  EXPECT_EQ(
      read_body("<block name='a' type='t/T'/>\n<note name='a' text='t'/>\n<area name='b'/>\n<note name='b' text='t'/>")
          .codes(),
      "duplicate-name:3 duplicate-name:5");
}

TEST(XmlReader, ReadsParametersPortsConnectsAndPowerPorts) {
  const ReadText read = read_body(
      "<parameter name='k' value='1 N' doc='d' mode='sim'/><parameter name='must'/>\n"
      "<input name='command.pose' shape='pose' optional='true'/><output name='wrench' unit='N'/>\n"
      "<connect from='a.y' to='b.u' mode='sim'/>\n"
      "<power_port name='p' effort='a.y' flow='b.y' rule='trapezoid'/><power_port name='q' effort='a.y' flow='b.y'/>");
  ASSERT_TRUE(read.diagnostics.ok()) << read.diagnostics.text();
  EXPECT_EQ(read.diagram->parameters[0].text, "1 N");
  EXPECT_FALSE(read.diagram->parameters[0].required);
  EXPECT_TRUE(read.diagram->parameters[1].required);
  EXPECT_TRUE(read.diagram->inputs[0].optional);
  EXPECT_EQ(read.diagram->inputs[0].shape, "pose");
  EXPECT_EQ(read.diagram->outputs[0].unit, "N");
  EXPECT_EQ(read.diagram->connects[0].mode, "sim");
  EXPECT_EQ(read.diagram->power_ports[0].rule, "trapezoid");
  EXPECT_EQ(read.diagram->power_ports[1].rule, "backward");
}

TEST(XmlReader, AllErrorsOfAFileAreReportedAtOnce) {
  const ReadText read = read_body("<block nmae='a' type='t/T'/>\n"
                                  "<blok name='b' type='t/T'/>\n"
                                  "<connect form='a.y' to='b.u'/>\n"
                                  "<parameter value='1'/>\n"
                                  "<parameter name='1x' value='1'/>\n"
                                  "<block name='b' type='t/T'/>\n"
                                  "stray");
  EXPECT_EQ(read.codes(), "unknown-attribute:2 unknown-element:3 unknown-attribute:4 missing-attribute:5 bad-name:6 "
                          "duplicate-name:7 stray-text:8");
}

TEST(XmlReader, AMisspeltAttributeOrElementCountsAsTheOneThatWasMeant) {
  const ReadText read =
      read_body("<block nmae='a' type='t/T'/><blok name='b' type='t/T'/><connect form='a.y' to='b.u'/>");
  ASSERT_EQ(read.diagram->blocks.size(), 2u);
  EXPECT_EQ(read.diagram->blocks[0].name, "a");
  EXPECT_EQ(read.diagram->blocks[1].name, "b");
  EXPECT_EQ(read.diagram->connects.at(0).from, "a.y");
}

TEST(XmlReader, ElementsOfDifferentModesMayShareAName) {
  EXPECT_TRUE(read_body("<block name='a' type='t/T' mode='sim'/><block name='a' type='t/U' mode='hardware'/>")
                  .diagnostics.ok());
  EXPECT_EQ(read_body("<block name='a' type='t/T' mode='sim'/>\n<block name='a' type='t/U'/>").codes(),
            "duplicate-name:3");
}

TEST(XmlReader, BlocksSubsystemsAndInputsShareTheirNames) {
  EXPECT_EQ(read_body("<input name='a.pose'/>\n<block name='a' type='t/T'/>").codes(), "duplicate-name:3");
  EXPECT_TRUE(read_body("<output name='wrench'/><block name='wrench' type='t/T'/>").diagnostics.ok());
  EXPECT_TRUE(read_body("<input name='pose'/><output name='pose'/>").diagnostics.ok());
}

TEST(XmlReader, AParameterMayNotHaveTheNameOfAReservedAttribute) {
  for (const char* name : {"name", "src", "mode", "sample_time", "enable", "reset", "outputs", "doc", "period"})
    EXPECT_EQ(read_body(std::string("<parameter name='") + name + "' value='1'/>").codes(), "reserved-name:2") << name;
}

TEST(XmlReader, AParameterMayHaveAGroup) {
  const ReadText read =
      read_body("<parameter name='a' value='1' group='Contact, at rest'/>\n<parameter name='b' value='1'/>");
  ASSERT_TRUE(read.diagnostics.ok()) << read.diagnostics.text();
  EXPECT_EQ(read.diagram->parameters.at(0).group, "Contact, at rest");
  EXPECT_EQ(read.diagram->parameters.at(1).group, "");
  EXPECT_EQ(read_body("<parameter name='a' value='1' group=''/>").codes(), "empty-attribute:2");
  EXPECT_EQ(read_body("<input name='a' group='Contact'/>").codes(), "unknown-attribute:2");
}

TEST(XmlReader, TheFormatMustBeOne) {
  EXPECT_EQ(ReadText("<diagram/>").codes(), "format-missing:1");
  EXPECT_EQ(ReadText("<diagram format='2'/>").codes(), "format-unsupported:1");
  EXPECT_EQ(ReadText("<diagram format='1'/>").codes(), "");
}

TEST(XmlReader, AnInlineBodyIsADiagramOfItsOwn) {
  const ReadText read = read_body("<subsystem name='s' gain='2'>\n<parameter name='gain' value='1'/>\n"
                                  "<block name='a' type='t/T'/>\n</subsystem>");
  ASSERT_TRUE(read.diagnostics.ok()) << read.diagnostics.text();
  const SubsystemDecl& subsystem = read.diagram->subsystems.at(0);
  EXPECT_EQ(subsystem.parameters.at(0).name, "gain");
  EXPECT_EQ(subsystem.body->blocks.at(0).name, "a");
}

TEST(XmlReader, ASubsystemHasEitherSrcOrABody) {
  EXPECT_EQ(read_body("<subsystem name='s'/>").codes(), "subsystem-empty:2");
  EXPECT_EQ(read_body("<subsystem name='s' src='x.xml'><block name='a' type='t/T'/></subsystem>").codes(),
            "src-and-body:2");
}

TEST(XmlReader, SyntaxErrorsNameTheTagThatWasDropped) {
  EXPECT_EQ(ReadText("<diagram format='1'>\n<block name='a' type='t'>\n<block name='b' type='t'/>\n</diagram>").codes(),
            "xml-syntax:4");
  EXPECT_EQ(ReadText("<diagram format='1'>\n<block name='a' type='t'/>\n").codes(), "xml-syntax:1");
  EXPECT_EQ(ReadText("<diagram format='1'>\n<block name='a type='t'/>\n</diagram>").codes(), "xml-syntax:2");
  EXPECT_EQ(ReadText("<diagram format='1'>\n<block name=a type='t'/>\n</diagram>").codes(), "xml-syntax:2");
  EXPECT_EQ(ReadText("<diagram format='1'>\n</subsystem>\n</diagram>").codes(), "xml-syntax:2");
  EXPECT_EQ(ReadText("").codes(), "xml-syntax:1");
  EXPECT_EQ(ReadText("no xml").codes(), "xml-syntax:1");
}

TEST(XmlReader, TextMustBeUtf8WithoutControlCharacters) {
  EXPECT_EQ(ReadText("<diagram format='1'>\n\xff\n</diagram>").codes(), "not-utf8:2");
  EXPECT_EQ(ReadText(std::string("<diagram format='1'/>\n\0", 23)).codes(), "not-utf8:2");
  EXPECT_EQ(ReadText("<diagram format='1' doc='\xc3\xa4\xe2\x82\xac'/>").codes(), "");
}

TEST(XmlReader, OneDiagramAFile) {
  EXPECT_EQ(ReadText("<diagram format='1'/>\n<diagram format='1'/>").codes(), "second-root:2");
  EXPECT_EQ(ReadText("<overlay format='1'/>").codes(), "not-a-diagram:1");
}

TEST(XmlReader, HoldsItsLimits) {
  std::string deep, end;
  for (int i = 0; i < 70; ++i) deep += "<subsystem name='s'>", end += "</subsystem>";
  EXPECT_EQ(read_body(deep + end).codes(), "xml-too-deep:2");
  for (int i = 0; i < 3000; ++i) deep += "<subsystem name='s'>", end += "</subsystem>";
  EXPECT_EQ(read_body(deep + end).codes(), "xml-too-deep:2");
  std::string wide = "<block name='b' type='t/T'";
  for (int i = 0; i < XmlLimits::attributes + 10; ++i) wide += " a" + std::to_string(i) + "='1'";
  EXPECT_EQ(read_body(wide + "/>").codes(), "too-many-attributes:2");
}

TEST(XmlReader, AttributesGivenTwiceAreRefused) {
  EXPECT_EQ(read_body("<block name='b' type='t/T' gain='1' bias='2' gain='3'/>").codes(), "duplicate-attribute:2");
  EXPECT_EQ(read_body("<block name='b' name='c' type='t/T'/>").codes(), "duplicate-attribute:2");
}

TEST(XmlReader, NothingBetweenTheQuotesIsRefused) {
  EXPECT_EQ(read_body("<block name='b' type=''/>").codes(), "empty-attribute:2");
  EXPECT_EQ(read_body("<connect from=' ' to=''/>").codes(), "empty-attribute:2 empty-attribute:2");
  EXPECT_EQ(read_body("<limits on=''/>").codes(), "empty-attribute:2");
  EXPECT_EQ(read_body("<quality on=''/>").codes(), "empty-attribute:2");
  EXPECT_EQ(read_body("<power_port name='p' effort='' flow='a.y'/>").codes(), "empty-attribute:2");
  EXPECT_EQ(read_body("<subsystem name='s' trigger=''>\n<output name='y'/></subsystem>").codes(), "empty-attribute:2");
  EXPECT_EQ(read_body("<block name='b' type='t/T' reset='' enable=''/>").codes(),
            "empty-attribute:2 empty-attribute:2");
  EXPECT_EQ(read_body("<log signals='*' when=''/>").codes(), "empty-attribute:2");
  EXPECT_TRUE(read_body("<parameter name='folder' value='' doc=''/>").diagnostics.ok());
}

TEST(SearchRoots, FindsInTheFileAndTheFoldersAboveUpToTheLibraryRoot) {
  const WorkingFolder folder;
  folder.write("library/.hilda-library", "");
  folder.write("library/rigs/walls.xml", "");
  folder.write("library/sets/a/b.xml", "");
  folder.write("outside.xml", "");
  SearchRoots roots;
  const std::string from = (std::filesystem::canonical(folder.path()) / "library/sets/a/b.xml").string();
  EXPECT_EQ(roots.library_root(from), (std::filesystem::canonical(folder.path()) / "library").string());
  EXPECT_TRUE(roots.find("b.xml", from));
  EXPECT_TRUE(roots.find("rigs/walls.xml", from));
  EXPECT_TRUE(roots.find("../../rigs/walls.xml", from));
  EXPECT_EQ(roots.find("../../../outside.xml", from).error().code, "path-outside");
  EXPECT_EQ(roots.find("outside.xml", from).error().code, "path-not-found");
  EXPECT_EQ(roots.find("rigs/wals.xml", from).error().help, "did you mean 'rigs/walls.xml'?");
  EXPECT_EQ(roots.find("/etc/passwd", from).error().code, "path-absolute");
}

TEST(SearchRoots, AFolderNamedDiagramsMakesItsParentTheRoot) {
  const WorkingFolder folder;
  folder.write("diagrams/a.xml", "");
  folder.write("tables/t.csv", "");
  SearchRoots roots;
  EXPECT_TRUE(roots.find("tables/t.csv", (std::filesystem::canonical(folder.path()) / "diagrams/a.xml").string()));
}

TEST(SearchRoots, WithoutAMarkerTheRootIsTheOwnFolder) {
  const WorkingFolder folder;
  folder.write("a/b/c.xml", "");
  folder.write("a/d.xml", "");
  SearchRoots roots;
  const std::string from = (std::filesystem::canonical(folder.path()) / "a/b/c.xml").string();
  EXPECT_EQ(roots.find("../d.xml", from).error().code, "path-outside");
}

TEST(SearchRoots, LinksAreResolvedBeforeTheyAreBelieved) {
  const WorkingFolder folder;
  folder.write("library/.hilda-library", "");
  folder.write("library/a.xml", "");
  folder.write("secret.xml", "");
  std::filesystem::create_symlink(folder.path() / "secret.xml", folder.path() / "library/link.xml");
  SearchRoots roots;
  const std::string from = (std::filesystem::canonical(folder.path()) / "library/a.xml").string();
  EXPECT_EQ(roots.find("link.xml", from).error().code, "path-outside");
}

TEST(SearchRoots, TheLibraryPathComesLast) {
  const WorkingFolder folder;
  folder.write("own/a.xml", "");
  folder.write("lib/rigs/r.xml", "");
  SearchRoots roots({(folder.path() / "lib").string()});
  const std::string from = (std::filesystem::canonical(folder.path()) / "own/a.xml").string();
  EXPECT_TRUE(roots.find("rigs/r.xml", from));
}

TEST(XmlReader, IncludesEachFileOnceAndRefusesCycles) {
  const WorkingFolder folder;
  folder.diagram("a.xml", "<subsystem name='x' src='b.xml'/><subsystem name='y' src='b.xml'/>");
  folder.diagram("b.xml", "<subsystem name='z' src='c.xml'/>");
  folder.diagram("c.xml", "");
  const Loaded good = Load().file("a.xml");
  EXPECT_TRUE(good.diagnostics.ok()) << good.diagnostics.text();
  EXPECT_EQ(good.sources.files().size(), 3u);
  folder.diagram("c.xml", "<subsystem name='again' src='a.xml'/>");
  const Loaded bad = Load().file("a.xml");
  EXPECT_EQ(bad.codes(), "include-cycle:2");
  EXPECT_NE(bad.diagnostics.text().find("c.xml:2:"), std::string::npos);
}

TEST(XmlReader, AFileThatIsNoneIsRefused) {
  const WorkingFolder folder;
  EXPECT_EQ(Load().file("missing.xml").codes(), "file-unreadable:0");
  EXPECT_EQ(Load().file(".").codes(), "file-unreadable:0");
  std::filesystem::create_directory("sub.xml");
  folder.diagram("a.xml", "<subsystem name='s' src='sub.xml'/>");
  EXPECT_EQ(Load().file("a.xml").codes(), "path-not-found:2");
}

TEST(XmlReader, LargeFilesAreRefusedBeforeTheyAreRead) {
  const WorkingFolder folder;
  folder.write("a.xml", "<diagram format='1'/>");
  std::filesystem::resize_file("a.xml", XmlLimits::file_bytes + 1);
  EXPECT_EQ(Load().file("a.xml").codes(), "file-too-large:0");
}

TEST(XmlReader, TooManyFilesAreRefused) {
  const WorkingFolder folder;
  std::string includes;
  for (std::size_t i = 0; i <= XmlLimits::files; ++i) {
    const std::string name = "f" + std::to_string(i);
    folder.diagram(name + ".xml", "");
    includes += "<subsystem name='" + name + "' src='" + name + ".xml'/>";
  }
  folder.diagram("a.xml", includes);
  EXPECT_TRUE(Load().file("a.xml").says("too-many-files"));
}

TEST(XmlReader, IncludesAreNotNestedWithoutEnd) {
  const WorkingFolder folder;
  for (int i = 0; i < 80; ++i)
    folder.diagram("f" + std::to_string(i) + ".xml", "<subsystem name='s' src='f" + std::to_string(i + 1) + ".xml'/>");
  folder.diagram("f80.xml", "");
  EXPECT_TRUE(Load().file("f0.xml").says("include-too-deep"));
}

TEST(XmlReader, RawSignsAreFoundAnywhereInAValue) {
  for (const char* value : {"<", "<ab", "a<b", "ab<", "&", "&ab", "a&b", "ab&", "ab&amp"})
    EXPECT_EQ(read_body("<parameter name='a' value='" + std::string(value) + "'/>").codes(), "xml-syntax:2") << value;
  for (const char* value : {"", "a", "&lt;ab&amp;", ">", "a>"})
    EXPECT_EQ(read_body("<parameter name='a' value='" + std::string(value) + "'/>").codes(), "") << value;
}

TEST(RecordedFiles, AreFoundInTheFolderOfTheFileOrTheNextOneAbove) {
  RecordedFiles files;
  for (const char* name : {"a/part.xml", "part.xml", "x/part.xml", "x/y/z/part.xml", "/top/part.xml",
                           "/top/q/other.xml", "lib/deep/only.xml"})
    files.add(name, name);
  const auto found = [&](const std::string& src, const std::string& from) {
    const std::string* name = files.included(src, from);
    return name == nullptr ? "" : *name;
  };
  EXPECT_EQ(found("part.xml", "x/y/z/main.xml"), "x/y/z/part.xml");
  EXPECT_EQ(found("part.xml", "x/y/main.xml"), "x/part.xml") << "the next folder above, not another";
  EXPECT_EQ(found("part.xml", "b/c/main.xml"), "part.xml");
  EXPECT_EQ(found("part.xml", "main.xml"), "part.xml");
  EXPECT_EQ(found("part.xml", "/top/q/r/main.xml"), "/top/part.xml");
  EXPECT_EQ(found("q/../part.xml", "/top/main.xml"), "/top/part.xml");
  EXPECT_EQ(found("../q/other.xml", "/top/p/main.xml"), "/top/q/other.xml");
  EXPECT_EQ(found("only.xml", "main.xml"), "lib/deep/only.xml") << "of a library";
  EXPECT_EQ(found("deep/only.xml", "/elsewhere/main.xml"), "lib/deep/only.xml");
  EXPECT_EQ(found("nly.xml", "main.xml"), "") << "a name is whole";
  EXPECT_EQ(found("none.xml", "/main.xml"), "");
  EXPECT_EQ(found("none.xml", ""), "");
  ASSERT_NE(files.text("a/part.xml"), nullptr);
  EXPECT_EQ(*files.text("a/part.xml"), "a/part.xml");
  EXPECT_EQ(files.text("a"), nullptr);
}

} // namespace
} // namespace hilda::test
