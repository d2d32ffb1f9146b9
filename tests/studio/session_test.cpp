// SPDX-License-Identifier: BSD-3-Clause
// Sessions without sockets: what a client says, and what it hears.
#include "tools/studio/hub.h"

#include "tests/modules.h"
#include "tools/studio/detail/clients/requests.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

namespace hilda::test {
namespace {

using studio::ClientRequest;
using studio::Hub;
using studio::Json;
using studio::Message;
using studio::Outbox;
using studio::Session;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A run with one signal `wave.y` in N and one vector `box.u` each second tick, of 1 ms.
LogSchema waves() {
  LogSchema schema;
  const auto field = [](const char* name, std::int64_t rows, const char* unit) {
    LogField made;
    made.name = name, made.rows = rows, made.unit = unit;
    return made;
  };
  schema.channels.push_back({.path = "wave", .type = "sources/Sine", .fields = {field("y", 1, "N")}});
  schema.channels.push_back({.path = "box", .type = "math/Gain", .divider = 2, .fields = {field("u", 3, "m")}});
  schema.aliases["push"] = "wave.y";
  return schema;
}

/// A hub with a run, and a client.
struct Bench {
  explicit Bench(const char* protocol)
      : outbox([] {},
               [](std::uint64_t lost) {
                 return Message{false, std::to_string(lost)};
               }) {
    hub.begin(schema, layout);
    studio::DiagramFacts facts;
    facts.hello = {{"diagram", {{"name", "bench"}}},
                   {"parameters", Json::array({{{"path", "gain"}}, {{"path", "speed"}}})}};
    facts.parameters = {{"gain", "2", 2.0, "", ""}, {"speed", "4 mm/s", 0.004, "m/s", ""}};
    hub.tell(std::move(facts));
    hub.tell_state({{"state", "paused"}, {"tick", 0}});
    session = hub.connect(protocol, outbox);
  }

  /// Ticks before `end`: wave.y is the tick, box.u 10, 20 and 30 times it.
  void run_to(std::int64_t end) {
    for (; tick < end; ++tick) {
      std::vector<std::byte> frame(layout.largest);
      const FrameHeader header{.tick = tick};
      std::memcpy(frame.data(), &header, sizeof header);
      std::size_t at = sizeof header;
      for (const FrameGroup& group : layout.groups) {
        if (!group.due(tick)) continue;
        const double scale = group.divider == 1 ? 1 : 10;
        for (std::size_t i = 0; i < group.bytes / sizeof(double); ++i) {
          const double value = static_cast<double>(tick) * scale * static_cast<double>(i + 1);
          std::memcpy(frame.data() + at + i * sizeof value, &value, sizeof value);
        }
        at += group.bytes;
      }
      frame.resize(at);
      hub.frame(frame);
    }
  }
  std::vector<Message> heard() {
    std::vector<Message> all;
    while (auto message = outbox.take()) all.push_back(std::move(*message));
    return all;
  }
  /// The texts with this `op`.
  std::vector<Json> heard(const std::string& op) {
    std::vector<Json> found;
    for (const Message& each : heard())
      if (!each.binary)
        if (Json json = Json::parse(each.bytes); json.value("op", "") == op) found.push_back(std::move(json));
    return found;
  }
  Json said(const Json& request, const std::string& op) {
    heard();
    session->hear(request.dump());
    std::vector<Json> found = heard(op);
    return found.size() == 1 ? found.front() : Json(found.size());
  }

  Hub hub;
  const LogSchema schema = waves();
  const FrameLayout layout = frame_layout(schema);
  Outbox outbox;
  std::shared_ptr<Session> session;
  std::int64_t tick = 0;
};

constexpr const char *foxglove = "foxglove.websocket.v1", *own = "hilda.v1";

template <typename Number> Number number_at(const std::string& bytes, std::size_t at) {
  Number number{};
  EXPECT_LE(at + sizeof number, bytes.size());
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

TEST(FoxgloveSession, SaysWhatItIsAndWhatThereIs) {
  Bench bench(foxglove);
  const std::vector<Message> first = bench.heard();
  ASSERT_GE(first.size(), 2U);
  const Json info = Json::parse(first[0].bytes), channels = Json::parse(first[1].bytes);
  EXPECT_EQ(info["op"], "serverInfo");
  EXPECT_EQ(info["capabilities"], Json({"parameters", "parametersSubscribe", "time", "services"}));
  EXPECT_EQ(channels["op"], "advertise");
  ASSERT_EQ(channels["channels"].size(), 4U);
  EXPECT_EQ(channels["channels"][0]["topic"], "/diagram");
  EXPECT_EQ(channels["channels"][0]["encoding"], "cdr");
  EXPECT_EQ(channels["channels"][0]["schemaEncoding"], "ros2msg");
  EXPECT_THAT(channels["channels"][1]["topic"].get<std::string>(), HasSubstr("every_2"));
}

TEST(HildaSession, ConvertsUnitsOfOneQuantityAlone) {
  Bench bench(own);
  const auto convert = [&bench](const char* from, const char* to) {
    return bench.said({{"op", "convert"}, {"from", from}, {"to", to}, {"id", 1}}, "reply");
  };
  EXPECT_DOUBLE_EQ(convert("m", "mm")["factor"], 1000);
  EXPECT_DOUBLE_EQ(convert("N m", "N mm")["factor"], 1000);
  const Json warm = convert("K", "degC");
  EXPECT_DOUBLE_EQ(warm["factor"], 1);
  EXPECT_DOUBLE_EQ(warm["offset"], -273.15);
  EXPECT_DOUBLE_EQ(convert("rad/s", "Hz")["factor"], 1 / (2 * std::numbers::pi));
  EXPECT_EQ(convert("J", "N m/rad")["ok"], false);
  EXPECT_EQ(convert("m", "N")["error"], "'N' is a unit of another quantity than 'm'");
  EXPECT_EQ(convert("m", "N")["help"], "write a unit of m");
  EXPECT_EQ(convert("m", "metre per")["ok"], false);
}

TEST(FoxgloveSession, WhoSubscribesGetsEachMessageAndWhoDoesNotGetsNone) {
  Bench bench(foxglove);
  bench.run_to(3);
  bench.heard();
  bench.session->hear(R"({"op":"subscribe","subscriptions":[{"id":7,"channelId":1}]})");
  bench.run_to(5);
  const std::vector<Message> got = bench.heard();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_TRUE(got[1].binary);
  EXPECT_EQ(got[1].bytes[0], 1);
  EXPECT_EQ(number_at<std::uint32_t>(got[1].bytes, 1), 7U);
  EXPECT_EQ(number_at<std::uint64_t>(got[1].bytes, 5), 4'000'000U);
  EXPECT_EQ(number_at<std::int64_t>(got[1].bytes, 13 + 4), 4); // behind CDR's head the tick,
  EXPECT_EQ(number_at<double>(got[1].bytes, 13 + 4 + 8), 4.0); // then wave.y
  bench.session->hear(R"({"op":"unsubscribe","subscriptionIds":[7]})");
  bench.run_to(8);
  EXPECT_THAT(bench.heard(), IsEmpty());
  bench.hub.look();
  const std::vector<Message> time = bench.heard();
  ASSERT_EQ(time.size(), 1U);
  EXPECT_EQ(time[0].bytes[0], 2);
  EXPECT_EQ(number_at<std::uint64_t>(time[0].bytes, 1), 7'000'000U);
}

TEST(FoxgloveSession, ParametersGoOutInSiAndComeInLikewise) {
  Bench bench(foxglove);
  const Json values =
      bench.said({{"op", "getParameters"}, {"parameterNames", Json::array()}, {"id", "a"}}, "parameterValues");
  EXPECT_EQ(values["id"], "a");
  EXPECT_EQ(values["parameters"][1], Json({{"name", "speed"}, {"value", 0.004}, {"type", "float64"}}));
  bench.session->hear(
      R"({"op":"setParameters","id":"b","parameters":[{"name":"speed","value":0.25},{"name":"gain","value":3}]})");
  const auto request = bench.hub.requests().take();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->body["settings"],
            Json::parse(R"([{"path":"speed","text":"0.25 m/s"},{"path":"gain","text":"3"}])"));
}

TEST(FoxgloveSession, ARefusedParameterIsAnsweredByAStatusAndItsTrueValue) {
  Bench bench(foxglove);
  bench.session->hear(R"({"op":"setParameters","id":"c","parameters":[{"name":"speed","value":9}]})");
  const auto request = bench.hub.requests().take();
  ASSERT_TRUE(request);
  bench.heard();
  request->answer({{"ok", false}, {"error", "too fast"}});
  const std::vector<Message> got = bench.heard();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(Json::parse(got[0].bytes), Json::parse(R"({"op":"status","level":2,"message":"too fast"})"));
  const Json values = Json::parse(got[1].bytes);
  EXPECT_EQ(values["id"], "c");
  EXPECT_EQ(values["parameters"][0]["value"], 0.004);
}

TEST(FoxgloveSession, WhoFollowsAParameterHearsOfIt) {
  Bench bench(foxglove);
  bench.session->hear(R"({"op":"subscribeParameterUpdates","parameterNames":["speed"]})");
  bench.heard();
  bench.hub.tell_parameters({{"gain", "5", 5.0, "", ""}, {"speed", "1 m/s", 1.0, "m/s", "4 mm/s"}});
  const std::vector<Json> told = bench.heard("parameterValues");
  ASSERT_EQ(told.size(), 1U);
  ASSERT_EQ(told[0]["parameters"].size(), 1U);
  EXPECT_EQ(told[0]["parameters"][0]["name"], "speed");
}

TEST(FoxgloveSession, ARunThatGoesOnInTheSameSignalsKeepsItsSubscriptions) {
  Bench bench(foxglove);
  bench.session->hear(R"({"op":"subscribe","subscriptions":[{"id":7,"channelId":1}]})");
  bench.heard();
  bench.hub.begin(bench.schema, bench.layout);
  bench.run_to(1);
  EXPECT_EQ(bench.heard().size(), 1U);
  LogSchema other = bench.schema;
  other.channels.pop_back();
  bench.hub.begin(other, frame_layout(other));
  const std::vector<Message> got = bench.heard();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(Json::parse(got[0].bytes), Json::parse(R"({"op":"unadvertise","channelIds":[1,2,3,4]})"));
  EXPECT_EQ(Json::parse(got[1].bytes)["channels"][0]["id"], 5);
}

TEST(HildaSession, SaysHelloWithTheStateOfTheRun) {
  Bench bench(own);
  const std::vector<Message> first = bench.heard();
  ASSERT_EQ(first.size(), 2U);
  const Json hello = Json::parse(first[0].bytes), state = Json::parse(first[1].bytes);
  EXPECT_EQ(hello["op"], "hello");
  EXPECT_EQ(hello["parameters"][1], Json::parse(R"({"path":"speed","text":"4 mm/s","value":0.004,"in_file":""})"));
  EXPECT_EQ(state["op"], "state");
  EXPECT_EQ(state["state"], "paused");
  EXPECT_EQ(state["epoch"], 1);
}

TEST(HildaSession, SaysWhatHasChangedToWhoeverKnowsTheRest) {
  Bench bench(own);
  const auto tell = [&bench](int revision, int since) {
    studio::DiagramFacts facts;
    facts.hello = {{"diagram", {{"name", "bench"}}}, {"revision", revision}, {"parameters", Json::array()}};
    facts.changes = {{"revision", revision}}, facts.since = since;
    bench.hub.tell(std::move(facts));
    const std::vector<Message> got = bench.heard();
    return got.size() == 1 ? Json::parse(got[0].bytes) : Json();
  };
  const auto ask = [&bench](int since) {
    bench.session->hear(Json{{"op", "hello"}, {"since", since}, {"id", 1}}.dump());
    return bench.heard().size();
  };
  bench.heard();
  EXPECT_TRUE(tell(1, 0).contains("diagram"));
  EXPECT_TRUE(tell(2, 1).contains("diagram")) << "it has not asked for changes";
  EXPECT_EQ(ask(1), 3U) << "it has another one: hello, state, reply";
  EXPECT_EQ(ask(2), 1U);
  EXPECT_EQ(tell(3, 2), Json::parse(R"({"op":"hello","since":2,"revision":3,"changes":{"revision":3}})"));
  EXPECT_TRUE(tell(5, 4).contains("diagram")) << "it did not receive 4";
  bench.session->hear(R"({"op":"hello","id":2})");
  EXPECT_EQ(bench.heard().size(), 3U) << "a request for all is answered with all";
}

TEST(HildaSession, PassesOnWhatIsForTheRunAndAnswersByTheId) {
  Bench bench(own);
  bench.session->hear(R"({"op":"step","n":3,"id":[1,"x"]})");
  const auto request = bench.hub.requests().take();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->body["n"], 3);
  bench.heard();
  request->answer({{"ok", true}});
  EXPECT_EQ(bench.heard("reply").at(0), Json::parse(R"({"op":"reply","id":[1,"x"],"ok":true})"));
}

TEST(HildaSession, WatchedSignalsAreTheLatestAlsoByAliasAndPart) {
  Bench bench(own);
  bench.run_to(4);
  const Json reply =
      bench.said({{"op", "watch"}, {"id", 1}, {"signals", {"push", "box.u[1]", "box.u", "wvae.y"}}}, "reply");
  EXPECT_EQ(reply["problems"],
            Json::parse(R"([{"path":"wvae.y","error":"there is no such signal; the nearest is wave.y"}])"));
  bench.hub.look();
  bench.hub.look();
  const std::vector<Json> values = bench.heard("values");
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values[0]["values"]["push"], 3.0);
  EXPECT_EQ(values[0]["values"]["box.u[1]"], 40.0);
  EXPECT_EQ(values[0]["values"]["box.u"], Json({20.0, 40.0, 60.0}));
}

TEST(HildaSession, WhatIsNoListOfSignalsIsRefused) {
  Bench bench(own);
  for (const Json& signals : {Json("wave.y"), Json(3), Json({"wave.y", 3}), Json({{"a", "wave.y"}})})
    EXPECT_EQ(bench.said({{"op", "watch"}, {"id", 1}, {"signals", signals}}, "reply")["ok"], false) << signals;
  EXPECT_EQ(bench.said({{"op", "watch"}, {"id", 1}, {"signals", Json::array()}}, "reply")["ok"], true);
}

/// The text is not JSON; its sender waits for an answer nevertheless.
TEST(HildaSession, ARefusalHasTheIdThatCanBeMadeOut) {
  Bench bench(own);
  const std::vector<std::pair<std::string, Json>> texts{{R"({"op":"get","path":"\ud800","id":7})", 7},
                                                        {R"({"op":"step","n":1e400,"id":"a b"})", "a b"},
                                                        {R"({"id" : 7, "op":"step","n":1e400})", 7},
                                                        {R"({"op":{"id":3},"n":1e400})", nullptr},
                                                        {R"({"op":"\"id\":3","n":1e400})", nullptr},
                                                        {R"({"op":"step","n":1e400,"id":[1]})", nullptr},
                                                        {R"({"op":"step","id":)", nullptr},
                                                        {R"({"id)", nullptr},
                                                        {R"({"id"\)", nullptr}};
  for (const auto& [text, id] : texts) {
    bench.heard();
    bench.session->hear(text);
    const Json reply = bench.heard("reply").at(0);
    EXPECT_EQ(reply["id"], id) << text;
    EXPECT_EQ(reply["ok"], false);
  }
}

TEST(HildaSession, AScopeGetsThePastAndThenWhatComes) {
  Bench bench(own);
  bench.run_to(4);
  const Json reply = bench.said({{"op", "scope"},
                                 {"id", 1},
                                 {"scope", "a"},
                                 {"signals", {"wave.y", "box.u[2]"}},
                                 {"window", 1},
                                 {"points", 2000}},
                                "reply");
  EXPECT_EQ(reply["series"], Json::parse(R"([{"name":"wave.y","unit":"N"},{"name":"box.u[2]","unit":"m"}])"));
  bench.run_to(6);
  bench.hub.look();
  const std::vector<Message> got = bench.heard();
  ASSERT_EQ(got.size(), 1U);
  const std::string& bytes = got[0].bytes;
  const auto size = number_at<std::uint32_t>(bytes, 0);
  EXPECT_EQ((size + 4) % 8, 0U);
  const Json head = Json::parse(bytes.substr(4, size));
  EXPECT_EQ(head["op"], "samples");
  EXPECT_EQ(head["count"], 6);
  ASSERT_EQ(bytes.size(), 4 + size + 3 * 6 * sizeof(double));
  std::vector<double> column;
  for (std::size_t i = 0; i < 18; ++i) column.push_back(number_at<double>(bytes, 4 + size + i * sizeof(double)));
  EXPECT_THAT(std::vector<double>(column.begin() + 6, column.begin() + 12), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(std::vector<double>(column.begin() + 12, column.end()), ElementsAre(0, 0, 60, 60, 120, 120));
  bench.hub.look();
  EXPECT_THAT(bench.heard(), IsEmpty()) << "nothing is sent twice";
}

TEST(HildaSession, WhatWentBackIsNoPastAnyMore) {
  Bench bench(own);
  bench.run_to(10);
  bench.hub.begin(bench.schema, bench.layout);
  bench.hub.rewind(4);
  bench.session->hear(R"({"op":"scope","scope":"a","signals":["wave.y"]})");
  bench.hub.look();
  const std::vector<Message> got = bench.heard();
  const Json head = Json::parse(got.back().bytes.substr(4, number_at<std::uint32_t>(got.back().bytes, 0)));
  EXPECT_EQ(head["count"], 4);
}

TEST(HildaSession, WhatIsNoRequestIsRefusedInWords) {
  Bench bench(own);
  const auto error = [&](const std::string& text) {
    bench.heard();
    bench.session->hear(text);
    const std::vector<Json> replies = bench.heard("reply");
    return replies.size() == 1 && replies[0]["ok"] == false ? replies[0]["error"].get<std::string>() : "";
  };
  for (const char* text : {"", "[]", "{", "\"op\"", "{\"op\":7}", "\xff\xfe", "{\"op\":\"run\""})
    EXPECT_NE(error(text), "") << text;
  EXPECT_THAT(error(R"({"op":"launch"})"), HasSubstr("launch"));
  EXPECT_THAT(error(R"({"op":"scope","scope":"a"})"), HasSubstr("signals"));
  EXPECT_THAT(error(R"({"op":"scope","scope":"a","signals":["wave.y"],"window":-1})"), HasSubstr("window"));
  EXPECT_THAT(error(R"({"op":"scope","scope":"a","signals":["wave.y"],"points":1e9})"), HasSubstr("points"));
  EXPECT_THAT(error(R"({"op":"scope","scope":"a","signals":["wave.y"],"trigger":{"signal":"wave.y","edge":"up"}})"),
              HasSubstr("edge"));
  EXPECT_NE(error(std::string(200'000, '[')), "");
  std::string members = "{\"a\":0";
  for (int i = 0; i < 100'000; ++i) members += ",\"" + std::to_string(i) + "\":0";
  EXPECT_NE(error(members + "}"), "");
}

TEST(HildaSession, TooManyRequestsAreRefused) {
  Bench bench(own);
  for (std::size_t i = 0; i < studio::RequestQueue::most; ++i) bench.session->hear(R"({"op":"pause"})");
  bench.heard();
  bench.session->hear(R"({"op":"pause","id":1})");
  EXPECT_THAT(bench.heard("reply").at(0)["error"].get<std::string>(), HasSubstr("too many"));
}

TEST(Outbox, LosesSamplesAndNotAnswersAndTellsHowMany) {
  Outbox outbox([] {}, [](std::uint64_t lost) { return Message{false, "lost " + std::to_string(lost)}; });
  const std::string large(Outbox::most_samples / 4, 'x');
  for (int i = 0; i < 10; ++i) outbox.samples({true, large});
  outbox.answer({false, "answer"});
  EXPECT_EQ(outbox.lost(), 7U);
  std::vector<std::string> texts;
  while (const auto message = outbox.take())
    if (!message->binary) texts.push_back(message->bytes);
  EXPECT_THAT(texts, ElementsAre("lost 7", "answer"));
  EXPECT_FALSE(outbox.overfull());
  for (int i = 0; i < 20; ++i) outbox.answer({false, large});
  EXPECT_TRUE(outbox.overfull());
}

} // namespace
} // namespace hilda::test
