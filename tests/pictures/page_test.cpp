// SPDX-License-Identifier: BSD-3-Clause
// The page of a run, in a browser.
#include "tests/cli/program.h"
#include "tests/modules.h"
#include "tests/pictures/browser.h"
#include "tests/project_folders.h"
#include "tools/graphics/detail/report/encoding.h"
#include "tools/graphics/page.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace hilda::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::filesystem::path artefacts = page_pictures();
const std::string diagrams = source_folder() + "/diagrams/";

class PageInBrowser : public testing::Test {
protected:
  void SetUp() override {
    if (browser().empty()) {
      std::cerr << "\n*** NOT TESTED: the page of a run in a browser. chromium is not installed. ***\n\n";
      GTEST_SKIP() << "chromium is not installed";
    }
    static const std::string problem = install_driver();
    ASSERT_EQ(problem, "");
    ASSERT_EQ(report::page_lacks(), "") << "what moves cannot be looked at: remove build/page and build with a network";
  }
  void made(const std::string& arguments) const {
    const Result outcome = here.hilda(arguments);
    ASSERT_EQ(outcome.exit, 0) << arguments << "\n" << outcome.err;
  }
  Workplace here;
};

/// Code that got into a page, past every escape, does not run and sends nothing.
TEST_F(PageInBrowser, RunsNoScriptButItsOwn) {
  made("run " + diagrams + "pida.xml --quiet --log pida.mcap");
  made("report pida.mcap -o pida.html");
  std::string page = here.read("pida.html");
  const std::size_t main = page.find("<main>");
  ASSERT_NE(main, std::string::npos);
  page.insert(main, "<script>document.title = 'taken'</script><img src=\"http://127.0.0.1:9/x\" "
                    "onerror=\"document.title = 'taken'\">");
  here.write("pida.html", page);
  const Json found = looked_at(here.path() / "pida.html", "policy");
  EXPECT_THAT(found.at("title").get<std::string>(), HasSubstr("report of a run"));
  EXPECT_FALSE(found.at("errors").empty()) << "the browser tells what it refused";
  EXPECT_EQ(found.at("panels").size(), 6U) << "and the page works all the same";
}

/// A number as the page writes it.
double number(const Json& text) {
  std::string plain = text.get<std::string>();
  for (std::size_t at = plain.find("\xE2\x88\x92"); at != std::string::npos; at = plain.find("\xE2\x88\x92"))
    plain.replace(at, 3, "-");
  return std::stod(plain);
}

TEST_F(PageInBrowser, ShowsARunZoomsAndReadsValues) {
  made("run " + diagrams + "pida.xml --quiet --set response_delay=20ms --log pida.mcap");
  made("report pida.mcap -o pida.html");
  const Json found = looked_at(here.path() / "pida.html", "pida");
  EXPECT_TRUE(found.at("errors").empty()) << found.at("errors");
  EXPECT_EQ(found.at("requests").size(), 1U) << "the page itself and nothing else: " << found.at("requests");
  EXPECT_EQ(found.at("panels").size(), 6U) << "the figures of the diagram: " << found.at("panels");
  EXPECT_EQ(found.at("tables").at("contacts"), 5);
  EXPECT_THAT(found.at("results").get<std::string>(), HasSubstr("peak force [N]"));
  EXPECT_GT(found.at("diagram"), 40);
  EXPECT_EQ(found.at("units").at("rig.stiffness"), "N/m");
  EXPECT_EQ(found.at("units").at("response_delay"), "s");

  // 20 mm/s towards the other wall in the middle of the run, which is where the cursor is
  const Json& cursor = found.at("cursor").at(0);
  EXPECT_NEAR(number(cursor.at("text")), 0.02, 1e-4);
  EXPECT_EQ(found.at("cursor_in_others").at(0), cursor.at("time")) << "all plots share the cursor";
  const double end = found.at("whole").at(1);
  EXPECT_NEAR(found.at("dragged").at(0), 0.25 * end, 0.02 * end);
  EXPECT_NEAR(found.at("dragged").at(1), 0.5 * end, 0.02 * end);
  for (const Json& scale : found.at("scales")) EXPECT_EQ(scale, found.at("dragged"));
  EXPECT_NE(found.at("cursor_zoomed").at(0).at("time"), cursor.at("time"));
  EXPECT_LT(found.at("wheeled").at(1).get<double>() - found.at("wheeled").at(0).get<double>(), 0.24 * end);
  EXPECT_EQ(found.at("back"), found.at("whole"));

  const auto height = [&found](const char* name) {
    const Json& scale = found.at(name).at(0);
    return scale.at(1).get<double>() - scale.at(0).get<double>();
  };
  EXPECT_NEAR(height("heights_dragged"), 0.5 * height("heights"), 0.03 * height("heights"));
  EXPECT_EQ(found.at("heights_dragged").at(1), found.at("heights").at(1)) << "values of one plot alone";
  EXPECT_EQ(found.at("range_after"), found.at("whole")) << "and not the time";
  EXPECT_NEAR(height("heights_wheeled"), 0.75 * height("heights_dragged"), 0.01 * height("heights"));
  EXPECT_EQ(found.at("heights_back"), found.at("heights"));
  for (const auto& [size, over] : found.at("overhang").items()) EXPECT_LE(over, 0) << size;
  EXPECT_EQ(found.at("dark_ground"), "rgb(20, 24, 29)");
  EXPECT_NE(found.at("dark_pens").at(0).at("stroke"), found.at("pens").at(0).at("stroke"));

  // on paper the plots are pictures, and neither they nor a table is wider than it
  EXPECT_EQ(found.at("printed").at("pictures"), 6);
  EXPECT_EQ(found.at("printed").at("canvases"), 0);
  EXPECT_LE(found.at("printed").at("overhang"), 0);

  EXPECT_EQ(found.at("listed"), 1);
  EXPECT_EQ(found.at("asked"), Json::array({Json::array({found.at("wanted")})}));
  EXPECT_EQ(found.at("switched_off"), false);
  EXPECT_EQ(found.at("switched_on"), true);
  for (const char* state : {"whole", "cursor", "zoomed", "asked", "page"})
    EXPECT_GT(std::filesystem::file_size(artefacts / "pida" / (std::string(state) + ".png")), 20000U) << state;
}

TEST_F(PageInBrowser, ShowsTwoRunsOverOneAnotherWithTheirDifferences) {
  made("run " + diagrams + "pida.xml --quiet --set response_delay=20ms --set contacts=2 --log a.mcap");
  made("run " + diagrams + "pida.xml --quiet --set response_delay=20ms --set contacts=2 --set clamp=off --log b.mcap");
  made("report a.mcap b.mcap --name clamped --name free --tolerance 1e-3 -o both.html");
  const Json found = looked_at(here.path() / "both.html", "two_runs");
  EXPECT_TRUE(found.at("errors").empty()) << found.at("errors");
  for (const auto& [size, over] : found.at("overhang").items()) EXPECT_LE(over, 0) << size;
  const std::string differences = found.at("comparison");
  EXPECT_THAT(differences, HasSubstr("clamped and free"));
  EXPECT_THAT(differences, HasSubstr("are beyond tolerance"));
  EXPECT_THAT(differences, HasSubstr("clamp.clamped.force.x"));
  EXPECT_EQ(found.at("cursor").size(), 4U) << "two signals of two runs";
  std::map<int, std::set<std::string>> colours;
  std::map<std::string, std::set<std::string>> dashes;
  for (const Json& pen : found.at("pens")) {
    colours[pen.at("run").get<int>()].insert(pen.at("stroke").get<std::string>());
    dashes[pen.at("name").get<std::string>()].insert(pen.at("dash").dump());
  }
  ASSERT_EQ(colours.size(), 2U);
  EXPECT_EQ(colours[0].size(), 1U) << "a run has one colour";
  EXPECT_EQ(colours[1].size(), 1U);
  EXPECT_NE(colours[0], colours[1]);
  std::set<std::string> all;
  for (const auto& [name, dash] : dashes) {
    EXPECT_EQ(dash.size(), 1U) << name << ": a signal has one dash in all runs";
    all.insert(dash.begin(), dash.end());
  }
  EXPECT_EQ(all.size(), dashes.size());
}

TEST_F(PageInBrowser, ShowsTheEnergyLedgerOfADiagramWithPorts) {
  made("run " + diagrams + "tdpa.xml --quiet --for 3s --log tdpa.mcap");
  made("report tdpa.mcap -o tdpa.html");
  const Json found = looked_at(here.path() / "tdpa.html", "tdpa");
  EXPECT_TRUE(found.at("errors").empty()) << found.at("errors");
  EXPECT_GE(found.at("tables").at("ports"), 4);
  EXPECT_GE(found.at("tables").at("elements"), 4);
}

TEST_F(PageInBrowser, StaysFluidWithAMillionSamples) {
  here.write("long.xml", "<diagram format=\"1\" name=\"long\" period=\"1 ms\">\n"
                         "  <block name=\"wave\" type=\"sources/Sine\" amplitude=\"2 N\" frequency=\"50 Hz\"/>\n"
                         "  <block name=\"way\" type=\"sources/Ramp\" slope=\"1 mm/s\"/>\n</diagram>\n");
  made("run long.xml --quiet --for 1000s --log long.mcap");
  made("report long.mcap -o long.html");
  const Json found = looked_at(here.path() / "long.html", "million");
  EXPECT_TRUE(found.at("errors").empty()) << found.at("errors");
  ASSERT_EQ(found.at("panels").size(), 2U);
  for (const Json& panel : found.at("panels")) EXPECT_LT(panel.at("drawn"), 6000) << "points that are drawn";
  EXPECT_LT(found.at("zoom_ms"), 300) << "ms of processor time for all plots, median of 15 zooms";
}

TEST(Page, OpensOnWhatSinksTakeAndThenOnWhatChangedMost) {
  const Workplace here;
  here.write("it.xml",
             "<diagram format=\"1\" name=\"it\" period=\"1 ms\"><parameter name=\"duration\" value=\"1 s\"/>\n"
             "<block name=\"still\" type=\"sources/Constant\" value=\"1 N\"/>\n"
             "<block name=\"little\" type=\"sources/Sine\" amplitude=\"1 N\" bias=\"100 N\" frequency=\"1 Hz\"/>\n"
             "<block name=\"much\" type=\"sources/Sine\" amplitude=\"5 N\" frequency=\"1 Hz\"/>\n"
             "<block name=\"kept\" type=\"sources/Sine\" amplitude=\"1 N\" bias=\"500 N\" frequency=\"1 Hz\"/>\n"
             "<block name=\"end\" type=\"sinks/Terminator\"/><connect from=\"kept.y\" to=\"end.u\"/></diagram>");
  ASSERT_EQ(here.hilda("run it.xml --quiet --log it.mcap").exit, 0);
  ASSERT_EQ(here.hilda("report it.mcap -o it.html").exit, 0);
  EXPECT_THAT(here.read("it.html"), HasSubstr(R"("signals":["kept.y","much.y","little.y"])"));
}

TEST(Page, IsOneFileThatAsksForNothing) {
  const Workplace here;
  ASSERT_EQ(here.hilda("run " + diagrams + "pida.xml --quiet --set contacts=1 --log p.mcap").exit, 0);
  const Result reported = here.hilda("report p.mcap");
  ASSERT_EQ(reported.exit, 0) << reported.err;
  EXPECT_THAT(reported.out, HasSubstr("p.html"));
  const std::string page = here.read("p.html");
  for (const char* outside : {" src=\"", "<link rel=\"stylesheet", "@import", "url(http"})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  ASSERT_EQ(report::page_lacks(), "");
  EXPECT_THAT(page, HasSubstr("uPlot"));
  EXPECT_THAT(page, HasSubstr("MIT License")) << "the licence of what it holds of others";
}

TEST(Page, CannotBeBrokenByANameInADiagram) {
  const Workplace here;
  here.write(
      "x.xml",
      "<diagram format=\"1\" name=\"x\" period=\"1 ms\" doc=\"&lt;/script>&lt;b>\">\n"
      "  <parameter name=\"duration\" value=\"5 ms\"/>\n"
      "  <block name=\"a\" type=\"sources/Ramp\" slope=\"1\" doc=\"&lt;/script>&lt;script>alert(1)&lt;/script>\"/>\n"
      "</diagram>\n");
  ASSERT_EQ(here.hilda("run x.xml --quiet --log x.mcap").exit, 0);
  ASSERT_EQ(here.hilda("report x.mcap -o x.html").exit, 0);
  EXPECT_THAT(here.read("x.html"), Not(HasSubstr("<script>alert")));
}

TEST(Page, OfACutLogSaysSo) {
  const Workplace here;
  ASSERT_EQ(here.hilda("run " + diagrams + "pida.xml --quiet --set contacts=1 --log p.mcap").exit, 0);
  std::filesystem::resize_file(here.path() / "p.mcap", std::filesystem::file_size(here.path() / "p.mcap") / 2);
  const Result reported = here.hilda("report p.mcap -o p.html");
  EXPECT_EQ(reported.exit, 0) << reported.err;
  EXPECT_THAT(here.read("p.html"), HasSubstr("\"complete\":false"));
}

TEST(Report, SaysWhatIsWrong) {
  const Workplace here;
  EXPECT_EQ(here.hilda("report none.mcap").exit, 2);
  EXPECT_EQ(here.hilda("report").exit, 64);
  here.write("no.mcap", "this is not a log");
  EXPECT_EQ(here.hilda("report no.mcap").exit, 2);
}

TEST(Encoding, TakesDoublesWhereSinglesLoseWhatIsSeen) {
  std::vector<double> far(100), near(100), between(100);
  for (std::size_t i = 0; i < far.size(); ++i) {
    near[i] = std::sin(static_cast<double>(i));
    far[i] = 1e6 + 1e-3 * near[i];
    between[i] = 1e3 + 0.1 * near[i]; // singles there are 6e-5 apart, a zoomed curve would show them as steps
  }
  EXPECT_EQ(report::encode(near).width, 4U);
  EXPECT_EQ(report::encode(far).width, 8U);
  EXPECT_EQ(report::encode(between).width, 8U);
  EXPECT_EQ(report::encode(std::vector<double>{}).width, 4U);
}

TEST(Encoding, WritesBase64WithItsPadding) {
  const std::array<unsigned char, 4> bytes{'h', 'i', 'l', 'd'};
  EXPECT_EQ(report::base64(std::span(bytes).first(0)), "");
  EXPECT_EQ(report::base64(std::span(bytes).first(1)), "aA==");
  EXPECT_EQ(report::base64(std::span(bytes).first(2)), "aGk=");
  EXPECT_EQ(report::base64(std::span(bytes).first(3)), "aGls");
  EXPECT_EQ(report::base64(bytes), "aGlsZA==");
}

} // namespace
} // namespace hilda::test
