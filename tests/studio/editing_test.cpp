// SPDX-License-Identifier: BSD-3-Clause
// Diagrams under edit, without a server: requests and what comes of them.
#include "engine/compile/loaded_diagram.h"
#include "tests/modules.h"
#include "tests/studio/edit_bench.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <map>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

TEST(Editing, AStaleRevisionIsRefusedAndTold) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("remove damper")["ok"]);
  const Json reply = bench.ask("edit", {{"revision", 1}, {"operations", operations("remove spring")}});
  EXPECT_FALSE(reply["ok"]);
  EXPECT_EQ(reply["revision"], 2);
  EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr("edited meanwhile"));
  EXPECT_FALSE(bench.element("spring").is_null());
}

TEST(Editing, WhatIsTakenBackHasNoRemarksOfItsOwn) {
  EditBench bench;
  const Json reply = bench.edit("remove slow");
  EXPECT_FALSE(reply["remarks"].empty()) << "its wire went, too";
  for (const char* op : {"undo", "redo"})
    EXPECT_EQ(bench.ask(op, {{"revision", bench.revision()}})["remarks"], Json::array()) << op;
}

TEST(Editing, AMistakeInAnOperationIsThatOfThePage) {
  EditBench bench;
  EXPECT_EQ(bench.edit("set spring.gain")["diagnostics"][0]["file"], "page");
}

TEST(Editing, ADrawingThatIsToldAnewIsTheOneThatWouldBeMade) {
  const std::vector<std::string> edits{"set spring.gain=70\\_N/m", "set spring.gain=1234567.5\\_N/m",
                                       "set slow.cutoff=3\\_Hz", "set damper.ui.x=60 then set damper.ui.y=600",
                                       "set sum.signs=+-+"};
  for (const std::string& edit : edits) {
    EditBench bench;
    const Json before = bench.ask("view")["scene"];
    ASSERT_TRUE(bench.edit(edit)["ok"]) << edit;
    const Json told = bench.ask("view")["scene"];
    EXPECT_NE(told, before) << edit;
    EXPECT_EQ(bench.ask("view")["scene"], told) << edit << ": looked at once more";
    EditBench afresh;
    ASSERT_TRUE(afresh.edit(edit)["ok"]);
    afresh.ask("write");
    afresh.open();
    const Json made = afresh.ask("view")["scene"];
    ASSERT_EQ(told["symbols"].size(), made["symbols"].size());
    for (std::size_t i = 0; i < made["symbols"].size(); ++i)
      for (const char* key : {"path", "type", "details", "signs", "width", "height", "rate"})
        EXPECT_EQ(told["symbols"][i][key], made["symbols"][i][key]) << edit << " " << i << " " << key;
    if (edit == edits.front()) { EXPECT_EQ(told, made) << "no symbol has another size"; }
  }
}

/// The text that the clipboard gets.
std::string copied(EditBench& bench, const Json& names, const std::string& inside = "") {
  return bench.ask("copy", {{"inside", inside}, {"names", names}})["text"];
}
Json pasted(EditBench& bench, const std::string& text, const std::string& inside = "") {
  return bench.ask("paste", {{"inside", inside}, {"revision", bench.revision()}, {"text", text}});
}

TEST(Editing, WhatIsCopiedIsPastedWithItsWiresIntoThisAndOtherDiagrams) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("set spring.ui.x=60 then group velocity position as motion")["ok"]);
  const std::string text = copied(bench, {"acceleration", "motion", "spring"});
  EXPECT_THAT(text, HasSubstr("from=\"acceleration.y\" to=\"motion."));
  const Json reply = pasted(bench, text);
  ASSERT_TRUE(reply["ok"]) << reply;
  EXPECT_EQ(reply["names"], Json({"acceleration2", "motion2", "spring2"}));
  EXPECT_EQ(bench.element("spring2")["attributes"], Json({{"gain", "40 N/m"}}));
  bench.ask("write");
  const std::string file = bench.folder.read("loop.xml");
  EXPECT_THAT(file, HasSubstr("from=\"acceleration2.y\" to=\"motion2."));
  EXPECT_EQ(copied(bench, {"motion"}, "").substr(0, 20), "<diagram format=\"1\">");
  ASSERT_TRUE(bench.ask("undo", {{"revision", bench.revision()}})["ok"]);
  EXPECT_TRUE(bench.element("motion2").is_null()) << "one step";

  EditBench other("<diagram format=\"1\" period=\"1 ms\">\n</diagram>\n");
  ASSERT_TRUE(pasted(other, text)["ok"]);
  const Json motion = other.element("motion");
  EXPECT_EQ(motion["kind"], "subsystem");
  ASSERT_TRUE(pasted(other, text, "motion")["ok"]) << "and into a subsystem";
  EXPECT_FALSE(other.element("motion").is_null());
  const Json inner = other.ask("view", {{"inside", "motion.motion"}});
  ASSERT_TRUE(inner["ok"]) << inner;
  EXPECT_EQ(inner["elements"].size(), other.ask("view", {{"inside", "motion"}})["elements"].size() - 3);
}

TEST(Editing, WhatIsPastedIsRefusedInWordsWhereItIsNoPartOfADiagram) {
  EditBench bench;
  const Json before = bench.ask("diff")["diff"];
  const std::string deep = [] {
    std::string text = "<diagram>";
    for (int i = 0; i < 20000; ++i) text += "<subsystem name=\"s\">";
    return text;
  }();
  std::string many = "<diagram>";
  for (int i = 0; i < 1001; ++i) many += "<block name=\"b" + std::to_string(i) + "\" type=\"math/Gain\" gain=\"1\"/>";
  const std::map<std::string, std::string> hostile{
      {"", "no part of a diagram"},
      {"a line of prose", "no part of a diagram"},
      {"<html><script>alert(1)</script></html>", "no part of a diagram"},
      {"<diagram/>", "no block"},
      {"<diagram>text</diagram>", "text that is not in an attribute"},
      {"<diagram><log signals=\"*\"/></diagram>", "a <log> without a name"},
      {"<diagram><figure name=\"f\"/></diagram>", "<figure>"},
      {"<diagram><subsystem name=\"s\"><limits on=\"a.b\"/></subsystem></diagram>", "a <limits> without a name"},
      {"<diagram><block type=\"math/Gain\" gain=\"1\"/></diagram>", "without a name"},
      {"<diagram><block name=\"a\"/></diagram>", "without a type"},
      {"<diagram><connect from=\"force.y\" to=\"spring.u\"/></diagram>", "which it has not"},
      {"<diagram><block name=\"a.b\" type=\"math/Gain\"/></diagram>", ""},
      {"<diagram><block name=\"&lt;img onerror=x>\" type=\"math/Gain\"/></diagram>", ""},
      {"<!DOCTYPE d [<!ENTITY a \"aaaa\">]><diagram><block name=\"&a;\" type=\"math/Gain\"/></diagram>", ""},
      {many + "</diagram>", "more than 1000"},
      {deep, ""}};
  for (const auto& [text, words] : hostile) {
    const Json reply = pasted(bench, text);
    EXPECT_FALSE(reply["ok"]) << text.substr(0, 80);
    EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr(words)) << text.substr(0, 80);
  }
  EXPECT_EQ(bench.ask("diff")["diff"], before);
}

TEST(Editing, ToldAreTheErrorsThatHildaCheckWouldFind) {
  EditBench bench;
  const Json reply = bench.edit("disconnect spring.u then connect velocity.y spring.u");
  ASSERT_TRUE(reply["ok"]) << reply;
  bench.folder.write("hand.xml", [&] {
    bench.ask("write");
    return bench.folder.read("loop.xml");
  }());
  const LoadedDiagram loaded(all_plugins().catalogue(), bench.folder.path("hand.xml"));
  const auto expected = loaded.diagnostics().sorted();
  ASSERT_EQ(reply["diagnostics"].size(), expected.size()) << reply;
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(reply["diagnostics"][0]["code"], expected[0].code);
  EXPECT_EQ(reply["diagnostics"][0]["line"], expected[0].line);
  EXPECT_FALSE(bench.told["sound"]);
}

TEST(Editing, WhatAnEditBringsInAnotherModeIsToldToo) {
  EditBench bench(
      std::string("<diagram format=\"1\" name=\"loop\" period=\"1 ms\">\n"
                  "  <block name=\"a\" type=\"sources/Constant\" value=\"1 N\" mode=\"sim\"/>\n"
                  "  <block name=\"a\" type=\"sources/Constant\" value=\"2 N\" mode=\"bench\"/>\n"
                  "  <block name=\"g\" type=\"math/Sum\" signs=\"++\"/>\n"
                  "  <block name=\"b\" type=\"sources/Constant\" value=\"2 N\"/>\n"
                  "  <connect from=\"a.y\" to=\"g.u[0]\"/>\n  <connect from=\"b.y\" to=\"g.u[1]\"/>\n</diagram>\n"));
  const Json reply = bench.edit("set a@bench.value=3\\_m");
  ASSERT_TRUE(reply["ok"]) << reply;
  EXPECT_TRUE(bench.told["sound"]) << "in the mode that runs";
  ASSERT_FALSE(reply["diagnostics"].empty());
  EXPECT_THAT(reply["diagnostics"][0]["what"].get<std::string>(), HasSubstr("(in mode bench)"));
}

TEST(Editing, TellsWhatDiffersFromTheLastCommit) {
  EditBench bench;
  const std::string git = "cd '" + bench.folder.path().string() +
                          "' && git -c init.defaultBranch=main init -q . && git add loop.xml && "
                          "git -c user.name=a -c user.email=a@b commit -qm one";
  if (std::system(git.c_str()) != 0) GTEST_SKIP() << "git is not there";
  bench.edit("set spring.gain=50\\_N/m");
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_EQ(bench.ask("diff")["diff"], "");
  EXPECT_THAT(bench.ask("diff", {{"against", "commit"}})["diff"].get<std::string>(),
              HasSubstr("+  <block name=\"spring\" type=\"math/Gain\" gain=\"50 N/m\"/>"));
  EXPECT_FALSE(bench.ask("diff", {{"against", "yesterday"}})["ok"]);
}

TEST(Editing, ATrialTellsWhatAnEditWouldBringAndChangesNothing) {
  EditBench bench;
  const Json wrong = bench.ask("try", {{"operations", operations("set spring.gain=3\\_V")}});
  EXPECT_TRUE(wrong["ok"]);
  EXPECT_FALSE(wrong["fresh"].empty()) << wrong;
  EXPECT_TRUE(bench.ask("try", {{"operations", operations("set spring.gain=3\\_N/m")}})["fresh"].empty());
  EXPECT_EQ(bench.revision(), 1);
  EXPECT_FALSE(bench.editing->unsaved());
}

TEST(Editing, AnUnfinishedDiagramIsDrawnWithAllItsPorts) {
  EditBench bench("<diagram format=\"1\" name=\"loop\" period=\"1 ms\">\n</diagram>\n");
  const Json empty = bench.ask("view");
  EXPECT_TRUE(empty["ok"]) << empty;
  ASSERT_TRUE(bench.edit("add math/Sum force signs=+- then add discrete/Delay late")["ok"]);
  const Json view = bench.ask("view");
  ASSERT_TRUE(view["scene"].is_object()) << view;
  EXPECT_EQ(view["scene"]["symbols"].size(), 2U);
  const Json sum = bench.element("force"), late = bench.element("late");
  ASSERT_EQ(sum["ports"].size(), 3U) << sum;
  EXPECT_EQ(sum["ports"][0]["name"], "force.u[0]");
  ASSERT_EQ(late["ports"].size(), 3U) << late;
  bench.edit("add unknown/Type odd");
  EXPECT_EQ(bench.ask("view")["scene"]["symbols"].size(), 3U);
}

TEST(Editing, PortsThatCannotFitAreToldBeforeAnythingIsConnected) {
  EditBench bench;
  bench.edit("disconnect sum.u[1] then add math/Gain free gain=1");
  const Json reply = bench.ask("fits", {{"port", "position.y"}});
  ASSERT_TRUE(reply["ok"]) << reply;
  std::map<std::string, Json> ports;
  for (const Json& each : reply["ports"]) ports[each["name"]] = each;
  EXPECT_EQ(ports.at("sum.u[1]")["fits"], false);
  EXPECT_THAT(ports.at("sum.u[1]")["why"].get<std::string>(), HasSubstr("units differ"));
  EXPECT_EQ(ports.at("free.u")["fits"], true) << ports.at("free.u");
  EXPECT_THAT(ports.at("spring.u")["why"].get<std::string>(), HasSubstr("driven already"));
  const Json back = bench.ask("fits", {{"port", "sum.u[1]"}});
  std::map<std::string, Json> sources;
  for (const Json& each : back["ports"]) sources[each["name"]] = each;
  EXPECT_EQ(sources.at("spring.y")["fits"], true) << sources.at("spring.y");
  EXPECT_EQ(sources.at("velocity.y")["fits"], false);
  EXPECT_FALSE(bench.ask("fits", {{"port", "nothing.y"}})["ok"]);
}

TEST(Editing, AnIncludedFileIsADocumentOfItsOwn) {
  EditBench bench(replaced(tuned_loop, "<block name=\"spring\" type=\"math/Gain\" gain=\"40 N/m\"/>",
                           "<subsystem name=\"spring\" src=\"parts/spring.xml\"/>"));
  bench.folder.write("parts/spring.xml",
                     "<diagram format=\"1\" name=\"spring\">\n  <input name=\"u\"/>\n  <output name=\"y\"/>\n"
                     "  <block name=\"stiff\" type=\"math/Gain\" gain=\"40 N/m\"/>\n"
                     "  <connect from=\"u\" to=\"stiff.u\"/>\n  <connect from=\"stiff.y\" to=\"y\"/>\n</diagram>\n");
  bench.open();
  const Json spring = bench.element("spring");
  ASSERT_EQ(spring["ports"].size(), 2U) << spring;
  const Json view = bench.ask("view", {{"inside", "spring"}});
  ASSERT_TRUE(view["ok"]) << view;
  EXPECT_EQ(view["local"], "");
  const std::string document = view["document"];
  EXPECT_THAT(document, HasSubstr("parts/spring.xml"));
  ASSERT_TRUE(bench.edit("set stiff.gain=70\\_N/m", document)["ok"]);
  EXPECT_FALSE(bench.editing->unsaved_texts().empty());
  EXPECT_EQ(bench.folder.read("loop.xml").find("70 N/m"), std::string::npos);
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("parts/spring.xml"), HasSubstr("70 N/m"));
}

TEST(Editing, GroupsAndExtractsIntoAFileThatIsWrittenWithTheDiagram) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("group spring damper as contact")["ok"]);
  const Json inside = bench.ask("view", {{"inside", "contact"}});
  EXPECT_EQ(inside["local"], "contact.");
  ASSERT_TRUE(bench.edit("set contact.spring.gain=44\\_N/m")["ok"]);
  const Json reply = bench.edit("extract contact to contact.xml");
  ASSERT_TRUE(reply["ok"]) << reply;
  EXPECT_TRUE(bench.told["sound"]) << bench.told;
  EXPECT_EQ(bench.folder.size("contact.xml"), 0U);
  EXPECT_TRUE(bench.ask("view", {{"inside", "contact"}})["ok"]);
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("contact.xml"), HasSubstr("44 N/m"));
}

TEST(Editing, WhatLiesOutsideOfTheFolderIsNotReached) {
  EditBench bench;
  bench.edit("group spring damper as contact");
  for (const char* file : {"/tmp/evil.xml", "../evil.xml", "parts/../../evil.xml", ""}) {
    const Json reply = bench.edit(std::string("extract contact to ") + file);
    EXPECT_FALSE(reply["ok"]) << file;
  }
  for (const char* document : {"/etc/passwd", "../other.xml", "/etc/hosts.xml", "nothing.xml"})
    EXPECT_FALSE(
        bench.ask("edit", {{"document", document}, {"revision", 1}, {"operations", operations("remove a")}})["ok"])
        << document;
  EXPECT_FALSE(bench.ask("diff", {{"document", "/etc/passwd"}})["ok"]);
}

TEST(Editing, HostileRequestsAreRefusedInWords) {
  EditBench bench;
  std::vector<Json> all = {nullptr,
                           3,
                           "remove spring",
                           Json::array(),
                           Json::array({1, 2}),
                           Json::array({Json::array()}),
                           Json::array({Json::array({"remove", 7})}),
                           Json::array({Json::array({"set", "spring.gain=\x01"})})};
  for (const char* each :
       {"remove", "add math/Gain <b>&\"' gain=1", "rename spring a\\_b", "undo", "add math/Gain spring", "set format=2",
        "group as", "group spring as a.b.c", "duplicate spring as spring", "connect a b"})
    all.push_back(operations(each));
  for (const Json& each : all) {
    const Json reply = bench.edit_by(each);
    EXPECT_FALSE(reply["ok"]) << each;
    EXPECT_FALSE(reply["error"].get<std::string>().empty());
  }
  EXPECT_FALSE(bench.editing->unsaved());
  ASSERT_TRUE(bench.edit("set spring.doc=<script>alert(\"1\")</script>")["ok"]);
  EXPECT_EQ(bench.element("spring")["attributes"]["doc"], "<script>alert(\"1\")</script>");
}

TEST(Editing, ThePaletteKnowsEveryBlockAndWhatOthersCallIt) {
  EditBench bench;
  EXPECT_EQ(bench.ask("palette")["blocks"].size(), all_plugins().catalogue().all().size());
  EXPECT_EQ(bench.ask("palette", {{"words", "transport delay"}})["types"][0], "continuous/TransportDelay");
  EXPECT_TRUE(bench.ask("palette", {{"words", "qwertzuiop"}})["types"].empty());
}

} // namespace
} // namespace hilda::test
