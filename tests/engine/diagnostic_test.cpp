// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/diagnostic.h"
#include "tests/engine/repeated.h"
#include "tests/modules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

TEST(Diagnostic, PrintsPlaceCodeBothSidesAndHelp) {
  const std::string file = "pida.xml", rig = "rigs/two_walls.xml";
  Diagnostics found;
  found.error("unit-mismatch", {&file, 12}, "rig.wrench is in N", "insert a Gain", {{{&rig, 3}, "declared here"}});
  EXPECT_EQ(found.text(), "pida.xml:12: error[unit-mismatch]: rig.wrench is in N\n"
                          "  rigs/two_walls.xml:3: declared here\n"
                          "  help: insert a Gain\n");
}

TEST(Diagnostic, OmitsWhatIsNotKnown) {
  const std::string file = "pida.xml";
  Diagnostics found;
  found.error("file-missing", {}, "no such file", "");
  found.warning("rig-dropped", {&file, 0}, "dropped", "");
  EXPECT_EQ(found.text(), "error[file-missing]: no such file\npida.xml: warning[rig-dropped]: dropped\n");
}

/// One mistake of a library that is in a diagram many times.
TEST(Diagnostic, WhatIsAlikeAtOneLineIsFoldedAndNothingIsHidden) {
  const std::string file = "lib.xml";
  Diagnostics found;
  for (int i = 0; i < 30; ++i)
    found.error("undriven-output", {&file, 3}, "nothing drives the output 's" + std::to_string(i) + ".y' of 'lib'",
                "add");
  found.error("undriven-output", {&file, 4}, "nothing drives the output 's0.z' of 'lib'", "add");
  found.error("undriven-output", {&file, 3}, "no block drives the output 's0.y' of 'lib'", "add");
  const std::string said = found.text();
  EXPECT_NE(said.find("output 's2.y' of 'lib'\n  lib.xml:3: and 27 more like it: 's3.y', 's4.y', "), std::string::npos)
      << said;
  EXPECT_NE(said.find("'s22.y' and 7 others\n  help: add\n"), std::string::npos) << said;
  EXPECT_EQ(said.find("output 's3.y' of"), std::string::npos) << said;
  EXPECT_NE(said.find("no block drives"), std::string::npos) << "other words are another finding";
  EXPECT_NE(said.find("'s0.z'"), std::string::npos) << "another line is another finding";
  EXPECT_EQ(found.errors(), 32U);
  EXPECT_EQ(found.sorted().size(), 32U);
}

TEST(Diagnostic, ThreeThatAreAlikeAreToldWhole) {
  const std::string file = "lib.xml";
  Diagnostics found;
  for (int i = 0; i < 3; ++i) found.error("x", {&file, 3}, "'s" + std::to_string(i) + "' is wrong", "");
  EXPECT_EQ(found.text().find("more like it"), std::string::npos) << found.text();
}

TEST(Diagnostic, AWarningIsNoError) {
  Diagnostics found;
  found.warning("rig-dropped", {}, "dropped", "");
  EXPECT_TRUE(found.ok());
  found.error("file-missing", {}, "no such file", "");
  EXPECT_FALSE(found.ok());
  EXPECT_EQ(found.errors(), 1U);
}

TEST(Diagnostic, SortsByFileAndLineAndKeepsTheOrderWithinALine) {
  const std::string a = "a.xml", b = "b.xml";
  Diagnostics found;
  found.error("x", {&b, 1}, "first", "");
  found.error("x", {&a, 20}, "second", "");
  found.error("x", {&a, 3}, "z comes first here", "");
  found.error("x", {&a, 3}, "a comes second here", "");
  std::vector<std::string> order;
  for (const Diagnostic& one : found.sorted()) order.push_back(one.what);
  EXPECT_EQ(order, (std::vector<std::string>{"z comes first here", "a comes second here", "second", "first"}));
}

TEST(Diagnostic, ListsTheSameFindingOnce) {
  const std::string file = "a.xml";
  Diagnostics found;
  for (int i = 0; i < 3; ++i) found.error("x", {&file, 3}, "twice", "");
  found.error("x", {&file, 4}, "twice", "");
  EXPECT_EQ(found.sorted().size(), 2U);
  EXPECT_EQ(found.all().size(), 4U);
}

TEST(Nearest, FindsSlips) {
  const std::vector<std::string> names{"time_constant", "gain", "stiffness", "damping"};
  EXPECT_EQ(nearest("time_contsant", names), "time_constant"); // neighbours swapped
  EXPECT_EQ(nearest("tim_constant", names), "time_constant");  // left out
  EXPECT_EQ(nearest("gainn", names), "gain");                  // doubled
  EXPECT_EQ(nearest("stifness", names), "stiffness");
  EXPECT_EQ(nearest("dampong", names), "damping");  // replaced
  EXPECT_EQ(nearest("PID", {"Pad", "Pid"}), "Pid"); // capitals
}

TEST(Nearest, KeepsQuietWhereNothingIsNear) {
  EXPECT_EQ(nearest("inertia", {"gain", "damping"}), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("", {"a"}), "");
  EXPECT_EQ(nearest("gain", {}), "");
  EXPECT_EQ(nearest(repeated("a", 100000), {repeated("a", 100000) + "b"}), "");
}

TEST(Nearest, PrefersTheNearerAndThenTheEarlier) {
  EXPECT_EQ(nearest("gaim", {"grin", "gain"}), "gain");
  EXPECT_EQ(nearest("gap", {"map", "tap"}), "map");
  EXPECT_EQ(nearest("gap", {"map", "gap"}), "gap");
}

} // namespace
} // namespace hilda::test
