// SPDX-License-Identifier: BSD-3-Clause
// Euler angles wrap at 180 degrees: what takes their differences goes the shorter way round.

#include "tests/project_folders.h"

#include <cmath>
#include <gtest/gtest.h>
#include <hilda/testing.h>

namespace hilda::test {
namespace {

namespace kit = hilda::testing;
using Six = std::vector<double>;

const kit::Plugin& arm() {
  static const kit::Plugin plugin(build_folder() + "/lib/hilda/plugins/arm.so");
  return plugin;
}

TEST(CoordinateDifference, OfAnAngleThatWrapsIsItsRate) {
  kit::Bench bench(arm().type("CoordinateDifference"), {.period = 1e-3});
  for (const double speed : {1.0, -1.0}) {
    double angle = speed * (M_PI - 0.0015);
    for (int k = 0; k < 5; ++k, angle += speed * 1e-3) {
      bench.set("coordinates", Six{0.1, 0.2, 0.3, 0, 0, std::remainder(angle, 2 * M_PI)});
      bench.compute();
      if (k > 0) { EXPECT_NEAR(bench.number("rate", 5), speed, 1e-9) << k; }
      bench.advance();
    }
  }
}

TEST(Admittance, AcrossAWrapGoesTheShorterWay) {
  kit::Bench bench(arm().type("Admittance"), {.period = 1e-3});
  bench.set("position", Six{0, 0, 0, 0, 0, M_PI - 0.01});
  bench.set("desired_position", Six{0, 0, 0, 0, 0, -M_PI + 0.01});
  bench.compute();
  bench.advance();
  bench.compute();
  EXPECT_NEAR(bench.number("reference", 5), 1e-3 * 600 / 800 * 0.02, 1e-12);
}

} // namespace
} // namespace hilda::test
