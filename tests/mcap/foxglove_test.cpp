// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/sample_log.h"
#include "tests/npm_packages.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace hilda::test {
namespace {

using Json = nlohmann::json;
using test::Output;
using test::run;
using testing::SampleSignals;
using testing::TemporaryFile;

const std::filesystem::path sources = test::source_folder() + "/tests/mcap";
const std::filesystem::path installed = test::build_folder() + "/tests/mcap";

Json decoded(const std::string& path, const std::string& way) {
  const Output node = run("node '" + (installed / "decode_log.mjs").string() + "' '" + path + "' " + way + " 2>&1");
  if (node.status != 0) throw std::runtime_error(node.text);
  return Json::parse(node.text);
}

class FoxglovesReaders : public ::testing::Test {
protected:
  void SetUp() override {
    static const std::string problem = test::install_packages(sources, installed, {"decode_log.mjs"});
    if (problem.empty()) return;
    std::cerr << "\n*** NOT TESTED: whether other programs can read hilda's logs. " << problem << " ***\n\n";
    GTEST_SKIP() << problem;
  }
};

void expect_vector(const Json& vector, const double* expected) {
  EXPECT_EQ(vector.at("x").get<double>(), expected[0]);
  EXPECT_EQ(vector.at("y").get<double>(), expected[1]);
  EXPECT_EQ(vector.at("z").get<double>(), expected[2]);
}

void expect_sensor(const Json& message, std::int64_t tick) {
  SampleSignals expected;
  expected.set(tick);
  const Json& value = message.at("value").at("sensor");
  EXPECT_EQ(message.at("time"), std::to_string(tick * 4'000'000));
  EXPECT_EQ(message.at("sequence"), tick);
  EXPECT_EQ(message.at("value").at("tick"), std::to_string(tick));
  expect_vector(value.at("wrench").at("force"), &expected.wrench[0]);
  expect_vector(value.at("wrench").at("torque"), &expected.wrench[3]);
  expect_vector(value.at("pose").at("position"), &expected.pose[0]);
  EXPECT_EQ(value.at("pose").at("orientation").at("w").get<double>(), expected.pose[3]);
  expect_vector(value.at("pose").at("orientation"), &expected.pose[4]);
  EXPECT_EQ(value.at("touching"), expected.touching != 0);
  EXPECT_EQ(value.at("count"), std::to_string(expected.count));
  EXPECT_EQ(value.at("stamp"), std::to_string(expected.stamp));
  EXPECT_EQ(value.at("jacobian"), Json(expected.jacobian));
  EXPECT_EQ(value.at("limits"), Json({expected.limits[0] != 0, expected.limits[1] != 0, expected.limits[2] != 0}));
}

void expect_sample_log(const Json& log, std::int64_t ticks) {
  const Json& sensor = log.at("topics").at("/rig");
  EXPECT_TRUE(sensor.at("schema").get<std::string>().starts_with("hilda_msgs/msg/Samples"));
  EXPECT_EQ(sensor.at("schemaEncoding"), "ros2msg");
  EXPECT_EQ(sensor.at("encoding"), "cdr");
  ASSERT_EQ(sensor.at("messages").size(), static_cast<std::size_t>(ticks));
  for (std::int64_t tick = 0; tick < ticks; ++tick)
    expect_sensor(sensor.at("messages").at(static_cast<std::size_t>(tick)), tick);

  const Json& slow = log.at("topics").at("/diagram/every_5").at("messages");
  ASSERT_EQ(slow.size(), static_cast<std::size_t>((ticks + 4) / 5));
  EXPECT_EQ(slow.at(1).at("time"), "20000000");
  EXPECT_EQ(slow.at(1).at("value").at("slow").at("y").get<double>(), 1.0 / 6.0);
  EXPECT_EQ(slow.at(2).at("value").at("slow").at("y"), "NaN");
  EXPECT_EQ(log.at("topics").at("/rig/acquired").at("messages").at(7).at("value").at("robot").at("packet"),
            Json({"7", "49"}));

  const Json& event = log.at("topics").at("/hilda/events").at("messages").at(0);
  EXPECT_EQ(
      event.at("value"),
      Json({{"tick", "2"}, {"kind", "parameter"}, {"text", "lead.time_constant = 0.004"}, {"inputs", Json::array()}}));
  const LogSchema schema = testing::sample_schema();
  EXPECT_EQ(log.at("metadata").at("hilda"), Json(schema.metadata));
  EXPECT_EQ(log.at("attachments").at("sample.xml"), schema.files[0].text);
}

TEST_F(FoxglovesReaders, ReadALogByItsIndex) {
  const TemporaryFile file("indexed.mcap");
  testing::write_sample_log(file.path(), 50, {.chunk_bytes = 2048});
  const Json log = decoded(file.path(), "indexed");
  expect_sample_log(log, 50);
  const Json& statistics = log.at("statistics");
  EXPECT_EQ(statistics.at("messages"), std::to_string(50 + 10 + 50 + 1));
  EXPECT_EQ(statistics.at("channels"), 5);
  EXPECT_EQ(statistics.at("schemas"), 5);
  EXPECT_GT(statistics.at("chunks").get<int>(), 3);
  EXPECT_EQ(statistics.at("start"), "0");
  EXPECT_EQ(statistics.at("end"), std::to_string(49 * 4'000'000));
  EXPECT_EQ(log.at("metadata").at("hilda.end").at("reason"), "finished");
}

TEST_F(FoxglovesReaders, ReadALogAsAStreamWithItsChecksums) {
  const TemporaryFile file("stream.mcap");
  testing::write_sample_log(file.path(), 50, {.chunk_bytes = 2048});
  const Json log = decoded(file.path(), "stream");
  expect_sample_log(log, 50);
  EXPECT_EQ(log.at("complete"), true);
}

TEST_F(FoxglovesReaders, ReadWhatIsLeftOfALogThatWasCut) {
  const TemporaryFile file("cut.mcap");
  testing::write_sample_log(file.path(), 200, {.chunk_bytes = 2048});
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
  const Json log = decoded(file.path(), "stream");
  EXPECT_EQ(log.at("complete"), false);
  const Json& messages = log.at("topics").at("/rig").at("messages");
  ASSERT_GT(messages.size(), 50U);
  for (std::size_t i = 0; i < messages.size(); ++i) expect_sensor(messages.at(i), static_cast<std::int64_t>(i));
}

TEST_F(FoxglovesReaders, TakeNamesThatRosWouldNot) {
  const TemporaryFile file("names.mcap");
  LogSchema schema;
  schema.channels.push_back({"tick", "my-lib/2nd_Type", RecordClass::observed, 1, {}});
  for (const char* name : {"y[0]", "Y__0", "tick", "_", "9", "string", "time", "größe", "a.b"})
    schema.channels[0].fields.push_back(
        {name, LogElement::f64, 1, 1, "N m/rad", "two\nlines # and = signs\n=====", ""});
  std::string error;
  const auto writer = LogWriter::create(file.path(), schema, {}, error);
  ASSERT_NE(writer, nullptr) << error;
  std::array<double, 9> values{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<RecordSource> from;
  for (std::size_t i = 0; i < values.size(); ++i) from.push_back({0, i, &values[i], 8});
  auto recorder = Recorder::create(schema, from, writer->ring(), WhenFull::wait, error);
  ASSERT_TRUE(recorder.has_value()) << error;
  recorder->record(0);
  ASSERT_TRUE(writer->close());
  const Json log = decoded(file.path(), "indexed");
  const Json& topic = log.at("topics").at("/diagram");
  EXPECT_EQ(topic.at("messages").at(0).at("value"), Json({{"tick", "0"},
                                                          {"tick_2",
                                                           {{"y_0", 1.0},
                                                            {"y_0_2", 2.0},
                                                            {"tick", 3.0},
                                                            {"value", 4.0},
                                                            {"value_9", 5.0},
                                                            {"string", 6.0},
                                                            {"time", 7.0},
                                                            {"gr_e", 8.0},
                                                            {"a_b", 9.0}}}}));
}

/// Blocks of booleans alone are aligned by nothing; other readers must find them where ours does.
TEST_F(FoxglovesReaders, TakeBooleansBetweenNumbers) {
  const TemporaryFile file("flags.mcap");
  LogSchema schema;
  const std::array<std::uint8_t, 4> flags{1, 0, 1, 1};
  const double number = 0.1;
  schema.channels = {{"a.one", "logic/And", RecordClass::observed, 1, {{"y", LogElement::boolean, 1, 1, "", "", ""}}},
                     {"a.two", "logic/And", RecordClass::observed, 1, {{"y", LogElement::boolean, 3, 1, "", "", ""}}},
                     {"a.three", "math/Gain", RecordClass::observed, 1, {{"y", LogElement::f64, 1, 1, "", "", ""}}}};
  std::string error;
  const auto writer = LogWriter::create(file.path(), schema, {}, error);
  ASSERT_NE(writer, nullptr) << error;
  auto recorder = Recorder::create(schema, {{0, 0, flags.data(), 1}, {1, 0, &flags[1], 3}, {2, 0, &number, 8}},
                                   writer->ring(), WhenFull::wait, error);
  ASSERT_TRUE(recorder.has_value()) << error;
  recorder->record(0);
  ASSERT_TRUE(writer->close());
  for (const char* way : {"indexed", "stream"})
    EXPECT_EQ(
        decoded(file.path(), way).at("topics").at("/a").at("messages").at(0).at("value"),
        Json({{"tick", "0"}, {"one", {{"y", true}}}, {"two", {{"y", {false, true, true}}}}, {"three", {{"y", 0.1}}}}));
}

} // namespace
} // namespace hilda::test
