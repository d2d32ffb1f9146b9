// SPDX-License-Identifier: BSD-3-Clause
// The published cases, tick by tick, against traces of an independent implementation.

#include "tests/project_folders.h"
#include "tests/tdpa/tdpa_run.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace hilda::test {
namespace {

using Table = std::vector<std::vector<double>>;

Table golden(const std::string& name) {
  std::ifstream file(source_folder() + "/tests/tdpa/golden/" + name + ".csv");
  Table rows;
  std::string line;
  std::getline(file, line); // t, then x y z rx ry rz of Vs Vc Vr Fe Fc W
  while (std::getline(file, line)) {
    std::vector<double>& row = rows.emplace_back();
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
  }
  return rows;
}

struct GoldenCase {
  std::string trace, diagram;
  std::size_t every; ///< ticks a row of the trace
};
void PrintTo(const GoldenCase& given, std::ostream* to) { *to << given.diagram; }

class GoldenTrace : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenTrace, EveryChannelWithin1e9OfItsLargestValue) {
  const GoldenCase& given = GetParam();
  const Table trace = golden(given.trace);
  ASSERT_GT(trace.size(), 1000u);
  const TdpaRun run = run_tdpa({.diagram = given.diagram, .settings = {}, .replaced = {}, .rig = {}});
  ASSERT_EQ(run.errors, "");
  ASSERT_EQ((trace.size() - 1) * given.every + 1, run.rows.size());
  static constexpr const char* names[] = {"Vs", "Vc", "Vr", "Fe", "Fc", "W"};
  for (std::size_t channel = 0; channel < 6; ++channel)
    for (int axis = 0; axis < 6; ++axis) {
      if (channel == 5 && run.port) continue; // single axes mean nothing then
      double largest = 0.0, worst = 0.0;
      for (std::size_t k = 0; k < trace.size(); ++k) {
        const TdpaRun::Row& row = run.rows[k * given.every];
        const Vector6d* values[] = {&row.body, &row.commanded, &row.robot, &row.measured, &row.applied, &row.claimed};
        const double expected = trace[k].at(1 + 6 * channel + static_cast<std::size_t>(axis));
        largest = std::max(largest, std::abs(expected));
        worst = std::max(worst, std::abs(expected - (*values[channel])[axis]));
      }
      EXPECT_LE(worst, 1e-9 * largest) << names[channel] << " axis " << axis;
    }
}

TEST_P(GoldenTrace, SumOfTheObserver) {
  const GoldenCase& given = GetParam();
  const Table trace = golden(given.trace);
  const TdpaRun run = run_tdpa({.diagram = given.diagram, .settings = {}, .replaced = {}, .rig = {}});
  ASSERT_EQ(run.errors, "");
  double largest = 0.0, worst = 0.0;
  for (std::size_t k = 0; k < trace.size(); ++k) {
    double sum = 0.0;
    for (std::size_t i = 31; i < 37; ++i) sum += trace[k].at(i);
    largest = std::max(largest, std::abs(sum));
    worst = std::max(worst, std::abs(sum - run.rows[k * given.every].claimed_total));
  }
  EXPECT_LE(worst, 1e-9 * largest);
}

INSTANTIATE_TEST_SUITE_P(Published, GoldenTrace,
                         ::testing::Values(GoldenCase{"tdpa_fig4_uncompensated", "tdpa_uncompensated", 10},
                                           GoldenCase{"tdpa_fig12_pc", "tdpa", 10},
                                           GoldenCase{"tdpa_fig20_full", "tdpa_full", 4},
                                           GoldenCase{"tdpa_fig23_docking_port", "tdpa_docking", 5}),
                         [](const auto& given) { return given.param.diagram; });

} // namespace
} // namespace hilda::test
