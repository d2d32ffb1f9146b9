// SPDX-License-Identifier: BSD-3-Clause
// The same file gives the same bits on processors with and without FMA, in the program and in Python. A processor is
// played twice: GLIBC_TUNABLES hides units from glibc, and qemu-user runs the program on a Nehalem, which has none of
// them.

#include "engine/log/comparison.h"
#include "engine/plugin/arithmetic.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const masked = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-FMA_Usable,-FMA4_Usable,-AVX2_Usable ";
const char* const nehalem = "qemu-x86_64 -cpu Nehalem ";

bool found(const char* program) { return std::system(fmt::format("command -v {} >/dev/null", program).c_str()) == 0; }

/// The ready diagrams, and those next to this file.
std::vector<fs::path> diagrams() {
  std::vector<fs::path> all;
  for (const std::string& folder : {source_folder() + "/diagrams", source_folder() + "/tests/bits/diagrams"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".xml") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

/// Some way to run a diagram on some processor.
struct Runner {
  std::string name, before;
  bool python = false;
  double seconds = 1; ///< of each diagram; an emulator is 20 times slower
};
void PrintTo(const Runner& runner, std::ostream* out) { *out << runner.name; }

const Runner here{"program", ""};

/// Runs diagrams for so many seconds of simulated time; the logs are named after them, in `folder`.
void run(const Runner& runner, const std::vector<fs::path>& diagrams, double seconds, const fs::path& folder) {
  fs::create_directories(folder);
  const std::string before = "HILDA_PLUGIN_PATH=" + build_folder() + "/tests/bits/plugins/built:" + build_folder() +
                             "/tests/bits/plugins/bare PYTHONPATH=" + build_folder() + "/python " + runner.before;
  std::string names;
  for (const fs::path& diagram : diagrams) {
    names += " " + diagram.string();
    if (!runner.python)
      transcript(before + build_folder() +
                 fmt::format("/bin/hilda run {} --mode sim --for {}s --quiet --log {}/{}.mcap", diagram.string(),
                             seconds, folder.string(), diagram.stem().string()));
  }
  // One interpreter for all: most of its time goes into its start.
  if (runner.python)
    transcript(before + HILDA_PYTHON " " + source_folder() + "/tests/bits/python_run.py " +
               fmt::format("{} {}", seconds, folder.string()) + names);
}

/// The log of a diagram that was run there; none, and a failure, where that went wrong.
std::optional<Log> log_of(const fs::path& diagram, const fs::path& folder) {
  std::string error;
  std::optional<Log> log = Log::open(folder / (diagram.stem().string() + ".mcap"), error);
  EXPECT_TRUE(log && log->complete()) << error;
  return log;
}

/// Why this runner can show nothing here; empty where it can.
std::string unable(const Runner& runner) {
#ifndef HILDA_MUSL
  return "built without musl-dev: the bits are the processor's, and the logs say so";
#endif
#ifndef HILDA_HAS_PYTHON
  if (runner.python) return "the Python module is not built";
#endif
  if (runner.before.find("qemu") != std::string::npos && !found("qemu-x86_64")) return "qemu-x86_64 is not installed";
  if (runner.before != masked) return {};
  // Python's own functions are glibc's: where hiding the units changes nothing for them, it shows nothing for ours.
  const std::string sum = HILDA_PYTHON " -c 'import math; print(hash(tuple(math.sin(0.37*i) for i in range(99999))))'";
  return transcript(sum) == transcript(masked + sum) ? "hiding FMA changes nothing on this processor" : "";
}

class OnAnotherProcessor : public testing::TestWithParam<Runner> {};

TEST_P(OnAnotherProcessor, EveryDiagramGivesTheSameBits) {
  if (const std::string why = unable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  const Folder folder;
  std::vector<fs::path> all = diagrams();
  // An interpreter's own sin comes first for what does not carry ours.
  if (GetParam().python) std::erase_if(all, [](const fs::path& diagram) { return diagram.stem() == "bare"; });
  run(here, all, GetParam().seconds, folder / "here");
  run(GetParam(), all, GetParam().seconds, folder / "there");
  for (const fs::path& diagram : all) {
    SCOPED_TRACE(diagram.stem().string());
    std::optional<Log> a = log_of(diagram, folder / "here"), b = log_of(diagram, folder / "there");
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->schema().metadata.at("mathematics"), b->schema().metadata.at("mathematics"));
    std::string error;
    const auto comparison = compare_logs(*a, *b, {}, error);
    ASSERT_TRUE(comparison) << error;
    EXPECT_GT(comparison->elements.size(), 0u);
    EXPECT_TRUE(comparison->equal()) << comparison_text(*comparison, "here", GetParam().name);
  }
}

INSTANTIATE_TEST_SUITE_P(Bits, OnAnotherProcessor,
                         testing::Values(Runner{"program_without_fma", masked},
                                         Runner{"program_on_nehalem", nehalem, false, 0.1}, Runner{"python", "", true},
                                         Runner{"python_without_fma", masked, true},
                                         Runner{"python_on_nehalem", nehalem, true, 0.3}),
                         [](const auto& each) { return each.param.name; });

/// FNV-1a of a signal's bytes over the run.
std::string hash_of(Log& log, const std::string& name) {
  std::string error;
  const std::optional<Signal> signal = log.signal(name, error);
  if (!signal) return error;
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < signal->samples(); ++i)
    for (std::size_t e = 0; e < signal->field.elements(); ++e) {
      const double value = signal->value(i, e);
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (bits >> 8 * byte & 0xff)) * 1099511628211u;
    }
  return fmt::format("{:016x}", hash);
}

TEST(Golden, BitsAreAsRecorded) {
  const std::string path = source_folder() + "/tests/bits/golden.txt";
  std::ifstream in(path);
  std::string line, fresh;
  std::getline(in, line);
  const std::string recorded_with = line;
  const std::string with = arithmetic().mathematics;
#ifndef BITS_AS_RECORDED
  GTEST_SKIP() << "recorded of a build by g++ with optimisation and without sanitizers";
#endif
  const bool update = std::getenv("HILDA_UPDATE_GOLDEN") != nullptr;
  if (!update && with != recorded_with) GTEST_SKIP() << "recorded with " << recorded_with << ", this is " << with;
  const Folder folder;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string diagram, signal, hash;
    words >> diagram >> signal >> hash;
    fs::path file = source_folder() + "/diagrams/" + diagram + ".xml";
    if (!fs::exists(file)) file = source_folder() + "/tests/bits/diagrams/" + diagram + ".xml";
    run(here, {file}, 1, folder / "now");
    std::optional<Log> log = log_of(file, folder / "now");
    ASSERT_TRUE(log);
    const std::string now = hash_of(*log, signal);
    fresh += fmt::format("{} {} {}\n", diagram, signal, now);
    if (update) continue;
    EXPECT_EQ(now, hash) << "bits of " << signal << " in " << diagram
                         << " have changed. Where that is meant, HILDA_UPDATE_GOLDEN=1 writes them anew";
  }
  in.close();
  if (update) std::ofstream(path) << with << "\n" << fresh;
}

TEST(Mathematics, BelongToMuslAsItWasWhenTheBitsWereRecorded) {
  const std::string with = arithmetic().mathematics;
  if (with.find("musl 1.2.3") != 0) GTEST_SKIP() << with;
  std::ifstream in(source_folder() + "/tests/bits/golden.txt");
  std::string recorded;
  std::getline(in, recorded);
  EXPECT_EQ(with, recorded);
}

TEST(Mathematics, OfABuiltPluginAreInsideIt) {
#ifndef HILDA_MUSL
  GTEST_SKIP() << "built without musl-dev";
#endif
  const std::string built = build_folder() + "/tests/bits/plugins/built/";
  for (const char* plugin : {"stranger", "stranger_c"}) {
    const std::string open = transcript(HILDA_NM " -D --undefined-only " + built + plugin + ".so");
    for (const char* function : {" sin", " pow", " exp", " lgamma", " atan2", " hypot"})
      EXPECT_EQ(open.find(function + std::string("@")), std::string::npos) << plugin << function;
    EXPECT_EQ(transcript(HILDA_NM " -D --defined-only " + built + plugin + ".so | wc -l"), "1\n");
  }
  EXPECT_THAT(transcript(HILDA_NM " -D --undefined-only " + build_folder() + "/tests/bits/plugins/bare/bare.so"),
              HasSubstr(" pow@"));
}

TEST(Log, NamesMathematicsProcessorAndCLibrary) {
  const Folder folder;
  const fs::path diagram = source_folder() + "/tests/bits/diagrams/bare.xml";
  run(here, {diagram}, 0.01, folder / "now");
  std::optional<Log> log = log_of(diagram, folder / "now");
  ASSERT_TRUE(log);
  const auto& metadata = log->schema().metadata;
  EXPECT_EQ(metadata.at("mathematics"), arithmetic().mathematics);
  EXPECT_EQ(metadata.at("processor"), arithmetic().processor);
  EXPECT_EQ(metadata.at("libc"), arithmetic().c_library);
}

/// A copy of a log in which one text stands for another of the same length; checksums of chunks are not concerned.
void forge(const fs::path& from, const fs::path& to, const std::string& text, const std::string& other) {
  std::stringstream bytes;
  bytes << std::ifstream(from, std::ios::binary).rdbuf();
  std::string all = bytes.str();
  ASSERT_NE(all.find(text), std::string::npos);
  for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at))
    all.replace(at, text.size(), other);
  std::ofstream(to, std::ios::binary) << all;
}

TEST(AnotherLibrary, IsNamedFirstByReplayAndCompare) {
  const Folder folder;
  run(here, {source_folder() + "/diagrams/pida.xml"}, 0.05, folder / "now");
  const fs::path log = folder / "now" / "pida.mcap", other = folder / "b.mcap", old = folder / "c.mcap";
  const std::string here_is = arithmetic().mathematics, there = std::string(here_is.size() - 1, 'x') + ")";
  forge(log, other, here_is, there);
  forge(log, old, "mathematics", "mathematicZ");
  const auto hilda = [](const std::string& arguments) {
    return transcript(build_folder() + "/bin/hilda " + arguments);
  };
  EXPECT_THAT(hilda("run --mode replay " + other.string()),
              testing::StartsWith("note: the log was made with another mathematical library: " + there +
                                  ", here it is " + here_is));
  EXPECT_THAT(hilda("run --mode replay " + old.string()),
              testing::StartsWith("note: the log does not say which mathematical library it was made with"));
  EXPECT_THAT(hilda("run --mode replay " + log.string()), testing::Not(HasSubstr("mathematical")));
  EXPECT_THAT(hilda("compare " + log.string() + " " + other.string()),
              testing::StartsWith("note: the logs were made with different mathematical libraries"));
  EXPECT_THAT(hilda("compare " + log.string() + " " + log.string()), testing::Not(HasSubstr("mathematical")));
}

} // namespace
} // namespace hilda::test
