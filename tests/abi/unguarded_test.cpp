// SPDX-License-Identifier: BSD-3-Clause
// Functions that throw across the boundary, blocks that are wrong in a plugin that is not, and what attach says.

#include "tests/abi/boundary_run.h"
#include "tests/abi/plugin_folder.h"
#include "tests/project_folders.h"

#include <cfenv>
#include <cstdint>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

TEST(Unguarded, AnExceptionOutOfAnyPhaseBeforeTheLoopIsAnErrorThatNamesIt) {
  for (const std::string phase : {"feeds_through", "infer", "configure", "prepare", "initialize"}) {
    const BoundaryRun made =
        run({plugin("unguarded")}, "<block name=\"it\" type=\"unguarded/Throws\" in=\"" + phase + "\"/>\n", 3);
    EXPECT_THAT(made.errors, HasSubstr("test.xml:2: error[block-throws]: it (unguarded/Throws): an exception leaves " +
                                       phase + ": too hot for " + phase));
  }
  const BoundaryRun made = run({plugin("unguarded")}, "<block name=\"it\" type=\"unguarded/Unmade\"/>\n", 3);
  EXPECT_THAT(made.errors, AllOf(HasSubstr("error[block-throws]: it (unguarded/Unmade)"), HasSubstr("its constructor"),
                                 HasSubstr("too hot for construct")));
}

TEST(Unguarded, AConstructorThatChangesTheRoundingIsAnErrorThatNamesIt) {
  const BoundaryRun made = run({plugin("unguarded")}, "<block name=\"it\" type=\"unguarded/Tilted\"/>\n", 3);
  EXPECT_THAT(made.errors, HasSubstr("error[block-floating-point]: it (unguarded/Tilted): its constructor changes the "
                                     "processor's floating-point mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(Unguarded, AnExceptionOutOfTheLoopFailsTheRun) {
  for (const std::string phase : {"output", "update"}) {
    const BoundaryRun made =
        run({plugin("unguarded")}, "<block name=\"it\" type=\"unguarded/Throws\" in=\"" + phase + "\"/>\n", 10);
    EXPECT_EQ(made.errors.find("error["), std::string::npos) << made.errors;
    EXPECT_LT(made.traces.at("it.y").size(), 3u) << "the run ends";
  }
}

TEST(PluginRefusal, OfOneBlockLeavesTheOthers) {
  Host host;
  Diagnostics diagnostics;
  host.load(plugin("odd_blocks"), diagnostics);
  EXPECT_THAT(host.catalogue().names(),
              testing::ElementsAre("unguarded/Throws", "unguarded/Tilted", "unguarded/Unmade"));
  EXPECT_EQ(diagnostics.errors(), 2u);
  expect_golden("one_block", replaced(diagnostics.text(), build_folder() + "/tests/abi/plugins", "PLUGINS"));
}

TEST(PluginRefusal, SaysForWhichMachineALibraryIs) {
  const fs::path other = fs::temp_directory_path() / ("hilda_other_" + std::to_string(getpid()) + ".so");
  fs::copy_file(plugin("lag"), other, fs::copy_options::overwrite_existing);
  {
    std::fstream file(other, std::ios::binary | std::ios::in | std::ios::out);
    const Elf64_Half machine = EM_AARCH64;
    file.seekp(offsetof(Elf64_Ehdr, e_machine));
    file.write(reinterpret_cast<const char*>(&machine), sizeof machine);
  }
#if defined(__x86_64__)
  EXPECT_THAT(refusal(other.string()),
              HasSubstr("it is built for aarch64 (ARM, 64 bits), and this program runs on x86-64"));
#endif
  fs::remove(other);
}

TEST(PluginRefusal, NamesWhatAnyoneMayWrite) {
  const fs::path folder = fs::temp_directory_path() / ("hilda_open_" + std::to_string(getpid()));
  fs::create_directory(folder);
  fs::copy_file(plugin("lag"), folder / "lag.so");
  ASSERT_EQ(chmod((folder / "lag.so").c_str(), 0666), 0);
  expect_golden("writable_file", replaced(refusal((folder / "lag.so").string()), folder.string(), "OPEN"));
  ASSERT_EQ(chmod((folder / "lag.so").c_str(), 0644), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  EXPECT_THAT(refusal((folder / "lag.so").string()), HasSubstr("anyone may replace it"));
  Host host;
  Diagnostics diagnostics;
  host.load_folder(folder.string(), diagnostics);
  EXPECT_THAT(diagnostics.text(), HasSubstr("error[plugin-writable]"));
  EXPECT_TRUE(host.libraries().empty());
  ASSERT_EQ(chmod(folder.c_str(), 01777), 0) << "as /tmp: nobody replaces another one's file";
  EXPECT_EQ(refusal((folder / "lag.so").string()), "");
  fs::remove_all(folder);
}

/// A plugin deep in a folder, each part of its way as it should be: root's or the user's, and closed to others.
struct DeepPlugin {
  DeepPlugin() {
    fs::create_directories(base / "outer/inner");
    fs::copy_file(plugin("lag"), file());
    for (const char* each : {"", "outer", "outer/inner"}) mode(each, 0755);
    mode("outer/inner/lag.so", 0644);
  }
  ~DeepPlugin() { fs::remove_all(base); }
  fs::path file() const { return base / "outer/inner/lag.so"; }
  void mode(const std::string& part, mode_t mode) const { ASSERT_EQ(chmod((base / part).c_str(), mode), 0) << part; }
  std::string said(const fs::path& path) const { return replaced(refusal(path.string()), base.string(), "BASE"); }

  const fs::path base = fs::temp_directory_path() / ("hilda_deep_" + std::to_string(getpid()));
};

TEST(PluginRefusal, LooksAtTheWholeWayToAFile) {
  const DeepPlugin deep;
  EXPECT_EQ(deep.said(deep.file()), "");
  deep.mode("outer", 0777);
  expect_golden("writable_parent", deep.said(deep.file()));
  deep.mode("outer", 01777);
  EXPECT_EQ(deep.said(deep.file()), "") << "as /tmp: nobody replaces another one's folder there";
  deep.mode("outer", 0775);
  EXPECT_EQ(deep.said(deep.file()), "") << "a group with its owner alone";
}

TEST(PluginRefusal, LooksWhereLinksLead) {
  const DeepPlugin deep;
  fs::create_directory(deep.base / "closed");
  deep.mode("closed", 0755);
  fs::create_symlink("../outer/inner/lag.so", deep.base / "closed/lag.so");
  fs::create_symlink("outer", deep.base / "way");
  EXPECT_EQ(deep.said(deep.base / "closed/lag.so"), "");
  EXPECT_EQ(deep.said(deep.base / "way/inner/lag.so"), "");
  deep.mode("outer/inner", 0777);
  expect_golden("writable_behind_link", deep.said(deep.base / "closed/lag.so"));
  EXPECT_THAT(deep.said(deep.base / "way/inner/lag.so"), HasSubstr("the folder BASE/outer/inner (mode 0777)"));
  deep.mode("outer/inner", 0755);
  deep.mode("closed", 0777);
  EXPECT_THAT(deep.said(deep.base / "closed/lag.so"), HasSubstr("anyone may replace it: the folder BASE/closed"))
      << "the link itself";
}

TEST(PluginRefusal, TakesNothingThatIsAnotherUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const DeepPlugin deep;
  constexpr uid_t stranger = 61234;
  ASSERT_EQ(chown(deep.file().c_str(), stranger, 0), 0);
  expect_golden("strangers_file", deep.said(deep.file()));
  ASSERT_EQ(chown(deep.file().c_str(), 0, 0), 0);
  ASSERT_EQ(chown((deep.base / "outer").c_str(), stranger, 0), 0);
  EXPECT_THAT(deep.said(deep.file()), HasSubstr("user 61234 may write to BASE/outer (mode 0755)"));
  ASSERT_EQ(chown((deep.base / "outer").c_str(), 0, stranger), 0);
  deep.mode("outer", 0775);
  EXPECT_THAT(deep.said(deep.file()), HasSubstr("the group 61234 may replace it: the folder BASE/outer (mode 0775)"));
}

} // namespace
} // namespace hilda::test
