// SPDX-License-Identifier: BSD-3-Clause
// hilda describe --html: all blocks on a self-contained page.
#include "tests/cli/program.h"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::set<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.insert((*at)[1].str());
  return found;
}

TEST(Reference, HoldsEveryBlockOnce) {
  const Workplace place;
  ASSERT_EQ(place.hilda("describe --html -o blocks.html").exit, 0);
  const std::string page = place.read("blocks.html");
  const std::set<std::string> types = all_matches(place.hilda("blocks").out, "\n  ([a-z_0-9]+/[A-Za-z0-9]+) ");
  EXPECT_GT(types.size(), 100u);
  std::set<std::string> articles = all_matches(page, "<article id=\"([^\"]+)\">");
  for (std::string type : types) {
    std::replace(type.begin(), type.end(), '/', '.');
    EXPECT_EQ(articles.erase(type), 1u) << type;
  }
  EXPECT_TRUE(articles.empty());
  // Every link leads to a place on the page, and nothing is fetched from elsewhere.
  const std::set<std::string> places = all_matches(page, " id=\"([^\"]+)\"");
  for (const std::string& link : all_matches(page, "href=\"#([^\"]+)\"")) EXPECT_EQ(places.count(link), 1u) << link;
  EXPECT_TRUE(all_matches(page, "((?:src|href)=\"[^#\"])").empty());
  EXPECT_THAT(page, Not(HasSubstr("url(")));
}

TEST(Reference, TellsPortsUnitsAndRanges) {
  const Workplace place;
  const Result outcome = place.hilda("describe PhaseLead discrete/Delay --html");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "<td class=\"name\">time_constant</td><td class=\"shape\">scalar</td>"
          "<td class=\"unit\">s</td><td>Delay to undo</td><td>default 0 s, at least 0, may change while it runs</td>"));
  EXPECT_THAT(outcome.out, HasSubstr("feeds through, optional"));
  EXPECT_THAT(outcome.out, HasSubstr("&lt;block name=&quot;phase_lead&quot; type=&quot;contact/PhaseLead&quot;/&gt;"));
  EXPECT_EQ(all_matches(outcome.out, "<article id=\"([^\"]+)\">").size(), 2u);
}

/// The page after its script has run, as the browser has it.
std::string in_browser(const Workplace& place, const std::string& file) {
  const std::string line = "cd '" + place.path().string() +
                           "' && timeout 60 chromium --headless --no-sandbox "
                           "--disable-gpu --user-data-dir=profile --dump-dom file://\"$PWD\"/" +
                           file + " >dom.html 2>browser.txt";
  EXPECT_EQ(std::system(line.c_str()), 0) << place.read("browser.txt");
  return place.read("dom.html");
}

TEST(Reference, IsWholeWithoutScriptsAndSearchedWithThem) {
  const Workplace place;
  ASSERT_EQ(place.hilda("describe --html -o blocks.html").exit, 0);
  std::string page = place.read("blocks.html");
  EXPECT_TRUE(all_matches(page, "(<(?:article|section|li)[^>]* hidden)").empty());
  const std::string last = "\nsearch();\n";
  ASSERT_NE(page.rfind(last), std::string::npos);
  // the changed script is not the one that the page's policy allows
  page = std::regex_replace(page, std::regex("<meta http-equiv=\"Content-Security-Policy\"[^>]*>"), "");
  page.replace(page.rfind(last), last.size(), "\nfield.value = 'delay to UNDO'; search();\n");
  place.write("searched.html", page);
  const std::string dom = in_browser(place, "searched.html");
  const std::size_t all = all_matches(page, "<article id=\"([^\"]+)\"").size();
  const std::set<std::string> hidden = all_matches(dom, "<article id=\"([^\"]+)\" hidden");
  EXPECT_EQ(hidden.count("contact.PhaseLead"), 0u);
  EXPECT_GT(hidden.size(), all * 9 / 10);
  EXPECT_THAT(dom, HasSubstr(std::to_string(all - hidden.size()) + " of " + std::to_string(all) + " blocks"));
}

/// Colours are variables, each with a value for light and one for dark; paper has those of light.
TEST(Reference, IsDarkOnADarkScreenAlone) {
  const Workplace place;
  const std::string page = place.hilda("describe PhaseLead --html").out;
  const std::string style = page.substr(page.find("<style>"), page.find("</style>") - page.find("<style>"));
  const std::size_t dark = style.find("@media screen and (prefers-color-scheme: dark)"),
                    rules = style.find("* { box-sizing");
  ASSERT_LT(dark, rules);
  const std::string names = "(--[a-z]+): #";
  EXPECT_EQ(all_matches(style.substr(0, dark), names), all_matches(style.substr(dark, rules - dark), names));
  EXPECT_TRUE(all_matches(style.substr(rules), "(#[0-9a-f]{3,6});").empty()) << "a colour that stays in the dark";
}

TEST(Reference, MisuseIsSaid) {
  const Workplace place;
  EXPECT_EQ(place.hilda("describe").exit, 64);
  EXPECT_EQ(place.hilda("describe PhaseLead -o x.html").exit, 64);
  EXPECT_THAT(place.hilda("describe --html PhaseLaed").err, HasSubstr("did you mean"));
}

} // namespace
} // namespace hilda::test
