// Foxglove's own client (npm) against a run: it subscribes, decodes, sets a parameter and sees it change.
#include "tests/npm_packages.h"
#include "tests/studio/served.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using Json = nlohmann::json;

const std::filesystem::path sources = HILDA_SOURCE_DIR "/tests/studio";
const std::filesystem::path installed = HILDA_BINARY_DIR "/tests/studio";

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
  EXPECT_EQ(found["info"]["capabilities"], Json({"parameters", "parametersSubscribe", "time"}));
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

} // namespace
} // namespace hilda::test
