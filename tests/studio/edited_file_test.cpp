// SPDX-License-Identifier: BSD-3-Clause
// The file behind an edit: when it is written, its journal, and what happens where someone else writes it.
#include "engine/authoring/merging.h"
#include "tests/modules.h"
#include "tests/studio/edit_bench.h"

#include <chrono>
#include <filesystem>
#include <gmock/gmock.h>
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

TEST(EditedFile, AnotherProgramIsInTheWayForAsLongAsItEdits) {
  EditBench bench;
  Editing::Options options;
  options.file = bench.folder.path("loop.xml");
  Json told;
  options.tell = [&told](const Json& message) { told = message; };
  Editing other(all_plugins().catalogue(), options);
  const auto remove = [&] {
    return *other.answer("edit", {{"revision", 1}, {"operations", operations("remove slow")}});
  };
  ASSERT_TRUE(bench.edit("set spring.gain=50\\_N/m")["ok"]);
  EXPECT_THAT(remove()["error"].get<std::string>(), HasSubstr("another program")) << "it began later";
  std::this_thread::sleep_for(a_while);
  other.look();
  EXPECT_THAT(told["documents"][0]["obstacle"].get<std::string>(), HasSubstr("another program"));
  ASSERT_TRUE(bench.ask("undo", {{"revision", bench.revision()}})["ok"]);
  std::this_thread::sleep_for(a_while);
  other.look();
  EXPECT_EQ(told["documents"][0]["obstacle"], "");
  EXPECT_TRUE(remove()["ok"]);
  EXPECT_THAT(bench.edit("remove slow")["error"].get<std::string>(), HasSubstr("another program"));
}

TEST(EditedFile, WhatAnotherProgramLeavesBehindIsOfferedToWhoWaited) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("remove slow")["ok"]);
  Editing::Options options;
  options.file = bench.folder.path("loop.xml");
  options.tell = [](const Json&) {};
  Editing other(all_plugins().catalogue(), options);
  bench.editing.reset();
  const Json reply = *other.answer("edit", {{"revision", 1}, {"operations", operations("remove slow")}});
  EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr("take them up or drop them"));
  EXPECT_TRUE((*other.answer("recover", {{"take", true}}))["ok"]);
}

TEST(EditedFile, AFileThatIsGoneIsWrittenAnewOrKeptAsACopy) {
  EditBench bench;
  ASSERT_TRUE(bench.edit("set spring.gain=50\\_N/m")["ok"]);
  std::filesystem::remove(bench.folder.path("loop.xml"));
  const Json first = bench.ask("write");
  EXPECT_THAT(first["error"].get<std::string>(), HasSubstr("is gone from the disk")) << "no client was notified";
  EXPECT_THAT(first["help"].get<std::string>(), HasSubstr("save once more"));
  ASSERT_TRUE(bench.ask("resolve", {{"copy", "mine.xml"}})["ok"]);
  EXPECT_THAT(bench.folder.read("mine.xml"), HasSubstr("50 N/m"));
  ASSERT_TRUE(bench.ask("write")["ok"]);
  EXPECT_THAT(bench.folder.read("loop.xml"), HasSubstr("50 N/m"));
  EXPECT_FALSE(bench.journal());
}

TEST(EditedFile, AFileThatIsGoneIsToldAndMayComeBack) {
  EditBench bench;
  for (const bool edited : {false, true}) {
    if (edited) { ASSERT_TRUE(bench.edit("remove slow")["ok"]); }
    std::filesystem::remove(bench.folder.path("loop.xml"));
    look_twice(bench); // a program may just be rewriting it
    EXPECT_TRUE(bench.told["documents"][0]["gone"]) << bench.told;
    EXPECT_THAT(bench.told["note"].get<std::string>(), HasSubstr("gone from the disk"));
    EXPECT_TRUE(bench.told["sound"]) << bench.told;
    bench.folder.write("loop.xml", replaced(tuned_loop, "4 N s/m", "8 N s/m"));
    look_twice(bench);
    EXPECT_FALSE(bench.told["documents"][0]["gone"]);
    EXPECT_EQ(bench.element("damper")["attributes"]["gain"], "8 N s/m");
    bench.folder.write("loop.xml", tuned_loop);
    look_twice(bench);
    EXPECT_EQ(bench.element("slow").is_null(), edited);
  }
}

TEST(EditedFile, AFileChangedElsewhereIsMerged) {
  EditBench bench;
  bench.edit("set spring.gain=50\\_N/m");
  bench.folder.write("loop.xml", replaced(tuned_loop, "4 N s/m", "8 N s/m"));
  look_twice(bench);
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

TEST(EditedFile, AFileThatIsHalfWrittenIsLeftAlone) {
  EditBench bench;
  bench.edit("set spring.gain=50\\_N/m");
  const std::string whole = replaced(tuned_loop, "4 N s/m", "8 N s/m");
  for (const std::string& half : {std::string(), whole.substr(0, whole.size() / 2)}) {
    bench.told = Json();
    bench.folder.write("loop.xml", half);
    look_after_a_while(bench);
    EXPECT_TRUE(bench.told.is_null()) << bench.told.dump();
  }
  bench.folder.write("loop.xml", whole);
  look_twice(bench);
  EXPECT_EQ(bench.element("spring")["attributes"]["gain"], "50 N/m");
  EXPECT_EQ(bench.element("damper")["attributes"]["gain"], "8 N s/m");
}

/// A saved edit is not an edit any more: another program has undone it, and it is not repeated.
TEST(EditedFile, WhatWasSavedIsNotMadeAgainByAMerge) {
  EditBench bench;
  bench.edit("add math/Gain more gain=2");
  ASSERT_TRUE(bench.ask("write")["ok"]);
  bench.edit("set spring.gain=50\\_N/m");
  bench.folder.write("loop.xml", replaced(tuned_loop, "4 N s/m", "8 N s/m"));
  look_twice(bench);
  EXPECT_FALSE(bench.told["documents"][0]["conflict"]) << bench.told;
  EXPECT_TRUE(bench.element("more").is_null()) << "another program has removed it";
  EXPECT_EQ(bench.element("spring")["attributes"]["gain"], "50 N/m");
  EXPECT_EQ(bench.element("damper")["attributes"]["gain"], "8 N s/m");
}

TEST(EditedFile, AChangeOfTheSameLineIsAskedAboutAndNothingIsOverwritten) {
  EditBench bench;
  bench.edit("set spring.gain=50\\_N/m");
  const std::string theirs = replaced(tuned_loop, "40 N/m", "60 N/m");
  bench.folder.write("loop.xml", theirs);
  look_twice(bench);
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

} // namespace
} // namespace hilda::test
