// SPDX-License-Identifier: BSD-3-Clause
// Drawings of a diagram that is edited while a page shows it.
#include "tests/cli/program.h"
#include "tests/studio/served.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using SceneJson = nlohmann::json;
using ::testing::HasSubstr;

/// Left upper corners from the scene's origin, by path.
std::map<std::string, std::pair<double, double>> places_in(const SceneJson& scene) {
  std::map<std::string, std::pair<double, double>> places;
  const double x = scene["origin"]["x"], y = scene["origin"]["y"];
  for (const SceneJson& symbol : scene["symbols"])
    places[symbol["path"]] = {symbol["x"].get<double>() - x, symbol["y"].get<double>() - y};
  return places;
}

SceneJson next_hello(const WebClient& page) {
  const std::string text = page.text_with("\"op\":\"hello\"");
  return text.empty() ? SceneJson() : SceneJson::parse(text);
}

/// The next one of which it holds: a change on the disk may be reported twice, by who runs the diagram and by who edits
/// it.
template <typename Holds> SceneJson hello_that(const WebClient& page, const Holds& holds) {
  while (true) {
    SceneJson hello = next_hello(page);
    if (hello.is_null() || holds(hello)) return hello;
  }
}

/// The loop with more in it, and another text instead of one that it has.
std::string loop_with(const std::string& more, const std::string& what = "", const std::string& with = "") {
  std::string text = tuned_loop;
  text.insert(text.rfind("</diagram>"), more);
  if (!what.empty()) text.replace(text.find(what), what.size(), with);
  return text;
}

TEST(Drawing, SymbolsStayWhenTheDiagramIsEditedAndPinnedOnesAreWhereTheyAreToBe) {
  const Workplace here;
  here.write("loop.xml", loop_with(""));
  const Served studio(here, "studio", {"studio", here.path("loop.xml"), "--no-open"});
  ASSERT_NE(studio.port, 0) << studio.said();
  const WebClient page = studio.connect("hilda.v1");
  const auto before = places_in(next_hello(page)["scene"]);
  ASSERT_EQ(before.size(), 8U);

  here.write("loop.xml", loop_with("<block name=\"watch\" type=\"sinks/Terminator\"/>"
                                   "<connect from=\"sum.y\" to=\"watch.u\"/>"));
  const auto has_watch = [](const SceneJson& each) { return places_in(each["scene"]).count("watch") != 0; };
  auto after = places_in(hello_that(page, has_watch)["scene"]);
  EXPECT_EQ(after.erase("watch"), 1U);
  EXPECT_EQ(after, before);

  here.write("loop.xml", loop_with("", "name=\"slow\"", "name=\"slow\" ui.x=\"-120\" ui.y=\"-240\""));
  after = places_in(hello_that(page, [&](const SceneJson& each) { return !has_watch(each); })["scene"]);
  EXPECT_EQ(after["slow"], (std::pair{-120.0, -240.0}));
  after["slow"] = before.at("slow");
  EXPECT_EQ(after, before) << "the others stay";

  here.write("loop.xml", loop_with("", "name=\"slow\"", "name=\"slow\" ui.x=\"far\" ui.y=\"0\""));
  const SceneJson hello = hello_that(page, [](const SceneJson& each) { return !each["diagnostics"].empty(); });
  ASSERT_EQ(hello["diagnostics"].size(), 1U);
  EXPECT_EQ(hello["diagnostics"][0]["code"], "drawing-hint");
  EXPECT_THAT(std::string(hello["diagnostics"][0]["what"]), HasSubstr("ui.x is 'far'"));
}

TEST(Drawing, IsArrangedFromScratchOnRequest) {
  const Workplace here;
  here.write("loop.xml", loop_with(""));
  const Served studio(here, "studio", {"studio", here.path("loop.xml"), "--no-open"});
  const WebClient page = studio.connect("hilda.v1");
  const auto fresh = places_in(next_hello(page)["scene"]);
  for (const std::string field : {"from_scratch", "anew"}) { // the second one is its name in 0.1.0
    here.write("loop.xml", loop_with("", "name=\"slow\"", "name=\"slow\" ui.x=\"900\" ui.y=\"600\""));
    next_hello(page);
    here.write("loop.xml", loop_with(""));
    EXPECT_NE(places_in(next_hello(page)["scene"]), fresh) << "where it was pinned";
    page.send(R"({"op":"scene","id":1,")" + field + "\":true}");
    const SceneJson reply = SceneJson::parse(page.text_with("\"op\":\"reply\",\"id\":1,"));
    EXPECT_EQ(places_in(reply["scene"]), fresh) << field;
  }
}

} // namespace
} // namespace hilda::test
