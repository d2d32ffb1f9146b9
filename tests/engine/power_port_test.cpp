// SPDX-License-Identifier: BSD-3-Clause
// The three rules by which the work of a power port is summed, each against a sum by hand.

#include "tests/engine/loop.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

const std::string motion = "<block name='f' type='sources/Ramp' slope='3 N/s'/>"
                           "<block name='v' type='sources/Sine' amplitude='2 m/s' frequency='40 Hz' phase='50 deg'/>\n"
                           "<block name='tf' type='sinks/Terminator'/><block name='tv' type='sinks/Terminator'/>"
                           "<connect from='f.y' to='tf.u'/><connect from='v.y' to='tv.u'/>\n";

double work(const std::string& rule, int ticks, const std::string& more = "") {
  Loop loop(motion + "<power_port name='p' effort='f.y' flow='v.y' rule='" + rule + "'/>\n" + more);
  loop.run(ticks);
  const std::vector<double>&f = loop.trace("f.y"), &v = loop.trace("v.y");
  double sum = 0;
  for (std::size_t k = 0; k < f.size(); ++k) {
    const double now = f[k] * v[k], before = k > 0 ? f[k - 1] * v[k - 1] : NAN;
    if (rule == "backward") sum += 1e-3 * now;
    if (rule == "forward" && k > 0) sum += 1e-3 * before;
    if (rule == "trapezoid" && k > 0) sum += 1e-3 * (now + before) / 2;
  }
  const Ledger::Port port = loop.runtime().ledger().ports().at(0);
  EXPECT_NEAR(port.energy, sum, 1e-15) << rule << " after " << ticks << " ticks";
  return port.energy;
}

TEST(PowerPortRules, SumTheWorkAsTheirNamesSay) {
  for (const int ticks : {1, 2, 3, 50, 333})
    for (const char* rule : {"backward", "forward", "trapezoid"}) work(rule, ticks);
}

TEST(PowerPortRules, TheTrapezoidIsTheMeanOfTheOtherTwo) {
  const double backward = work("backward", 100), forward = work("forward", 100), trapezoid = work("trapezoid", 100);
  EXPECT_GT(std::abs(backward - forward), 1e-6);
  // The first tick counts for the backward rule alone: there the force is 0.
  EXPECT_NEAR(trapezoid, (backward + forward) / 2, 1e-15);
}

TEST(PowerPortRules, OfMatricesSumAllElements) {
  Loop loop("<block name='f' type='sources/Constant' value='1 2 3; 4 5 6 N'/>"
            "<block name='v' type='sources/Constant' value='7 8 9; 10 11 12 m/s'/>"
            "<block name='tf' type='sinks/Terminator'/><block name='tv' type='sinks/Terminator'/>"
            "<connect from='f.y' to='tf.u'/><connect from='v.y' to='tv.u'/>\n"
            "<power_port name='p' effort='f.y' flow='v.y' rule='backward'/>\n"
            "<power_port name='q' effort='f.y[1,0]' flow='v.y[0,2]' rule='backward'/>\n");
  loop.run(10);
  EXPECT_NEAR(loop.runtime().ledger().ports().at(0).energy, 10e-3 * (7 + 16 + 27 + 40 + 55 + 72), 1e-15);
  EXPECT_NEAR(loop.runtime().ledger().ports().at(1).energy, 10e-3 * 4 * 9, 1e-15);
}

/// What a block holds belongs to the innermost element around it, in whatever order the ports name the elements.
TEST(EnergyOfAnElement, IsThatOfItsBlocksWithoutThoseOfElementsWithinIt) {
  for (const char* ends : {"from='a' to='a.b'", "from='a.b' to='a'"}) {
    Loop loop(motion +
              "<subsystem name='a'><block name='s' type='probes/Store' energy='3 J'/>"
              "<subsystem name='b'><block name='s' type='probes/Store' energy='2 J'/></subsystem></subsystem>\n"
              "<block name='ab' type='probes/Store' energy='7 J'/>\n"
              "<power_port name='p' effort='f.y' flow='v.y' rule='backward' " +
              ends + "/>\n");
    loop.run(2);
    std::map<std::string, double> stored;
    for (const Ledger::Element& each : loop.runtime().ledger().elements()) stored[each.path] = each.stored;
    EXPECT_EQ(stored, (std::map<std::string, double>{{"a", 3}, {"a.b", 2}})) << ends;
  }
}

} // namespace
} // namespace hilda::test
