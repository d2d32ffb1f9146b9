// SPDX-License-Identifier: BSD-3-Clause
// Without a word about sample times: where crossings are located, sources and switches are what they are wired to.

#include "engine/compile/detail/check/solver_remark.h"
#include "engine/compile/held_signals.h"
#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"
#include "tests/modules.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::StartsWith;

constexpr double end = 1.9; ///< s

/// Simpson's rule on parts so short that what a kink leaves of the error is below 1e-9.
double integral(const std::function<double(double)>& f) {
  constexpr int parts = 400000;
  constexpr double h = end / parts;
  double sum = 0;
  for (int i = 0; i < parts; ++i) {
    const double t = i * h;
    sum += h / 6 * (f(t) + 4 * f(t + h / 2) + f(t + h));
  }
  return sum;
}

double pulses(double t) {
  const double since = t - 0.053;
  return since >= 0 && since - 0.73 * std::floor(since / 0.73) < 0.21 ? 1 : 0;
}

double triangle(double t) {
  const double share = t / 0.73 - std::floor(t / 0.73);
  return 2 * (share < 0.3 ? share / 0.3 : (1 - share) / 0.7) - 1;
}

double chirp(double t) {
  constexpr double from = 2 * M_PI * 0.5, to = 2 * M_PI * 2, length = 1.5;
  const double swept = std::min(t, length);
  return std::sin(from * swept + (to - from) * swept * swept / (2 * length) + (t - swept) * to);
}

double jerk(double t) {
  const double u = std::clamp((t - 0.15) / 1.2, 0.0, 1.0);
  return u * u * u * (10 + u * (-15 + 6 * u));
}

struct KnownSource {
  const char* block;
  double integral;
};

std::vector<KnownSource> sources() {
  const double w = 2 * M_PI * 0.7;
  return {{"type='sources/Clock'", end * end / 2},
          {"type='sources/Sine' amplitude='1' frequency='0.7 Hz'", (1 - std::cos(w * end)) / w},
          {"type='sources/Ramp' slope='1 1/s' start='0.537 s'", 0.5 * (end - 0.537) * (end - 0.537)},
          {"type='sources/Step' after='1' time='0.537 s'", end - 0.537},
          {"type='sources/Chirp' amplitude='1' from='0.5 Hz' to='2 Hz' duration='1.5 s'", integral(chirp)},
          {"type='sources/Pulse' high='1' repeat='0.73 s' width='0.21 s' first='0.053 s'", 3 * 0.21},
          {"type='sources/Triangle' amplitude='1' repeat='0.73 s' rise='0.3'", integral(triangle)},
          {"type='sources/Trajectory' times='0.15 1.35 s' points='0 1;'", integral(jerk)},
          {"type='math/Function' expression='sin(3*t)'", (1 - std::cos(3 * end)) / 3}};
}

std::string into_integrator(const std::string& source) {
  const std::string port = source.find("Clock") != std::string::npos        ? "time"
                           : source.find("Trajectory") != std::string::npos ? "position"
                                                                            : "y";
  return "<block name='u' " + source + "/><block name='x' type='continuous/Integrator'/><connect from='u." + port +
         "' to='x.u'/>";
}

double at_end(const std::string& body, const std::string& period, double tick) {
  Loop loop(body, {}, period);
  loop.run(std::lround(end / tick) + 1);
  return loop.trace("x.y").back();
}

bool runs_continuously(Loop& loop, const std::string& path) {
  for (const SystemBlock& block : loop.runtime().system().blocks)
    if (block.path == path) return block.continuous;
  ADD_FAILURE() << "no block " << path;
  return false;
}

TEST(ContinuousDefault, AnIntegralOfASourceIsRight) {
  EXPECT_NEAR(integral(pulses), 3 * 0.21, 1e-5);
  for (const SolverKind kind : variable_solvers())
    for (const double tick : {0.1, 0.05, 0.01})
      for (const KnownSource& source : sources()) {
        const std::string period =
            fmt::format("{} s\" solver=\"{}\" rtol=\"1e-9\" atol=\"1e-12", tick, solver_name(kind));
        EXPECT_NEAR(at_end(into_integrator(source.block), period, tick), source.integral, 2e-8 * times_the_error(kind))
            << source.block << ", " << period;
      }
}

TEST(ContinuousDefault, SoItIsWithFixedStepsThatLocate) {
  const std::string period = "100 ms\" events=\"located";
  EXPECT_NEAR(at_end(into_integrator("type='sources/Step' after='1' time='0.537 s'"), period, 0.1), end - 0.537, 1e-11);
  EXPECT_NEAR(at_end(into_integrator("type='sources/Clock'"), period, 0.1), end * end / 2, 1e-11);
}

TEST(ContinuousDefault, FixedStepsHoldSourcesForATick) {
  for (const char* solver : {"rk4", "euler"})
    EXPECT_NEAR(at_end(into_integrator("type='sources/Clock'"), fmt::format("100 ms\" solver=\"{}", solver), 0.1),
                1.710, 1e-12);
}

std::string remark_of(const std::string& body, const std::string& period) {
  return held_sources_remark(Loop(body, {}, period).runtime().system());
}

TEST(ContinuousDefault, ACheckNamesTheWiresThatAreHeld) {
  const std::string sine = "type='sources/Sine' amplitude='1' frequency='1 Hz'";
  EXPECT_EQ(
      remark_of(into_integrator(sine), "100 ms"),
      "'u.y -> x.u': with the fixed step of rk4 what continuous blocks hear is the value at the tick, half a tick "
      "(50 ms) late in the mean; sample_time=\"continuous\" gives it at every time, and sample_time='100 ms' says "
      "that it is meant");
  EXPECT_EQ(remark_of(into_integrator(sine), "100 ms\" solver=\"dopri5"), "");
  EXPECT_EQ(remark_of(into_integrator(sine), "100 ms\" events=\"located"), "");
  EXPECT_EQ(remark_of(into_integrator(sine + " sample_time='100 ms'"), "100 ms"), "");
  EXPECT_EQ(remark_of(into_integrator("type='sources/Step' after='1' time='0.2 s'"), "100 ms"), "");
  EXPECT_EQ(remark_of("<block name='u' " + sine +
                          "/><block name='d' type='discrete/UnitDelay'/><block name='x' "
                          "type='continuous/Integrator'/><connect from='u.y' to='d.u'/><connect from='d.y' to='x.u'/>",
                      "100 ms"),
            "");
}

/// [T3] What would follow or switch between ticks with another solver, behind a continuous signal or a source.
TEST(ContinuousDefault, ACheckNamesWhatFollowsAContinuousSignalAtTicks) {
  const std::string slope = "<block name='one' type='sources/Constant' value='4 1/s'/><block name='u' "
                            "type='continuous/Integrator'/><connect from='one.y' to='u.u'/>";
  const std::string sine = "<block name='u' type='sources/Sine' amplitude='1' frequency='0.7 Hz'/>";
  const auto limited = [](const std::string& before, const std::string& sample_time) {
    return before + "<block name='r' type='discrete/RateLimiter' rising='2 1/s' falling='2 1/s'" + sample_time +
           "/><block name='x' type='continuous/Integrator'/><connect from='u.y' to='r.u'/><connect from='r.y' "
           "to='x.u'/>";
  };
  const std::string late =
      "with the fixed step of rk4 what continuous blocks hear is the value at the tick, half a tick "
      "(50 ms) late in the mean";
  const auto remark = [&](const std::string& body, const std::string& period) {
    return rates_at_ticks_remark(Loop(body, {}, period).runtime().system());
  };
  EXPECT_THAT(remark_of(limited(sine, ""), "100 ms"), StartsWith("'u.y -> r.u': " + late));
  EXPECT_EQ(remark(limited(sine, ""), "100 ms"), "");
  EXPECT_EQ(remark_of(limited(slope, ""), "100 ms"), "");
  for (const char* said : {"", " sample_time='continuous'"}) { // 3.42 and 3.7367
    EXPECT_GT(std::abs(at_end(limited(slope, said), "100 ms", 0.1) - 3.61), 0.1) << said;
    EXPECT_THAT(remark(limited(slope, said), "100 ms"),
                StartsWith("'r': with the fixed step of rk4 a rate is compared with its limit at ticks, and continuous "
                           "blocks hear a signal that is up to a tick (100 ms) late or early; events=\"located\" or"));
    for (const char* right : {"100 ms\" solver=\"dopri5", "100 ms\" events=\"located"}) {
      EXPECT_NEAR(at_end(limited(slope, said), right, 0.1), 3.61, 1e-6) << said;
      EXPECT_EQ(remark(limited(slope, said), right), "");
    }
  }
  EXPECT_EQ(remark(limited(slope, " sample_time='100 ms'"), "100 ms"), "");
  EXPECT_EQ(remark("<block name='u' type='sources/Constant' value='1'/>" + limited("", ""), "100 ms"), "");
}

/// [T3] A latch has no events: a crossing that is located reaches what it drives at the next tick.
TEST(ContinuousDefault, ACheckNamesWhatSamplesConditions) {
  const auto latched = [](const std::string& sample_time) {
    return "<block name='one' type='sources/Constant' value='1 1/s'/><block name='u' type='continuous/Integrator'/>"
           "<connect from='one.y' to='u.u'/><block name='above' type='math/Compare' operation='greater' with='0.537'/>"
           "<connect from='u.y' to='above.a'/><block name='r' type='discrete/Latch'" +
           sample_time +
           "/><connect from='above.y' to='r.set'/><block name='n' type='math/BoolToReal'/><block name='x' "
           "type='continuous/Integrator'/><connect from='r.on' to='n.u'/><connect from='n.y' to='x.u'/>";
  };
  const auto remark = [&](const std::string& sample_time, const std::string& period) {
    return sampled_conditions_remark(Loop(latched(sample_time), {}, period).runtime().system());
  };
  for (const char* period : {"100 ms", "100 ms\" solver=\"dopri5", "100 ms\" events=\"located"}) {
    EXPECT_NEAR(at_end(latched(""), period, 0.1), 1.3, 1e-9); // and not 1.363
    EXPECT_THAT(remark("", period), StartsWith("'r': what this hears of continuous blocks it samples at ticks, and "
                                               "continuous blocks follow up to a tick (100 ms) late"));
    EXPECT_EQ(remark(" sample_time='100 ms'", period), "");
    std::string alone = latched(""); // what nothing continuous hears may wait for its tick
    alone.erase(alone.find("<block name='n'"));
    EXPECT_EQ(sampled_conditions_remark(Loop(alone, {}, period).runtime().system()), "");
  }
}

/// [T1] The values at ticks are joined by lines, so a jump begins a tick early.
TEST(ContinuousDefault, ACheckNamesDelaysOfJumps) {
  const auto delayed = [](const std::string& before) {
    return before + "<block name='d' type='continuous/TransportDelay' delay='200 ms'/><block name='x' "
                    "type='continuous/Integrator'/><connect from='u.y' to='d.u'/><connect from='d.y' to='x.u'/>";
  };
  const auto remark = [&](const std::string& before, const std::string& period) {
    return delayed_jumps_remark(Loop(delayed(before), {}, period).runtime().system());
  };
  const std::string step = "<block name='u' type='sources/Step' after='1' time='0.5 s'/>";
  const std::string held = "<block name='w' type='sources/Sine' amplitude='1' frequency='0.7 Hz'/><block name='h' "
                           "type='discrete/ZeroOrderHold' sample_time='200 ms'/><block name='u' type='math/Gain' "
                           "gain='2'/><connect from='w.y' to='h.u'/><connect from='h.y' to='u.u'/>";
  const std::string smooth = "<block name='w' type='sources/Constant' value='1 1/s'/><block name='u' "
                             "type='continuous/Integrator'/><connect from='w.y' to='u.u'/>";
  EXPECT_NEAR(at_end(delayed(step), "100 ms", 0.1), 1.25, 1e-12); // and not 1.2
  const std::string said = "'d': with the fixed step of rk4 a delay keeps the values at ticks, and a jump arrives as a "
                           "slope over a tick, half a tick (50 ms) early in the mean; ";
  for (const std::string& before : {step, held}) EXPECT_THAT(remark(before, "100 ms"), StartsWith(said)) << before;
  EXPECT_THAT(remark(step, "100 ms\" events=\"located"), StartsWith(said));
  EXPECT_EQ(remark(step, "100 ms\" solver=\"dopri5"), "");
  EXPECT_NEAR(at_end(delayed(step), "100 ms\" solver=\"dopri5", 0.1), 1.2, 1e-9);
  EXPECT_EQ(remark(smooth, "100 ms"), "");
  EXPECT_EQ(remark("<block name='u' type='sources/Constant' value='1'/>", "100 ms"), "");
}

/// [T1] Without a continuous state no solver runs, whatever its name.
TEST(ContinuousDefault, ACheckNamesDelaysOfJumpsWhereNoSolverRuns) {
  const std::string body = "<block name='u' type='sources/Step' after='1' time='0.33 s'/><block name='d' "
                           "type='continuous/TransportDelay' delay='250 ms'/><connect from='u.y' to='d.u'/>";
  for (const char* solver : {"dopri5", "rosenbrock"}) {
    Loop loop(body, {}, std::string("100 ms\" solver=\"") + solver);
    EXPECT_EQ(
        delayed_jumps_remark(loop.runtime().system()),
        "'d': without continuous states no solver runs: a delay keeps the values at ticks, and a jump arrives as a "
        "slope "
        "over a tick, half a tick (50 ms) early in the mean; discrete/Delay keeps it for a whole number of ticks");
  }
}

/// [T1] The same holds for what jumps at a crossing: 1.12 for 1.133, with located crossings and without.
TEST(ContinuousDefault, ACheckNamesDelaysOfWhatJumpsAtCrossings) {
  const auto delayed = [](const std::string& before, const std::string& from) {
    return before +
           "<block name='d' type='continuous/TransportDelay' delay='230 ms'/><block name='x' "
           "type='continuous/Integrator'/><connect from='" +
           from + "' to='d.u'/><connect from='d.y' to='x.u'/>";
  };
  const std::string slope = "<block name='w' type='sources/Constant' value='1 1/s'/><block name='u' "
                            "type='continuous/Integrator'/><connect from='w.y' to='u.u'/>";
  const std::string relay = slope + "<block name='r' type='discrete/Relay' lower='0.1' upper='0.537' on_value='1' "
                                    "off_value='0'/><connect from='u.y' to='r.u'/>";
  const std::string above = slope + "<block name='c' type='math/Compare' operation='greater' with='0.537'/><block "
                                    "name='n' type='math/BoolToReal'/><connect from='u.y' to='c.a'/><connect "
                                    "from='c.y' to='n.u'/>";
  const std::string pulse = "<block name='p' type='sources/Pulse' high='1' repeat='10 s' width='5 s' first='0.537 s'/>";
  const std::string limited = slope + "<block name='s' type='math/Saturation' lower='-0.1' upper='0.537'/><connect "
                                      "from='u.y' to='s.u'/>";
  for (const auto& [before, from] :
       std::vector<std::pair<std::string, std::string>>{{relay, "r.y"}, {above, "n.y"}, {pulse, "p.y"}}) {
    const std::string body = delayed(before, from);
    for (const char* period : {"100 ms", "100 ms\" events=\"located"}) {
      EXPECT_NEAR(at_end(body, period, 0.1), 1.12, 1e-9) << from << ", " << period;
      EXPECT_THAT(delayed_jumps_remark(Loop(body, {}, period).runtime().system()),
                  StartsWith("'d': with the fixed step of rk4 a delay keeps the values at ticks"))
          << from << ", " << period;
    }
    const char* const variable = "100 ms\" solver=\"dopri5";
    EXPECT_NEAR(at_end(body, variable, 0.1), 1.133, 1e-9) << from;
    EXPECT_EQ(delayed_jumps_remark(Loop(body, {}, variable).runtime().system()), "") << from;
  }
  for (const char* period : {"100 ms", "100 ms\" events=\"located"})
    EXPECT_EQ(delayed_jumps_remark(Loop(delayed(limited, "s.y"), {}, period).runtime().system()), "") << period;
}

TEST(ContinuousDefault, ACheckNamesThreeWiresAndCountsTheOthers) {
  std::string body;
  for (int i = 1; i <= 5; ++i) {
    body += fmt::format("<block name='u{0}' type='sources/Sine' amplitude='1' frequency='1 Hz'/><block name='x{0}' "
                        "type='continuous/Integrator'/><connect from='u{0}.y' to='x{0}.u'/>",
                        i);
    const std::string remark = remark_of(body, "100 ms");
    std::string names;
    for (int k = 1; k <= std::min(i, 3); ++k) names += fmt::format("{0}'u{1}.y -> x{1}.u'", k > 1 ? ", " : "", k);
    if (i > 3) names += fmt::format(" and {} others", i - 3);
    EXPECT_EQ(remark.substr(0, remark.find(": with")), names);
  }
}

/// [T3] No block of its kind follows its input between ticks: the error is that of a tick, whatever the tolerances are.
TEST(ContinuousDefault, ADiscreteBlockBeforeAContinuousOneIsSaidWithItsLag) {
  const std::string play = "<block name='r' type='discrete/Backlash' width='0.2'/><block name='x' "
                           "type='continuous/Integrator'/><connect from='u.y' to='r.u'/><connect from='r.y' to='x.u'/>";
  const std::string sine = "<block name='u' type='sources/Sine' amplitude='1' frequency='0.7 Hz'/>";
  const std::string swing = "<block name='s' type='sources/Sine' amplitude='1 1/s' frequency='0.7 Hz'/><block name='u' "
                            "type='continuous/Integrator'/><connect from='s.y' to='u.u'/>";
  for (const std::string& body : {sine + play, swing + play}) {
    const std::string period = "100 ms\" solver=\"dopri5\" rtol=\"1e-9\" atol=\"1e-12";
    EXPECT_GT(std::abs(at_end(body, period, 0.1) - at_end(body, "1 ms\" solver=\"dopri5", 0.001)), 1e-3);
    EXPECT_EQ(solver_remark(Loop(body, {}, period).runtime().system()),
              "the step of dopri5 restarts at every tick: 'r' gives continuous blocks samples, each held for a tick of "
              "100 ms and half of that late in the mean, whatever rtol is; a continuous block in its place has the "
              "error of rtol, and where samples are meant, solver=\"rk4\" costs less, unless the equations are stiff");
  }
  // these follow their inputs, or are continuous behind one
  for (const char* block : {"math/DeadZone' lower='-0.2' upper='0.2", "discrete/Relay' lower='-0.3' upper='0.3",
                            "discrete/RateLimiter' rising='1 1/s' falling='1 1/s", "math/Friction' coulomb='0.5"}) {
    const bool friction = std::string(block).find("Friction") != std::string::npos;
    const std::string body = fmt::format("{}<block name='r' type='{}'/><block name='x' type='continuous/Integrator'/>"
                                         "<connect from='u.y' to='r.{}'/><connect from='r.{}' to='x.u'/>",
                                         swing, block, friction ? "v" : "u", friction ? "force" : "y");
    const std::string numbers = "\" solver=\"dopri5\" rtol=\"1e-9\" atol=\"1e-12";
    EXPECT_NEAR(at_end(body, "100 ms" + numbers, 0.1), at_end(body, "1 ms" + numbers, 0.001), 1e-7) << block;
    EXPECT_EQ(solver_remark(Loop(body, {}, "100 ms" + numbers).runtime().system()), "") << block;
  }
}

TEST(ContinuousDefault, ASampleTimeThatIsSaidCounts) {
  EXPECT_NEAR(at_end(into_integrator("type='sources/Clock' sample_time='100 ms'"), "100 ms\" solver=\"dopri5", 0.1),
              1.710, 1e-9);
}

/// The choice of the run counts as that of the diagram does.
TEST(ContinuousDefault, TheSolverOfTheRunDecides) {
  const std::string body = into_integrator("type='sources/Clock'");
  Loop variable(body, solver_options(SolverKind::dopri5, 1e-9, 1e-12), "100 ms"),
      fixed(body, {.solver = SolverKind::rk4}, "100 ms\" solver=\"dopri5");
  EXPECT_TRUE(runs_continuously(variable, "u"));
  EXPECT_FALSE(runs_continuously(fixed, "u"));
}

TEST(ContinuousDefault, ASourceThatNothingContinuousHearsStaysAtTicks) {
  Loop loop("<block name='u' type='sources/Sine' amplitude='1' frequency='1 Hz'/><block name='g' type='math/Gain' "
            "gain='2'/><block name='d' type='discrete/UnitDelay'/><block name='x' type='continuous/Integrator'/>"
            "<connect from='u.y' to='g.u'/><connect from='g.y' to='d.u'/><connect from='d.y' to='x.u'/>",
            {}, "100 ms\" solver=\"dopri5");
  EXPECT_FALSE(runs_continuously(loop, "u"));
  EXPECT_FALSE(runs_continuously(loop, "g"));
}

TEST(ContinuousDefault, WhatDiscreteBlocksHearTooIsSampledByThem) {
  Loop loop("<block name='u' type='sources/Sine' amplitude='1' frequency='0.7 Hz'/><block name='g' type='math/Gain' "
            "gain='2'/><block name='d' type='discrete/UnitDelay'/><block name='x' type='continuous/Integrator'/>"
            "<connect from='u.y' to='g.u'/><connect from='g.y' to='d.u'/><connect from='g.y' to='x.u'/>",
            {}, "100 ms\" solver=\"dopri5\" rtol=\"1e-9");
  EXPECT_TRUE(runs_continuously(loop, "g"));
  EXPECT_FALSE(runs_continuously(loop, "d"));
  loop.run(20);
  const double w = 2 * M_PI * 0.7;
  EXPECT_NEAR(loop.trace("x.y").back(), 2 * (1 - std::cos(w * end)) / w, 1e-7);
  EXPECT_NEAR(loop.trace("d.y").back(), 2 * std::sin(w * 1.8), 1e-12);
}

TEST(ContinuousDefault, AStepAndAConstantLetStepsGoOverTicks) {
  Loop loop("<block name='u' type='sources/Step' after='1' time='0.5371 s'/><block name='c' type='sources/Constant' "
            "value='1'/><block name='x' type='continuous/Integrator'/><block name='y' type='continuous/Integrator'/>"
            "<connect from='u.y' to='x.u'/><connect from='c.y' to='y.u'/>",
            {}, "1 ms\" solver=\"dopri5\" rtol=\"1e-9");
  loop.run(1001);
  EXPECT_LT(loop.runtime().solver().variable()->statistics().steps, 40);
  EXPECT_NEAR(loop.trace("x.y").back(), 1 - 0.5371, 1e-12);
  EXPECT_FALSE(runs_continuously(loop, "c"));
}

/// x goes back and forth between the thresholds at 1 a second.
double to_and_fro(double t) {
  constexpr double top = 0.537;
  const double phase = std::fmod(t + top, 4 * top);
  return phase < 2 * top ? phase - top : 3 * top - phase;
}

TEST(ContinuousDefault, ARelaySwitchesWhereItsInputIs) {
  const std::string relay = "<block name='r' type='discrete/Relay' lower='-0.537' upper='0.537' on_value='-1' "
                            "off_value='1'/><block name='x' type='continuous/Integrator'/>"
                            "<connect from='x.y' to='r.u'/><connect from='r.y' to='x.u'/>";
  std::vector<std::string> periods = {"100 ms\" events=\"located"};
  for (const SolverKind kind : variable_solvers())
    periods.push_back(fmt::format("100 ms\" rtol=\"1e-9\" solver=\"{}", solver_name(kind)));
  for (const std::string& period : periods) {
    Loop loop(relay, {}, period);
    loop.run(100);
    for (std::size_t k = 0; k < 100; ++k)
      ASSERT_NEAR(loop.trace("x.y").at(k), to_and_fro(0.1 * static_cast<double>(k)), 1e-8) << k << ", " << period;
  }
}

/// Blocks with a state that may be stepped at ticks or changed at events, behind a swing.
std::string switched(const std::string& block, const std::string& sample_time) {
  const bool boolean = block.find("Hysteresis") != std::string::npos;
  return "<block name='x' type='continuous/Integrator' initial='1'/><block name='v' type='continuous/Integrator'/>"
         "<block name='pull' type='math/Gain' gain='-9 1/s2'/><connect from='x.y' to='pull.u'/>"
         "<connect from='pull.y' to='v.u'/><connect from='v.y' to='x.u'/><block name='b' " +
         block + sample_time + "/><connect from='x.y' to='b.u'/><block name='z' type='continuous/Integrator'/>" +
         (boolean ? "<block name='n' type='math/BoolToReal'/><connect from='b.on' to='n.u'/>"
                    "<connect from='n.y' to='z.u'/>"
                  : "<connect from='b.y' to='z.u'/>");
}

TEST(ContinuousDefault, BlocksThatMayBeEitherFollowTheirInputs) {
  for (const char* block :
       {"type='discrete/Relay' lower='-0.3' upper='0.41'", "type='discrete/Hysteresis' lower='-0.3' upper='0.41'",
        "type='discrete/RateLimiter' rising='1 1/s' falling='1.3 1/s'"}) {
    const auto trace = [&](const char* sample_time, const char* period) {
      Loop loop(switched(block, sample_time), {}, period);
      loop.run(40);
      return loop.trace("z.y");
    };
    const char* const variable = "100 ms\" solver=\"dopri5";
    EXPECT_EQ(trace("", variable), trace(" sample_time='continuous'", variable)) << block;
    EXPECT_NE(trace("", variable), trace(" sample_time='100 ms'", variable)) << block;
    EXPECT_EQ(trace("", "100 ms"), trace(" sample_time='100 ms'", "100 ms")) << block;
  }
}

} // namespace
} // namespace hilda::test
