// SPDX-License-Identifier: BSD-3-Clause
// Views of a diagram in the modes that it has, and edits of their variants.
#include "tests/project_folders.h"
#include "tests/studio/edit_bench.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The one of the page's tests, too.
std::string two_modes() {
  std::ifstream file(source_folder() + "/tests/studio/two_modes.xml", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> drawn_in(const Json& view) {
  std::vector<std::string> names;
  for (const Json& each : view["scene"]["symbols"])
    if (each["kind"] != "port") names.push_back(each["name"]);
  std::sort(names.begin(), names.end());
  return names;
}

TEST(EditedModes, EachHasItsViewAndItsDrawing) {
  EditBench bench(two_modes());
  const Json run = bench.ask("view", {{"inside", "rig"}});
  EXPECT_EQ(run["mode"], "sim");
  EXPECT_THAT(run["modes"].get<std::vector<std::string>>(), ElementsAre("sim", "late"));
  EXPECT_THAT(drawn_in(run), ElementsAre("spring"));
  EXPECT_EQ(run["local"], "rig@sim.");
  const Json late = bench.ask("view", {{"inside", "rig"}, {"mode", "late"}});
  EXPECT_EQ(late["mode"], "late");
  EXPECT_EQ(late["local"], "rig@late.");
  EXPECT_THAT(drawn_in(late), ElementsAre("later", "spring"));
  EXPECT_EQ(late["elements"].size(), 4U);
  EXPECT_EQ(bench.ask("view", {{"inside", "rig"}, {"mode", "sim"}})["scene"], run["scene"]);
  const Json none = bench.ask("view", {{"inside", "rig"}, {"mode", "hardware"}});
  EXPECT_FALSE(none["ok"]);
  EXPECT_THAT(none["help"].get<std::string>(), HasSubstr("sim, late"));
}

TEST(EditedModes, TheVariantThatIsMeantIsEditedAndDrawnAnew) {
  EditBench bench(two_modes());
  ASSERT_TRUE(bench.edit("set rig@late.spring.gain=3\\_mm/N then add math/Gain rig@late.more gain=1 then disconnect "
                         "rig@late.spring.y rig@late.later.u then connect rig@late.spring.y rig@late.more.u then "
                         "connect rig@late.more.y rig@late.later.u")["ok"]);
  EXPECT_THAT(drawn_in(bench.ask("view", {{"inside", "rig"}, {"mode", "late"}})),
              ElementsAre("later", "more", "spring"));
  EXPECT_THAT(drawn_in(bench.ask("view", {{"inside", "rig"}})), ElementsAre("spring"));
  ASSERT_TRUE(bench.ask("write")["ok"]);
  const std::string text = bench.folder.read("loop.xml"), sim = text.substr(0, text.find("mode=\"late\""));
  EXPECT_THAT(sim, HasSubstr("gain=\"1 mm/N\""));
  EXPECT_THAT(sim, Not(HasSubstr("more")));
  EXPECT_THAT(text, HasSubstr("gain=\"3 mm/N\""));
}

TEST(EditedModes, WhatFitsAndWhatWouldBeWrongIsThatOfTheMode) {
  EditBench bench(two_modes());
  const Json wrong = operations("set rig@late.spring.gain=2\\_N");
  EXPECT_TRUE(bench.ask("try", {{"operations", wrong}})["fresh"].empty()) << "the mode of the run has another spring";
  EXPECT_FALSE(bench.ask("try", {{"operations", wrong}, {"mode", "late"}})["fresh"].empty());
  ASSERT_TRUE(bench.edit("disconnect rig@late.later.u then add sources/Constant rig@late.other value=1\\_s")["ok"]);
  const Json fits = bench.ask("fits", {{"inside", "rig"}, {"mode", "late"}, {"port", "later.u"}});
  ASSERT_TRUE(fits["ok"]) << fits;
  for (const Json& each : fits["ports"]) {
    if (each["name"] == "spring.y") { EXPECT_EQ(each["fits"], true) << each; }
    if (each["name"] == "other.y") { EXPECT_EQ(each["fits"], false) << each; }
  }
  EXPECT_FALSE(bench.ask("fits", {{"inside", "rig"}, {"port", "later.u"}})["ok"])
      << "no such port in the mode of the run";
  const std::string text = bench.ask("copy", {{"inside", "rig"}, {"mode", "late"}, {"names", {"later"}}})["text"];
  EXPECT_THAT(text, HasSubstr("discrete/UnitDelay"));
  const Json pasted = bench.ask("paste", {{"inside", "rig"}, {"revision", bench.revision()}, {"text", text}});
  ASSERT_TRUE(pasted["ok"]) << pasted;
  EXPECT_THAT(drawn_in(bench.ask("view", {{"inside", "rig"}})), ElementsAre("later", "spring"));
}

} // namespace
} // namespace hilda::test
