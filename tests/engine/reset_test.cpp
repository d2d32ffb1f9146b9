// SPDX-License-Identifier: BSD-3-Clause
// An Integrator that a boolean sets: at the very time where crossings are located, else at the tick.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

/// `high` while sin(t - 0.5) > 0: from 0.5 on, from 0.5 + pi on not, and so on; `x` grows by 1 a second from 0.25.
std::string clocked(const std::string& attributes, const std::string& more = "") {
  return "<block name='wave' type='sources/Sine' amplitude='1' frequency='0.15915494309189535 Hz' phase='-0.5 rad' "
         "sample_time='continuous'/><block name='high' type='math/Compare' operation='greater'/>"
         "<block name='rate' type='sources/Constant' value='1 1/s'/>"
         "<block name='x' type='continuous/Integrator' initial='0.25' " +
         attributes + "/><connect from='wave.y' to='high.a'/><connect from='rate.y' to='x.u'/>" + more;
}

const std::vector<std::string>& exact_periods() {
  static const std::vector<std::string> all = {"100 ms\" solver=\"dopri5", "100 ms\" solver=\"rosenbrock",
                                               "100 ms\" events=\"located"};
  return all;
}

struct WantedReset {
  const char* on;
  double at_3, at_5, at_8; ///< x at these times
};

TEST(Reset, IsAtTheVeryTimeWhereCrossingsAreLocated) {
  const double pi = M_PI;
  const WantedReset wanted[] = {{"rising", 0.25 + 2.5, 0.25 + 4.5, 0.25 + 8 - 0.5 - 2 * pi},
                                {"falling", 0.25 + 3, 0.25 + 5 - 0.5 - pi, 0.25 + 8 - 0.5 - pi},
                                {"either", 0.25 + 2.5, 0.25 + 5 - 0.5 - pi, 0.25 + 8 - 0.5 - 2 * pi},
                                {"level", 0.25, 0.25 + 5 - 0.5 - pi, 0.25}};
  for (const std::string& period : exact_periods())
    for (const WantedReset& each : wanted) {
      Loop loop(clocked("reset='high.y' reset_on='" + std::string(each.on) + "'"), {}, period);
      loop.run(81);
      EXPECT_EQ(loop.trace("x.y").at(0), 0.25);
      EXPECT_NEAR(loop.trace("x.y").at(4), 0.65, 1e-12) << each.on << ", " << period;
      EXPECT_NEAR(loop.trace("x.y").at(30), each.at_3, 1e-11) << each.on << ", " << period;
      EXPECT_NEAR(loop.trace("x.y").at(50), each.at_5, 1e-11) << each.on << ", " << period;
      EXPECT_NEAR(loop.trace("x.y").at(80), each.at_8, 1e-11) << each.on << ", " << period;
    }
}

TEST(Reset, IsAtTheTickWithAFixedStep) {
  // the comparison holds from the tick at 0.6 s on, and from that at 3.7 s on not; an integral shows it a tick later
  Loop rising(clocked("reset='high.y' reset_on='rising'"), {}, "100 ms");
  rising.run(41);
  EXPECT_NEAR(rising.trace("x.y").at(6), 0.85, 1e-12);
  EXPECT_NEAR(rising.trace("x.y").at(7), 0.35, 1e-12);
  EXPECT_NEAR(rising.trace("x.y").at(40), 0.25 + 3.4, 1e-12);
  Loop level(clocked("reset='high.y' reset_on='level'"), {}, "100 ms");
  level.run(41);
  EXPECT_NEAR(level.trace("x.y").at(7), 0.25, 1e-12);
  EXPECT_NEAR(level.trace("x.y").at(37), 0.25, 1e-12);
  EXPECT_NEAR(level.trace("x.y").at(40), 0.55, 1e-12);
}

TEST(Reset, WithoutResetOnIsTheConditionOfEachTickThatItWas) {
  Loop loop(clocked("reset='high.y'"), {}, "100 ms");
  loop.run(41);
  EXPECT_EQ(loop.trace("x.y").at(6), 0.25); // at the tick, before its outputs
  EXPECT_EQ(loop.trace("x.y").at(36), 0.25);
  EXPECT_NEAR(loop.trace("x.y").at(37), 0.35, 1e-12); // and on from there at once
}

TEST(Reset, IsWiredAsWell) {
  const std::string wire = "<connect from='high.y' to='x.reset'/>";
  Loop attribute(clocked("reset='high.y' reset_on='falling'"), {}, exact_periods()[0]);
  Loop wired(clocked("reset_on='falling'", wire), {}, exact_periods()[0]);
  attribute.run(80), wired.run(80);
  EXPECT_EQ(attribute.bits(), wired.bits());
  EXPECT_THAT(errors_of(clocked("reset='high.y' reset_on='falling'", wire)), HasSubstr("two-drivers"));
}

TEST(Reset, TakesEachElementFromWires) {
  const std::string more = "<block name='three' type='sources/Constant' value='1 2 3'/>"
                           "<block name='other' type='sources/Constant' value='10 20 30'/>"
                           "<block name='rates' type='sources/Constant' value='1 0 -1 1/s'/>"
                           "<block name='v' type='continuous/Integrator' reset='high.y' reset_on='rising' upper='20'/>"
                           "<connect from='rates.y' to='v.u'/><connect from='three.y' to='v.start'/>"
                           "<connect from='other.y' to='v.restart'/>";
  for (const std::string& period : exact_periods()) {
    Loop loop(clocked("", more), {}, period);
    loop.run(31);
    EXPECT_NEAR(loop.value("v.y", 0), 12.5, 1e-11) << period;
    EXPECT_EQ(loop.value("v.y", 1), 20) << period;
    EXPECT_NEAR(loop.value("v.y", 2), 20 - 2.5, 1e-11) << period; // set to its limit, and down from there
  }
}

/// Grows by 1 a second and is set to 0 where it has come to 1.
const std::string sawtooth = "<block name='rate' type='sources/Constant' value='1 1/s'/>"
                             "<block name='full' type='math/Compare' operation='greater_or_equal' with='1'/>"
                             "<block name='x' type='continuous/Integrator' reset='full.y' reset_on='rising'/>"
                             "<block name='z' type='continuous/Integrator'/><connect from='rate.y' to='x.u'/>"
                             "<connect from='x.y' to='full.a'/><connect from='x.y' to='z.u'/>";

TEST(Reset, MayFollowFromItsOwnOutput) {
  for (const std::string& period : exact_periods()) {
    Loop loop(sawtooth, {}, period);
    loop.run(106);
    EXPECT_NEAR(loop.trace("x.y").at(105), 0.5, 1e-11) << period;
    EXPECT_NEAR(loop.trace("z.y").at(105), 5 + 0.125, 1e-10) << period;
  }
}

TEST(Reset, IsTheSameFromACheckpointOn) {
  for (const std::string& period : exact_periods()) {
    Loop loop(sawtooth, {}, period), other(sawtooth, {}, period);
    loop.run(37);
    ASSERT_TRUE(other.runtime().restore(loop.runtime().checkpoint()));
    loop.run(50), other.run(50);
    EXPECT_EQ(loop.bits(), other.bits()) << period;
  }
}

} // namespace
} // namespace hilda::test
