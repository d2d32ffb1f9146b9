// SPDX-License-Identifier: BSD-3-Clause
// Crossings that are exactly zero at a tick, where steps restart: they count from the last side that was not zero.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

/// A tick of 10 ms with everything that locates crossings.
std::vector<std::string> locating(const std::string& period) {
  std::vector<std::string> made = {period + "\" events=\"located", period + "\" solver=\"euler\" events=\"located"};
  for (const SolverKind kind : variable_solvers()) made.push_back(period + "\" solver=\"" + solver_name(kind));
  return made;
}

constexpr int times = 250;
constexpr int at_once = 25; ///< ramps of one diagram

/// Ramps that are zero at the ticks behind `first`, one after the other; `z` grows by what the blocks make of them. A
/// discrete value restarts steps at each tick.
std::string through(int first, const std::string& blocks) {
  std::string ones, begins;
  for (int i = 1; i <= at_once; ++i) ones += "1 ", begins += fmt::format("{:.17g} ", -0.01 * (first + i));
  return "<block name='rates' type='sources/Constant' value='" + ones +
         "1/s'/><block name='x' type='continuous/Integrator' initial='" + begins +
         "'/><connect from='rates.y' to='x.u'/><block name='stairs' type='sources/Clock' sample_time='10 ms'/>"
         "<block name='s' type='continuous/Integrator'/><connect from='stairs.time' to='s.u'/>"
         "<block name='z' type='continuous/Integrator'/>" +
         blocks;
}

/// The largest error of any `z` that grows by `before` and `after` a second.
double worst_of(const std::string& blocks, const std::string& period, double before, double after) {
  double worst = 0;
  for (int first = 0; first < times; first += at_once) {
    Loop loop(through(first, blocks), {}, period);
    const int ticks = first + at_once + 2;
    loop.run(ticks);
    EXPECT_EQ(loop.runtime().tick(), ticks) << period << ": " << loop.runtime().ending().text;
    const double end = 0.01 * (ticks - 1);
    for (int i = 1; i <= at_once; ++i) {
      const double at = 0.01 * (first + i), right = before * at + after * (end - at);
      worst = std::max(worst, std::abs(loop.value("z.y", static_cast<std::size_t>(i - 1)) - right));
    }
  }
  return worst;
}

TEST(ZeroAtATick, IsCrossedThere) {
  const std::string sign = "<block name='b' type='math/Sign'/><connect from='x.y' to='b.u'/>"
                           "<connect from='b.y' to='z.u'/>";
  const std::string compare = "<block name='c' type='math/Compare' operation='greater'/><block name='b' "
                              "type='math/BoolToReal'/><connect from='x.y' to='c.a'/>"
                              "<connect from='c.y' to='b.u'/><connect from='b.y' to='z.u'/>";
  for (const std::string& period : locating("10 ms")) {
    EXPECT_LT(worst_of(sign, period, -1, 1), 1e-11) << "Sign, " << period;
    EXPECT_LT(worst_of(compare, period, 0, 1), 1e-11) << "Compare, " << period;
  }
}

/// `v` is set to 0 as `x` becomes positive, and grows by 1 a second.
std::string reset_at(double begin) {
  return fmt::format("<block name='rate' type='sources/Constant' value='1 1/s'/>"
                     "<block name='x' type='continuous/Integrator' initial='{:.17g}'/>"
                     "<block name='v' type='continuous/ResetIntegrator'/>"
                     "<block name='stairs' type='sources/Clock' sample_time='10 ms'/>"
                     "<block name='s' type='continuous/Integrator'/><connect from='stairs.time' to='s.u'/>"
                     "<connect from='rate.y' to='x.u'/><connect from='rate.y' to='v.u'/>"
                     "<connect from='x.y' to='v.trigger'/>",
                     begin);
}

TEST(ZeroAtATick, ResetsAnIntegralThere) {
  for (const std::string& period : locating("10 ms"))
    for (int i = 1; i <= times; ++i) {
      Loop loop(reset_at(-0.01 * i), {}, period);
      loop.run(i + 3);
      EXPECT_NEAR(loop.value("v.y"), 0.02, 1e-11) << i << ", " << period;
    }
}

TEST(ZeroAtATick, ResetsAsOftenAsItIsReached) {
  const std::string body = "<block name='rate' type='sources/Constant' value='1 1/s'/>"
                           "<block name='x' type='continuous/ResetIntegrator'/><block name='off' type='math/Bias' "
                           "bias='-1'/><connect from='rate.y' to='x.u'/><connect from='x.y' to='off.u'/>"
                           "<connect from='off.y' to='x.trigger'/>";
  for (const std::string& period : locating("0.0078125 s")) {
    Loop loop(body, {}, period);
    loop.run(5146);
    EXPECT_NEAR(loop.trace("x.y").at(5145), 5145 / 128.0 - 40, 1e-9) << period;
  }
}

/// High from 20 to 40 ms of each 100 ms.
std::string pulsed(const std::string& reset_on) {
  return "<block name='rate' type='sources/Constant' value='1 1/s'/><block name='pulse' type='sources/Pulse' high='1' "
         "repeat='100 ms' width='20 ms' first='20 ms'/><block name='x' type='continuous/ResetIntegrator' reset_on='" +
         reset_on + "'/><connect from='rate.y' to='x.u'/><connect from='pulse.y' to='x.trigger'/>";
}

TEST(ZeroAtATick, PulsesFromZeroToOneRiseAndFall) {
  std::vector<std::string> all = locating("10 ms");
  all.emplace_back("10 ms"); // where the tick after sees it as well
  for (const std::string& period : all) {
    Loop rising(pulsed("rising"), {}, period), falling(pulsed("falling"), {}, period);
    Loop either(pulsed("either"), {}, period), level(pulsed("level"), {}, period);
    for (Loop* each : {&rising, &falling, &either, &level}) each->run(601);
    for (std::size_t k = 5; k <= 600; k += 10) { // 50 ms after each beginning
      EXPECT_NEAR(rising.trace("x.y").at(k), 0.03, 1e-12) << k << ", " << period;
      EXPECT_NEAR(falling.trace("x.y").at(k), 0.01, 1e-12) << k << ", " << period;
      EXPECT_NEAR(either.trace("x.y").at(k), 0.01, 1e-12) << k << ", " << period;
      EXPECT_NEAR(level.trace("x.y").at(k), 0.01, 1e-12) << k << ", " << period;
    }
  }
}

TEST(ZeroAtATick, ATriggerThatBeginsAtZeroDoesNotFire) {
  const std::string body = "<block name='rate' type='sources/Constant' value='1 1/s'/>"
                           "<block name='w' type='continuous/Integrator'/><block name='x' "
                           "type='continuous/ResetIntegrator' initial='5'/><connect from='rate.y' to='w.u'/>"
                           "<connect from='rate.y' to='x.u'/><connect from='w.y' to='x.trigger'/>";
  std::vector<std::string> all = locating("10 ms");
  all.emplace_back("10 ms");
  for (const std::string& period : all) {
    Loop loop(body, {}, period);
    loop.run(11);
    EXPECT_NEAR(loop.trace("x.y").at(10), 5.1, 1e-12) << period;
  }
}

TEST(ZeroAtATick, ABallThatTouchesThereBounces) {
  const std::string body = "<block name='x' type='continuous/Integrator' initial='1.25 m'/>"
                           "<block name='v' type='continuous/ResetIntegrator' reset_on='falling'/>"
                           "<block name='gravity' type='sources/Constant' value='-10 m/s2'/>"
                           "<block name='bounce' type='math/Gain' gain='-0.8'/>"
                           "<block name='stairs' type='sources/Clock' sample_time='10 ms'/>"
                           "<block name='s' type='continuous/Integrator'/><connect from='stairs.time' to='s.u'/>"
                           "<connect from='gravity.y' to='v.u'/><connect from='v.y' to='x.u'/>"
                           "<connect from='x.y' to='v.trigger'/><connect from='v.y' to='bounce.u'/>"
                           "<connect from='bounce.y' to='v.restart'/>";
  for (const std::string& period : locating("10 ms")) {
    if (period.find("euler") != std::string::npos) continue; // of its order
    Loop loop(body, {}, period);
    loop.run(91);
    const bool many = period.find("cvode") != std::string::npos || period.find("adams") != std::string::npos;
    EXPECT_NEAR(loop.trace("x.y").at(90), 4 * 0.4 - 5 * 0.16, many ? 1e-3 : 1e-8) << period; // begun 90 times
  }
}

/// A signal clipped at zero is at rest there, and a comparison with it does not keep its last side.
TEST(ZeroAtATick, AClippedSignalRestsAtZero) {
  const std::string body = "<block name='w' type='sources/Sine' amplitude='1' frequency='0.15915494309189535 Hz' "
                           "sample_time='continuous'/><block name='clip' type='math/Saturation' lower='0' upper='2'/>"
                           "<block name='c' type='math/Compare' operation='greater'/><block name='b' "
                           "type='math/BoolToReal'/><block name='z' type='continuous/Integrator'/>"
                           "<connect from='w.y' to='clip.u'/><connect from='clip.y' to='c.a'/>"
                           "<connect from='c.y' to='b.u'/><connect from='b.y' to='z.u'/>";
  for (const std::string& period : locating("70 ms")) {
    Loop loop(body, {}, period);
    loop.run(201);
    EXPECT_NEAR(loop.trace("z.y").at(200), 2 * M_PI + 14 - 4 * M_PI, 1e-9) << period;
  }
}

TEST(ZeroAtATick, IsRememberedByACheckpoint) {
  for (const std::string& period : locating("10 ms"))
    for (int i = 1; i < 20; ++i) {
      const std::string body = reset_at(-0.01 * i);
      Loop loop(body, {}, period), other(body, {}, period);
      loop.run(i);
      ASSERT_TRUE(other.runtime().restore(loop.runtime().checkpoint()));
      loop.run(3), other.run(3);
      EXPECT_EQ(loop.bits(), other.bits()) << i << ", " << period;
    }
}

} // namespace
} // namespace hilda::test
