// SPDX-License-Identifier: BSD-3-Clause
// What a block puts out a while later is remembered along the solver's curves, with its jumps and kinks.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

std::string with(SolverKind kind, const char* tick = "100 ms") {
  return fmt::format("{}\" solver=\"{}\" rtol=\"1e-9\" atol=\"1e-12", tick, solver_name(kind));
}

/// x' = -x(t - delay), x = 1 until 0.
std::string negative_feedback(double delay) {
  return fmt::format("<block name='x' type='continuous/Integrator' initial='1'/><block name='late' "
                     "type='continuous/TransportDelay' delay='{:.17g} s' initial='1'/><block name='g' type='math/Gain' "
                     "gain='-1 1/s'/><connect from='x.y' to='late.u'/><connect from='late.y' to='g.u'/>"
                     "<connect from='g.y' to='x.u'/>",
                     delay);
}

/// By the method of steps: each term begins one delay after the one before.
double negative_feedback_at(double t, double delay) {
  double sum = 0, term = 1;
  for (int k = 0; t - (k - 1) * delay > 0; ++k) {
    if (k > 0) term = std::pow(t - (k - 1) * delay, k) / std::tgamma(k + 1.0) * (k % 2 == 0 ? 1 : -1);
    sum += term;
  }
  return t <= 0 ? 1 : sum;
}

TEST(PastSignals, ADelayedLoopIsAsExactAsItsSolver) {
  ASSERT_NEAR(negative_feedback_at(3, 1), -1.0 / 6, 1e-15);
  for (const SolverKind kind : variable_solvers())
    for (const double delay : {1.0, 0.937, 0.1, 0.1234}) {
      Loop loop(negative_feedback(delay), {}, with(kind));
      loop.run(101);
      for (std::size_t k = 0; k <= 100; ++k) {
        const double t = 0.1 * static_cast<double>(k);
        if (t / delay > 12) break; // terms of the sum cancel
        ASSERT_NEAR(loop.trace("x.y").at(k), negative_feedback_at(t, delay), 2e-8 * times_the_error(kind))
            << t << " s, " << delay << " s, " << solver_name(kind);
        ASSERT_NEAR(loop.trace("late.y").at(k), negative_feedback_at(t - delay, delay), 2e-8 * times_the_error(kind))
            << t << " s, " << delay << " s, " << solver_name(kind);
      }
    }
}

TEST(PastSignals, TheErrorFollowsTheTolerance) {
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Loop loop(negative_feedback(1), solver_options(SolverKind::dopri5, rtol, rtol * 1e-3), "100 ms");
    loop.run(101);
    EXPECT_NEAR(loop.trace("x.y").back(), negative_feedback_at(10, 1), 10 * rtol) << rtol;
  }
}

std::string behind(const std::string& source, const std::string& delays) {
  return "<block name='u' " + source + "/>" + delays + "<block name='x' type='continuous/Integrator'/>";
}

const std::string one_delay = "<block name='late' type='continuous/TransportDelay' delay='230 ms'/>"
                              "<connect from='u.y' to='late.u'/><connect from='late.y' to='x.u'/>";

TEST(PastSignals, AJumpArrivesAtItsTime) {
  for (const SolverKind kind : variable_solvers())
    for (const char* tick : {"100 ms", "10 ms"}) {
      Loop loop(behind("type='sources/Step' after='1' time='0.537 s'", one_delay), {}, with(kind, tick));
      const bool coarse = std::string(tick) == "100 ms";
      loop.run(coarse ? 20 : 191);
      EXPECT_NEAR(loop.trace("x.y").back(), 1.133, 1e-10) << solver_name(kind);
      for (std::size_t k = 0; k < loop.trace("late.y").size(); ++k) {
        const double t = (coarse ? 0.1 : 0.01) * static_cast<double>(k);
        ASSERT_EQ(loop.trace("late.y").at(k), t >= 0.767 ? 1 : 0) << t << " s, " << solver_name(kind);
      }
    }
}

TEST(PastSignals, AJumpAtATickArrivesAtATick) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(behind("type='sources/Step' after='1' time='0.3 s'",
                     "<block name='late' type='continuous/TransportDelay' delay='400 ms'/>"
                     "<connect from='u.y' to='late.u'/><connect from='late.y' to='x.u'/>"),
              {}, with(kind));
    loop.run(20);
    EXPECT_NEAR(loop.trace("x.y").back(), 1.2, 1e-10) << solver_name(kind);
    EXPECT_EQ(loop.trace("late.y").at(6), 0) << solver_name(kind);
    EXPECT_EQ(loop.trace("late.y").at(7), 1) << solver_name(kind);
  }
}

TEST(PastSignals, PulsesComeAgain) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(behind("type='sources/Pulse' high='1' repeat='0.31 s' width='0.12 s' first='0.053 s'", one_delay), {},
              with(kind));
    loop.run(20);
    double high = 0;
    for (int n = 0; n < 10; ++n) {
      const double begin = 0.053 + 0.23 + 0.31 * n;
      high += std::max(0.0, std::min(1.9, begin + 0.12) - begin);
    }
    EXPECT_NEAR(loop.trace("x.y").back(), high, 1e-10) << solver_name(kind);
  }
}

TEST(PastSignals, AJumpGoesThroughOneDelayAfterTheOther) {
  for (const SolverKind kind : variable_solvers()) {
    std::string delays;
    for (int i = 0; i < 9; ++i)
      delays += fmt::format("<block name='late{}' type='continuous/TransportDelay' delay='0.11 s'/>"
                            "<connect from='{}.y' to='late{}.u'/>",
                            i, i == 0 ? "u" : fmt::format("late{}", i - 1), i);
    Loop loop(behind("type='sources/Step' after='1' time='0.537 s'", delays + "<connect from='late8.y' to='x.u'/>"), {},
              with(kind));
    loop.run(21);
    EXPECT_NEAR(loop.trace("x.y").back(), 2.0 - 0.537 - 9 * 0.11, 1e-10) << solver_name(kind);
  }
}

/// u = step + u(t - 0.3 s) / 2 has a jump every 0.3 s for ever.
TEST(PastSignals, EchoesStayJumps) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(behind("type='sources/Step' after='1' time='0.537 s'",
                     "<block name='sum' type='math/Sum'/><block name='late' type='continuous/TransportDelay' "
                     "delay='0.3 s'/><block name='half' type='math/Gain' gain='0.5'/><connect from='u.y' "
                     "to='sum.u[0]'/><connect from='half.y' to='sum.u[1]'/><connect from='sum.y' to='late.u'/>"
                     "<connect from='late.y' to='half.u'/><connect from='sum.y' to='x.u'/>"),
              {}, with(kind));
    loop.run(60);
    double sum = 0, echo = 1;
    for (double at = 0.537; at < 5.9; at += 0.3, echo /= 2) sum += echo * (5.9 - at);
    EXPECT_NEAR(loop.trace("x.y").back(), sum, 1e-8) << solver_name(kind);
  }
}

/// x' = -sign(x(t - 0.3)) from 0.1: after x has passed zero it continues for a delay.
double zigzag(double t) {
  constexpr double delay = 0.3;
  if (t < 0.1 + delay) return 0.1 - t;
  const double phase = std::fmod(t - 0.1 - delay, 4 * delay);
  return phase < 2 * delay ? phase - delay : 3 * delay - phase;
}

TEST(PastSignals, WhatCrossesZeroLaterIsLocatedThere) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop("<block name='x' type='continuous/Integrator' initial='0.1'/><block name='late' "
              "type='continuous/TransportDelay' delay='0.3 s' initial='0.1'/><block name='s' type='math/Sign'/>"
              "<block name='g' type='math/Gain' gain='-1'/><connect from='x.y' to='late.u'/><connect from='late.y' "
              "to='s.u'/><connect from='s.y' to='g.u'/><connect from='g.y' to='x.u'/>",
              {}, with(kind, "70 ms"));
    loop.run(60);
    for (std::size_t k = 0; k < 60; ++k)
      ASSERT_NEAR(loop.trace("x.y").at(k), zigzag(0.07 * static_cast<double>(k)), 1e-8) << k << solver_name(kind);
  }
}

/// The first value that is remembered is that of the start, not what arrives from before it.
TEST(PastSignals, WhatComesFromBeforeTheStartIsInitial) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop("<block name='u' type='continuous/Integrator' initial='5'/><block name='c' type='sources/Constant' "
              "value='1 1/s'/><connect from='c.y' to='u.u'/><block name='late' type='continuous/TransportDelay' "
              "delay='0.25 s' initial='-1'/><connect from='u.y' to='late.u'/><block name='x' "
              "type='continuous/Integrator'/><connect from='late.y' to='x.u'/>",
              {}, with(kind));
    loop.run(11);
    EXPECT_EQ(loop.trace("late.y").at(2), -1);
    EXPECT_NEAR(loop.trace("late.y").at(3), 5.05, 1e-9);
    EXPECT_NEAR(loop.trace("x.y").back(), -0.25 + 5 * 0.75 + 0.75 * 0.75 / 2, 1e-8) << solver_name(kind);
  }
}

/// u = t; the delay runs but from 1 s to 2 s.
TEST(PastSignals, TheTimeOfADelayThatIsDisabledStands) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop("<block name='c' type='sources/Constant' value='1 1/s'/><block name='u' type='continuous/Integrator'/>"
              "<connect from='c.y' to='u.u'/><block name='off' type='sources/Pulse' high='1' first='1 s' width='1 s' "
              "sample_time='100 ms'/><block name='on' type='math/Compare' operation='less'/><block name='half' "
              "type='sources/Constant' value='0.5'/><connect from='off.y' to='on.a'/><connect from='half.y' "
              "to='on.b'/><block name='late' type='continuous/TransportDelay' delay='0.35 s' initial='-1' "
              "enable='on.y'/><connect from='u.y' to='late.u'/>",
              {}, with(kind));
    loop.run(40);
    const std::vector<double>& late = loop.trace("late.y");
    EXPECT_NEAR(late.at(9), 0.55, 1e-9) << solver_name(kind);
    EXPECT_NEAR(late.at(15), 0.55, 1e-9) << "held, " << solver_name(kind);
    EXPECT_NEAR(late.at(21), 0.75, 1e-9) << solver_name(kind);
    EXPECT_NEAR(late.at(23), 0.95, 1e-9) << solver_name(kind);
    EXPECT_NEAR(late.at(24), 2.05, 1e-9) << solver_name(kind);
    EXPECT_NEAR(late.at(39), 3.55, 1e-9) << solver_name(kind);
  }
}

TEST(PastSignals, AResetForgets) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop("<block name='c' type='sources/Constant' value='1 1/s'/><block name='u' type='continuous/Integrator'/>"
              "<connect from='c.y' to='u.u'/><block name='pulse' type='sources/Pulse' high='1' first='1 s' "
              "width='0.2 s' sample_time='100 ms'/><block name='now' type='math/Compare' operation='greater'/><block "
              "name='half' type='sources/Constant' value='0.5'/><connect from='pulse.y' to='now.a'/><connect "
              "from='half.y' to='now.b'/><block name='late' type='continuous/TransportDelay' delay='0.35 s' "
              "initial='-1' reset='now.y'/><connect from='u.y' to='late.u'/>",
              {}, with(kind));
    loop.run(30);
    const std::vector<double>& late = loop.trace("late.y");
    EXPECT_NEAR(late.at(9), 0.55, 1e-9) << solver_name(kind);
    for (const std::size_t k : {10, 11, 12, 14}) EXPECT_EQ(late.at(k), -1) << k << ", " << solver_name(kind);
    EXPECT_NEAR(late.at(15), 1.15, 1e-9) << solver_name(kind);
    EXPECT_NEAR(late.at(29), 2.55, 1e-9) << solver_name(kind);
  }
}

TEST(PastSignals, GoingBackGivesTheSameBits) {
  const std::string body = negative_feedback(0.937) +
                           "<block name='step' type='sources/Step' after='1' time='0.537 s'/><block name='d' "
                           "type='continuous/TransportDelay' delay='0.31 s'/><block name='z' "
                           "type='continuous/Integrator'/><connect from='step.y' to='d.u'/><connect from='d.y' "
                           "to='z.u'/>";
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(body, {}, with(kind));
    Runtime& runtime = loop.runtime();
    for (const int tick : {0, 3, 8, 9, 17, 30}) {
      while (runtime.tick() < tick) ASSERT_TRUE(runtime.compute() && runtime.advance());
      const Checkpoint kept = runtime.checkpoint();
      std::vector<std::vector<unsigned char>> bits;
      for (int i = 0; i < 15; ++i) {
        ASSERT_TRUE(runtime.compute());
        bits.push_back(loop.bits());
        ASSERT_TRUE(runtime.advance());
      }
      ASSERT_TRUE(runtime.restore(kept));
      for (int i = 0; i < 15; ++i) {
        ASSERT_TRUE(runtime.compute());
        ASSERT_EQ(loop.bits(), bits.at(static_cast<std::size_t>(i))) << tick << " + " << i << ", " << solver_name(kind);
        ASSERT_TRUE(runtime.advance());
      }
    }
  }
}

/// Once the kinks of the start are beyond the method's order, steps are as long as the delay at the most, over ticks.
TEST(PastSignals, StepsGoOverTicks) {
  Loop loop(negative_feedback(1), solver_options(SolverKind::dopri5, 1e-6, 1e-9), "1 ms");
  loop.run(10001);
  EXPECT_LT(loop.runtime().solver().variable()->statistics().steps, 200);
  EXPECT_EQ(loop.runtime().solver().variable()->statistics().restarts, 0);
}

} // namespace
} // namespace hilda::test
