// SPDX-License-Identifier: BSD-3-Clause
// An assignment whose sides have different shapes fails the run in every build, and stores nothing.

#include "engine/plugin/library.h"
#include "engine/run/start.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

const Catalogue& blocks() {
  static Host& host = *new Host;
  static Diagnostics loading;
  if (host.libraries().empty())
    for (const char* file : {"/tests/guests/plugins/shapes.so", "/lib/hilda/plugins/sources.so"})
      host.load(build_folder() + file, loading);
  return host.catalogue();
}

struct Ended {
  std::string diagnostics;
  Ending ending;
};

/// Three blocks of one type, which the loop calls in one go; the second assigns what does not fit.
Ended run(const std::string& phase) {
  std::string text = "<diagram format=\"1\" name=\"shapes\" period=\"1 ms\">\n"
                     "<block name=\"two\" type=\"sources/Constant\" value=\"1 2\"/>\n";
  for (const std::string name : {"one", "it", "three"})
    text += "<block name=\"" + name + "\" type=\"shapes/Grows\" in=\"" + (name == "it" ? phase : "") +
            "\"/><connect from=\"two.y\" to=\"" + name + ".u\"/>\n";
  LoadedDiagram diagram(blocks(), DiagramText{"shapes.xml", text + "</diagram>\n"}, {});
  const std::unique_ptr<Runtime> runtime = start_runtime(diagram);
  for (int tick = 0; runtime != nullptr && tick < 10 && runtime->step(); ++tick) {}
  return {diagram.diagnostics().text(), runtime != nullptr ? runtime->ending() : Ending{}};
}

TEST(Shapes, ThatDoNotFitFailTheRunAndNameBlockPortAndBothSides) {
  for (const auto& [phase, said] : {std::pair("output", "y is 3 x 1, and 2 x 1 is assigned to it"),
                                    {"fixed", "three is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"update", "more is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"view", "y is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"added", "y is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"taken", "y is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"aside", "y is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"item", "each[1] is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"elements", "two is 2 x 1, and 3 x 1 is assigned to it"},
                                    {"wrench", "y is 3 x 1, and 6 x 1 is assigned to it"},
                                    {"copy", "y is 3 x 1, and 4 x 1 is assigned to it"},
                                    {"part", "a part of y is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"fixed part", "a part of y is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"column", "a part of m is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"beyond", "a part of y, 2 x 1, is not within its 3 x 1: nothing was stored"},
                                    {"column beyond", "a part of m, 3 x 1, is not within its 3 x 2"},
                                    {"short list", "y is 3 x 1, and a list of 2 numbers is assigned to it"},
                                    {"long list", "y is 3 x 1, and a list of 4 numbers is assigned to it"},
                                    {"ring", "line is 3 x 1, and 2 x 1 is assigned to it"},
                                    {"derivative", "x is 3 x 1, and 2 x 1 is assigned to it"}}) {
    const Ended ended = run(phase);
    EXPECT_EQ(ended.ending.kind, Ending::Kind::failed) << phase << ended.diagnostics;
    EXPECT_EQ(ended.ending.block, "it") << phase;
    EXPECT_EQ(ended.ending.tick, 3) << phase;
    EXPECT_THAT(ended.ending.text, HasSubstr(said)) << phase;
  }
}

TEST(Shapes, ThatDoNotFitBeforeTheLoopAreAnError) {
  EXPECT_THAT(run("initialize").diagnostics,
              HasSubstr("error[block-initialize]: it (shapes/Grows): more is 3 x 1, and 2 x 1 is assigned to it"));
}

TEST(Shapes, ThatFitAreStored) {
  const Ended ended = run("");
  EXPECT_EQ(ended.ending.kind, Ending::Kind::none) << ended.diagnostics << ended.ending.text;
}

TEST(Words, OfAFailureAreKeptWhereTheBlockKeepsThemNot) { EXPECT_EQ(run("words").ending.text, "too hot in tick 3"); }

} // namespace
} // namespace hilda::test
