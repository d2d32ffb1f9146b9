// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/output_files.h"
#include "tests/folder.h"
#include "tests/modules.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OutputFileTest : public ::testing::Test {
protected:
  std::string at(const std::string& name) const { return folder_.path(name); }
  void put(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string text(const std::string& name) const { return folder_.read(name); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  test::Folder folder_;
  OutputFiles outputs;
};

TEST_F(OutputFileTest, KeepsTheOldFileUntilTheNewOneIsWhole) {
  put("a", "old");
  const auto file = outputs.open(at("a"), OutputKind::text, FileContent::text);
  ASSERT_NE(file, nullptr) << outputs.error();
  ASSERT_TRUE(file->write("new"));
  EXPECT_EQ(text("a"), "old");
  EXPECT_TRUE(file->commit()) << file->error();
  EXPECT_EQ(text("a"), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, LeavesNothingWhereItIsNotCommitted) {
  put("a", "old");
  {
    const auto file = outputs.open(at("a"), OutputKind::text, FileContent::text);
    file->write("new");
  }
  EXPECT_EQ(text("a"), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, FollowsLinksAndKeepsAccessRights) {
  put("a", "old");
  ::chmod(at("a").c_str(), 0640);
  fs::create_symlink("a", at("link"));
  fs::create_symlink("new", at("dangling"));
  std::string error;
  EXPECT_TRUE(write_file(at("link"), "new", FileContent::text, outputs, error)) << error;
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(text("a"), "new");
  struct stat info {};
  ::stat(at("a").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
  EXPECT_TRUE(write_file(at("dangling"), "there", FileContent::text, outputs, error)) << error;
  EXPECT_EQ(text("new"), "there");
}

TEST_F(OutputFileTest, RefusesWhatIsReadByAnyName) {
  put("a", "input");
  fs::create_hard_link(at("a"), at("hard"));
  fs::create_symlink("a", at("soft"));
  put("part.part", "input");
  outputs.reads(at("a"));
  outputs.reads(at("part.part"));
  for (const char* name : {"a", "hard", "soft", "./a", "part", "part.part"}) {
    EXPECT_EQ(outputs.open(at(name), OutputKind::text, FileContent::text), nullptr) << name;
    EXPECT_THAT(outputs.error(), HasSubstr("is read by this command")) << name;
    EXPECT_TRUE(outputs.misuse()) << name;
  }
  EXPECT_EQ(text("a"), "input");
  EXPECT_EQ(text("part.part"), "input");
}

TEST_F(OutputFileTest, RefusesTwoOutputsInOneFile) {
  const auto first = outputs.open(at("a"), OutputKind::text, FileContent::text);
  ASSERT_NE(first, nullptr);
  fs::create_symlink("a", at("link"));
  for (const char* name : {"a", "link", "./a", "a.part"}) {
    EXPECT_EQ(outputs.open(at(name), OutputKind::text, FileContent::text), nullptr) << name;
    EXPECT_THAT(outputs.error(), HasSubstr("output of this command already")) << name;
  }
}

TEST_F(OutputFileTest, RefusesTheNameThatAnOutputHasWhileItIsMade) {
  const auto first = outputs.open(at("z.part"), OutputKind::log, FileContent::log);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(outputs.open(at("z"), OutputKind::text, FileContent::text), nullptr) << "z would be made as z.part";
}

TEST_F(OutputFileTest, OfAnotherProcessIsNotTouched) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    const auto file = OutputFiles().open(at("a"), OutputKind::log, FileContent::log);
    const char done = file != nullptr && file->write("begun") ? 'y' : 'n';
    if (::write(ready[1], &done, 1) != 1) ::_exit(1);
    ::pause();
  }
  char done = 'n';
  ASSERT_EQ(::read(ready[0], &done, 1), 1);
  EXPECT_EQ(done, 'y');
  EXPECT_EQ(outputs.open(at("a"), OutputKind::log, FileContent::log), nullptr);
  EXPECT_THAT(outputs.error(), HasSubstr("is being written by process " + std::to_string(other)));
  EXPECT_FALSE(outputs.misuse());
  EXPECT_EQ(writer_of(at("a.part")), "process " + std::to_string(other));
  EXPECT_EQ(outputs.open(at("a.part"), OutputKind::text, FileContent::text), nullptr) << "nor by its unfinished name";
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  EXPECT_EQ(text("a.part"), "begun");
  const auto file = outputs.open(at("a"), OutputKind::log, FileContent::log);
  ASSERT_NE(file, nullptr) << outputs.error();
  EXPECT_EQ(text("a.cut"), "begun") << "what was killed is kept";
  EXPECT_EQ(file->kept(), at("a.cut"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(OutputFileTest, KeepsEachUnfinishedLogUnderAName) {
  for (const char* name : {"w.cut.mcap", "w.cut2.mcap", "w.cut3.mcap"}) {
    put("w.mcap.part", name);
    OutputFiles next_command;
    ASSERT_NE(next_command.open(at("w.mcap"), OutputKind::log, FileContent::log), nullptr) << next_command.error();
    EXPECT_EQ(text(name), name);
  }
}

TEST_F(OutputFileTest, IsMadeUnderAnotherNameWhereTheUnfinishedOneIsTaken) {
  put("a.part", "mine");
  put("a.part2", "mine, too");
  {
    const auto unfinished = outputs.open(at("a"), OutputKind::text, FileContent::text);
    ASSERT_NE(unfinished, nullptr) << outputs.error();
    EXPECT_EQ(unfinished->part(), at("a.part3"));
    EXPECT_EQ(OutputFiles().open(at("a"), OutputKind::text, FileContent::text), nullptr) << "it is being written";
  }
  EXPECT_EQ(files(), 2U);
  for (const OutputKind kind : {OutputKind::text, OutputKind::file}) {
    OutputFiles command;
    const auto file = command.open(at("a"), kind, FileContent::text);
    ASSERT_NE(file, nullptr) << command.error();
    ASSERT_TRUE(file->write("new") && file->commit()) << file->error();
    EXPECT_EQ(text("a"), "new");
    EXPECT_EQ(text("a.part"), "mine");
    EXPECT_EQ(text("a.part2"), "mine, too");
    EXPECT_EQ(files(), 3U);
  }
}

TEST_F(OutputFileTest, RefusesWithWordsWhatCannotBeWritten) {
  ::mkfifo(at("pipe").c_str(), 0600);
  fs::create_directory(at("folder"));
  fs::create_directory(at("b.part"));
  const auto refusal = [&](const std::string& name, OutputKind kind) {
    EXPECT_EQ(outputs.open(name, kind, FileContent::text), nullptr) << name;
    return outputs.error();
  };
  EXPECT_THAT(refusal(at("pipe"), OutputKind::text), HasSubstr("the named pipe has no reader"));
  EXPECT_THAT(refusal(at("pipe"), OutputKind::log), HasSubstr("it is a pipe or a device"));
  EXPECT_THAT(refusal("/dev/null", OutputKind::file), HasSubstr("it is a pipe or a device"));
  EXPECT_THAT(refusal(at("folder"), OutputKind::text), HasSubstr("it is a folder"));
  EXPECT_THAT(refusal(at("no/where"), OutputKind::text), HasSubstr("there is no folder "));
  EXPECT_THAT(refusal(at("b"), OutputKind::text), HasSubstr("b.part"));
  EXPECT_THAT(refusal("", OutputKind::text), HasSubstr("empty name"));
  EXPECT_THAT(refusal(at(std::string(300, 'x')), OutputKind::text), HasSubstr("File name too long"));
}

TEST_F(OutputFileTest, ReplacesWhatIsOfItsKindAlone) {
  const std::vector<std::pair<FileContent, std::string>> kinds = {
      {FileContent::text, "Dear all,\nthis is a letter, and no table.\n"},
      {FileContent::text, "#include <vector>\nint main() {}\n"},
      {FileContent::table, "time [s],x.y [m]\n0,1\n0.001,\n"},
      {FileContent::table, "time [s],\"A[0,1]\",b\n0,1,2\n"},
      {FileContent::table, "time [s]\n0\n"},
      {FileContent::json, "\n{\"steps\": 3}\n"},
      {FileContent::picture, "<?xml version='1.0'?>\n<!-- <diagram> --><svg xmlns='x'/>"},
      {FileContent::picture, "%PDF-1.5\n\x01"},
      {FileContent::page, "<!DOCTYPE html>\n<html/>"},
      {FileContent::page, "<!doctype html><title>x</title>"},
      {FileContent::diagram, "\xEF\xBB\xBF<!-- mine -->\n<diagram format=\"1\"/>"},
      {FileContent::diagram, "<diagram>this is broken"},
      {FileContent::overlay, "<overlay format=\"1\"/>"},
      {FileContent::study, "<study/>"},
      {FileContent::schema, "<xs:schema xmlns:xs='x'/>"},
      {FileContent::xml, "<other/>"},
      {FileContent::xml, "<!-- never closed"},
      {FileContent::log, "\x89MCAP0\r\n\x01"},
      {FileContent::other, std::string("\x7F"
                                       "ELF\0\0",
                                       6)}};
  for (const auto& [there, old] : kinds)
    for (const auto& [wanted, unused] : kinds) {
      put("a", old);
      EXPECT_EQ(content_of(old), there) << old;
      OutputFiles command;
      const auto file = command.open(at("a"), OutputKind::text, wanted);
      const bool same = there == wanted || (there == FileContent::table && wanted == FileContent::text);
      EXPECT_EQ(file != nullptr, same) << content_name(there) << " by " << content_name(wanted);
      EXPECT_EQ(text("a"), old);
      if (same) continue;
      EXPECT_TRUE(command.misuse());
      EXPECT_THAT(command.error(),
                  HasSubstr(std::string(" is ") + content_name(there) + ", and would be overwritten by " +
                            content_name(wanted) + "\nhelp: name another file, or remove that one"));
      EXPECT_EQ(files(), 1U) << "nothing is begun beside it";
    }
  put("a", " \n");
  EXPECT_NE(outputs.open(at("a"), OutputKind::text, FileContent::json), nullptr) << "an empty file is nobody's";
}

TEST_F(OutputFileTest, WritesToADeviceAsItIs) {
  std::string error;
  EXPECT_TRUE(write_file("/dev/null", "text", FileContent::text, outputs, error)) << error;
  EXPECT_FALSE(write_file("/dev/full", "text", FileContent::text, outputs, error));
  EXPECT_THAT(error, HasSubstr("No space left on device"));
}

TEST_F(OutputFileTest, SaysThatThereIsNoRoom) {
  const auto file = outputs.open(at("a"), OutputKind::file, FileContent::mat);
  EXPECT_TRUE(file->room_for(1));
  EXPECT_FALSE(file->room_for(std::uint64_t{1} << 60U));
  EXPECT_THAT(file->error(), HasSubstr("are free there"));
}

} // namespace
} // namespace hilda::test
