// SPDX-License-Identifier: BSD-3-Clause
// Two plugins that need two versions of one library: a process has one file for each soname.
#include "engine/plugin/detail/library/dynamic_section.h"
#include "engine/plugin/detail/library/needed_libraries.h"
#include "tests/abi/plugin_folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <random>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(NeededLibraries, AreReadFromTheFile) {
  const DynamicSection section = read_dynamic_section(plugin("needs_factor_1"));
  EXPECT_THAT(section.needed, Contains("libfactor.so.1"));
  EXPECT_THAT(section.runpath, Contains(HasSubstr("factor_1")));
  EXPECT_THAT(read_dynamic_section("/dev/null").needed, IsEmpty());
  EXPECT_THAT(read_dynamic_section("nowhere").needed, IsEmpty());
}

TEST(NeededLibraries, OfTwoVersionsTheSecondPluginIsRefused) {
  Host host;
  Diagnostics first, second;
  host.load(plugin("needs_factor_1"), first);
  EXPECT_EQ(first.text(), "");
  host.load(plugin("needs_factor_2"), second);
  expect_golden("library", replaced(second.text(), build_folder() + "/tests/abi/plugins", "PLUGINS"));
  EXPECT_THAT(host.catalogue().names(), testing::ElementsAre("needs_factor_1/Twin"));
}

TEST(NeededLibraries, OneFileUnderTwoPathsIsNoConflict) {
  const Folder folder;
  fs::create_directory(folder / "factor_2");
  fs::copy_file(build_folder() + "/tests/abi/plugins/factor_1/libfactor.so.1",
                fs::path(folder / "factor_2") / "libfactor.so.1");
  Host host;
  Diagnostics diagnostics;
  host.load(plugin("needs_factor_1"), diagnostics);
  // The other plugin would find the copy: LD_LIBRARY_PATH comes before its own path.
  setenv("LD_LIBRARY_PATH", std::string(folder / "factor_2").c_str(), 1);
  EXPECT_THAT(library_conflicts(plugin("needs_factor_2")), IsEmpty());
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_THAT(library_conflicts(plugin("needs_factor_2")), testing::SizeIs(1));
}

/// Cut anywhere, and with bytes changed anywhere: no byte outside the file is read, which the sanitizers see.
TEST(NeededLibraries, OfADamagedFileAreReadOrNot) {
  const Folder folder;
  const std::string whole = bytes_of(plugin("needs_factor_1")), damaged = folder / "damaged.so";
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    std::string bytes = whole;
    if (i % 4 == 0) bytes.resize(random() % bytes.size());
    for (int k = 0; k < 8 && !bytes.empty(); ++k)
      bytes[random() % std::min<std::size_t>(bytes.size(), 8192)] ^= char(1 << random() % 8);
    std::ofstream(damaged, std::ios::binary) << bytes;
    const DynamicSection section = read_dynamic_section(damaged);
    EXPECT_LT(section.needed.size(), 70000u);
  }
}

} // namespace
} // namespace hilda::test
