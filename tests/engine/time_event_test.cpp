// SPDX-License-Identifier: BSD-3-Clause
// What time itself does between two ticks: a continuous Step and Pulse change at their very times, where events are
// located.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

std::vector<std::string> locating() {
  std::vector<std::string> made = {"100 ms\" events=\"located", "100 ms\" solver=\"euler\" events=\"located"};
  for (const SolverKind kind : variable_solvers())
    made.push_back(std::string("100 ms\" solver=\"") + solver_name(kind));
  return made;
}

std::string integral_of(const std::string& source) {
  return "<block name='u' " + source + " sample_time='continuous'/><block name='x' type='continuous/Integrator'/>" +
         "<connect from='u.y' to='x.u'/>";
}

TEST(TimeEvents, AStepIsAtItsTime) {
  for (const std::string& period : locating())
    for (const double at : {0.0, 0.1, 0.3, 0.5370000001, 0.7, 1.2345678, 1.899999, 3.0}) {
      Loop loop(integral_of(fmt::format("type='sources/Step' before='-1' after='2' time='{:.17g} s'", at)), {}, period);
      loop.run(20);
      const double end = 1.9, right = at < end ? -at + 2 * (end - at) : -end;
      EXPECT_NEAR(loop.trace("x.y").at(19), right, 1e-11) << at << ", " << period;
    }
}

TEST(TimeEvents, APulseBeginsAndEndsAtItsTimes) {
  for (const std::string& period : locating())
    for (const double first : {0.0, 0.05, 0.3, 0.5371, 2.5}) {
      Loop loop(integral_of(fmt::format("type='sources/Pulse' high='1' low='-1' repeat='0.73 s' width='0.21 s' "
                                        "first='{:.17g} s'",
                                        first)),
                {}, period);
      loop.run(20);
      double high = 0;
      for (int n = 0; n < 10; ++n) {
        const double begin = first + 0.73 * n;
        high += std::max(0.0, std::min(1.9, begin + 0.21) - begin); // of what is left of it
      }
      EXPECT_NEAR(loop.trace("x.y").at(19), high - (1.9 - high), 1e-11) << first << ", " << period;
    }
}

TEST(TimeEvents, ASinglePulse) {
  for (const std::string& period : locating()) {
    Loop loop(integral_of("type='sources/Pulse' high='1' width='0.333 s' first='0.25 s'"), {}, period);
    loop.run(20);
    EXPECT_NEAR(loop.trace("x.y").at(19), 0.333, 1e-11) << period;
  }
}

} // namespace
} // namespace hilda::test
