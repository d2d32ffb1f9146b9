// SPDX-License-Identifier: BSD-3-Clause
// A plugin that closes the descriptors by which the server of its run waits.
#include "tests/cli/program.h"
#include "tests/project_folders.h"
#include "tests/studio/served.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// In tick 2000.
std::string diagram_that_takes(const std::string& what) {
  return "<diagram format=\"1\" name=\"guests\" period=\"1 ms\">\n  <block name=\"guest\" type=\"taking/Takes\" "
         "what=\"" +
         what + "\" in=\"output\" at=\"2000\"/>\n</diagram>\n";
}

/// A run that a page watches. It continues, and the page with it.
TEST(TakenServer, WhatItListensToIsRestoredAndThePageStaysConnected) {
  for (const auto& [what, said] : {std::pair("sockets", "the connection of a client: open -> closed"),
                                   {"sockets_replaced", "the connection of a client: open -> another file"},
                                   {"events", "an event of the server: open -> closed"}}) {
    const Workplace here;
    here.write("guests.xml", diagram_that_takes(what));
    Served run(here, "run",
               {"run", here.path("guests.xml"), "--realtime", "--for", "60s", "--no-log", "--serve", "0", "--plugins",
                build_folder() + "/tests/guests/plugins"});
    ASSERT_NE(run.port, 0) << run.said();
    const std::string in_loop = "warning: a plugin changed what belongs to the whole process while the loop ran: ";
    const WebClient page = run.connect("hilda.v1");
    ASSERT_NE(page.text_with("\"op\":\"hello\""), "");
    for (int i = 0; i < 1000 && run.said().find(in_loop) == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_THAT(run.said(), AllOf(HasSubstr(in_loop), HasSubstr(said))) << what;
    if (what != std::string("events")) {
      EXPECT_THAT(run.said(), HasSubstr("the socket of port " + std::to_string(run.port) + ": open -> ")) << what;
    }
    EXPECT_EQ(ask(page, {{"op", "changes"}})["ok"], true) << what;
    const WebClient later = run.connect("hilda.v1");
    EXPECT_NE(later.text_with("\"op\":\"hello\""), "") << what;
    run.process.interrupt();
    EXPECT_EQ(run.process.wait(), 130) << run.said();
  }
}

} // namespace
} // namespace hilda::test
