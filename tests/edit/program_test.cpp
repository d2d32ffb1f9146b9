// SPDX-License-Identifier: BSD-3-Clause
// `hilda edit`: files of every make, what is printed, what is refused.
#include "tests/folder.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

const std::string lesson = "<diagram format=\"1\" period=\"1 ms\">\n"
                           "  <!-- pushes -->\n"
                           "  <block name=\"push\" type=\"sources/Step\" time=\"100 ms\" after=\"50 N\"/>\n"
                           "  <block name=\"half\" type=\"math/Gain\" gain=\"0.5\"/>\n"
                           "  <connect from=\"push.y\" to=\"half.u\"/>\n"
                           "</diagram>\n";

class EditProgram : public ::testing::Test {
protected:
  test::Output hilda(const std::string& arguments) const {
    return test::run_with_errors("cd '" + folder.path().string() + "' && '" + test::build_folder() + "/bin/hilda' " +
                                 arguments);
  }
  test::Folder folder;
};

TEST_F(EditProgram, MakesSeveralOperationsAtOnce) {
  folder.write("a.xml", lesson);
  const test::Output done = hilda("edit a.xml set half.gain=2 then disconnect half.u then add discrete/Delay late "
                                  "delay=5ms then connect push.y late.u then connect late.y half.u");
  EXPECT_EQ(done.status, 0) << done.text;
  EXPECT_EQ(folder.read("a.xml"), "<diagram format=\"1\" period=\"1 ms\">\n"
                                  "  <!-- pushes -->\n"
                                  "  <block name=\"push\" type=\"sources/Step\" time=\"100 ms\" after=\"50 N\"/>\n"
                                  "  <block name=\"half\" type=\"math/Gain\" gain=\"2\"/>\n"
                                  "  <block name=\"late\" type=\"discrete/Delay\" delay=\"5ms\"/>\n"
                                  "\n"
                                  "  <connect from=\"push.y\" to=\"late.u\"/>\n"
                                  "  <connect from=\"late.y\" to=\"half.u\"/>\n"
                                  "</diagram>\n");
  EXPECT_EQ(hilda("check a.xml").status, 0);
}

TEST_F(EditProgram, DryRunPrintsADifferenceThatPatchTakes) {
  folder.write("a.xml", lesson.substr(0, lesson.size() - 1)); // without a last line end
  const test::Output dry = hilda("edit a.xml --dry-run set half.gain=2 then rename push shove");
  EXPECT_EQ(dry.status, 0);
  EXPECT_EQ(dry.text, "--- a.xml\n+++ a.xml\n@@ -1,6 +1,6 @@\n <diagram format=\"1\" period=\"1 ms\">\n"
                      "   <!-- pushes -->\n"
                      "-  <block name=\"push\" type=\"sources/Step\" time=\"100 ms\" after=\"50 N\"/>\n"
                      "-  <block name=\"half\" type=\"math/Gain\" gain=\"0.5\"/>\n"
                      "-  <connect from=\"push.y\" to=\"half.u\"/>\n"
                      "+  <block name=\"shove\" type=\"sources/Step\" time=\"100 ms\" after=\"50 N\"/>\n"
                      "+  <block name=\"half\" type=\"math/Gain\" gain=\"2\"/>\n"
                      "+  <connect from=\"shove.y\" to=\"half.u\"/>\n"
                      " </diagram>\n\\ No newline at end of file\n");
  EXPECT_EQ(folder.read("a.xml"), lesson.substr(0, lesson.size() - 1));
  folder.write("change.patch", dry.text);
  if (test::run("command -v patch").status != 0) GTEST_SKIP() << "patch is not installed";
  EXPECT_EQ(test::run("cd '" + folder.path().string() + "' && patch -s -o b.xml a.xml change.patch").status, 0);
  EXPECT_EQ(hilda("edit a.xml set half.gain=2 then rename push shove").status, 0);
  EXPECT_EQ(folder.read("a.xml"), folder.read("b.xml"));
}

TEST_F(EditProgram, RefusesWhatCheckWouldCallWrong) {
  folder.write("a.xml", lesson);
  const test::Output refused = hilda("edit a.xml set half.gian=2");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.text.find("did you mean 'gain'?"), std::string::npos) << refused.text;
  EXPECT_NE(hilda("edit a.xml add math/Gian g").text.find("did you mean 'math/Gain'?"), std::string::npos);
  EXPECT_NE(hilda("edit a.xml connect push.z half.v").text.find("unknown-port"), std::string::npos);
  EXPECT_NE(hilda("edit a.xml set half.gain=2 then set push.after='5 Nn'").text.find("unit-unknown"),
            std::string::npos);
  EXPECT_EQ(folder.read("a.xml"), lesson);
  EXPECT_EQ(hilda("edit a.xml set half.gian=2 --force").status, 0);
  EXPECT_NE(folder.read("a.xml").find("gian=\"2\""), std::string::npos);
}

TEST_F(EditProgram, SaysWhatIsNotFinishedAndWritesIt) {
  folder.write("a.xml", lesson);
  const test::Output done = hilda("edit a.xml add math/Gain g gain=2");
  EXPECT_EQ(done.status, 0);
  EXPECT_NE(done.text.find("now open:"), std::string::npos) << done.text;
  EXPECT_NE(folder.read("a.xml").find("name=\"g\""), std::string::npos);
  const test::Output removed = hilda("edit a.xml remove push");
  EXPECT_EQ(removed.status, 0);
  EXPECT_NE(removed.text.find("the wire push.y -> half.u is removed too"), std::string::npos) << removed.text;
}

TEST_F(EditProgram, FollowsALinkAndKeepsRights) {
  folder.write("real/a.xml", lesson);
  ::chmod(folder.path("real/a.xml").c_str(), 0640);
  fs::create_symlink("real/a.xml", folder / "link.xml");
  EXPECT_EQ(hilda("edit link.xml set half.gain=2").status, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "link.xml"));
  EXPECT_NE(folder.read("real/a.xml").find("gain=\"2\""), std::string::npos);
  struct stat info {};
  ::stat(folder.path("real/a.xml").c_str(), &info);
  EXPECT_EQ(info.st_mode & 07777U, 0640U);
}

TEST_F(EditProgram, LeavesAProtectedFileAsItIs) {
  folder.write("a.xml", lesson);
  ::chmod(folder.path("a.xml").c_str(), 0444);
  const test::Output refused = hilda("edit a.xml set half.gain=2");
  EXPECT_EQ(refused.status, 3);
  EXPECT_NE(refused.text.find("write-protected"), std::string::npos) << refused.text;
  EXPECT_EQ(folder.read("a.xml"), lesson);
}

TEST_F(EditProgram, ExtractsIntoAFileThatIsNotThereYet) {
  folder.write("a.xml", lesson);
  EXPECT_EQ(hilda("edit a.xml group half as filter then extract filter to filter.xml").status, 0);
  EXPECT_EQ(hilda("check a.xml").status, 0);
  EXPECT_EQ(folder.read("filter.xml"), "<diagram format=\"1\" name=\"filter\">\n"
                                       "  <input name=\"u\"/>\n"
                                       "  <block name=\"half\" type=\"math/Gain\" gain=\"0.5\"/>\n"
                                       "  <connect from=\"u\" to=\"half.u\"/>\n"
                                       "</diagram>\n");
  EXPECT_EQ(hilda("edit a.xml group push as force then extract force to filter.xml").status, 2);
  EXPECT_NE(folder.read("filter.xml").find("half"), std::string::npos);
}

/// Files are looked for from the one that names them, so that another folder may have another of the same name.
TEST_F(EditProgram, ExtractsToNoPlaceFromWhereAnotherFileIsMeant) {
  const auto gain = [](const char* value) {
    return "<diagram format=\"1\"><output name=\"y\"/><block name=\"k\" type=\"sources/Constant\" value=\"" +
           std::string(value) + "\"/><connect from=\"k.y\" to=\"y\"/></diagram>\n";
  };
  const std::string around = "<diagram format=\"1\" period=\"1 ms\">\n"
                             "  <parameter name=\"table\" value=\"t.csv\"/>\n"
                             "  <subsystem name=\"sub\">\n"
                             "    <subsystem name=\"in\" src=\"lib.xml\"/>\n"
                             "    <output name=\"y\"/>\n"
                             "    <connect from=\"in.y\" to=\"y\"/>\n"
                             "  </subsystem>\n"
                             "  <subsystem name=\"read\">\n"
                             "    <output name=\"y\"/>\n"
                             "    <block name=\"f\" type=\"sources/FromFile\" file=\"tabs/t.csv\"/>\n"
                             "    <connect from=\"f.y\" to=\"y\"/>\n"
                             "  </subsystem>\n"
                             "  <subsystem name=\"given\">\n"
                             "    <output name=\"y\"/>\n"
                             "    <block name=\"f\" type=\"sources/FromFile\" file=\"${table}\"/>\n"
                             "    <connect from=\"f.y\" to=\"y\"/>\n"
                             "  </subsystem>\n"
                             "</diagram>\n";
  folder.write("a.xml", around);
  folder.write("lib.xml", gain("12"));
  folder.write("lib2/lib.xml", gain("100"));
  fs::create_directories(folder / "empty");
  for (const char* table : {"t.csv", "tabs/t.csv"}) {
    folder.write(table, "time,y\n0,1\n1,2\n");
    folder.write(std::string("lib2/") + table, "time,y\n0,3\n1,4\n");
  }
  const test::Output other = hilda("edit a.xml --force extract sub to lib2/sub.xml");
  EXPECT_EQ(other.status, 2) << other.text;
  EXPECT_NE(other.text.find("'lib.xml', which 'sub' names, would be 'lib2/lib.xml' from 'lib2/sub.xml', and is "
                            "'lib.xml' here"),
            std::string::npos)
      << other.text;
  const test::Output none = hilda("edit a.xml --force extract sub to empty/sub.xml");
  EXPECT_EQ(none.status, 2) << none.text;
  EXPECT_NE(none.text.find("would not be found from 'empty/sub.xml'"), std::string::npos) << none.text;
  const test::Output table = hilda("edit a.xml --force extract read to lib2/read.xml");
  EXPECT_EQ(table.status, 2) << table.text;
  EXPECT_NE(table.text.find("would be 'lib2/tabs/t.csv'"), std::string::npos) << table.text;
  const test::Output given = hilda("edit a.xml --force extract given to lib2/given.xml");
  EXPECT_EQ(given.status, 2) << given.text;
  EXPECT_NE(given.text.find("would be 'lib2/t.csv'"), std::string::npos) << given.text;
  EXPECT_EQ(folder.read("a.xml"), around);
  EXPECT_FALSE(fs::exists(folder / "lib2/sub.xml"));
  const test::Output same = hilda("edit a.xml --force extract sub to sub.xml then extract read to empty/read.xml");
  EXPECT_EQ(same.status, 0) << same.text;
}

TEST_F(EditProgram, WrongUseIsSaid) {
  folder.write("a.xml", lesson);
  EXPECT_EQ(hilda("edit a.xml sett half.gain=2").status, 64);
  EXPECT_EQ(hilda("edit a.xml").status, 64);
  EXPECT_EQ(hilda("edit none.xml set a.b=1").status, 2);
  EXPECT_EQ(hilda("edit . set a.b=1").status, 2);
  folder.write("bad.xml", "<diagram format=\"1\"><block name=\"a\" </diagram>");
  EXPECT_NE(hilda("edit bad.xml set a.b=1").text.find("xml-syntax"), std::string::npos);
}

} // namespace
} // namespace hilda::test
