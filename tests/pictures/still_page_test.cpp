// SPDX-License-Identifier: BSD-3-Clause
// The page that a program writes which was built without npm.
#include "tests/modules.h"
#include "tests/pictures/browser.h"
#include "tests/pictures/drawn.h"
#include "tests/project_folders.h"
#include "tools/graphics/detail/report/still_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

using Json = nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Four samples a second apart.
report::PageSignals signals_of(const std::string& name, const std::vector<double>& values) {
  report::PageSignal signal;
  signal.name = name, signal.unit = "N", signal.values = values, signal.constant = false;
  signal.samples = signal.kept = values.size(), signal.axis = 0;
  report::PageAxis axis;
  axis.step = 1, axis.count = values.size(), axis.times = {0, 1, 2, 3};
  return {{signal}, {axis}};
}

/// The points of the curves, one text a curve.
std::vector<std::string> curves(const std::vector<report::PageSignals>& runs, const std::string& name) {
  const std::string html =
      report::still_figures({{"Force", "N", {name}}}, std::vector<std::string>(runs.size(), "run"), runs);
  std::vector<std::string> found;
  const std::string begin = "<polyline points=\"";
  for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at + 1))
    found.push_back(html.substr(at + begin.size(), html.find("/>", at) - at - begin.size()));
  return found;
}

TEST(StillFigures, DrawWhatABlockHoldsAsSteps) {
  report::PageSignals signals = signals_of("a", {0, 1, 0, 1});
  const std::string lines = curves({signals}, "a").at(0);
  signals.signals[0].held = true;
  const std::string steps = curves({signals}, "a").at(0);
  EXPECT_EQ(count(lines.substr(0, lines.find('"')), " "), 3U) << lines;
  EXPECT_EQ(count(steps.substr(0, steps.find('"')), " "), 7U) << steps << ": the last value lasts, too";
}

TEST(StillFigures, BreakACurveWhereNothingIsKnown) {
  report::PageSignals signals = signals_of("a", {0, 1, 0, 1});
  EXPECT_EQ(curves({signals}, "a").size(), 1U);
  signals.axes[0].times = {0, 1, 10, 11};
  signals.signals[0].gap = 1.5;
  EXPECT_EQ(curves({signals}, "a").size(), 2U);
}

TEST(StillFigures, TellRunsByColourAndLeaveOutWhatHasNoSamples) {
  report::PageSignals none = signals_of("a", {});
  none.signals[0].constant = true;
  const std::vector<std::string> found =
      curves({signals_of("a", {0, 1, 0, 1}), none, signals_of("a", {1, 0, 1, 0})}, "a");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], HasSubstr("var(--pen0)"));
  EXPECT_THAT(found[1], HasSubstr("var(--pen2)"));
}

class StillPage : public testing::Test {
protected:
  /// What the program says when it writes the page p.html of the logs.
  std::string reported(const std::string& arguments) const {
    const Output output = run("cd '" + here.path().string() + "' && '" + build_folder() +
                              "/without_npm/bin/hilda' report " + arguments + " -o p.html 2>&1");
    EXPECT_EQ(output.status, 0) << output.text;
    return output.text;
  }
  void logged(const std::string& arguments) const {
    ASSERT_EQ(here.hilda("run " + diagrams + "pida.xml --quiet --set contacts=2 " + arguments).exit, 0);
  }
  Workplace here;
};

TEST_F(StillPage, HasAPictureOfEachFigureAndSaysWhatItLacks) {
  logged("--log p.mcap");
  EXPECT_THAT(reported("p.mcap"),
              HasSubstr("note: the page's plots are static: when hilda was built, node or npm was not there"));
  const std::string page = here.read("p.html");
  EXPECT_EQ(count(page, "<figure class=\"panel still\">"), 6U);
  EXPECT_THAT(page, HasSubstr("when hilda was built, node or npm was not there"));
  for (const char* part : {"Contact force", "[mm/s]", "Time [s]", "actual_tip.velocity[0]"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, Not(HasSubstr("uPlot"))) << "nothing of what there was not";
  EXPECT_THAT(page, Not(HasSubstr("text/plain"))) << "nothing that nobody would draw";
  EXPECT_EQ(count(page, "'sha256-"), 1U) << "one script may run";
}

TEST_F(StillPage, DrawsAConstantAndLeavesOutWhatOneRunLacks) {
  here.write("a.xml",
             "<diagram format=\"1\" name=\"a\" period=\"1 ms\"><parameter name=\"duration\" value=\"20 ms\"/>\n"
             "<block name=\"still\" type=\"sources/Constant\" value=\"3 N\"/>\n"
             "<block name=\"wave\" type=\"sources/Sine\" amplitude=\"2 N\" frequency=\"50 Hz\"/>\n"
             "<figure title=\"Both\" signals=\"still.y wave.y\"/></diagram>");
  here.write("b.xml",
             "<diagram format=\"1\" name=\"b\" period=\"1 ms\"><parameter name=\"duration\" value=\"10 ms\"/>\n"
             "<block name=\"wave\" type=\"sources/Sine\" amplitude=\"1 N\" frequency=\"50 Hz\"/></diagram>");
  ASSERT_EQ(here.hilda("run a.xml --quiet --log a.mcap").exit, 0);
  ASSERT_EQ(here.hilda("run b.xml --quiet --log b.mcap").exit, 0);
  reported("a.mcap b.mcap");
  const std::string page = here.read("p.html");
  EXPECT_EQ(count(page.substr(0, page.find("id=\"results\"")), "<polyline"), 3U) << "still and wave of a, wave of b";
}

TEST_F(StillPage, IsReadInABrowserLightAndDarkNarrowAndWide) {
  if (browser().empty()) GTEST_SKIP() << "chromium is not installed";
  ASSERT_EQ(install_driver(), "");
  logged("--log p.mcap");
  reported("p.mcap");
  const Json found = looked_at(here.path() / "p.html", "still", "look_at_still_page.mjs");
  EXPECT_TRUE(found.at("errors").empty()) << found.at("errors");
  EXPECT_EQ(found.at("requests").size(), 1U) << "the page itself and nothing else: " << found.at("requests");
  for (const auto& [size, over] : found.at("overhang").items()) EXPECT_LE(over, 0) << size;
  EXPECT_EQ(found.at("strokes").at("light").at(0), "rgb(0, 0, 0)");
  EXPECT_EQ(found.at("strokes").at("dark").at(0), "rgb(244, 244, 244)");
  EXPECT_EQ(found.at("grounds").at("light"), "rgb(255, 255, 255)");
  EXPECT_EQ(found.at("grounds").at("dark"), "rgb(20, 24, 29)");
  ASSERT_EQ(found.at("curves").size(), 6U);
  for (const Json& figure : found.at("curves")) {
    EXPECT_EQ(figure.at("own"), true) << "clipped by the axes of its own figure";
    EXPECT_GE(figure.at("curves"), 1);
  }
  for (const Json& texts : found.at("texts")) EXPECT_THAT(texts.get<std::vector<std::string>>(), Contains("Time [s]"));
  EXPECT_THAT(found.at("lacking").get<std::string>(), HasSubstr("node or npm was not there"));
  ASSERT_EQ(found.at("listed").size(), 1U);
  EXPECT_THAT(found.at("listed").at(0).get<std::string>(), HasSubstr(" to 0.02"));
}

} // namespace
} // namespace hilda::test
