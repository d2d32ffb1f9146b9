// SPDX-License-Identifier: BSD-3-Clause
// `hello` after an edit of a large diagram: a client that asks receives the changes, and then has the whole.
#include "tests/cli/program.h"
#include "tests/studio/served.h"
#include "tests/studio/told_changes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

/// Chains of blocks, a thousand in all, as tests/studio/browser has them.
std::string thousand_blocks() {
  std::string blocks, wires;
  for (int chain = 0; chain < 20; ++chain)
    for (int i = 0; i < 50; ++i) {
      const char* type = i == 0       ? "sources/Sine\" amplitude=\"1\" frequency=\"1 Hz"
                         : i % 2 == 1 ? "discrete/UnitDelay"
                                      : "math/Gain\" gain=\"1.01";
      blocks += fmt::format("  <block name=\"c{}_{}\" type=\"{}\"/>\n", chain, i, type);
      if (i > 0) wires += fmt::format("  <connect from=\"c{0}_{1}.y\" to=\"c{0}_{2}.u\"/>\n", chain, i - 1, i);
    }
  return "<diagram format=\"1\" name=\"many\" period=\"1 ms\">\n" + blocks + wires + "</diagram>\n";
}

/// A page that follows a studio, and how many bytes it receives for an edit.
class Follower {
public:
  explicit Follower(const Served& studio) : client_(studio.connect("hilda.v1")) {
    hello = nlohmann::json::parse(client_.text_with("\"op\":\"hello\""));
  }
  nlohmann::json request(const nlohmann::json& body) { return ask(client_, body); }
  std::string next() { return client_.text_with("\"op\":\"hello\""); }
  /// Up to the next `hello`, which is kept.
  std::size_t edit(const nlohmann::json& operations) {
    const nlohmann::json document = request({{"op", "documents"}})["documents"][0];
    client_.send(
        nlohmann::json{{"op", "edit"}, {"id", 7}, {"revision", document["revision"]}, {"operations", operations}}
            .dump());
    std::size_t bytes = 0;
    while (const auto message = client_.receive()) {
      bytes += message->payload.size();
      if (message->opcode != 1) continue;
      const nlohmann::json told = nlohmann::json::parse(message->payload);
      if (told["op"] == "reply") { EXPECT_TRUE(told["ok"]) << told; }
      if (told["op"] != "hello") continue;
      by_changes = told.contains("changes");
      if (!by_changes) {
        hello = told;
        return bytes;
      }
      EXPECT_EQ(told["since"], hello["revision"]);
      change_hello(hello, told["changes"]);
      EXPECT_EQ(told["revision"], hello["revision"]);
      return bytes;
    }
    ADD_FAILURE() << "no hello came";
    return bytes;
  }

  nlohmann::json hello;
  bool by_changes = false;

private:
  WebClient client_;
};

TEST(ToldHello, OfAThousandBlocksIsTheEditAloneToWhoeverAsks) {
  const Workplace here;
  here.write("many.xml", thousand_blocks());
  Served studio(here, "studio", {"studio", here.path("many.xml"), "--no-open", "--port", "0"});
  ASSERT_NE(studio.port, 0) << studio.said();
  Follower page(studio), plain(studio);
  const std::size_t whole = page.hello.dump().size();
  EXPECT_GT(whole, 500'000U);
  EXPECT_TRUE(page.request({{"op", "hello"}, {"since", page.hello["revision"]}})["ok"]);
  for (const nlohmann::json& since :
       {nlohmann::json("1"), nlohmann::json(1.5), nlohmann::json(nullptr), nlohmann::json::array({1})}) {
    const nlohmann::json refused = page.request({{"op", "hello"}, {"since", since}});
    EXPECT_FALSE(refused["ok"]) << since;
    EXPECT_EQ(refused["error"], "'since' is not a whole number");
  }
  const std::vector<std::pair<nlohmann::json, std::size_t>> edits = {
      {nlohmann::json::array({{"set", "c3_4.gain=1.02"}}), 4'000},
      {nlohmann::json::array({{"set", "c3_4.gain=2 N"}, {"set", "c3_4.gain=1.03"}}), 4'000},
      {nlohmann::json::array({{"disconnect", "c5_20.y", "c5_21.u"}, {"connect", "c5_20.y", "c5_21.u"}}), 8'000},
      {nlohmann::json::array({{"add", "math/Gain", "more", "gain=2"}, {"connect", "c0_3.y", "more.u"}}), 100'000},
      {nlohmann::json::array({{"remove", "more"}}), 100'000},
      {nlohmann::json::array({{"rename", "c7_7", "other"}}), 100'000}};
  for (const auto& [operations, most] : edits) {
    const std::size_t bytes = page.edit(operations);
    EXPECT_TRUE(page.by_changes) << operations;
    EXPECT_LT(bytes, most) << operations;
    RecordProperty("bytes of " + operations[0][0].get<std::string>(), std::to_string(bytes));
    EXPECT_EQ(page.hello, Follower(studio).hello) << operations;
  }
  while (plain.hello["revision"] != page.hello["revision"]) plain.hello = nlohmann::json::parse(plain.next());
  EXPECT_EQ(plain.hello, page.hello) << "without a request everything is sent";
}

} // namespace
} // namespace hilda::test
