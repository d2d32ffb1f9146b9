// SPDX-License-Identifier: BSD-3-Clause
// Pictures of studies: every text in them can be read, for any study.
#include "tests/modules.h"
#include "tests/pictures/text_places.h"
#include "tools/graphics/study_map.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::study {
namespace {

using test::expect_readable;
using test::texts_of;
using testing::HasSubstr;
using testing::Not;

MapAxis axis(const std::string& name, const std::string& unit, std::size_t count, double last) {
  MapAxis made{.name = name, .unit = {.text = unit}};
  for (std::size_t i = 0; i < count; ++i) {
    made.numbers.push_back(last * static_cast<double>(i + 1) / static_cast<double>(count));
    made.labels.push_back(fmt::format("{:.4g}", made.numbers.back()));
  }
  return made;
}

MapAxis words(const std::string& name, std::vector<std::string> labels) {
  return {.name = name, .numeric = false, .labels = std::move(labels)};
}

/// Means from `low` to `high`, over all cells of all panels.
StudyMap map_of(const MapAxis& across, const MapAxis& up, std::vector<std::string> panels, double low, double high) {
  StudyMap map{
      .title = "study", .figure = "peak", .unit = "N", .across = across, .up = up, .panels = std::move(panels)};
  const std::size_t count = across.size() * std::max<std::size_t>(1, up.size());
  for (std::size_t p = 0; p < map.panels.size(); ++p) {
    map.cells.emplace_back(count);
    for (std::size_t i = 0; i < count; ++i) {
      StudyRow row;
      const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
      row.figures = {low + (high - low) * part};
      map.cells[p][i].take(row, 0);
    }
  }
  return map;
}

const std::vector<std::pair<double, double>> ranges = {{0, 1},         {0.713, 1.027},  {-3e-7, 2e-7}, {43.57, 156.6},
                                                       {1e-3, 7e4},    {1.2e5, 9.9e6},  {5, 5},        {0, 0},
                                                       {1, 1.0000001}, {-1e12, -3.1e3}, {1e-9, 1e9}};

TEST(StudyMap, KeepsAllThatIsWrittenApart) {
  const std::string long_name = "rig.sensor.filter.cutoff_frequency_of_the_second_stage";
  for (const auto& [low, high] : ranges)
    for (const std::size_t columns : {1U, 3U})
      for (const std::size_t count : {1U, 7U, 25U}) {
        const std::vector<std::string> panels = {"pic", "a heading that is wider than its panel by far and farther",
                                                 "c"};
        StudyMap map =
            map_of(axis("delay", "ms", count, 0.123456), axis(long_name, "N/mm", count, 1.234e5), panels, low, high);
        MapStyle style{.limit = low, .columns = columns};
        const std::string what = fmt::format("{} to {}, {} columns, {} values", low, high, columns, count);
        expect_readable(map_svg(map, style), what);
        map.figure = "the_highest_force_of_all_contacts_that_have_been_seen_in_the_whole_run",
        map.doc = std::string(200, 'w');
        expect_readable(map_svg(map, style), what + ", long names");
      }
}

TEST(StudyMap, OfWordsShortensThoseThatDoNotFit) {
  const MapAxis methods = words("diagram", {"uncompensated", "pic", "pida", "tdpa_uncompensated"});
  const std::string svg = map_svg(map_of(methods, methods, {""}, 0, 1), {});
  expect_readable(svg, "words");
  for (const char* text : {">pic<", ">pida<", ">tdpa_uncompensated<"}) EXPECT_THAT(svg, HasSubstr(text));
}

TEST(StudyMap, HasRoundNumbersAtItsColours) {
  const std::string svg = map_svg(map_of(axis("a", "", 3, 3), axis("b", "", 3, 3), {""}, 0.7126, 1.027), {});
  for (const char* text : {">0.8<", ">0.9<", ">1.0<"}) EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr("0.7126")));
}

TEST(StudyMap, OverOneAxisIsLinesWithAnErrorBar) {
  for (const auto& [low, high] : ranges) {
    StudyMap map = map_of(axis("delay", "ms", 11, 40), {}, {"pic", "pida"}, low, high);
    StudyRow other;
    other.figures = {low - 2 * (high - low)};
    map.cells[1][5].take(other, 0);
    const std::string svg = map_svg(map, {.limit = (low + high) / 2});
    expect_readable(svg, fmt::format("{} to {}", low, high));
    for (const char* text : {">delay [ms]<", ">pic<", ">pida<", ">limit ", "#ff2d2d"})
      EXPECT_THAT(svg, HasSubstr(text));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
  }
  const auto lines = [](const std::string& svg) {
    std::size_t count = 0;
    for (std::size_t at = svg.find("stroke=\"#000000\" stroke-width=\"1\""); at != std::string::npos;
         at = svg.find("stroke=\"#000000\" stroke-width=\"1\"", at + 1))
      ++count;
    return count;
  };
  StudyMap map = map_of(axis("delay", "ms", 11, 40), {}, {""}, 1, 2);
  EXPECT_EQ(lines(map_svg(map, {})), 0U) << "one run a place has no bar";
  StudyRow other;
  other.figures = {7};
  map.cells[0][5].take(other, 0);
  EXPECT_EQ(lines(map_svg(map, {})), 1U);
}

TEST(StudyMap, OverWordsHasTheirNamesBelow) {
  const std::string svg = map_svg(map_of(words("diagram", {"uncompensated", "pic", "pida"}), {}, {""}, 1, 3), {});
  expect_readable(svg, "words");
  for (const char* text : {">uncompensated<", ">pic<", ">pida<", ">diagram<"}) EXPECT_THAT(svg, HasSubstr(text));
}

TEST(StudyMap, LinesSayWhatIsMissing) {
  StudyMap map = map_of(axis("delay", "ms", 4, 40), {}, {""}, 1, 2);
  StudyRow none;
  none.figures = {NAN}, none.ending = "failed";
  map.cells[0][2].take(none, 0);
  EXPECT_THAT(map_svg(map, {}), HasSubstr("1 of 5 have no peak"));
}

} // namespace
} // namespace hilda::study
