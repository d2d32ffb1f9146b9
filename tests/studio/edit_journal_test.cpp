// SPDX-License-Identifier: BSD-3-Clause
// The journal of what is not saved: what a crash leaves of edits, and how they are made again.
#include "tests/studio/edit_bench.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <random>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

TEST(EditJournal, EditsOfACrashedServerAreOfferedAgain) {
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

/// The body is in no file yet: a program that forgets it has lost it.
TEST(EditJournal, ABodyThatWasExtractedOutlivesTwoCrashes) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("group spring slow as sub")["ok"]);
  ASSERT_TRUE(bench.edit("extract sub to sub.xml")["ok"]);
  for (int crash = 0; crash < 2; ++crash) {
    bench.open();
    ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  }
  EXPECT_TRUE(bench.told["sound"]) << bench.told;
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("sub.xml"), HasSubstr("name=\"spring\""));
  EXPECT_THAT(bench.folder.read("loop.xml"), HasSubstr("src=\"sub.xml\""));
  EXPECT_FALSE(bench.journal());
}

TEST(EditJournal, ABodyThatWasExtractedOutlivesAMergeAndACrash) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("group spring slow as sub")["ok"]);
  ASSERT_TRUE(bench.edit("extract sub to sub.xml")["ok"]);
  bench.folder.write("loop.xml", replaced(tuned_loop, "4 N s/m", "8 N s/m"));
  look_twice(bench);
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("sub.xml"), HasSubstr("name=\"spring\""));
  EXPECT_THAT(bench.folder.read("loop.xml"), HasSubstr("8 N s/m"));
}

TEST(EditJournal, WhatIsNotExtractedAnyMoreIsWrittenByNobody) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("group spring slow as sub")["ok"]);
  ASSERT_TRUE(bench.edit("extract sub to sub.xml")["ok"]);
  ASSERT_TRUE(bench.ask("undo", {{"revision", bench.revision()}})["ok"]);
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_EQ(bench.folder.size("sub.xml"), 0U);
}

TEST(EditJournal, EditsAreMadeAgainInAFolderThatWasMoved) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("group spring slow as sub")["ok"]);
  ASSERT_TRUE(bench.edit("extract sub to sub.xml")["ok"]);
  bench.editing.reset();
  EditBench moved;
  moved.editing.reset();
  moved.folder.write(".loop.xml.edits", bench.folder.read(".loop.xml.edits"));
  moved.open();
  ASSERT_TRUE(moved.ask("recover", {{"take", true}})["ok"]);
  ASSERT_TRUE(moved.ask("write")["ok"]);
  EXPECT_THAT(moved.folder.read("sub.xml"), HasSubstr("name=\"spring\""));
}

std::string journal_of(const std::string& rest) {
  return Json{{"hilda", "journal of edits"}, {"base", tuned_loop}}.dump() + "\n" + rest;
}

/// As an older hilda wrote it, of a folder that is elsewhere now.
TEST(EditJournal, EditsBeforeOneThatCannotBeMadeAgainAreMade) {
  EditBench bench;
  const std::string journal = journal_of(R"({"operations":[["set","spring.gain=50 N/m"]]}
{"operations":[["group","spring","slow","as","sub"]]}
{"operations":[["extract","sub","to","/nowhere/at/all/sub.xml"]]}
)");
  bench.folder.write(".loop.xml.edits", journal);
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  EXPECT_THAT(bench.told["note"].get<std::string>(), HasSubstr("no such folder"));
  EXPECT_FALSE(bench.element("sub").is_null());
  EXPECT_EQ(bench.folder.read(".loop.xml.edits.kept"), journal);

  bench.editing.reset();
  bench.folder.write(".loop.xml.edits", journal_of("{\"operations\":[[\"remove\",\"absent\"]]}\n"));
  bench.open();
  const Json reply = bench.ask("recover", {{"take", true}});
  EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr("absent")) << "and why";
  EXPECT_TRUE(bench.journal());
}

TEST(EditJournal, AJournalThatCannotBeReadIsKept) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("remove slow")["ok"]);
  const std::string journal = "x" + bench.folder.read(".loop.xml.edits");
  bench.editing.reset();
  bench.folder.write(".loop.xml.edits", journal);
  bench.open();
  EXPECT_FALSE(bench.journal());
  EXPECT_EQ(bench.folder.read(".loop.xml.edits.kept"), journal);
  const Json state = bench.ask("documents")["documents"][0];
  EXPECT_THAT(state["kept_journal"].get<std::string>(), HasSubstr(".loop.xml.edits.kept"));
  EXPECT_EQ(state["obstacle"], "");
  EXPECT_THAT(bench.editing->left(), testing::ElementsAre(HasSubstr("cannot be read")));
}

constexpr const char* with_sub = R"(<diagram format="1" name="loop" period="1 ms">
  <block name="s" type="sources/Sine" amplitude="1" frequency="1 Hz"/>
  <subsystem name="a" src="sub.xml"/>
  <connect from="s.y" to="a.u"/>
</diagram>
)";
constexpr const char* the_sub = R"(<diagram format="1" name="sub">
  <input name="u"/>
  <output name="y"/>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="u" to="g.u"/>
  <connect from="g.y" to="y"/>
</diagram>
)";

TEST(EditJournal, EditsOfAnIncludedFileAreOfferedAtTheStart) {
  EditBench bench(with_sub);
  bench.folder.write("sub.xml", the_sub);
  bench.open();
  bench.told = nullptr;
  const std::string sub = bench.ask("view", {{"inside", "a"}})["document"];
  EXPECT_EQ(bench.told["documents"].size(), 2U) << "who looks into a file, opens it for all";
  ASSERT_TRUE(bench.edit("set g.gain=5", sub)["ok"]);
  bench.open();
  const Json states = bench.ask("documents")["documents"];
  ASSERT_EQ(states.size(), 2U) << states;
  EXPECT_EQ(states[1]["recovery"], 1);
  EXPECT_THAT(bench.editing->left(), testing::ElementsAre(HasSubstr("sub.xml was not saved")));
  ASSERT_TRUE(bench.ask("recover", {{"document", sub}, {"take", true}})["ok"]);
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("sub.xml"), HasSubstr("gain=\"5\""));
}

/// Edits of a file that is included by an edit alone: it is known once that one is made again.
TEST(EditJournal, EditsOfAFileAreOfferedWhenItIsIncludedAgain) {
  EditBench bench;
  bench.folder.write("sub.xml", the_sub);
  ASSERT_TRUE(bench.edit("add subsystem a src=sub.xml then connect position.y a.u")["ok"]);
  const std::string sub = bench.ask("view", {{"inside", "a"}})["document"];
  ASSERT_TRUE(bench.edit("set g.gain=5", sub)["ok"]);
  bench.open();
  EXPECT_EQ(bench.ask("documents")["documents"].size(), 1U);
  ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  EXPECT_EQ(bench.told["documents"][1]["recovery"], 1) << bench.told;
}

TEST(EditJournal, WhatWasDroppedIsNotOfferedOnceMore) {
  EditBench bench;
  bench.edit("remove slow");
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", false}})["ok"]);
  EXPECT_FALSE(bench.journal());
  EXPECT_FALSE(bench.editing->unsaved());
}

TEST(EditJournal, EditsOfAFileThatIsGoneAreOfferedAfterACrash) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("set spring.gain=50\\_N/m")["ok"]);
  std::filesystem::remove(bench.folder.path("loop.xml"));
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_EQ(bench.folder.read("loop.xml"), replaced(tuned_loop, "40 N/m", "50 N/m"));
}

TEST(EditJournal, AFileThatChangedAfterACrashIsAskedAbout) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("set spring.gain=50\\_N/m")["ok"]);
  const std::string theirs = replaced(tuned_loop, "40 N/m", "60 N/m");
  bench.editing.reset();
  bench.folder.write("loop.xml", theirs);
  for (int crash = 0; crash < 2; ++crash) {
    bench.open();
    ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
    EXPECT_TRUE(bench.told["documents"][0]["conflict"]) << bench.told;
  }
  EXPECT_THAT(bench.ask("diff", {{"against", "disk"}})["diff"].get<std::string>(), HasSubstr("50 N/m"));
  EXPECT_EQ(bench.folder.read("loop.xml"), theirs);
  ASSERT_TRUE(bench.ask("resolve", {{"copy", "mine.xml"}})["ok"]);
  EXPECT_THAT(bench.folder.read("mine.xml"), HasSubstr("50 N/m"));
  EXPECT_EQ(bench.element("spring")["attributes"]["gain"], "60 N/m");
  EXPECT_FALSE(bench.journal());
}

TEST(EditJournal, ANewDiagramIsOfferedAfterACrash) {
  EditBench bench;
  bench.editing.reset();
  std::filesystem::remove(bench.folder.path("loop.xml"));
  bench.open();
  ASSERT_TRUE(bench.edit("add sources/Sine wave amplitude=1 frequency=1\\_Hz")["ok"]);
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", true}})["ok"]);
  EXPECT_TRUE(bench.told["sound"]) << bench.told;
  ASSERT_TRUE(bench.ask("write")["ok"]);
}

/// Edits drawn by a generator, taken back and made again, with a crash now and then: the text is always the one that
/// was made, and all of it taken back gives the first bytes.
TEST(EditJournal, NothingIsLostByRandomEditsAndCrashes) {
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
