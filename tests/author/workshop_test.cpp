// SPDX-License-Identifier: BSD-3-Clause
// What an author does, outside of our tree: install, start a plugin, build it by any compiler, run it next to others.

#include "tests/folder.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string workshop = build_folder() + "/tests/author/workshop";

#ifdef HILDA_OTHER_COMPILER
const std::vector<std::string> built = {"from_gcc", "gcc_debug", "gcc_native", "in_c", "clang_debug", "clang_native"};
const std::string clang = HILDA_OTHER_COMPILER;
#else
const std::vector<std::string> built = {"from_gcc", "gcc_debug", "gcc_native", "in_c"};
const std::string clang;
#endif

std::string text_of(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Workshop : public ::testing::Test {
protected:
  void SetUp() override {
    const Output made = run_with_errors("bash '" + source_folder() + "/tests/author/workshop.sh' '" + source_folder() +
                                        "' '" + build_folder() + "' '" + workshop + "' " + clang);
    ASSERT_EQ(made.status, 0) << made.text;
  }

  /// The installed program, with nothing in its environment that could help it.
  static Output hilda(const std::string& arguments, const fs::path& in = workshop) {
    return run_with_errors("cd '" + in.string() + "' && env -i PATH=/usr/bin:/bin '" + workshop +
                           "/prefix/bin/hilda' " + arguments);
  }
};

std::string plugins_of(const std::string& name) {
  return " --plugins '" + workshop + "/" + name + "/build/lib/hilda/plugins'";
}

TEST_F(Workshop, InstallsProgramHeadersPackagePluginsDiagramsAndDocuments) {
  for (const char* file : {"bin/hilda", "include/hilda/abi.h", "include/hilda/block.h", "include/hilda/testing.h",
                           "include/hilda/testing/bench.h", "lib/cmake/hilda/hildaConfig.cmake",
                           "lib/cmake/hilda/hildaConfigVersion.cmake", "lib/cmake/hilda/HildaPlugin.cmake",
                           "lib/cmake/hilda/entry.cpp", "lib/hilda/plugins/math.so", "lib/hilda/plugins/contact.so",
                           "share/hilda/diagrams/pida.xml", "share/hilda/diagrams/rigs/two_walls.xml",
                           "share/hilda/template/c/low_pass.c", "share/doc/hilda/abi.md", "share/doc/hilda/author.md"})
    EXPECT_TRUE(fs::is_regular_file(fs::path(workshop) / "prefix" / file)) << file;
  const Output paths = run_with_errors("grep -rlF -e '" + source_folder() + "/' '" + workshop + "/prefix/lib/cmake' '" +
                                       workshop + "/prefix/include' '" + workshop + "/prefix/share'");
  EXPECT_EQ(paths.text, "") << "these name the place where hilda was built";
}

TEST_F(Workshop, ProgramFindsItsPluginsAndDiagramsWhereverItLies) {
  const Output checked = hilda("check prefix/share/hilda/diagrams/pida.xml --mode sim");
  EXPECT_EQ(checked.status, 0) << checked.text;
  EXPECT_THAT(checked.text, HasSubstr("sound"));
  const Output blocks = hilda("blocks discrete", "/");
  EXPECT_EQ(blocks.status, 0) << blocks.text;
  EXPECT_THAT(blocks.text, HasSubstr("discrete/UnitDelay"));
}

TEST_F(Workshop, ANewPluginPassesItsTestsAtOnce) {
  for (const char* name : {"from_gcc", "in_c"}) {
    const std::string log = text_of(fs::path(workshop) / (std::string(name) + ".log"));
    EXPECT_THAT(log, HasSubstr("100% tests passed, 0 tests failed out of 3")) << name;
    const Output run =
        hilda(std::string("run ") + name + ".xml --for 0.2s --quiet" + plugins_of(name), fs::path(workshop) / name);
    EXPECT_EQ(run.status, 0) << run.text;
    EXPECT_THAT(log, Not(HasSubstr("warning"))) << name;
  }
}

/// A filter of each plugin, all fed by one source.
std::string diagram(const std::vector<std::string>& plugins) {
  std::string text = "<diagram format=\"1\" name=\"trial\" period=\"1 ms\">\n"
                     "<block name=\"source\" type=\"sources/Sine\" amplitude=\"1.7 N\" frequency=\"3 Hz\"/>\n";
  for (const std::string& name : plugins)
    text += "<block name=\"" + name + "\" type=\"" + name + "/LowPass\" time_constant=\"17 ms\" initial=\"0.3 N\"/>\n" +
            "<connect from=\"source.y\" to=\"" + name + ".u\"/>\n";
  return text + "</diagram>\n";
}

/// The columns of a run: name and numbers as written, which are exact.
std::map<std::string, std::vector<std::string>> columns(const std::vector<std::string>& in_diagram,
                                                        const std::vector<std::string>& loaded, std::string& said) {
  const Folder folder;
  std::ofstream(folder.path() / "trial.xml") << diagram(in_diagram);
  std::string options;
  for (const std::string& name : loaded) options += plugins_of(name);
  const std::string program = "env -i PATH=/usr/bin:/bin '" + workshop + "/prefix/bin/hilda' ";
  const Output run = run_with_errors("cd '" + folder.path().string() + "' && " + program +
                                     "run trial.xml --for 0.3s --log trial.mcap" + options + " && " + program +
                                     "export trial.mcap --csv --out trial.csv");
  said = run.text;
  EXPECT_EQ(run.status, 0) << run.text;
  std::map<std::string, std::vector<std::string>> result;
  std::ifstream file(folder.path() / "trial.csv");
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::stringstream cells(line);
    std::string cell;
    for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
      if (i >= names.size())
        names.push_back(cell.substr(0, cell.find('.')));
      else
        result[names[i]].push_back(cell);
    }
  }
  return result;
}

TEST_F(Workshop, PluginsOfAllCompilersChangeNothingInEachOthersResults) {
  std::string said;
  const auto together = columns(built, built, said);
  ASSERT_EQ(together.count("from_gcc"), 1u) << said;
  ASSERT_GE(together.at("from_gcc").size(), 300u);
  for (const std::string& name : built) {
    const auto alone = columns({name}, {name}, said);
    ASSERT_EQ(alone.count(name), 1u) << said;
    EXPECT_EQ(alone.at(name), together.at(name)) << name << " beside others";
    // hilda_add_plugin forbids fused multiply-adds, so the machine and the level make no difference
    EXPECT_EQ(together.at(name), together.at("from_gcc")) << name;
  }
}

TEST_F(Workshop, FastMathIsRefusedByNameAndHasChangedNothing) {
  std::string said, untroubled;
  const auto before = columns({"from_gcc", "in_c"}, {"from_gcc", "in_c"}, untroubled);
  const auto beside = columns({"from_gcc", "in_c"}, {"fast_math", "from_gcc", "in_c"}, said);
  EXPECT_EQ(before, beside);
  EXPECT_THAT(said, HasSubstr("fast_math.so: warning[plugin-floating-point]"));
  EXPECT_THAT(untroubled, Not(HasSubstr("fast_math")));
  const Output tested = hilda("test-plugin fast_math/build/lib/hilda/plugins/fast_math.so");
  EXPECT_EQ(tested.status, 2);
  EXPECT_THAT(tested.text, HasSubstr("fast_math.so: error[plugin-floating-point]"));
}

TEST_F(Workshop, FastMathDoesNotCompileABlock) {
  const Output compiled =
      run_with_errors("echo '#include <hilda/block.h>' | c++ -std=c++20 -ffast-math -fsyntax-only -x c++ - -I '" +
                      workshop + "/prefix/include' -isystem /usr/include/eigen3");
  EXPECT_NE(compiled.status, 0);
  EXPECT_THAT(compiled.text, HasSubstr("blocks are not built with -ffast-math"));
}

TEST_F(Workshop, TheInstalledProgramTestsPluginsWithoutTheirSource) {
  for (const std::string& name : built) {
    const Output done = hilda("test-plugin " + name + "/build/lib/hilda/plugins/" + name + ".so");
    EXPECT_EQ(done.status, 0) << done.text;
    EXPECT_THAT(done.text, HasSubstr(", 0 failed")) << name;
  }
}

/// `hilda new-plugin` of the build folder, in an empty folder.
Output new_plugin(const Folder& folder, const std::string& arguments) {
  return run_with_errors("cd '" + folder.path().string() + "' && env -u HILDA_PLUGIN_PATH '" + build_folder() +
                         "/bin/hilda' new-plugin " + arguments);
}

TEST(NewPlugin, ChecksTheNameBeforeItWritesAnything) {
  const Folder folder;
  const std::map<std::string, std::string> wrong = {
      {"2fast", "error: '2fast' is not a name for a plugin: letters, digits and _, not a digit first\n"},
      {"my-filters", "error: 'my-filters' is not a name for a plugin"},
      {"../escape", "error: '../escape' is not a name for a plugin"},
      {"\"\"", "error: NAME: its value is empty"},
      {"double", "error: 'double' is a word of C++ or of the build\nchoose a name such as my_filters\n"},
      {"test", "is a word of C++ or of the build"},
      {"hilda_filters", "belongs to hilda itself"},
      {"template_plugin", "belongs to hilda itself"},
      {std::string(65, 'a'), "is longer than 64 characters"},
      {"contact", "error: there is a plugin 'contact' already: "},
      {"filters --language fortran", "fortran"},
      {"", "NAME is required"}};
  for (const auto& [arguments, message] : wrong) {
    const Output done = new_plugin(folder, arguments);
    EXPECT_EQ(done.status, 64) << arguments << ": " << done.text;
    EXPECT_THAT(done.text, HasSubstr(message)) << arguments;
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(NewPlugin, LeavesWhatIsThereAlone) {
  const Folder folder;
  std::ofstream(folder.path() / "taken") << "mine";
  const Output done = new_plugin(folder, "taken");
  EXPECT_EQ(done.status, 64);
  EXPECT_THAT(done.text, HasSubstr("error: 'taken' is there already\n"));
  EXPECT_EQ(text_of(folder.path() / "taken"), "mine");
}

TEST(NewPlugin, WritesItsOwnNameEverywhere) {
  const Folder folder;
  for (const char* language : {"c++", "c"}) {
    const std::string name = std::string("mine_") + (language[1] == '+' ? "cpp" : "c");
    const Output done = new_plugin(folder, name + " --language " + language);
    EXPECT_EQ(done.status, 0) << done.text;
    EXPECT_THAT(done.text, HasSubstr("cmake --build build"));
    EXPECT_TRUE(fs::exists(folder.path() / name / (name + ".xml")));
    const Output left = run_with_errors("grep -rl template_plugin '" + (folder.path() / name).string() + "'");
    EXPECT_EQ(left.text, "") << "the template's name is left in these";
  }
}

} // namespace
} // namespace hilda::test
