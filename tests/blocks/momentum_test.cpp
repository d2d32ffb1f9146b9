// SPDX-License-Identifier: BSD-3-Clause
// dynamics/MomentumBalance and emulation/Actuator against their definitions.

#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <hilda/testing.h>

#include <cmath>

namespace hilda::test {
namespace {

namespace kit = hilda::testing;
using Three = std::vector<double>;

const kit::Plugin& plugin(const std::string& name) {
  static std::map<std::string, kit::Plugin> plugins;
  return plugins.try_emplace(name, build_folder() + "/lib/hilda/plugins/" + name + ".so").first->second;
}

kit::Setup bodies(int count, bool closed = true) {
  return {.parameters = {{"closed", closed ? 1 : 0}},
          .counts = {{"position", count}, {"momentum", count}, {"angular_momentum", count}},
          .period = 1e-3};
}

double norm(const Three& v) { return std::hypot(v[0], v[1], v[2]); }

/// Two bodies: one moves along x through the origin and spins about z, the other flies past it.
struct Pair {
  kit::Bench bench;
  Three first{2, 0, 0}, second{0, -1, 0};

  explicit Pair(double scale = 1.0, bool closed = true)
      : bench(plugin("dynamics").type("MomentumBalance"), bodies(2, closed)) {
    for (double& x : first) x *= scale;
    for (double& x : second) x *= scale;
    bench.set("position[0]", Three{1, 0, 0});
    bench.set("position[1]", Three{2, 2, 0});
    bench.set("momentum[0]", first);
    bench.set("momentum[1]", second);
    bench.set("angular_momentum[0]", Three{0, 0, 3 * scale});  // all of it spin
    bench.set("angular_momentum[1]", Three{0, 0, -2 * scale}); // 2 * -1: none of it spin
  }
  void expect(double linear, double angular) {
    bench.compute();
    EXPECT_NEAR(bench.number("linear_error"), linear, 1e-14) << bench.tick();
    EXPECT_NEAR(bench.number("angular_error"), angular, 1e-14) << bench.tick();
    bench.advance();
  }
};

// Scales of the pair: |2| + |-1| = 3; 1 * 2 + 3 + sqrt(8) * 1 + 0.
const double angular_scale = 5 + std::sqrt(8.0);

TEST(MomentumBalance, IsRelativeToTheSumsAtTheStart) {
  for (const double scale : {1.0, 0.01, 40.0}) {
    Pair pair(scale);
    pair.expect(0, 0);
    pair.expect(0, 0);
    pair.bench.set("momentum[1]", Three{0, -1 * scale, 0.6 * scale});
    pair.bench.set("angular_momentum[0]", Three{0.4 * scale, 0, 3.3 * scale});
    pair.expect(0.6 / 3, 0.5 / angular_scale);
    pair.bench.set("momentum[0]", Three{0, -1 * scale, 0.6 * scale});
    pair.bench.set("momentum[1]", pair.first);
    pair.expect(0.6 / 3, 0.5 / angular_scale);
    pair.bench.set("momentum[0]", pair.second);
    pair.expect(0, 0.5 / angular_scale);
  }
}

TEST(MomentumBalance, KeepsTheWorstThatItHasSeen) {
  Pair pair;
  pair.expect(0, 0);
  pair.bench.set("momentum[1]", Three{0, -1, 0.6});
  pair.bench.set("angular_momentum[1]", Three{0, 0.3, -2});
  pair.expect(0.2, 0.3 / angular_scale);
  pair.bench.set("momentum[1]", pair.second);
  pair.bench.set("angular_momentum[1]", Three{0, 0.1, -2});
  pair.expect(0, 0.1 / angular_scale);
  EXPECT_NEAR(pair.bench.number("linear_worst"), 0.2, 1e-14);
  EXPECT_NEAR(pair.bench.number("angular_worst"), 0.3 / angular_scale, 1e-14);
}

TEST(MomentumBalance, IsAbsoluteWhereNothingMovesAtTheStart) {
  kit::Bench bench(plugin("dynamics").type("MomentumBalance"), bodies(1));
  bench.set("position[0]", Three{1, 2, 3});
  bench.step();
  bench.set("momentum[0]", Three{0.3, 0, 0.4});
  bench.set("angular_momentum[0]", Three{0, 0, 7});
  bench.compute();
  EXPECT_NEAR(bench.number("linear_error"), 0.5, 1e-15);
  EXPECT_NEAR(bench.number("angular_error"), 7, 1e-14);
}

TEST(MomentumBalance, SaysNothingOfBodiesThatAreNotAlone) {
  Pair pair(1.0, false);
  pair.expect(0, 0);
  pair.bench.set("momentum[1]", Three{0, 5, 0});
  pair.bench.set("angular_momentum[1]", Three{0, 5, 0});
  pair.expect(0, 0);
}

TEST(MomentumBalance, StartsAnewAfterAReset) {
  Pair pair;
  pair.expect(0, 0);
  pair.bench.set("momentum[0]", Three{0, 0, 4});
  pair.expect(norm({-2, 0, 4}) / 3, 0);
  pair.bench.reset();
  pair.expect(0, 0);
  pair.bench.set("momentum[0]", Three{0, 0, 6});
  pair.expect(2.0 / 5, 0);
}

TEST(MomentumBalance, WantsEveryBodyWhole) {
  for (const char* port : {"position", "momentum", "angular_momentum"}) {
    kit::Setup setup = bodies(2);
    setup.counts[port] = 1;
    EXPECT_THROW(kit::Bench(plugin("dynamics").type("MomentumBalance"), setup), kit::Refused) << port;
  }
}

TEST(Actuator, BeginsAtTheFirstCommandAndFollowsWithItsBandwidth) {
  kit::Bench drive(plugin("emulation").type("Actuator"),
                   {.parameters = {{"bandwidth", 80.0}}, .shapes = {{"command", {2, 1}}}, .period = 1e-3});
  drive.set("command", Three{3, -2});
  for (int k = 0; k < 3; ++k) {
    drive.compute();
    EXPECT_EQ(drive.number("torque", 0), 3) << k;
    EXPECT_EQ(drive.number("torque", 1), -2) << k;
    drive.advance();
  }
  drive.set("command", Three{5, 0});
  for (int k = 0; k < 50; ++k) {
    drive.compute();
    const double left = std::exp(-80e-3 * k);
    EXPECT_NEAR(drive.number("torque", 0), 5 - 2 * left, 1e-6) << k;
    EXPECT_NEAR(drive.number("torque", 1), -2 * left, 1e-6) << k;
    drive.advance();
  }
}

TEST(Actuator, OfNoBandwidthIsIdeal) {
  kit::Bench drive(plugin("emulation").type("Actuator"),
                   {.parameters = {{"bandwidth", 0.0}}, .shapes = {{"command", {2, 1}}}, .period = 1e-3});
  for (int k = 0; k < 5; ++k) {
    drive.set("command", Three{3.0 * k, -2});
    drive.step();
    EXPECT_EQ(drive.number("torque", 0), 3.0 * k);
    EXPECT_EQ(drive.number("torque", 1), -2);
  }
}

} // namespace
} // namespace hilda::test
