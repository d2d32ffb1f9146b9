// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/recorded_test.h"

#include <fmt/format.h>

namespace hilda::cli {

std::string recorded_test_text(const RecordedTest& test) {
  return fmt::format(R"(#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <hilda/testing.h>
#include <sstream>

namespace {{
using namespace hilda::testing;

const Plugin plugin(HILDA_PLUGIN_FILE);

struct Port {{
  std::string name;
  Shape shape;
}};
const std::vector<Port> inputs{{{0}}};
const std::vector<Port> outputs{{{1}}};
constexpr double tolerance = 1e-9; // of the largest value of a column

/// What {2} got and gave, a row a tick.
std::vector<std::vector<double>> recorded() {{
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "recorded.csv");
  std::vector<std::vector<double>> rows;
  std::string line, cell;
  std::getline(file, line); // names
  while (std::getline(file, line)) {{
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stod(cell));
  }}
  return rows;
}}

TEST({3}, {4}) {{
  const std::vector<std::vector<double>> rows = recorded();
  ASSERT_EQ(rows.size(), {5}U) << "recorded.csv is not whole";
  std::vector<double> largest(rows.front().size(), 0);
  for (const std::vector<double>& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) largest[i] = std::max(largest[i], std::abs(row[i]));
  Bench bench(plugin.type("{3}"), {{{6}}});
  for (std::size_t k = 0; k < rows.size(); ++k) {{
    std::size_t column = 0;
    for (const Port& port : inputs) {{
      const auto first = rows[k].begin() + static_cast<std::ptrdiff_t>(column);
      bench.set(port.name, Value(port.shape, std::vector<double>(first, first + port.shape.count())));
      column += static_cast<std::size_t>(port.shape.count());
    }}
    bench.compute();
    for (const Port& port : outputs)
      for (std::size_t i = 0; i < static_cast<std::size_t>(port.shape.count()); ++i, ++column)
        ASSERT_NEAR(bench.number(port.name, i), rows[k][column], tolerance * largest[column])
            << port.name << "[" << i << "] at tick " << k;
    bench.advance();
    ASSERT_FALSE(bench.verdict() == HILDA_FAIL && k + 1 < rows.size()) << bench.verdict_text() << ", at tick " << k;
  }}
}}

TEST(EveryBlock, KeepsWhatItPromises) {{
  for (const Finding& finding : check_all(plugin)) EXPECT_NE(finding.verdict, Verdict::failed) << finding.text();
}}

}} // namespace
)",
                     test.inputs, test.outputs, test.origin, test.class_name, test.test, test.rows, test.setup);
}

std::string recorded_cmake_text(const std::string& plugin) {
  return fmt::format("cmake_minimum_required(VERSION 3.25)\nproject({0} LANGUAGES CXX)\nif(NOT CMAKE_BUILD_TYPE)\n"
                     "  set(CMAKE_BUILD_TYPE RelWithDebInfo)\nendif()\n\nfind_package(hilda REQUIRED)\n"
                     "hilda_add_plugin({0} {0}.cpp)\n\n"
                     "# ctest runs {0}_test.cpp, which holds the block against recorded.csv, and the checks that every "
                     "block must pass.\n"
                     "enable_testing()\nhilda_add_plugin_tests({0} SOURCES {0}_test.cpp)\n",
                     plugin);
}

} // namespace hilda::cli
