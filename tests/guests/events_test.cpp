// SPDX-License-Identifier: BSD-3-Clause
// `hilda check` of a diagram whose blocks declare events that its solver does not locate.

#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string relay(const std::string& attributes) {
  return "<diagram format=\"1\" name=\"relay\" period=\"1 ms\" " + attributes +
         ">\n"
         "  <block name=\"one\" type=\"sources/Constant\" value=\"1 1/s\"/>\n"
         "  <block name=\"x\" type=\"continuous/Integrator\"/>\n"
         "  <block name=\"r\" type=\"discrete/Relay\" lower=\"-1\" upper=\"0.5\"/>\n"
         "  <block name=\"z\" type=\"continuous/Integrator\"/>\n"
         "  <block name=\"quick\" type=\"sources/Constant\" value=\"1\" mode=\"quick\"/>\n"
         "  <block name=\"slow\" type=\"sources/Constant\" value=\"1\" mode=\"slow\"/>\n"
         "  <connect from=\"one.y\" to=\"x.u\"/>\n"
         "  <connect from=\"x.y\" to=\"r.u\"/>\n"
         "  <connect from=\"r.y\" to=\"z.u\"/>\n"
         "</diagram>\n";
}

TEST(UnlocatedEvents, AreNamedOnceByCheck) {
  const Workplace here;
  here.write("relay.xml", relay(""));
  const Result check = here.hilda("check relay.xml");
  EXPECT_EQ(check.exit, 0) << check.err;
  const std::string note = ": 'r' (discrete/Relay): it declares events, and the fixed step of rk4 locates none: "
                           "update() acts at the next tick, up to 1 ms late; events=\"located\" or "
                           "solver=\"dopri5\" in the diagram, or --solver dopri5, acts at their very time\n";
  EXPECT_THAT(check.err, HasSubstr(note));
  const std::string words = "it declares events";
  EXPECT_EQ(check.err.find(words, check.err.find(words) + 1), std::string::npos) << "of two modes: " << check.err;
}

TEST(UnlocatedEvents, ThatAreLocatedAreNotSpokenOf) {
  const Workplace here;
  here.write("relay.xml", relay("events=\"located\""));
  EXPECT_THAT(here.hilda("check relay.xml").err, Not(HasSubstr("declares events")));
  here.write("relay.xml", relay("solver=\"dopri5\""));
  EXPECT_THAT(here.hilda("check relay.xml").err, Not(HasSubstr("declares events")));
}

/// Which says of itself that they are late, when it has had one.
TEST(UnlocatedEvents, AreNotSpokenOfByARunBeforeItHasOne) {
  const Workplace here;
  here.write("relay.xml", relay(""));
  const Result run = here.hilda("run relay.xml --for 0.4s --no-log --mode quick");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.err, Not(HasSubstr("events")));
}

} // namespace
} // namespace hilda::test
