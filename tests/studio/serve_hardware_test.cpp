// SPDX-License-Identifier: BSD-3-Clause
// `hilda run --serve` of a run that moves something: who watches changes it only where --operate says so.
#include "tests/cli/program.h"
#include "tests/studio/served.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using Answer = nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* peer = R"(<diagram format="1" name="peer" period="4 ms">
  <parameter name="place" value="0"/>
  <block name="target" type="sources/Constant" value="${place}"/>
  <block name="peer" type="udp/UdpActuator" mode="hardware" port="47192" rest="0"/>
  <limits on="peer.values" mode="hardware" magnitude="2" rate="0.5" acceleration="1000"/>
  <connect from="target.y" to="peer.values"/>
</diagram>)";

/// The reply to `set` on hardware; the log replays whatever it was.
Answer set_on_hardware(const std::vector<std::string>& more) {
  const Workplace here;
  here.write("peer.xml", peer);
  std::vector<std::string> arguments{"run",   here.path("peer.xml"), "--mode",  "hardware", "--for", "30s",
                                     "--log", here.path("run.mcap"), "--serve", "0"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Served run(here, "run", arguments);
  EXPECT_NE(run.port, 0) << run.said();
  const WebClient page = run.connect("hilda.v1");
  while (true) {
    const std::string text = page.text_with("\"op\":\"state\"");
    if (text.empty() || Answer::parse(text)["tick"] > 10 || more.empty()) break;
  }
  const Answer reply = ask(page, {{"op", "set"}, {"settings", {{{"path", "place"}, {"text", "0.001"}}}}});
  EXPECT_EQ(ask(page, {{"op", "back"}})["ok"], false);
  run.process.interrupt();
  EXPECT_EQ(run.process.wait(), 130) << run.said();
  if (!more.empty()) {
    const Result replay = here.hilda("run --mode replay run.mcap");
    EXPECT_EQ(replay.exit, 0) << replay.out << replay.err;
  }
  return reply;
}

TEST(ServeHardware, IsReadOnlyUnlessItIsOperatedAndArmed) {
  EXPECT_THAT(set_on_hardware({"--arm"})["error"].get<std::string>(), HasSubstr("--operate"));
  EXPECT_THAT(set_on_hardware({})["error"].get<std::string>(), HasSubstr("--operate"));
  const Answer taken = set_on_hardware({"--arm", "--operate"});
  EXPECT_EQ(taken["ok"], true) << taken;
  EXPECT_GT(taken["tick"], 0);
}

} // namespace
} // namespace hilda::test
