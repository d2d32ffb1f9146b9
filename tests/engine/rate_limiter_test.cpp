// SPDX-License-Identifier: BSD-3-Clause
// RateLimiter in continuous time: it follows, and goes as fast as it may, from event to event.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

RuntimeOptions limited_by(SolverKind kind) {
  RuntimeOptions options;
  options.solver.kind = kind;
  options.solver.rtol = options.solver.atol = 1e-12;
  return options;
}

/// sin(t), or another input, through a limiter `b` into an integrator `z`.
std::string through_limiter(const std::string& input, const std::string& rates = "rising='0.5 1/s' falling='0.5 1/s'") {
  return input + "<block name='b' type='discrete/RateLimiter' sample_time='continuous' " + rates +
         "/><block name='z' type='continuous/Integrator'/><connect from='b.y' to='z.u'/>\n";
}

const std::string sine = "<block name='u' type='sources/Sine' amplitude='1' frequency='0.15915494309189535 Hz' "
                         "sample_time='continuous'/><connect from='u.y' to='b.u'/>";

/// The same sine from an oscillator, so that the input is a state.
const std::string swing = "<block name='u' type='continuous/Integrator'/><block name='v' type='continuous/Integrator' "
                          "initial='1'/><block name='pull' type='math/Gain' gain='-1 1/s2'/>"
                          "<connect from='u.y' to='pull.u'/><connect from='pull.y' to='v.u'/>"
                          "<connect from='v.y' to='u.u'/><connect from='u.y' to='b.u'/>";

/// What follows sin(t) by 0.5 a second at most: the sine while its slope is less, else a line until they meet.
class LimitedSine {
public:
  LimitedSine() {
    for (double t = 0; t < 20;) {
      const double steep = 2 * M_PI / 3 + std::ceil((t - 2 * M_PI / 3) / M_PI - 1e-9) * M_PI; // |cos| is 0.5 and grows
      const bool limited = std::abs(std::cos(t)) > 0.5 + 1e-9 || steep < t + 1e-9;
      const double way = std::cos(t) > 0 ? 1 : -1, end = limited ? meets(t, way) : steep;
      pieces_.push_back({t, end, std::sin(t), limited ? way : 0});
      t = end;
    }
  }
  double value(double t) const {
    const Piece& p = piece(t);
    return p.way == 0 ? std::sin(t) : p.at + 0.5 * p.way * (t - p.begin);
  }
  double integral(double t) const {
    double sum = 0;
    for (const Piece& p : pieces_) {
      const double end = std::min(t, p.end), length = end - p.begin;
      if (length <= 0) break;
      sum += p.way == 0 ? std::cos(p.begin) - std::cos(end) : p.at * length + 0.25 * p.way * length * length;
    }
    return sum;
  }

private:
  struct Piece {
    double begin, end, at, way;
  };
  const Piece& piece(double t) const {
    for (const Piece& p : pieces_)
      if (t <= p.end) return p;
    return pieces_.back();
  }
  /// Where the line that leaves the sine at `t` comes to it again.
  static double meets(double t, double way) {
    const auto over = [&](double s) { return way * (std::sin(s) - std::sin(t)) - 0.5 * (s - t); };
    double low = t + 0.1;
    while (over(low + 0.01) > 0) low += 0.01;
    double high = low + 0.01;
    for (int i = 0; i < 200; ++i) (over((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    return low;
  }
  std::vector<Piece> pieces_;
};

TEST(LimitedRate, MeetsASineWhereTheClosedFormDoes) {
  const LimitedSine wanted;
  for (const std::string& input : {sine, swing})
    for (const SolverKind kind : variable_solvers()) {
      Loop loop(through_limiter(input), limited_by(kind), "100 ms");
      loop.run(151);
      double worst = 0, worst_integral = 0;
      for (std::size_t k = 0; k <= 150; ++k) {
        const double t = 0.1 * static_cast<double>(k);
        worst = std::max(worst, std::abs(loop.trace("b.y").at(k) - wanted.value(t)));
        worst_integral = std::max(worst_integral, std::abs(loop.trace("z.y").at(k) - wanted.integral(t)));
      }
      const double most = kind == SolverKind::dopri5 ? 1e-10 : 3e-10 * times_the_error(kind);
      EXPECT_LT(worst, most) << solver_name(kind);
      EXPECT_LT(worst_integral, most) << solver_name(kind);
    }
}

TEST(LimitedRate, DoesSoWithFixedStepsToo) {
  const LimitedSine wanted;
  Loop loop(through_limiter(sine), {}, "10 ms\" events=\"located");
  loop.run(1501);
  EXPECT_NEAR(loop.trace("b.y").at(1500), wanted.value(15), 1e-10);
  EXPECT_NEAR(loop.trace("z.y").at(1500), wanted.integral(15), 1e-10);
}

TEST(LimitedRate, IsSteppedAtTicksWithoutThem) {
  const LimitedSine wanted;
  Loop loop(through_limiter(sine), {}, "10 ms");
  loop.run(1501);
  EXPECT_GT(std::abs(loop.trace("z.y").at(1500) - wanted.integral(15)), 1e-6);
  EXPECT_NEAR(loop.trace("z.y").at(1500), wanted.integral(15), 1e-2);
}

TEST(LimitedRate, GoesFromWhereItWasWhenItsInputJumps) {
  // x grows by 1 a second; at 0.55, between two ticks, the input jumps from 0 to 1, and at 1.05 back
  const std::string jumps =
      "<block name='rate' type='sources/Constant' value='1 1/s'/><block name='x' type='continuous/Integrator'/>"
      "<block name='up' type='math/Compare' operation='greater' with='0.55'/>"
      "<block name='down' type='math/Compare' operation='less' with='1.05'/><block name='both' type='math/Logic' "
      "operation='and'/><block name='u' type='math/BoolToReal'/><connect from='rate.y' to='x.u'/>"
      "<connect from='x.y' to='up.a'/><connect from='x.y' to='down.a'/><connect from='up.y' to='both.u[0]'/>"
      "<connect from='down.y' to='both.u[1]'/><connect from='both.y' to='u.u'/><connect from='u.y' to='b.u'/>";
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(through_limiter(jumps, "rising='1 1/s' falling='2 1/s'"), limited_by(kind), "100 ms");
    loop.run(21);
    EXPECT_NEAR(loop.trace("b.y").at(5), 0.0, 1e-12) << solver_name(kind);
    EXPECT_NEAR(loop.trace("b.y").at(6), 0.05, 1e-10) << solver_name(kind);
    EXPECT_NEAR(loop.trace("b.y").at(10), 0.45, 1e-10) << solver_name(kind);
    EXPECT_NEAR(loop.trace("b.y").at(11), 0.5 - 0.1, 1e-10) << solver_name(kind);
    EXPECT_NEAR(loop.trace("b.y").at(13), 0.0, 1e-10) << solver_name(kind);
    EXPECT_NEAR(loop.trace("z.y").at(20), 0.5 * 0.5 * 0.5 + 0.5 * 0.5 * 0.25, 1e-10) << solver_name(kind);
  }
}

TEST(LimitedRate, GoesOnFromWhereItIsWhereItsRateChanges) {
  // up by 1 a second to t = 1, by 3 from then on, until it meets u = 4 at t = 2; the same downwards
  const std::string jump = "<block name='u' type='sources/Step' before='0' after='4' time='100 ms'/>"
                           "<block name='way' type='math/Gain' gain='1'/><connect from='u.y' to='way.u'/>"
                           "<block name='rate' type='sources/Step' before='1 1/s' after='3 1/s' time='1.1 s'/>"
                           "<connect from='way.y' to='b.u'/><connect from='rate.y' to='b.rising'/>"
                           "<connect from='rate.y' to='b.falling'/>";
  for (const double sign : {1.0, -1.0}) {
    std::string input = jump;
    if (sign < 0) input.replace(input.find("gain='1'"), 8, "gain='-1'");
    for (const SolverKind kind : variable_solvers()) {
      Loop loop(through_limiter(input, ""), limited_by(kind), "100 ms");
      loop.run(31);
      EXPECT_NEAR(sign * loop.trace("b.y").at(11), 1.0, 0.11) << solver_name(kind);
      const double at = sign * loop.trace("b.y").at(11);
      for (std::size_t k = 12; k <= 19; ++k)
        EXPECT_NEAR(sign * loop.trace("b.y").at(k), at + 0.3 * static_cast<double>(k - 11), 1e-10)
            << solver_name(kind) << " " << k;
      EXPECT_NEAR(sign * loop.trace("b.y").at(30), 4.0, 1e-10) << solver_name(kind);
    }
  }
}

TEST(LimitedRate, FollowsARampOfItsOwnRate) {
  const std::string ramp = "<block name='u' type='sources/Ramp' slope='0.5 1/s' sample_time='continuous'/>"
                           "<connect from='u.y' to='b.u'/>";
  Loop loop(through_limiter(ramp), limited_by(SolverKind::dopri5), "100 ms");
  loop.run(101);
  EXPECT_NEAR(loop.trace("b.y").at(100), 5, 1e-12);
  EXPECT_NEAR(loop.trace("z.y").at(100), 25, 1e-10);
  EXPECT_LT(loop.runtime().solver().variable()->statistics().events, 3);
}

TEST(LimitedRate, IsTheSameFromACheckpointOn) {
  for (const std::string& period :
       {std::string("100 ms\" solver=\"dopri5"), std::string("100 ms\" events=\"located")}) {
    Loop loop(through_limiter(swing), {}, period), other(through_limiter(swing), {}, period);
    loop.run(23);
    ASSERT_TRUE(other.runtime().restore(loop.runtime().checkpoint()));
    loop.run(50), other.run(50);
    EXPECT_EQ(loop.bits(), other.bits()) << period;
  }
}

} // namespace
} // namespace hilda::test
