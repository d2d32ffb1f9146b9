// SPDX-License-Identifier: BSD-3-Clause
// Bounces that follow each other ever faster: bounces too small to be distinguished come to rest, or the run fails.

#include "engine/session/solver_findings.h"
#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

/// A ball that falls from 1 m and keeps a part of its speed. `event`: what its speed is, and how it meets the floor.
std::string ball(double keeps, const std::string& speed, const std::string& more = "") {
  return fmt::format("<block name='x' type='continuous/Integrator' initial='1 m'/>"
                     "<block name='gravity' type='sources/Step' before='-9.81 m/s2' after='2 m/s2' time='4 s'/>"
                     "<block name='bounce' type='math/Gain' gain='{}'/>{}"
                     "<connect from='gravity.y' to='v.u'/><connect from='v.y' to='x.u'/>"
                     "<connect from='v.y' to='bounce.u'/><connect from='bounce.y' to='v.restart'/>{}",
                     -keeps, speed, more);
}

std::string by_a_number(double keeps) {
  return ball(keeps, "<block name='v' type='continuous/ResetIntegrator' reset_on='falling'/>",
              "<connect from='x.y' to='v.trigger'/>");
}

std::string by_a_comparison(double keeps) {
  return ball(keeps,
              "<block name='below' type='math/Compare' operation='less'/>"
              "<block name='v' type='continuous/Integrator' reset='below.y' reset_on='rising'/>",
              "<connect from='x.y' to='below.a'/>");
}

/// When it comes to rest, and its height until then.
struct Fall {
  double keeps, g = 9.81;
  double first() const { return std::sqrt(2 / g); }
  double rests() const { return first() * (1 + 2 * keeps / (1 - keeps)); }
  double height(double t) const {
    if (t >= rests()) return 0;
    double begin = 0, speed = 0, x = 1, fall = first();
    for (; t > begin + fall; fall = 2 * speed / g) {
      begin += fall;
      speed = keeps * (x > 0 ? g * fall : speed);
      x = 0;
    }
    return x + speed * (t - begin) - g / 2 * (t - begin) * (t - begin);
  }
};

std::vector<std::string> variants() {
  std::vector<std::string> made;
  for (const char* period : {"10 ms", "1 ms"}) {
    made.push_back(std::string(period) + "\" events=\"located");
    for (const char* solver : {"dopri5", "dopri5\" rtol=\"1e-10\" atol=\"1e-12", "rosenbrock"})
      made.push_back(std::string(period) + "\" solver=\"" + solver);
  }
  return made;
}

TEST(Bounces, EndAtRestOnTheFloor) {
  for (const double keeps : {0.05, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75})
    for (const std::string& body : {by_a_number(keeps), by_a_comparison(keeps)})
      for (const std::string& period : variants()) {
        const Fall right{.keeps = keeps};
        Loop loop(body, {}, period);
        const int a_second = period.front() == '1' && period[1] == '0' ? 100 : 1000;
        loop.run(5 * a_second + 1);
        ASSERT_EQ(loop.runtime().tick(), 5 * a_second + 1) << loop.runtime().ending().text << keeps << ", " << period;
        double worst = 0;
        for (int k = 0; k <= 4 * a_second; ++k)
          worst = std::max(
              worst, std::abs(loop.trace("x.y").at(static_cast<std::size_t>(k)) - right.height(double(k) / a_second)));
        EXPECT_LT(worst, 1e-6) << keeps << ", " << period;
        // the floor lets it go
        EXPECT_NEAR(loop.trace("x.y").at(static_cast<std::size_t>(5 * a_second)), 1, 1e-6) << keeps << ", " << period;
      }
}

/// Formulas over several steps begin coarsely after each bounce.
TEST(Bounces, OfMultistepMethodsEndAtRestOrFailInWords) {
  if (!has_cvode()) GTEST_SKIP() << "hilda was built without CVODE";
  for (const double keeps : {0.05, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9})
    for (const std::string& body : {by_a_number(keeps), by_a_comparison(keeps)})
      for (const char* solver :
           {"cvode", "adams", "cvode\" rtol=\"1e-10\" atol=\"1e-12", "adams\" rtol=\"1e-10\" atol=\"1e-12"})
        for (const int a_second : {100, 1000}) {
          const std::string of = fmt::format("{} ms\" solver=\"{}", 1000 / a_second, solver);
          const Fall right{.keeps = keeps};
          Loop loop(body, {}, of);
          loop.run(4 * a_second);
          const Ending ending = loop.runtime().ending();
          if (ending.kind != Ending::Kind::none) {
            EXPECT_THAT(ending.text, HasSubstr("(Zeno)")) << keeps << ", " << of;
            EXPECT_NEAR(ending.time, right.rests(), 0.02) << keeps << ", " << of;
          }
          const std::vector<double>& heights = loop.trace("x.y");
          for (std::size_t k = 0; k < heights.size(); ++k)
            ASSERT_NEAR(heights[k], right.height(double(k) / a_second), 1e-5) << keeps << ", " << of << ", tick " << k;
        }
}

TEST(Bounces, ThatTakeLongEndAtRestToo) {
  for (const std::string& period : {std::string("10 ms\" solver=\"dopri5"), std::string("10 ms\" events=\"located")}) {
    Loop loop(by_a_number(0.95), {}, period);
    loop.run(401);
    EXPECT_EQ(loop.runtime().tick(), 401) << loop.runtime().ending().text;
    EXPECT_NEAR(loop.trace("x.y").at(400), Fall{.keeps = 0.95}.height(4), 1e-6);
  }
}

/// A block of someone else cannot be made to rest.
TEST(Bounces, ThatABlockMakesAtEventsFailInWords) {
  for (const double keeps : {0.3, 0.5, 0.7, 0.9})
    for (const std::string& period : variants()) {
      const std::string body = fmt::format("<block name='ball' type='probes/Ball' keeps='{}'/>", keeps);
      Loop loop(body, {}, period);
      const Fall right{.keeps = keeps};
      loop.run(10'000);
      EXPECT_EQ(loop.runtime().ending().kind, Ending::Kind::failed) << keeps << ", " << period;
      EXPECT_EQ(loop.runtime().ending().block, "ball");
      EXPECT_THAT(loop.runtime().ending().text, HasSubstr("rest")) << period;
      EXPECT_NEAR(loop.runtime().time(), right.rests(), 0.02) << keeps << ", " << period;
    }
}

/// A ball in equations, which also counts.
std::string in_equations(double keeps) {
  return fmt::format("<block name='ball' type='math/Equations'><parameter name='g' value='9.81 m/s^2'/>"
                     "<state name='x' initial='1 m'/><state name='v' unit='m/s'/><state name='n'/>"
                     "<output name='y' unit='m'/><output name='count'/><equation is=\"x' = v\"/>"
                     "<equation is=\"v' = -g\"/><equation is='v+ = -{0}*v' when='hit'/>"
                     "<equation is='n+ = n + 1' when='x &lt; 0'/><equation is='hit = !(x > 0) &amp;&amp; v &lt; 0'/>"
                     "<equation is='y = x'/><equation is='count = n'/></block>",
                     keeps);
}

/// [T6] A condition of equations that sets a state with a rate of change acts where it becomes true.
TEST(Bounces, InEquationsAreAtTheirTimes) {
  for (const double keeps : {0.3, 0.5, 0.7, 0.9})
    for (const std::string& period : variants()) {
      const Fall right{.keeps = keeps};
      Loop loop(in_equations(keeps), {}, period);
      const int a_second = period.starts_with("10 ms") ? 100 : 1000;
      loop.run(10 * a_second);
      EXPECT_EQ(loop.runtime().ending().kind, Ending::Kind::failed) << keeps << ", " << period;
      EXPECT_EQ(loop.runtime().ending().block, "ball");
      EXPECT_NEAR(loop.runtime().time(), right.rests(), 0.02) << keeps << ", " << period;
      const std::vector<double>&heights = loop.trace("ball.y"), &counts = loop.trace("ball.count");
      for (std::size_t k = 0; k < heights.size(); ++k) {
        const double time = double(k) / a_second;
        ASSERT_NEAR(heights[k], right.height(time), 1e-5) << keeps << ", " << period << ", tick " << k;
        double bounce = right.first(), bounces = 0;
        for (double gap = 2 * bounce * keeps; bounce < time - 1e-4 && bounces < 8; gap *= keeps)
          ++bounces, bounce += gap;
        if (bounces >= 8 || bounce <= time + 1e-4) continue;
        ASSERT_EQ(counts[k], bounces) << keeps << ", " << period << ", " << k;
      }
    }
}

TEST(Bounces, InEquationsThatTicksSeeAreReportedAsLate) {
  Loop loop(in_equations(0.7), {}, "10 ms");
  loop.runtime().watch_events();
  loop.run(200);
  EXPECT_THAT(solver_findings(loop.runtime()).text(), HasSubstr("'ball' (math/Equations) was set "));
}

TEST(Bounces, OfSuchABlockAreMissedWhereNothingIsLocated) {
  const std::string said = errors_of("<block name='ball' type='probes/Ball' keeps='0.5'/>\n");
  EXPECT_THAT(said, HasSubstr("test.xml:2: warning[events-unlocated]"));
  EXPECT_THAT(said, HasSubstr("events=\"located\""));
}

TEST(Bounces, OfARestingBallAreTheSameFromACheckpointOn) {
  for (const std::string& period : variants()) {
    if (period.starts_with("1 ms")) continue;
    Loop loop(by_a_number(0.5), {}, period), other(by_a_number(0.5), {}, period);
    loop.run(200);
    ASSERT_TRUE(other.runtime().restore(loop.runtime().checkpoint()));
    loop.run(250), other.run(250);
    EXPECT_EQ(loop.bits(), other.bits()) << period;
  }
}

} // namespace
} // namespace hilda::test
