// SPDX-License-Identifier: BSD-3-Clause
// A plugin that calls exit(0) ends no program with success that has loaded it, also not an embedding one.

#include "engine/plugin/library.h"
#include "engine/run/start.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

/// Loads, runs ten ticks and leaves, as an embedding program does; it ends with 0 if nothing prevents it.
[[noreturn]] void run(const std::string& what, const std::string& phase) {
  {
    Host host;
    Diagnostics loading;
    host.load(build_folder() + "/tests/guests/plugins/taking.so", loading);
    LoadedDiagram diagram(host.catalogue(),
                          DiagramText{"guests.xml", "<diagram format=\"1\" name=\"guests\" period=\"1 ms\">\n<block "
                                                    "name=\"guest\" type=\"taking/Takes\" at=\"5\" what=\"" +
                                                        what + "\" in=\"" + phase + "\"/>\n</diagram>\n"},
                          {});
    const std::unique_ptr<Runtime> runtime = start_runtime(diagram);
    std::fputs(diagram.diagnostics().text().c_str(), stderr);
    for (int tick = 0; runtime != nullptr && tick < 10; ++tick) runtime->step();
  }
  std::exit(0);
}

class Exit : public ::testing::TestWithParam<const char*> {};

TEST_P(Exit, BeforeTheLoopIsNamedAndIsNoSuccess) {
  for (const char* phase : {"infer", "configure", "initialize", "start"})
    EXPECT_EXIT(run(GetParam(), phase), ::testing::ExitedWithCode(2),
                std::string("^error: the plugin ends the program by ") + GetParam() +
                    " in block guest .taking/Takes., in " + phase + "\n  plugin .*taking.so\nhelp: ");
}

TEST_P(Exit, InTheLoopAndAfterItIsNamedAndIsNoSuccess) {
  for (const char* phase : {"output", "stop"})
    EXPECT_EXIT(run(GetParam(), phase), ::testing::ExitedWithCode(3),
                std::string("ends the program by ") + GetParam() + " in block guest .taking/Takes., in .*" + phase);
}

INSTANTIATE_TEST_SUITE_P(Ways, Exit, ::testing::Values("exit", "quick_exit"),
                         [](const auto& each) { return std::string(each.param); });

TEST(ExitOfTheProgram, IsItsOwn) { EXPECT_EXIT(run("", ""), ::testing::ExitedWithCode(0), ""); }

} // namespace
} // namespace hilda::test
