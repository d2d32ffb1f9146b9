// SPDX-License-Identifier: BSD-3-Clause
// Foxglove's own client (npm) against a run: it subscribes, decodes, sets a parameter and sees it change.
#include "tests/npm_packages.h"
#include "tests/project_folders.h"
#include "tests/studio/served.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using Json = nlohmann::json;

const std::filesystem::path sources = source_folder() + "/tests/studio";
const std::filesystem::path installed = build_folder() + "/tests/studio";

TEST(FoxglovesClient, SubscribesDecodesSetsAParameterAndSeesItChange) {
  const std::string problem = install_packages(sources, installed, {"foxglove_client.mjs"});
  if (!problem.empty()) {
    std::cerr << "\n*** NOT TESTED: whether Foxglove can attach to a run. " << problem << " ***\n\n";
    GTEST_SKIP() << problem;
  }
  const Folder folder;
  folder.write("loop.xml", tuned_loop);
  const Served run(folder, "run",
                   {"run", folder.path("loop.xml"), "--for", "60s", "--realtime", "--serve", "0", "--no-log"});
  ASSERT_NE(run.port, 0) << run.said();
  const Output node = run_with_errors("node '" + (installed / "foxglove_client.mjs").string() + "' '" + run.link() +
                                      "' 1000 push 3 '5 kg'");
  ASSERT_EQ(node.status, 0) << node.text << run.said();
  const Json found = Json::parse(node.text);
  EXPECT_EQ(found["info"]["capabilities"], Json({"parameters", "parametersSubscribe", "time", "services"}));
  EXPECT_EQ(found["services"].size(), 0U) << "a run that is paced does not wait for commands";
  const Json& channel = found["channels"]["/diagram"];
  EXPECT_GE(channel["messages"], 1000);
  EXPECT_EQ(channel["gaps"], 0) << "a message was lost";
  EXPECT_GT(found["channels"]["/diagram/every_5"]["messages"], 100);
  EXPECT_GT(found["times"], 1);
  EXPECT_EQ(found["answers"]["good"], Json::parse(R"([{"name":"push","value":3,"type":"float64"}])"));
  EXPECT_EQ(found["answers"]["bad"], found["answers"]["good"]) << "a refused one keeps its true value";
  EXPECT_EQ(found["updates"].back()["value"], 3);
  EXPECT_EQ(found["status"].back()["level"], 2);
  EXPECT_EQ(channel["last"]["force"]["y"], 3) << "the run has taken it";
}

TEST(FoxglovesClient, PausesStepsAndRunsByServices) {
  if (!install_packages(sources, installed, {"foxglove_client.mjs"}).empty()) GTEST_SKIP();
  const Folder folder;
  folder.write("loop.xml", tuned_loop);
  const Served studio(folder, "studio", {"studio", folder.path("loop.xml"), "--no-open"});
  ASSERT_NE(studio.port, 0) << studio.said();
  const WebClient page = studio.connect("hilda.v1");
  page.send(R"({"op":"run","id":1})");
  ASSERT_NE(page.text_with("\"op\":\"reply\",\"id\":1,\"ok\":true"), "");
  const Output node = run_with_errors("node '" + (installed / "foxglove_client.mjs").string() + "' '" + studio.link() +
                                      "' 100 push 3 '5 kg'");
  ASSERT_EQ(node.status, 0) << node.text << studio.said();
  const Json found = Json::parse(node.text);
  ASSERT_EQ(found["services"].size(), 5U);
  EXPECT_EQ(found["services"][2]["name"], "hilda/step");
  EXPECT_EQ(found["services"][2]["request"]["encoding"], "json");
  const Json& calls = found["calls"];
  for (const char* each : {"pause", "step", "run"}) EXPECT_EQ(calls[each]["ok"], true) << each << calls;
  EXPECT_EQ(found["stepped"], 7);
  EXPECT_EQ(found["ran"], 500);
  EXPECT_THAT(std::string(calls["wrong"]["failure"]), testing::HasSubstr("'m' is not a field of hilda/step"));
  EXPECT_EQ(calls["refused"]["failure"], "that time is over");
}

} // namespace
} // namespace hilda::test
