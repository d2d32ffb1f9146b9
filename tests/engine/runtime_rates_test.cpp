// SPDX-License-Identifier: BSD-3-Clause
// Several rates in one loop: fast to slow samples, slow to fast holds, and time stays exact.

#include "tests/engine/loop.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

TEST(Rates, FastToSlowSamples) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
<block name="hold" type="discrete/ZeroOrderHold" sample_time="5 ms"/>
<connect from="clock.time" to="hold.u"/>
)");
  loop.run(23);
  for (std::size_t k = 0; k < 23; ++k)
    EXPECT_EQ(loop.trace("hold.y").at(k), loop.trace("clock.time").at(k / 5 * 5)) << k;
}

TEST(Rates, SlowToFastHolds) {
  Loop loop(R"(<block name="slow" type="sources/Clock" sample_time="4 ms"/>
<block name="fast" type="sources/Clock"/>
<block name="sum" type="math/Sum" signs="++"/>
<connect from="slow.time" to="sum.u[0]"/>
<connect from="fast.time" to="sum.u[1]"/>
)");
  loop.run(19);
  for (std::size_t k = 0; k < 19; ++k) {
    const std::vector<double>& t = loop.trace("fast.time");
    EXPECT_EQ(loop.trace("sum.y").at(k), t.at(k / 4 * 4) + t.at(k)) << k;
  }
}

TEST(Rates, TickIsTheGreatestCommonTime) {
  Loop loop(R"(<block name="two" type="sources/Clock" sample_time="2 ms"/>
<block name="three" type="sources/Clock" sample_time="3 ms"/>
)",
            {}, "6 ms");
  EXPECT_EQ(loop.runtime().base(), Rational(1, 1000));
  loop.run(13);
  for (std::size_t k = 0; k < 13; ++k) {
    EXPECT_EQ(loop.trace("two.time").at(k), static_cast<double>(k / 2 * 2) / 1000) << k;
    EXPECT_EQ(loop.trace("three.time").at(k), static_cast<double>(k / 3 * 3) / 1000) << k;
  }
}

/// Shapes that a block reports are those of a simulation: the same file has the same shapes on hardware.
TEST(Inference, OfABlockIsThatOfASimulation) {
  Loop loop("<block name='told' type='probes/AsTold'/>\n");
  EXPECT_EQ(loop.runtime().find_signal("told.y")->span.count, 2u);
}

TEST(Wiring, AnOpenInputThatIsExpectedIsAWarning) {
  const std::string pid = "<block name='c' type='sources/Clock'/><block name='pid' type='discrete/Pid' kp='2'/>\n"
                          "<connect from='c.time' to='pid.setpoint'/>\n";
  EXPECT_THAT(errors_of(pid),
              ::testing::HasSubstr("warning[open-input]: nothing drives 'pid.measured' of discrete/Pid"));
  EXPECT_EQ(errors_of(pid + "<block name='zero' type='sources/Constant' value='0'/>"
                            "<connect from='zero.y' to='pid.measured'/>\n"),
            "");
}

TEST(Rates, BlocksKnowTheirOwnSampleTime) {
  Loop loop(R"(<block name="one" type="sources/Constant" value="1" sample_time="3 ms"/>
<block name="sum" type="discrete/DiscreteIntegrator"/>
<connect from="one.y" to="sum.u"/>
)");
  loop.run(10);
  EXPECT_DOUBLE_EQ(loop.trace("sum.y").at(9), 3 * 0.003);
  EXPECT_DOUBLE_EQ(loop.trace("sum.y").at(8), 2 * 0.003);
}

TEST(Rates, TimeIsExactAfterManyTicks) {
  Loop loop("<block name='clock' type='sources/Clock'/>\n", {}, "0.1 s");
  for (std::int64_t k = 0; k < 100000; ++k) {
    ASSERT_TRUE(loop.runtime().compute());
    ASSERT_EQ(loop.value("clock.time"), static_cast<double>(k) / 10) << k;
    ASSERT_TRUE(loop.runtime().advance());
  }
}

TEST(Rates, SlowBlocksUpdateAtTheirOwnTicks) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
<block name="before" type="discrete/UnitDelay" sample_time="4 ms"/>
<connect from="clock.time" to="before.u"/>
)");
  loop.run(13);
  const std::vector<double>& t = loop.trace("clock.time");
  for (std::size_t k = 0; k < 13; ++k) EXPECT_EQ(loop.trace("before.y").at(k), k < 4 ? 0 : t.at(k / 4 * 4 - 4)) << k;
}

} // namespace
} // namespace hilda::test
