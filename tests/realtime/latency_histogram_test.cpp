// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/machine/latency_histogram.h"
#include "tests/modules.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace hilda::test {
namespace {

TEST(LatencyHistogram, KnowsPercentilesToASixteenth) {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> times(10, 2);
  LatencyHistogram histogram;
  std::vector<std::int64_t> all;
  for (int i = 0; i < 20000; ++i) {
    all.push_back(static_cast<std::int64_t>(times(random)));
    histogram.add(all.back());
  }
  std::sort(all.begin(), all.end());
  for (const double q : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(all.size()))) - 1;
    const auto exact = static_cast<double>(all[rank]);
    EXPECT_GE(static_cast<double>(histogram.percentile(q)), exact) << q;
    EXPECT_LE(static_cast<double>(histogram.percentile(q)), exact * (1 + 1.0 / 16) + 1) << q;
  }
  EXPECT_EQ(histogram.percentile(1), all.back());
  EXPECT_EQ(histogram.max(), all.back());
  EXPECT_EQ(histogram.count(), all.size());
}

TEST(LatencyHistogram, TakesWhateverComes) {
  LatencyHistogram histogram;
  histogram.add(-5);
  histogram.add(0);
  histogram.add(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(histogram.percentile(0.5), 0);
  EXPECT_EQ(histogram.max(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(histogram.above(1000), 1U);
  EXPECT_THAT(histogram.chart(""), testing::HasSubstr("below 1 us"));
}

TEST(LatencyHistogram, OfNothingSaysNothing) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.percentile(0.99), 0);
  EXPECT_EQ(histogram.chart(""), "");
}

TEST(LatencyHistogram, ChartsEveryCountOnce) {
  LatencyHistogram histogram;
  for (int i = 0; i < 10; ++i) histogram.add(30'000);
  histogram.add(700);
  histogram.add(3'000'000);
  const std::string chart = histogram.chart("");
  EXPECT_THAT(chart, testing::StartsWith("        below 1 us  "));
  EXPECT_THAT(chart, testing::ContainsRegex("20 us to 50 us +#+ +10\n"));
  EXPECT_THAT(chart, testing::ContainsRegex("2 ms to 5 ms +# +1\n"));
}

TEST(DurationInWords, HasThreeDigits) {
  EXPECT_EQ(duration_in_words(0), "0 ns");
  EXPECT_EQ(duration_in_words(999), "999 ns");
  EXPECT_EQ(duration_in_words(59'400), "59.4 us");
  EXPECT_EQ(duration_in_words(1'254'000), "1.25 ms");
  EXPECT_EQ(duration_in_words(999'600'000), "0.9996 s");
}

} // namespace
} // namespace hilda::test
