// The file behind an edit: when it is written, its journal, and what happens where somebody else writes it.
#include "tests/studio/edit_bench.h"
#include "tools/edit/merging.h"

#include <chrono>
#include <gmock/gmock.h>
#include <random>
#include <thread>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

TEST(EditedFile, WritesNothingBeforeItIsSaved) {
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

TEST(EditedFile, ATakenBackEditLeavesTheBytesAndNoJournal) {
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

TEST(EditedFile, EditsOfACrashedServerAreOfferedAgain) {
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

TEST(EditedFile, WhatWasDroppedIsNotOfferedOnceMore) {
  EditBench bench;
  bench.edit("remove slow");
  bench.open();
  ASSERT_TRUE(bench.ask("recover", {{"take", false}})["ok"]);
  EXPECT_FALSE(bench.journal());
  EXPECT_FALSE(bench.editing->unsaved());
}

TEST(EditedFile, TwoProgramsDoNotEditOneFile) {
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

TEST(EditedFile, AFileChangedElsewhereIsMerged) {
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

/// What was saved before is no edit any more: somebody else has taken it back, and it is not made again.
TEST(EditedFile, WhatWasSavedIsNotMadeAgainByAMerge) {
  EditBench bench;
  bench.edit("add math/Gain more gain=2");
  ASSERT_TRUE(bench.ask("write")["ok"]);
  bench.edit("set spring.gain=50\\_N/m");
  bench.folder.write("loop.xml", replaced(tuned_loop, "4 N s/m", "8 N s/m"));
  look_after_a_while(bench);
  EXPECT_FALSE(bench.told["documents"][0]["conflict"]) << bench.told;
  EXPECT_TRUE(bench.element("more").is_null()) << "somebody has removed it";
  EXPECT_EQ(bench.element("spring")["attributes"]["gain"], "50 N/m");
  EXPECT_EQ(bench.element("damper")["attributes"]["gain"], "8 N s/m");
}

TEST(EditedFile, AChangeOfTheSameLineIsAskedAboutAndNothingIsOverwritten) {
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

TEST(Merging, KeepsBothWhereTheyTouchOtherLines) {
  EXPECT_EQ(merged_text("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"), "A\nb\nC\n");
  EXPECT_EQ(merged_text("a\nb\n", "a\nmine\nb\n", "a\ntheirs\nb\n"), "a\ntheirs\nmine\nb\n");
  EXPECT_EQ(merged_text("a\nb\nc\n", "a\nc\n", "a\nB\nc\n"), std::nullopt);
  EXPECT_EQ(merged_text("a\n", "b\n", "b\n"), "b\n");
  EXPECT_EQ(merged_text("a\nb", "a\nb", "x\nb"), "x\nb");
}

/// Edits drawn by a generator, taken back and made again, with a crash now and then: the text is always the one that
/// was made, and all of it taken back gives the first bytes.
TEST(EditedFile, NothingIsLostByRandomEditsAndCrashes) {
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
