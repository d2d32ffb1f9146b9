// SPDX-License-Identifier: BSD-3-Clause
// Looks at a fixed step: whether it follows the fastest of what the states do.

#include "engine/session/solver_findings.h"
#include "engine/session/solver_report.h"
#include "tests/engine/loop.h"
#include "tests/modules.h"

#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

/// x'' = -2 damping w x' - w^2 x, from 1.
std::string swinging(double w, double damping) {
  return fmt::format("<block name='x' type='continuous/Integrator' initial='1'/>"
                     "<block name='v' type='continuous/Integrator'/><block name='all' type='math/Sum' signs='--'/>"
                     "<block name='pull' type='math/Gain' gain='{:.17g} 1/s2'/>"
                     "<block name='brake' type='math/Gain' gain='{:.17g} 1/s'/>"
                     "<connect from='v.y' to='x.u'/><connect from='x.y' to='pull.u'/>"
                     "<connect from='v.y' to='brake.u'/><connect from='pull.y' to='all.u[0]'/>"
                     "<connect from='brake.y' to='all.u[1]'/><connect from='all.y' to='v.u'/>",
                     w * w, 2 * damping * w);
}

/// x' = -x / tau, from 1.
std::string lag(double tau) {
  return fmt::format("<block name='x' type='continuous/Integrator' initial='1'/><block name='back' type='math/Gain' "
                     "gain='{:.17g} 1/s'/><connect from='x.y' to='back.u'/><connect from='back.y' to='x.u'/>",
                     -1 / tau);
}

const StepLengthFinding& looked_at(Loop& loop, std::int64_t ticks = 3) {
  for (std::int64_t i = 0; i < ticks; ++i) {
    loop.run(1);
    loop.runtime().look_at_step();
  }
  return *loop.runtime().solver().step_length();
}

TEST(StepLength, IsMeasuredByWhatAStepMakesOfTheFastestPart) {
  using Number = std::complex<double>;
  for (const bool euler : {false, true})
    for (const double hw : {0.01, 0.1, 0.5, 1.0, 2.0, 2.5, 5.0}) {
      const auto error = [&](Number z) {
        const Number factor = euler ? 1.0 + z : 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0;
        return std::abs(factor - std::exp(z));
      };
      const std::string period = euler ? "1 ms\" solver=\"euler" : "1 ms";
      Loop falling(lag(1e-3 / hw), {}, period);
      EXPECT_NEAR(looked_at(falling).error, error(-hw), 1e-6 * error(-hw) + 1e-9) << hw;
      for (const double damping : {0.0, 0.3, 0.8}) {
        Loop swing(swinging(1000 * hw, damping), {}, period);
        const Number z = hw * Number(-damping, std::sqrt(1 - damping * damping));
        EXPECT_NEAR(looked_at(swing).error, error(z), 1e-5 * error(z) + 1e-8) << hw << ", " << damping;
      }
    }
}

TEST(StepLength, IsSaidWithTheStateAndWhatWouldDo) {
  Loop loop(lag(0.4e-3));
  const StepLengthFinding& found = looked_at(loop);
  EXPECT_NEAR(found.factor, 0.6484, 1e-4);
  const std::string said = solver_findings(loop.runtime()).text();
  EXPECT_THAT(
      said, HasSubstr("test.xml:2: warning[step-too-long]: rk4 with one step a tick of 1 ms is too coarse for 'x.x'"));
  EXPECT_THAT(said, HasSubstr("--solver rosenbrock"));
  EXPECT_EQ(solver_document(loop.runtime())["step_error_state"], "x.x");
  Loop diverges(lag(0.2e-3));
  looked_at(diverges);
  EXPECT_THAT(solver_findings(diverges.runtime()).text(), HasSubstr("grows by 13.7 with each tick"));
  // the period that it names is one
  Loop fits(lag(0.4e-3), {}, fmt::format("{:.9f} s", found.fitting_step));
  EXPECT_LT(looked_at(fits).error, 0.0101);
  EXPECT_EQ(solver_findings(fits.runtime()).text(), "");
}

TEST(StepLength, NamesTheFastestOfMany) {
  std::string rows;
  for (int i = 0; i < 20; ++i)
    rows += fmt::format("<block name='x{0}' type='continuous/Integrator' initial='1'/><block name='b{0}' "
                        "type='math/Gain' gain='-{1} 1/s'/><connect from='x{0}.y' to='b{0}.u'/>"
                        "<connect from='b{0}.y' to='x{0}.u'/>",
                        i, i == 13 ? 3000 : 10 + i);
  Loop loop(rows);
  const StepLengthFinding& found = looked_at(loop);
  EXPECT_EQ(loop.runtime().solver().state_name(found.state), "x13.x");
}

/// What grows has its error of what it has grown to.
TEST(StepLength, OfWhatGrowsItIsAPartOfThat) {
  for (const double h : {0.1, 1.0, 3.0}) {
    Loop growing(lag(-1e-3 / h));
    const double error = std::abs(1 + h + h * h / 2 + h * h * h / 6 + h * h * h * h / 24 - std::exp(h)) / std::exp(h);
    EXPECT_NEAR(looked_at(growing).error, error, 1e-6 * error + 1e-9) << h;
  }
}

/// The fast state moves the slow one by a large factor, as between units.
TEST(StepLength, NamesTheFastestInWhateverUnitTheOthersAre) {
  for (const double factor : {1e-9, 1.0, 1e9}) {
    Loop loop(fmt::format("<block name='fast' type='continuous/Integrator' initial='1'/><block name='slow' "
                          "type='continuous/Integrator'/><block name='f' type='math/Gain' gain='-3000 1/s'/>"
                          "<block name='s' type='math/Gain' gain='-1 1/s'/><block name='push' type='math/Gain' "
                          "gain='{:.17g} 1/s'/><block name='all' type='math/Sum' signs='++'/>"
                          "<connect from='fast.y' to='f.u'/><connect from='f.y' to='fast.u'/>"
                          "<connect from='slow.y' to='s.u'/><connect from='fast.y' to='push.u'/>"
                          "<connect from='s.y' to='all.u[0]'/><connect from='push.y' to='all.u[1]'/>"
                          "<connect from='all.y' to='slow.u'/>",
                          factor));
    EXPECT_EQ(loop.runtime().solver().state_name(looked_at(loop).state), "fast.x") << factor;
  }
}

TEST(StepLength, RecommendsAnExplicitMethodForWhatSwings) {
  Loop swings(swinging(2000, 0.1)), falls(swinging(2000, 1.5));
  looked_at(swings), looked_at(falls);
  EXPECT_THAT(solver_findings(swings.runtime()).text(), HasSubstr("so does --solver dopri5"));
  EXPECT_THAT(solver_findings(falls.runtime()).text(), HasSubstr("so does --solver rosenbrock"));
}

TEST(StepLength, AJumpIsNoSpeed) {
  for (const double begin : {0.0, 5.0}) {
    Loop loop(fmt::format("<block name='x' type='continuous/Integrator' initial='{0}'/><block name='off' "
                          "type='math/Bias' bias='-{0}'/><block name='s' type='math/Sign'/>"
                          "<block name='g' type='math/Gain' gain='-0.1 1/s'/><connect from='x.y' to='off.u'/>"
                          "<connect from='off.y' to='s.u'/><connect from='s.y' to='g.u'/>"
                          "<connect from='g.y' to='x.u'/>",
                          begin));
    EXPECT_LT(looked_at(loop, 12).error, 1e-9) << begin;
  }
}

TEST(StepLength, ALookChangesNoBit) {
  for (const char* period : {"1 ms", "1 ms\" events=\"located"}) {
    Loop loop(everything(), {}, period), other(everything(), {}, period);
    for (int i = 0; i < 60; ++i) {
      loop.run(1), other.run(1);
      loop.runtime().look_at_step();
      ASSERT_EQ(loop.bits(), other.bits()) << i << ", " << period;
    }
    EXPECT_EQ(loop.runtime().checkpoint(), other.runtime().checkpoint());
  }
}

TEST(StepLength, IsLookedAtAtFewTicks) {
  std::vector<std::int64_t> due;
  for (std::int64_t tick = 0; tick <= 10'000; ++tick)
    if (StepLength::due(tick)) due.push_back(tick);
  EXPECT_EQ(due, (std::vector<std::int64_t>{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}));
}

} // namespace
} // namespace hilda::test
