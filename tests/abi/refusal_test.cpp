// SPDX-License-Identifier: BSD-3-Clause
// What the loader refuses, and what it says: golden texts in golden/.

#include "engine/compile/loaded_diagram.h"
#include "engine/plugin/floating_point.h"
#include "tests/abi/plugin_folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <cfenv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(PluginRefusal, NamesAFileThatIsNotThere) { expect_golden("missing", refusal(plugin("not_built"))); }

TEST(PluginRefusal, NamesAFileThatIsNoLibrary) {
  const Folder folder;
  const std::string text = folder / "text.so";
  std::ofstream(text) << "#!/bin/sh\necho I am a plugin, believe me; there is enough of me to be one, too\n";
  expect_golden("not_a_library", replaced(refusal(text), folder.path(), "PLUGINS"));
  const std::string empty = folder / "empty.so";
  std::ofstream(empty).close();
  EXPECT_THAT(refusal(empty), HasSubstr("it is not a shared library"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("it is not a regular file"));
  EXPECT_THAT(refusal("/proc/self/exe"), testing::Not(testing::IsEmpty()));
}

TEST(PluginRefusal, DoesNotWaitAtAPipe) {
  const Folder folder;
  const std::string pipe = folder / "pipe.so";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(pipe), HasSubstr("it is not a regular file"));
}

TEST(PluginRefusal, SurvivesALibraryCutShortAnywhere) {
  const Folder folder;
  const std::string cut = folder / "cut.so";
  const std::uintmax_t whole = fs::file_size(plugin("lag"));
  std::uintmax_t refused = 0;
  for (std::uintmax_t size = 0; size < whole; size += whole / 61 + 1) {
    fs::copy_file(plugin("lag"), cut, fs::copy_options::overwrite_existing);
    fs::resize_file(cut, size);
    // only section headers and debug information are missing at the very end: they are not needed to run
    if (!refusal(cut).empty()) refused = size;
  }
  EXPECT_GT(refused, 0u);
  fs::resize_file(cut, 4096);
  expect_golden("cut_short", replaced(refusal(cut), folder.path(), "PLUGINS"));
}

TEST(PluginRefusal, NamesALibraryWithoutEntryPoint) { expect_golden("no_entry", refusal(plugin("no_entry"))); }
TEST(PluginRefusal, NamesAnEntryPointThatReturnsNothing) { expect_golden("no_table", refusal(plugin("no_table"))); }
TEST(PluginRefusal, NamesTheSymbolThatNothingProvides) { expect_golden("unresolved", refusal(plugin("unresolved"))); }
TEST(PluginRefusal, CatchesWhatAnEntryPointThrows) {
  expect_golden("throwing_entry", refusal(plugin("throwing_entry")));
}

TEST(PluginRefusal, SaysWhoseStaticConstructorEndsTheProgram) {
  EXPECT_EXIT(refusal(plugin("throwing_static")), testing::ExitedWithCode(2),
              "throwing_static.so: error.plugin-terminates.: the plugin ends the program while it is loaded: an "
              "exception leaves it: no licence found\n  help: ");
}

TEST(PluginRefusal, DoesNotBlameAPluginForMemoryThatIsNotThere) {
  EXPECT_EXIT(refusal(plugin("memoryless_static")), testing::ExitedWithCode(2),
              "^error: there is no more memory, while the plugin [^\n]*memoryless_static.so is loaded\nhelp: allow the "
              "program more\n$");
}

TEST(PluginRefusal, NamesAFolderThatIsNotThere) {
  Host host;
  Diagnostics diagnostics;
  host.load_folder("PLUGINS/nowhere", diagnostics);
  expect_golden("no_folder", diagnostics.text());
}

TEST(PluginRefusal, NamesTheBlockThatIsThereAlready) {
  const Folder folder;
  const std::string copy = folder / "copy_of_lag.so";
  fs::copy_file(plugin("lag"), copy);
  Host host;
  Diagnostics diagnostics;
  host.load(plugin("lag"), diagnostics);
  ASSERT_TRUE(diagnostics.ok()) << diagnostics.text();
  host.load(copy, diagnostics);
  expect_golden("name_taken", replaced(replaced(diagnostics.text(), build_folder() + "/tests/abi/plugins", "PLUGINS"),
                                       folder.path(), "COPIES"));
  EXPECT_EQ(host.libraries().size(), 1u);
  EXPECT_EQ(host.catalogue().find("lag/Lag")->plugin, plugin("lag"));
}

TEST(PluginRefusal, KeepsTheOtherPluginsOfAFolder) {
  const Folder folder;
  fs::copy_file(plugin("no_entry"), folder / "a.so");
  fs::copy_file(plugin("lag"), folder / "b.so");
  fs::copy_file(plugin("no_table"), folder / "c.so");
  Host host;
  Diagnostics diagnostics;
  host.load_folder(folder.path(), diagnostics);
  EXPECT_EQ(diagnostics.errors(), 2u) << diagnostics.text();
  EXPECT_THAT(host.catalogue().names(), testing::ElementsAre("lag/Lag"));
}

/// What a diagram with two blocks of the plugins no_entry and one of lag hears from a host that has read the folder.
std::string said_to_a_diagram(const Host& host, const Diagnostics& of_plugins) {
  LoadedDiagram loaded(host.catalogue());
  loaded.load(DiagramText{"d.xml",
                          "<diagram format='1' period='1 ms'>\n<block name='a' type='no_entry/A'/>\n"
                          "<block name='b' type='no_entry/B'/>\n<block name='c' type='lag/Lagg'/>\n</diagram>"},
              {});
  loaded.diagnostics().take(of_plugins, false);
  return loaded.diagnostics().text();
}

TEST(PluginRefusal, IsTheErrorOfABlockThatNeedsThePlugin) {
  const Folder folder;
  fs::copy_file(plugin("no_entry"), folder / "libno_entry.so");
  Host host;
  Diagnostics diagnostics;
  host.load_folder(folder.path(), diagnostics);
  expect_golden("needed", replaced(said_to_a_diagram(host, diagnostics), folder.path(), "PLUGINS"));
}

TEST(PluginRefusal, IsForgottenWhenALaterBuildIsTaken) {
  const Folder folder;
  fs::copy_file(plugin("no_entry"), folder / "lag.so");
  Host host;
  Diagnostics first, second;
  host.load_folder(folder.path(), first);
  EXPECT_THAT(said_to_a_diagram(host, first), HasSubstr("the block 'c' is of type lag/Lagg and needs this plugin"));
  fs::copy_file(plugin("lag"), folder / "new");
  fs::rename(folder / "new", folder / "lag.so");
  host.load_folder(folder.path(), second);
  EXPECT_THAT(said_to_a_diagram(host, second), HasSubstr("did you mean 'lag/Lag'?"));
}

TEST(PluginRefusal, LooksAtAFolderAnew) {
  const Folder folder;
  Host host;
  const auto said = [&] {
    Diagnostics diagnostics;
    host.load_folder(folder.path(), diagnostics);
    return replaced(diagnostics.text(), folder.path(), "COPIES");
  };
  const auto put = [&folder](const std::string& from, const std::string& name) {
    fs::copy_file(plugin(from), folder / "new");
    fs::rename(folder / "new", folder / name); // as a linker does
  };
  EXPECT_EQ(said(), "");
  put("no_entry", "bad.so");
  put("lag", "lag.so");
  EXPECT_THAT(said(), HasSubstr("COPIES/bad.so: error[plugin-no-entry]"));
  EXPECT_THAT(said(), HasSubstr("COPIES/bad.so: error[plugin-no-entry]")) << "told to everyone who asks";
  EXPECT_THAT(host.catalogue().names(), testing::ElementsAre("lag/Lag"));
  put("twin_one", "bad.so");
  put("lag", "lag.so"); // another file with the same bytes
  EXPECT_EQ(said(), "");
  EXPECT_EQ(host.libraries().size(), 2u);
  put("twin_two", "lag.so");
  expect_golden("changed", said());
  fs::remove(folder / "lag.so");
  expect_golden("changed", said());
  EXPECT_EQ(host.libraries().size(), 2u);
}

TEST(PluginRefusal, OfAFolderComesInTheOrderOfNames) {
  const Folder folder;
  for (int i = 0; i < 40; ++i) {
    // written in another order than that of the names
    const int number = 10 + (i * 17) % 40;
    std::ofstream(folder / ("p" + std::to_string(number) + ".so")) << "no library";
  }
  Host host;
  Diagnostics diagnostics;
  host.load_folder(folder.path(), diagnostics);
  ASSERT_EQ(diagnostics.errors(), 40u);
  for (std::size_t i = 0; i + 1 < 40; ++i) EXPECT_LT(diagnostics.all()[i].file, diagnostics.all()[i + 1].file);
}

/// Does the processor keep numbers that are too small to be normalised?
bool keeps_denormals() {
  volatile double tiny = std::numeric_limits<double>::denorm_min();
  volatile double twice = tiny * 2;
  return twice != 0;
}

TEST(PluginRefusal, RestoresTheFloatingPointModeAfterFastMath) {
  ASSERT_TRUE(keeps_denormals());
  const FloatingPointMode before = FloatingPointMode::current();
  expect_golden("fast_math", refusal(plugin("fast_math")));
  EXPECT_TRUE(FloatingPointMode::current() == before);
  EXPECT_TRUE(keeps_denormals());
}

TEST(PluginRefusal, RestoresTheRoundingThatAnEntryPointChanges) {
  const std::string said = refusal(plugin("rounding_entry"));
  EXPECT_THAT(said, HasSubstr("error[plugin-floating-point]"));
  EXPECT_THAT(said, HasSubstr("floating-point mode (rounding)"));
  EXPECT_THAT(said, ::testing::Not(HasSubstr("-ffast-math")));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

/// What the loader says where one thing is wrong with the table.
std::string malformed(const std::string& what) {
  setenv("HILDA_MALFORMED", what.c_str(), 1);
  const std::string text = refusal(plugin("malformed"));
  unsetenv("HILDA_MALFORMED");
  return text;
}

TEST(PluginTable, IsTakenWhereNothingIsWrong) { EXPECT_EQ(malformed(""), ""); }

TEST(PluginTable, OfAnotherAbiIsRefused) {
  expect_golden("other_major", malformed("other major"));
  expect_golden("newer_minor", malformed("newer minor"));
}

TEST(PluginTable, MayRefuseTheProgram) {
  EXPECT_THAT(malformed("attach refuses"), HasSubstr("malformed.so: error[plugin-refuses]: the plugin does not go with "
                                                     "this program: it needs a host of next year"));
  EXPECT_THAT(malformed("attach refuses in silence"), HasSubstr("error[plugin-refuses]"));
}

TEST(PluginTable, IsRefusedWithAllThatIsWrong) {
  static const char* const cases[] = {"plugin size",
                                      "plugin without a name",
                                      "plugin with a name of nothing",
                                      "plugin with a path for a name",
                                      "no types",
                                      "type count of 0",
                                      "type count beyond reason",
                                      "type stride too small",
                                      "type stride odd",
                                      "type twice",
                                      "variant first",
                                      "variant with other slots",
                                      "type size",
                                      "type larger than its stride",
                                      "type with a fault",
                                      "type with a doc that is not text",
                                      "slot with a doc that is not text",
                                      "type flags",
                                      "type flag of source files",
                                      "type without a name",
                                      "type with spaces in its name",
                                      "record size",
                                      "record alignment",
                                      "slots null",
                                      "slot count beyond reason",
                                      "slot stride too small",
                                      "derivative missing",
                                      "output missing",
                                      "many without one",
                                      "step without its halves",
                                      "state output without its function",
                                      "measurement without its function",
                                      "priming without its function",
                                      "shape below nothing",
                                      "slot size",
                                      "slot without a name",
                                      "slot with spaces in its name",
                                      "slot twice",
                                      "role",
                                      "element",
                                      "kind",
                                      "unknown flag",
                                      "flag of another role",
                                      "offset outside",
                                      "offset beyond reason",
                                      "offset odd",
                                      "derivative outside",
                                      "overlap",
                                      "shape unreadable",
                                      "shape beyond reason",
                                      "shape of the diagram in a fixed slot",
                                      "unit unreadable",
                                      "unit not SI",
                                      "choices null",
                                      "default no choice",
                                      "range empty",
                                      "reserved name",
                                      "text as a signal",
                                      "limits beyond reason",
                                      "limits of an input",
                                      "limits of nothing",
                                      "limit that is not a parameter",
                                      "limit that is a choice",
                                      "limits on neither side",
                                      "limit in another unit",
                                      "past of nothing",
                                      "past of an output",
                                      "past of whole numbers",
                                      "past without an age",
                                      "lanes of no variant",
                                      "lanes of an odd number",
                                      "lanes in half a cell",
                                      "lanes of a device",
                                      "lanes without the function for one",
                                      "lanes of two numbers",
                                      "lanes in one another's place",
                                      "lanes of a live choice",
                                      "lanes over one another",
                                      "lanes beyond the record"};
  std::string all;
  for (const char* what : cases) {
    const std::string text = malformed(what);
    EXPECT_THAT(text, HasSubstr("PLUGINS/malformed.so: error[plugin-")) << what;
    all += std::string("-- ") + what + "\n" + text + "\n";
  }
  expect_golden("malformed", all);
}

} // namespace
} // namespace hilda::test
