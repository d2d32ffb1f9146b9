// Diagrams under edit, without a server: requests and what comes of them, on files.
#include "engine/check/loaded_diagram.h"
#include "tests/edit/edited.h"
#include "tests/folder.h"
#include "tests/standard_plugins.h"
#include "tests/studio/served.h"
#include "tools/studio/edit/editing.h"
#include "tools/studio/edit/merging.h"

#include <gmock/gmock.h>
#include <map>
#include <random>

namespace hilda::test {
namespace {

using studio::Editing;
using studio::Json;
using ::testing::HasSubstr;

/// "remove a then set b.gain=2\\_N/m" as a request has it; "\\_" is a blank within a word.
Json operations(const std::string& text) {
  Json all = Json::array({Json::array()});
  for (const std::string& word : words(text)) {
    if (word == "then")
      all.push_back(Json::array());
    else
      all.back().push_back(word);
  }
  return all;
}

/// A folder with a diagram, and who edits it.
struct EditBench {
  explicit EditBench(const std::string& text = tuned_loop) {
    folder.write("loop.xml", text);
    open();
  }
  void open() {
    editing.reset();
    Editing::Options options;
    options.file = folder.path("loop.xml");
    options.tell = [this](const Json& message) { told = message; };
    editing = std::make_unique<Editing>(all_plugins().catalogue(), std::move(options));
  }
  Json ask(const std::string& op, Json request = Json::object()) { return *editing->answer(op, request); }
  int revision(const std::string& document = "") {
    const Json reply = ask("documents");
    for (const Json& each : reply["documents"])
      if (document.empty() || each["document"] == document) return each["revision"];
    return 0;
  }
  Json edit(const std::string& text, const std::string& document = "") { return edit_by(operations(text), document); }
  Json edit_by(const Json& list, const std::string& document = "") {
    return ask("edit", {{"document", document}, {"revision", revision(document)}, {"operations", list}});
  }
  Json element(const std::string& name) {
    const Json view = ask("view");
    for (const Json& each : view["elements"])
      if (each["name"] == name) return each;
    return nullptr;
  }
  bool journal() const { return folder.size(".loop.xml.edits") > 0; }

  Folder folder;
  Json told;
  std::unique_ptr<Editing> editing;
};

TEST(Editing, WritesNothingBeforeItIsSaved) {
  EditBench bench;
  const Json reply = bench.edit("set spring.gain=50\\_N/m");
  EXPECT_TRUE(reply["ok"]) << reply;
  EXPECT_EQ(reply["revision"], 2);
  EXPECT_EQ(bench.folder.read("loop.xml"), tuned_loop);
  EXPECT_EQ(bench.told["documents"][0]["unsaved"], true);
  EXPECT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("loop.xml"), HasSubstr("gain=\"50 N/m\""));
  EXPECT_FALSE(bench.journal());
  EXPECT_FALSE(bench.editing->unsaved());
}

TEST(Editing, ATakenBackEditLeavesTheBytesAndNoJournal) {
  EditBench bench;
  bench.edit("remove damper");
  bench.edit("add math/Gain more gain=2 then connect velocity.y more.u");
  EXPECT_TRUE(bench.journal());
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(bench.ask("undo", {{"revision", bench.revision()}})["ok"]);
  EXPECT_FALSE(bench.ask("undo", {{"revision", bench.revision()}})["ok"]);
  EXPECT_FALSE(bench.editing->unsaved());
  EXPECT_FALSE(bench.journal());
  EXPECT_TRUE(bench.ask("redo", {{"revision", bench.revision()}})["ok"]);
  EXPECT_EQ(bench.element("damper"), nullptr);
}

TEST(Editing, AStaleRevisionIsRefusedAndTold) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("remove damper")["ok"]);
  const Json reply = bench.ask("edit", {{"revision", 1}, {"operations", operations("remove spring")}});
  EXPECT_FALSE(reply["ok"]);
  EXPECT_EQ(reply["revision"], 2);
  EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr("edited meanwhile"));
  EXPECT_FALSE(bench.element("spring").is_null());
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
  bench.edit("add nobody/Knows odd");
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

TEST(Editing, EditsOfACrashedServerAreOfferedAgain) {
  EditBench bench;
  bench.edit("set spring.gain=50\\_N/m");
  bench.edit("rename damper friction");
  bench.ask("undo", {{"revision", bench.revision()}});
  bench.edit("remove slow");
  const std::string left = bench.folder.read(".loop.xml.edits");
  bench.editing.reset();
  bench.folder.write(".loop.xml.edits", left + "{\"operations\":[[\"remo"); // cut off by the crash
  bench.open();
  EXPECT_EQ(bench.ask("documents")["documents"][0]["recovery"], 4);
  EXPECT_THAT(bench.edit("remove sum")["error"].get<std::string>(), HasSubstr("wait"));
  EXPECT_FALSE(bench.element("slow").is_null());
  ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  EXPECT_TRUE(bench.element("slow").is_null());
  EXPECT_EQ(bench.element("spring")["attributes"]["gain"], "50 N/m");
  EXPECT_FALSE(bench.element("damper").is_null());
  EXPECT_TRUE(bench.ask("undo", {{"revision", bench.revision()}})["ok"]);
  EXPECT_FALSE(bench.element("slow").is_null());
  EXPECT_EQ(bench.folder.read("loop.xml"), tuned_loop);
}

TEST(Editing, WhatWasDroppedIsNotOfferedOnceMore) {
  EditBench bench;
  bench.edit("remove slow");
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", false}})["ok"]);
  EXPECT_FALSE(bench.journal());
  EXPECT_FALSE(bench.editing->unsaved());
}

TEST(Editing, TwoProgramsDoNotEditOneFile) {
  EditBench bench;
  bench.edit("remove slow");
  Editing::Options options;
  options.file = bench.folder.path("loop.xml");
  options.tell = [](const Json&) {};
  Editing other(all_plugins().catalogue(), options);
  const Json reply = *other.answer("edit", {{"revision", 1}, {"operations", operations("remove slow")}});
  EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr("another program"));
}

void look_after_a_while(EditBench& bench) {
  std::this_thread::sleep_for(std::chrono::milliseconds(320));
  bench.editing->look();
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST(Editing, AFileChangedElsewhereIsMerged) {
  EditBench bench;
  bench.edit("set spring.gain=50\\_N/m");
  bench.folder.write("loop.xml", replaced(tuned_loop, "4 N s/m", "8 N s/m"));
  look_after_a_while(bench);
  EXPECT_EQ(bench.element("spring")["attributes"]["gain"], "50 N/m");
  EXPECT_EQ(bench.element("damper")["attributes"]["gain"], "8 N s/m");
  EXPECT_THAT(bench.told["note"].get<std::string>(), HasSubstr("changed on the disk"));
  ASSERT_TRUE(bench.ask("undo", {{"revision", bench.revision()}})["ok"]);
  EXPECT_EQ(bench.element("damper")["attributes"]["gain"], "8 N s/m") << "it is not ours to take back";
  ASSERT_TRUE(bench.ask("redo", {{"revision", bench.revision()}})["ok"]);
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("loop.xml"), HasSubstr("8 N s/m"));
  EXPECT_THAT(bench.folder.read("loop.xml"), HasSubstr("50 N/m"));
}

TEST(Editing, AChangeOfTheSameLineIsAskedAboutAndNothingIsOverwritten) {
  EditBench bench;
  bench.edit("set spring.gain=50\\_N/m");
  const std::string theirs = replaced(tuned_loop, "40 N/m", "60 N/m");
  bench.folder.write("loop.xml", theirs);
  look_after_a_while(bench);
  EXPECT_TRUE(bench.told["documents"][0]["conflict"]);
  EXPECT_FALSE(bench.ask("write")["ok"]);
  EXPECT_FALSE(bench.edit("remove slow")["ok"]);
  EXPECT_EQ(bench.folder.read("loop.xml"), theirs);
  EXPECT_THAT(bench.ask("diff", {{"against", "disk"}})["diff"].get<std::string>(),
              HasSubstr("+  <block name=\"spring\""));
  EXPECT_FALSE(bench.ask("resolve", {{"copy", "../mine.xml"}})["ok"]);
  EXPECT_FALSE(bench.ask("resolve", {{"copy", "loop.xml"}})["ok"]);
  ASSERT_TRUE(bench.ask("resolve", {{"copy", "mine.xml"}})["ok"]);
  EXPECT_THAT(bench.folder.read("mine.xml"), HasSubstr("50 N/m"));
  EXPECT_EQ(bench.element("spring")["attributes"]["gain"], "60 N/m");
  EXPECT_EQ(bench.folder.read("loop.xml"), theirs);
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

TEST(Merging, KeepsBothWhereTheyTouchOtherLines) {
  EXPECT_EQ(studio::merged_text("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"), "A\nb\nC\n");
  EXPECT_EQ(studio::merged_text("a\nb\n", "a\nmine\nb\n", "a\ntheirs\nb\n"), "a\ntheirs\nmine\nb\n");
  EXPECT_EQ(studio::merged_text("a\nb\nc\n", "a\nc\n", "a\nB\nc\n"), std::nullopt);
  EXPECT_EQ(studio::merged_text("a\n", "b\n", "b\n"), "b\n");
  EXPECT_EQ(studio::merged_text("a\nb", "a\nb", "x\nb"), "x\nb");
}

/// Edits drawn by a generator, taken back and made again, with a crash now and then: the text is always the one that
/// was made, and all of it taken back gives the first bytes.
TEST(Editing, NothingIsLostByRandomEditsAndCrashes) {
  EditBench bench;
  std::mt19937 random(7);
  int made = 0, crashes = 0;
  const auto text = [&] { return bench.ask("diff")["diff"].get<std::string>(); };
  for (int i = 0; i < 400; ++i) {
    const std::string name = "b" + std::to_string(random() % 12);
    const std::string other = "b" + std::to_string(random() % 12), value = std::to_string(random() % 9);
    const std::vector<std::string> choices = {
        "add math/Gain " + name + " gain=2",  "remove " + name,
        "set " + name + ".gain=" + value,     "rename " + name + " " + other,
        "duplicate " + name + " as " + other, "connect position.y " + name + ".u"};
    const auto what = random() % 10;
    if (what < 6) made += bench.edit(choices[what])["ok"] ? 1 : 0;
    if (what == 6 || what == 7) bench.ask("undo", {{"revision", bench.revision()}});
    if (what == 8) bench.ask("redo", {{"revision", bench.revision()}});
    if (what == 9 && bench.editing->unsaved()) {
      const std::string before = text();
      bench.open();
      ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
      ASSERT_EQ(text(), before) << "after " << i << " steps";
      ++crashes;
    }
  }
  EXPECT_GT(made, 40);
  EXPECT_GT(crashes, 10);
  while (bench.ask("undo", {{"revision", bench.revision()}})["ok"]) {}
  EXPECT_FALSE(bench.editing->unsaved());
  EXPECT_EQ(bench.folder.read("loop.xml"), tuned_loop);
}

} // namespace
} // namespace hilda::test
