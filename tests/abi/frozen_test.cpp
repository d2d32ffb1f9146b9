// SPDX-License-Identifier: BSD-3-Clause
// Plugins of earlier releases: the binaries under frozen/ load and run unchanged, and give the bits that they gave
// then. The same sources, built now, must give them too. frozen/freeze.sh adds the binaries of a release.

#include "engine/plugin/library.h"
#include "engine/run/runtime.h"
#include "engine/run/start.h"
#include "tests/abi/plugin_folder.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

// Nothing but frozen blocks: the standard library may change what it computes.
const char* const diagram = R"(<diagram format="1" name="frozen" period="10 ms">
<block name="oscillator" type="frozen_c/Oscillator"/>
<block name="line" type="frozen_c/Line" ticks="3"/>
<block name="pass" type="frozen_c/Line" ticks="0"/>
<block name="fan" type="frozen_c/Fan" label="abc"/>
<block name="product" type="frozen_c/Fan" rule="product" copies="1"/>
<block name="outside" type="frozen_c/Outside"/>
<block name="device" type="frozen_c/Device" rest="20 mm"/>
<block name="mixer" type="frozen_cpp/Mixer" factor="0.7"/>
<block name="other" type="frozen_cpp/Mixer" signs="true" axis="1 0 1"/>
<block name="spinner" type="frozen_cpp/Spinner" text="abc" copies="3"/>
<connect from="other.doubled.force.x" to="oscillator.force"/>
<connect from="oscillator.position" to="line.u"/>
<connect from="line.y" to="pass.u"/>
<connect from="oscillator.position" to="fan.in[0]"/>
<connect from="pass.y" to="fan.in[1]"/>
<connect from="line.y" to="fan.offset"/>
<connect from="fan.out[0]" to="product.in[0]"/>
<connect from="device.measured" to="product.offset"/>
<connect from="outside.odd" to="outside.go"/>
<connect from="oscillator.position" to="device.command"/>
<connect from="fan.out[1]" to="mixer.u"/>
<connect from="spinner.parts[1]" to="other.u"/>
<connect from="mixer.doubled" to="other.wrench"/>
<connect from="spinner.parts[0]" to="spinner.rate"/>
</diagram>
)";

/// Of one signal: a hash of its bytes at all ticks, and the last number, to see by how much it differs.
struct Trace {
  std::uint64_t hash = 14695981039346656037u;
  std::string last;
};

void note(const Runtime& runtime, std::map<std::string, Trace>& traces) {
  for (const SystemSignal& signal : runtime.signals()) {
    Trace& trace = traces[signal.path];
    const auto* bytes = static_cast<const unsigned char*>(signal.span.data);
    for (std::size_t i = 0; i < signal.span.bytes(); ++i) trace.hash = (trace.hash ^ bytes[i]) * 1099511628211u;
    if (signal.span.element == HILDA_F64)
      trace.last = fmt::format(" {:a}", *static_cast<const double*>(signal.span.data));
  }
}

std::string text_of(const std::map<std::string, Trace>& traces) {
  std::string text;
  for (const auto& [path, trace] : traces) text += fmt::format("{} {:016x}{}\n", path, trace.hash, trace.last);
  return text;
}

/// 100 ticks with the plugins of a folder; the second half once more from a checkpoint, with the same bits.
std::string traces_with(const fs::path& folder) {
  Host host;
  LoadedDiagram loaded(host.catalogue());
  host.load_folder(folder, loaded.diagnostics());
  loaded.load(DiagramText{"frozen.xml", diagram}, {});
  const auto runtime = start_runtime(loaded);
  if (!runtime) return loaded.diagnostics().text();
  std::map<std::string, Trace> first, second;
  Checkpoint middle;
  for (int k = 0; k < 100; ++k) {
    if (k == 50) middle = runtime->checkpoint(), second = first;
    if (!runtime->compute()) return "the run ends early: " + runtime->ending().text;
    note(*runtime, first);
    if (!runtime->advance()) return "the run ends early: " + runtime->ending().text;
  }
  if (!runtime->restore(middle)) return "the checkpoint is refused";
  for (int k = 50; k < 100; ++k) {
    runtime->compute();
    note(*runtime, second);
    runtime->advance();
  }
  const std::string whole = text_of(first);
  for (const char* from_outside : {"device.measured", "product.out[0]"})
    first.erase(from_outside), second.erase(from_outside);
  return whole + (text_of(first) == text_of(second) ? "" : "another run from the checkpoint\n");
}

/// Folders with plugins: one for each release that was frozen.
std::vector<fs::path> releases() {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(source_folder() + "/tests/abi/frozen"))
    if (entry.is_directory() && entry.path().filename() != "sources") folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

TEST(FrozenPlugins, GiveWhenBuiltNowWhatTheyGaveThen) {
  expect_golden("frozen", traces_with(build_folder() + "/tests/abi/plugins/frozen"));
}

TEST(FrozenPlugins, OfEveryReleaseRunUnchangedWithTheSameBits) {
#ifndef __x86_64__
  GTEST_SKIP() << "the frozen binaries are for x86-64";
#endif
  EXPECT_THAT(releases(), testing::Not(testing::IsEmpty()));
  for (const fs::path& release : releases()) {
    SCOPED_TRACE(release.filename().string());
    EXPECT_TRUE(fs::exists(release / "frozen_c.so"));
    EXPECT_TRUE(fs::exists(release / "frozen_cpp.so"));
    expect_golden("frozen", traces_with(release));
  }
}

/// What 1.1 has added; the folder may be of an older release.
std::string met(const fs::path& folder) {
  if (!fs::exists(folder / "frozen_attach.so")) return "";
  Host host;
  LoadedDiagram loaded(host.catalogue());
  host.load((folder / "frozen_attach.so").string(), loaded.diagnostics());
  loaded.load(
      DiagramText{
          "met.xml",
          "<diagram format=\"1\" name=\"met\" period=\"1 ms\">\n<block name=\"it\" type=\"frozen_attach/Meets\"/>\n"
          "</diagram>\n"},
      {});
  const auto runtime = make_runtime(loaded);
  std::string text = loaded.diagnostics().text();
  if (!runtime || !runtime->step()) return text + "it does not run";
  for (const SystemSignal& signal : runtime->signals())
    text += fmt::format("{} {}\n", signal.path, *static_cast<const double*>(signal.span.data));
  return replaced(text, folder.string(), "FOLDER");
}

TEST(FrozenPlugins, MeetTheProgramAsTheyDidThen) {
  expect_golden("frozen_attach", met(build_folder() + "/tests/abi/plugins/frozen"));
#ifdef __x86_64__
  std::size_t with_attach = 0;
  for (const fs::path& release : releases())
    if (const std::string text = met(release); !text.empty()) {
      SCOPED_TRACE(release.filename().string());
      expect_golden("frozen_attach", text);
      ++with_attach;
    }
  EXPECT_GT(with_attach, 0u);
#endif
}

TEST(FrozenPlugins, AreSmallAndStripped) {
  EXPECT_THAT(releases(), testing::Not(testing::IsEmpty()));
  for (const fs::path& release : releases())
    for (const fs::directory_entry& file : fs::directory_iterator(release)) {
      EXPECT_LT(file.file_size(), 200'000u) << file.path();
      EXPECT_THAT(transcript(HILDA_NM " '" + file.path().string() + "'"), testing::HasSubstr("no symbols"));
    }
}

} // namespace
} // namespace hilda::test
