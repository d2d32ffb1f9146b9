// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::open;
using testing::read;
using testing::SampleSignals;
using testing::TemporaryFile;

TEST(LogFile, GivesEverySampleBackBitForBit) {
  const TemporaryFile file("round_trip.mcap");
  testing::write_sample_log(file.path(), 100);
  Log log = open(file.path());
  EXPECT_TRUE(log.complete());
  EXPECT_TRUE(log.problems().empty());
  const Signal wrench = read(log, "rig.sensor.wrench"), pose = read(log, "rig.sensor.pose");
  const Signal touching = read(log, "rig.sensor.touching"), limits = read(log, "rig.sensor.limits");
  const Signal count = read(log, "rig.sensor.count"), stamp = read(log, "rig.sensor.stamp");
  const Signal jacobian = read(log, "rig.sensor.jacobian"), packet = read(log, "rig.robot.packet");
  SampleSignals expected;
  ASSERT_EQ(wrench.samples(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    expected.set(static_cast<std::int64_t>(i));
    EXPECT_EQ(wrench.ticks()[i], static_cast<std::int64_t>(i));
    EXPECT_EQ(wrench.times()[i], static_cast<double>(i) / 250.0);
    for (std::size_t e = 0; e < 6; ++e) EXPECT_EQ(wrench.value(i, e), expected.wrench[e]);
    for (std::size_t e = 0; e < 7; ++e) EXPECT_EQ(pose.value(i, e), expected.pose[e]);
    for (std::size_t e = 0; e < 6; ++e) EXPECT_EQ(jacobian.value(i, e), expected.jacobian[e]);
    for (std::size_t e = 0; e < 3; ++e) EXPECT_EQ(limits.value(i, e), expected.limits[e]);
    EXPECT_EQ(touching.value(i), expected.touching);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(count.values)[i], expected.count);
    EXPECT_EQ(std::get<std::vector<std::uint64_t>>(stamp.values)[i], expected.stamp);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(packet.values)[2 * i + 1], expected.packet[1]);
  }
}

TEST(LogFile, SamplesSlowChannelsAtTheirOwnRate) {
  const TemporaryFile file("rates.mcap");
  testing::write_sample_log(file.path(), 23);
  Log log = open(file.path());
  const Signal slow = read(log, "slow.y");
  EXPECT_THAT(slow.ticks(), ElementsAre(0, 5, 10, 15, 20));
  EXPECT_EQ(slow.times()[1], 0.02);
  EXPECT_EQ(slow.value(1), 1.0 / 6.0);
  EXPECT_TRUE(std::isnan(slow.value(2)));
}

TEST(LogFile, FindsPartsElementsAndAliases) {
  const TemporaryFile file("names.mcap");
  testing::write_sample_log(file.path(), 3);
  Log log = open(file.path());
  SampleSignals expected;
  expected.set(2);
  EXPECT_EQ(read(log, "rig.sensor.wrench.force.x").value(2), expected.wrench[0]);
  EXPECT_EQ(read(log, "rig.wrench.torque.z").value(2), expected.wrench[5]);
  EXPECT_EQ(read(log, "rig.sensor.pose.orientation.w").value(2), expected.pose[3]);
  EXPECT_EQ(read(log, "rig.sensor.jacobian[1][2]").value(2), expected.jacobian[5]);
  EXPECT_EQ(read(log, "rig.sensor.jacobian[1,0]").value(2), expected.jacobian[1]);
  EXPECT_EQ(read(log, "rig.robot.packet[1]").value(2), 4);
  const Signal torque = read(log, "rig.wrench.torque");
  EXPECT_EQ(torque.field.rows, 3);
  EXPECT_EQ(torque.value(2, 1), expected.wrench[4]);
  EXPECT_THAT(log.matching("slow"), ElementsAre("slow.y"));
  EXPECT_THAT(log.matching("rig.wrench.force"), ElementsAre("rig.wrench.force"));
  EXPECT_EQ(log.matching("rig").size(), 8U);
  for (const char* wrong :
       {"rig.sensor.wrench.force.w", "rig.sensor.wrench[6]", "rig.sensor.jacobian[2][0]", "rig.sensor.jacobian[0",
        "rig.sensor.jacobian[]", "rig.sensor", "", ".", "[", "slow.y.x", "slow.y[99999999999999999999]", "slow.y[-1]"})
    EXPECT_FALSE(log.find(wrong).has_value()) << wrong;
}

TEST(LogFile, ElementNamesNameTheirElements) {
  for (const LogChannel& channel : testing::sample_schema().channels)
    for (const LogField& field : channel.fields)
      for (std::size_t i = 0; i < field.elements(); ++i) {
        const ElementRange range = elements_named(field, element_suffix(field, i));
        EXPECT_EQ(range.first, i) << field.name << element_suffix(field, i);
        EXPECT_EQ(range.count, 1U);
      }
}

TEST(LogFile, AVectorOfThreeHasXYZAsInADiagram) {
  const LogField position{"position", LogElement::f64, 3, 1, "m", "", ""};
  const LogField joints{"q", LogElement::f64, 4, 1, "rad", "", ""};
  EXPECT_EQ(elements_named(position, ".x").first, 0U);
  EXPECT_EQ(elements_named(position, ".z").first, 2U);
  EXPECT_EQ(elements_named(position, ".z").count, 1U);
  EXPECT_EQ(elements_named(position, ".w").count, 0U);
  EXPECT_EQ(elements_named(joints, ".x").count, 0U);
}

TEST(LogFile, NamesTheNearestSignalWhereOneIsMissing) {
  const TemporaryFile file("nearest.mcap");
  testing::write_sample_log(file.path(), 1);
  Log log = open(file.path());
  std::string error;
  EXPECT_FALSE(log.signal("rig.sensor.wrnch", error).has_value());
  EXPECT_EQ(error, "the log has no signal \"rig.sensor.wrnch\"; the nearest is \"rig.sensor.wrench\"");
}

TEST(LogFile, CarriesItsDescription) {
  const TemporaryFile file("description.mcap");
  testing::write_sample_log(file.path(), 5);
  Log log = open(file.path());
  const LogSchema expected = testing::sample_schema();
  EXPECT_EQ(log.schema().channels, expected.channels);
  EXPECT_EQ(log.schema().period, expected.period);
  EXPECT_EQ(log.schema().metadata, expected.metadata);
  EXPECT_EQ(log.schema().aliases, expected.aliases);
  ASSERT_EQ(log.schema().files.size(), 2U);
  EXPECT_EQ(log.schema().files[0].name, "sample.xml");
  EXPECT_EQ(log.schema().files[0].text, expected.files[0].text);
  EXPECT_EQ(log.schema().files[1].text, expected.files[1].text);
  EXPECT_EQ(log.end().at("reason"), "finished");
  EXPECT_EQ(log.end().at("lost_ticks"), "0");
  const auto events = log.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].tick, 2);
  EXPECT_EQ(events[0].kind, "parameter");
  EXPECT_EQ(events[0].text, "lead.time_constant = 0.004");
}

TEST(LogFile, MarksLostTicks) {
  const TemporaryFile file("lost.mcap");
  const LogSchema schema = testing::sample_schema();
  std::string error;
  const auto writer = LogWriter::create(file.path(), schema, {.ring_bytes = 1 << 15}, error);
  ASSERT_NE(writer, nullptr) << error;
  SampleSignals signals;
  auto recorder =
      Recorder::create(schema, testing::sample_sources(signals), writer->ring(), WhenFull::drop_observed, error);
  std::int64_t tick = 0;
  for (; recorder->lost() < 20 && tick < 10'000'000; ++tick) {
    signals.set(tick);
    while (!recorder->has_room()) std::this_thread::yield();
    ASSERT_NE(recorder->record(tick), RecordStatus::no_room);
  }
  ASSERT_TRUE(writer->close());
  Log log = open(file.path());
  EXPECT_EQ(log.lost_ticks(), 20U);
  EXPECT_EQ(log.end().at("lost_ticks"), "20");
  EXPECT_EQ(read(log, "rig.robot.packet").samples(), static_cast<std::size_t>(tick));
  EXPECT_EQ(read(log, "rig.sensor.count").samples(), static_cast<std::size_t>(tick - 20));
}

TEST(LogFile, FlushesBySizeAndIsReadableWhileItIsWritten) {
  const TemporaryFile file("chunks.mcap");
  const LogSchema schema = testing::sample_schema();
  std::string error;
  const auto writer =
      LogWriter::create(file.path(), schema, {.chunk_bytes = 4096, .flush_every = std::chrono::milliseconds(5)}, error);
  ASSERT_NE(writer, nullptr) << error;
  SampleSignals signals;
  auto recorder = Recorder::create(schema, testing::sample_sources(signals), writer->ring(), WhenFull::wait, error);
  for (std::int64_t tick = 0; tick < 301; ++tick) {
    recorder->wait_for_room();
    signals.set(tick);
    recorder->record(tick);
  }
  std::size_t samples = 0;
  for (int i = 0; i < 1000 && samples < 301; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    Log log = open(file.path());
    EXPECT_FALSE(log.complete());
    samples = read(log, "rig.robot.packet").samples();
  }
  EXPECT_EQ(samples, 301U);
  EXPECT_TRUE(writer->close());
}

TEST(LogFile, SharesOneSchemaAmongBlocksOfATypeAndNumbersOthers) {
  const TemporaryFile file("schemas.mcap");
  LogSchema schema;
  const LogField scalar{"y", LogElement::f64, 1, 1, "", "", ""}, vector{"y", LogElement::f64, 3, 1, "", "", ""};
  for (int i = 0; i < 20; ++i)
    schema.channels.push_back(
        {"g" + std::to_string(i), "math/Gain", RecordClass::observed, 1, {i % 2 == 0 ? scalar : vector}});
  std::string error;
  const auto writer = LogWriter::create(file.path(), schema, {}, error);
  ASSERT_NE(writer, nullptr) << error;
  ASSERT_TRUE(writer->close());
  std::ifstream stream(file.path(), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  EXPECT_NE(bytes.find("MSG: hilda_msgs/Gain\nfloat64 y\n"), std::string::npos);
  EXPECT_NE(bytes.find("MSG: hilda_msgs/Gain2\nfloat64[3] y\n"), std::string::npos);
  EXPECT_EQ(bytes.find("hilda_msgs/Gain3"), std::string::npos);
  EXPECT_EQ(bytes.find("hilda_msgs/msg/Samples2"), std::string::npos);
}

TEST(LogFile, KeepsTheNamesOfWholeNumbers) {
  const TemporaryFile file("value_names.mcap");
  LogSchema schema;
  const LogField state{"state", LogElement::i64, 1, 1, "", "", "", {"red", "moving.slow"}};
  schema.channels.push_back({"light", "math/Chart", RecordClass::observed, 1, {state}});
  std::string error;
  const auto writer = LogWriter::create(file.path(), schema, {}, error);
  ASSERT_NE(writer, nullptr) << error;
  ASSERT_TRUE(writer->close());
  std::ifstream stream(file.path(), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  EXPECT_NE(bytes.find("int64 RED=0\nint64 MOVING_SLOW=1\nint64 state\n"), std::string::npos);
  EXPECT_EQ(open(file.path()).schema().channels.at(0).fields.at(0).names, state.names);
}

/// Blocks of one subsystem share a message, in which CDR aligns each by what it begins with: booleans alone by nothing.
TEST(LogFile, GivesBooleansBetweenNumbersBack) {
  const TemporaryFile file("booleans.mcap");
  LogSchema schema;
  std::vector<double> numbers(8);
  std::vector<std::uint8_t> flags(24);
  std::vector<RecordSource> sources;
  for (std::size_t i = 0; i < 8; ++i) {
    const auto rows = static_cast<std::int64_t>(1 + i % 3);
    LogChannel channel{"arm.block" + std::to_string(i), "logic/Flag", RecordClass::observed, 1, {}};
    channel.fields.push_back({"flag", LogElement::boolean, rows, 1, "", "", ""});
    sources.push_back({i, 0, &flags[3 * i], static_cast<std::size_t>(rows)});
    if (i % 4 == 2) {
      channel.fields.push_back({"number", LogElement::f64, 1, 1, "", "", ""});
      sources.push_back({i, 1, &numbers[i], 8});
    }
    schema.channels.push_back(channel);
  }
  const auto set = [&](std::int64_t tick) {
    for (std::size_t i = 0; i < 8; ++i) numbers[i] = static_cast<double>(tick) + 0.125 * static_cast<double>(i);
    for (std::size_t i = 0; i < 24; ++i) flags[i] = ((static_cast<std::size_t>(tick) * 7 + i) % 3) == 0;
  };
  std::string error;
  const auto writer = LogWriter::create(file.path(), schema, {}, error);
  ASSERT_NE(writer, nullptr) << error;
  auto recorder = Recorder::create(schema, sources, writer->ring(), WhenFull::wait, error);
  ASSERT_TRUE(recorder.has_value()) << error;
  for (std::int64_t tick = 0; tick < 30; ++tick) {
    set(tick);
    ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
  }
  ASSERT_TRUE(writer->close());
  Log log = open(file.path());
  EXPECT_EQ(log.schema().channels, schema.channels);
  for (std::size_t i = 0; i < 8; ++i) {
    const std::string path = "arm.block" + std::to_string(i);
    const Signal flag = read(log, path + ".flag");
    ASSERT_EQ(flag.samples(), 30U);
    for (std::size_t s = 0; s < 30; ++s) {
      set(static_cast<std::int64_t>(s));
      for (std::size_t e = 0; e < flag.field.elements(); ++e) ASSERT_EQ(flag.value(s, e), flags[3 * i + e]) << path;
      if (i % 4 == 2) { ASSERT_EQ(read(log, path + ".number").value(s), numbers[i]); }
    }
  }
}

TEST(TimeOfATick, IsRoundedOnce) {
  const Rational third(1, 3000);
  EXPECT_EQ(seconds_at(third, 3000), 1.0);
  EXPECT_EQ(seconds_at(third, 1), 1.0 / 3000.0);
  EXPECT_EQ(nanoseconds_at(third, 1), 333333);
  EXPECT_EQ(nanoseconds_at(third, 2), 666667);
  EXPECT_EQ(nanoseconds_at(Rational(1, 1000), 3'600'000), 3'600'000'000'000);
}

TEST(TimeOfATick, InALogEndsAfter584Years) {
  const Rational long_tick(1'000'000'000, 1);
  EXPECT_EQ(log_time_at(long_tick, 18), 18'000'000'000'000'000'000U);
  EXPECT_EQ(log_time_at(long_tick, 19), std::nullopt);
  EXPECT_EQ(log_time_at(Rational(1, 1'000'000'000), 1), 1U);
  EXPECT_EQ(log_time_at(Rational(std::int64_t{1} << 60, 1), std::int64_t{1} << 62), std::nullopt);
}

} // namespace
} // namespace hilda::test
