// SPDX-License-Identifier: BSD-3-Clause
// Limits of an integral that wires drive.
#include "tests/live/live_diagram.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

/// An integral of 1 a second whose upper limit is what `limit` gives.
std::string limited_integral(const std::string& limit, const std::string& root) {
  return "<diagram format=\"1\" name=\"driven\" period=\"10 ms\" " + root +
         "><block name=\"one\" type=\"sources/Constant\" value=\"1 1/s\"/><block name=\"up\" " + limit +
         "/><block name=\"i\" type=\"continuous/Integrator\"/><connect from=\"one.y\" to=\"i.u\"/>"
         "<connect from=\"up.y\" to=\"i.upper\"/></diagram>";
}

TEST(DrivenLimit, LimitsAnIntegralAtTicksWhereCrossingsAreLocated) {
  for (const char* root : {"solver=\"dopri5\"", "solver=\"rosenbrock\"", "events=\"located\""}) {
    Live step(DiagramText{"driven.xml", limited_integral("type=\"sources/Step\" time=\"0.6 s\" before=\"0.3\" "
                                                         "after=\"0.5\" sample_time=\"10 ms\"",
                                                         root)});
    ASSERT_TRUE(step.ok()) << step.diagram.diagnostics().text();
    step.run_to(51);
    EXPECT_NEAR(step.number("i.y"), 0.3, 1e-12) << root;
    step.run_to(71);
    EXPECT_NEAR(step.number("i.y"), 0.4, 1e-9) << root << ": it goes on from where it stood";
    step.run_to(100);
    EXPECT_NEAR(step.number("i.y"), 0.5, 1e-12) << root;

    Live wave(DiagramText{"driven.xml", limited_integral("type=\"sources/Sine\" bias=\"0.5\" amplitude=\"0.2\" "
                                                         "frequency=\"40 rad/s\" sample_time=\"continuous\"",
                                                         root)});
    ASSERT_TRUE(wave.ok()) << wave.diagram.diagnostics().text();
    wave.run_to(100);
    EXPECT_EQ(wave.runtime->ending().kind, Ending::Kind::failed) << root;
    EXPECT_EQ(wave.runtime->ending().block, "i");
    EXPECT_THAT(wave.runtime->ending().text, HasSubstr("its limit moves within a tick")) << root;
  }
}

TEST(DrivenLimit, LimitsAnIntegralWithinATickWithAPlainFixedStep) {
  Live live(DiagramText{"driven.xml", limited_integral("type=\"sources/Sine\" bias=\"0.5\" amplitude=\"0.2\" "
                                                       "frequency=\"40 rad/s\" sample_time=\"continuous\"",
                                                       "")});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  double expected = 0; // the same in a thousandth of the tick
  for (int k = 0; k < 81; ++k) {
    ASSERT_TRUE(live.runtime->compute());
    EXPECT_NEAR(live.number("i.y"), expected, 0.011) << k;
    ASSERT_TRUE(live.runtime->advance());
    for (int i = 1; i <= 1000; ++i)
      expected = std::min(expected + 1e-5, 0.5 + 0.2 * std::sin(40 * (k + i * 1e-3) * 0.01));
  }
}

} // namespace
} // namespace hilda::test
