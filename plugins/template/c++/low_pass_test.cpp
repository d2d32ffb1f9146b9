#include <cmath>
#include <gtest/gtest.h>
#include <hilda/testing.h>

namespace {
using namespace hilda::testing;

const Plugin plugin(HILDA_PLUGIN_FILE);
const Type& low_pass = plugin.type("LowPass");

TEST(LowPass, FollowsAStepAsTheEquationSays) {
  Bench bench(low_pass, {.parameters = {{"time_constant", 0.02}, {"initial", 1.0}}, .period = 1e-3});
  bench.set("u", 3);
  for (int k = 0; k < 100; ++k) {
    bench.compute();
    EXPECT_NEAR(bench.number("y"), 3 - 2 * std::exp(-k * 1e-3 / 0.02), 1e-12) << "tick " << k;
    bench.advance();
  }
}

TEST(LowPass, StartsAgainAtAReset) {
  Bench bench(low_pass, {.parameters = {{"time_constant", 0.02}, {"initial", 1.0}}});
  bench.set("u", 3);
  bench.run(10);
  bench.reset();
  bench.compute();
  EXPECT_EQ(bench.number("y"), 1);
}

TEST(EveryBlock, KeepsWhatItPromises) {
  for (const Finding& finding : check_all(plugin)) EXPECT_NE(finding.verdict, Verdict::failed) << finding.text();
}

} // namespace
