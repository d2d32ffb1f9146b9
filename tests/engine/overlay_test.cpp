// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/loading.h"

namespace hilda::test {
namespace {

const char* const gain = "<parameter name='k' value='2'/>\n<block name='a' type='test/Gain' gain='${k}'/>\n"
                         "<block name='s' type='test/Source'/>\n<connect from='s.y' to='a.u'/>";

double first_number(const ParameterValue* parameter) { return parameter->value.numbers.at(0); }

TEST(Overlay, SettingsReplaceTheTextOfAParameterOrOfABlock) {
  EXPECT_EQ(first_number(load_body(gain).parameter("a", "gain")), 2.0);
  EXPECT_EQ(first_number(with_settings({"k=3"}).body(gain).parameter("a", "gain")), 3.0);
  EXPECT_EQ(first_number(with_settings({"k=3", "a.gain=4"}).body(gain).parameter("a", "gain")), 4.0);
}

TEST(Overlay, SettingsActBeforeExpressions) {
  EXPECT_EQ(first_number(with_settings({"a.gain=${2 * k}", "k=5"}).body(gain).parameter("a", "gain")), 10.0);
}

TEST(Overlay, ASettingKeepsItsUnit) {
  const Loaded loaded = with_settings({"k=4 ms"}).body(gain);
  EXPECT_EQ(loaded.parameter("a", "gain")->value.unit_text(), "ms");
}

TEST(Overlay, TheLastOfSeveralSettingsCounts) {
  EXPECT_EQ(first_number(with_settings({"k=3", "k=7"}).body(gain).parameter("a", "gain")), 7.0);
}

TEST(Overlay, FilesAreReadInOrderAndTheCommandLineWins) {
  const WorkingFolder folder;
  folder.write("one.xml",
               "<overlay format='1'>\n<set path='k' value='3'/>\n<set path='s.value' value='8'/>\n</overlay>");
  folder.write("two.xml", "<overlay format='1'><set path='k' value='4'/></overlay>");
  Load load;
  load.options.overlays = {"one.xml", "two.xml"};
  EXPECT_EQ(first_number(load.body(gain).parameter("a", "gain")), 4.0);
  EXPECT_EQ(first_number(load.body(gain).parameter("s", "value")), 8.0);
  load.options.settings = {"k=5"};
  EXPECT_EQ(first_number(load.body(gain).parameter("a", "gain")), 5.0);
}

TEST(Overlay, ErrorsNameTheLineOfTheOverlay) {
  const WorkingFolder folder;
  folder.write("one.xml", "<overlay format='1'>\n<set path='kk' value='3'/>\n</overlay>");
  Load load;
  load.options.overlays = {"one.xml"};
  const Loaded loaded = load.body(gain);
  EXPECT_NE(loaded.diagnostics.text().find("one.xml:2: error[unknown-setting]"), std::string::npos)
      << loaded.diagnostics.text();
  EXPECT_NE(loaded.diagnostics.text().find("did you mean 'k'?"), std::string::npos);
}

TEST(Overlay, AnUnknownPathIsAnErrorWithASuggestion) {
  const auto help = [](const std::string& set) {
    const Loaded loaded = with_settings({set}).body(gain);
    EXPECT_EQ(loaded.codes(), "unknown-setting:0") << set;
    return loaded.diagnostics.text();
  };
  EXPECT_NE(help("a.gian=1").find("did you mean 'gain'?"), std::string::npos);
  EXPECT_NE(help("b.gain=1").find("the diagram has no 'b'"), std::string::npos);
  EXPECT_NE(help("a=1").find("is the block 'a', which has no value"), std::string::npos);
  EXPECT_NE(help("a.gain.x=1").find("the block 'a' has no 'gain'"), std::string::npos);
  help("a..gain=1");
  help(".=1");
}

TEST(Overlay, ASettingNeedsAnEqualsSign) {
  EXPECT_EQ((with_settings({"k"}).body(gain).codes()), "bad-setting:0");
  EXPECT_EQ((with_settings({"=1"}).body(gain).codes()), "bad-setting:0");
}

TEST(Overlay, OneFileSetsAPathOnce) {
  const WorkingFolder folder;
  folder.write("one.xml", "<overlay format='1'>\n<set path='k' value='3'/>\n<set path='k' value='4'/>\n</overlay>");
  Load load;
  load.options.overlays = {"one.xml"};
  EXPECT_EQ(load.body(gain).codes(), "duplicate-setting:3");
}

TEST(Overlay, OnlyOverlaysAreOverlays) {
  const WorkingFolder folder;
  folder.diagram("one.xml", "");
  folder.write("two.xml", "<overlay>\n<sett path='k' value='1'/>\n<set path='k'/>text</overlay>");
  Load load;
  load.options.overlays = {"one.xml"};
  EXPECT_EQ(load.body(gain).codes(), "not-an-overlay:1");
  load.options.overlays = {"two.xml"};
  EXPECT_EQ(load.body(gain).codes(), "format-missing:1 unknown-element:2 missing-attribute:3 stray-text:3");
  load.options.overlays = {"none.xml"};
  EXPECT_EQ(load.body(gain).codes(), "file-unreadable:0");
}

TEST(Overlay, SampleTimesCanBeSet) {
  const Loaded loaded = with_settings({"a.sample_time=2 ms"}).body(gain);
  EXPECT_EQ(loaded.block("a")->sample_time.period, Rational(1, 500));
}

TEST(Overlay, ADeepPathIsAnErrorAndNoDanger) {
  std::string path = "x";
  for (int i = 0; i < 100000; ++i) path += ".x";
  EXPECT_TRUE((with_settings({path + "=1"}).body(gain).says("unknown-setting")));
}

} // namespace
} // namespace hilda::test
