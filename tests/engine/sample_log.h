// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log.h"
#include "engine/log/log_writer.h"
#include "engine/log/recorder.h"
#include "tests/modules.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <unistd.h>

namespace hilda::testing {

/// A separate file for one test, removed with it.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string& name)
      : path_(
            (std::filesystem::temp_directory_path() / ("hilda_" + std::to_string(::getpid()) + "_" + name)).string()) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    std::filesystem::remove(path_ + ".part", ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

/// Signals of every element type, shape, class and rate; their values follow from the tick.
struct SampleSignals {
  std::array<double, 6> wrench{};
  std::array<double, 7> pose{};
  std::uint8_t touching = 0;
  std::int64_t count = 0;
  std::uint64_t stamp = 0;
  std::array<double, 6> jacobian{}; ///< 2 x 3
  std::array<std::uint8_t, 3> limits{};
  double slow = 0;
  std::array<std::int64_t, 2> packet{};

  void set(std::int64_t tick) {
    const auto t = static_cast<double>(tick);
    for (std::size_t i = 0; i < 6; ++i) wrench[i] = std::sin(0.1 * t + static_cast<double>(i)) * 1e3;
    for (std::size_t i = 0; i < 7; ++i) pose[i] = std::cos(0.3 * t) / (1.0 + static_cast<double>(i));
    touching = tick % 3 == 0;
    count = -tick * 1'000'000'007;
    stamp = std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(tick);
    for (std::size_t i = 0; i < 6; ++i) jacobian[i] = t + static_cast<double>(i) / 8;
    limits = {tick % 2 == 0, tick % 4 == 0, tick % 5 == 0};
    slow = tick == 10 ? std::numeric_limits<double>::quiet_NaN() : 1.0 / (1.0 + t);
    packet = {tick, tick * tick};
  }
};

inline LogSchema sample_schema() {
  LogSchema schema;
  schema.period = Rational(1, 250);
  schema.channels = {
      {"rig.sensor",
       "contact/SensorSource",
       RecordClass::observed,
       1,
       {{"touching", LogElement::boolean, 1, 1, "", "Is there contact?", ""},
        {"wrench", LogElement::f64, 6, 1, "N", "Wrench on the tool", "wrench"},
        {"pose", LogElement::f64, 7, 1, "m", "Pose of the tool", "pose"},
        {"count", LogElement::i64, 1, 1, "", "", ""},
        {"stamp", LogElement::u64, 1, 1, "", "", ""},
        {"limits", LogElement::boolean, 3, 1, "", "", ""},
        {"jacobian", LogElement::f64, 2, 3, "m/rad", "", ""}}},
      {"slow", "math/Gain", RecordClass::observed, 5, {{"y", LogElement::f64, 1, 1, "N m", "", ""}}},
      {"rig.robot", "rsi/Robot", RecordClass::acquired, 1, {{"packet", LogElement::i64, 2, 1, "", "", ""}}},
  };
  schema.metadata = {{"version", "0.1.0"}, {"seed", "7"}, {"parameters", R"({"stiffness": 176275.0})"}};
  schema.aliases = {{"rig.wrench", "rig.sensor.wrench"}};
  schema.files = {{"sample.xml", "application/xml", "<diagram format=\"1\" name=\"sample\"/>\n"},
                  {"rigs/two_walls.xml", "application/xml", std::string("<diagram/>\0", 11)}};
  return schema;
}

inline std::vector<RecordSource> sample_sources(const SampleSignals& s) {
  return {{0, 0, &s.touching, 1},        {0, 1, s.wrench.data(), 48}, {0, 2, s.pose.data(), 56},
          {0, 3, &s.count, 8},           {0, 4, &s.stamp, 8},         {0, 5, s.limits.data(), 3},
          {0, 6, s.jacobian.data(), 48}, {1, 0, &s.slow, 8},          {2, 0, s.packet.data(), 16}};
}

/// Writes ticks 0 .. ticks-1 and an event at tick 2; an assertion fails where it cannot.
inline void write_sample_log(const std::string& path, std::int64_t ticks, const LogOptions& options = {}) {
  const LogSchema schema = sample_schema();
  std::string error;
  const auto log = LogWriter::create(path, schema, options, error);
  ASSERT_NE(log, nullptr) << error;
  SampleSignals signals;
  auto recorder = Recorder::create(schema, sample_sources(signals), log->ring(), WhenFull::wait, error);
  ASSERT_TRUE(recorder.has_value()) << error;
  for (std::int64_t tick = 0; tick < ticks; ++tick) {
    recorder->wait_for_room();
    signals.set(tick);
    ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
    if (tick == 2) { ASSERT_TRUE(recorder->event(tick, "parameter", "lead.time_constant = 0.004")); }
  }
  ASSERT_TRUE(log->close({{"reason", "finished"}})) << log->error();
}

/// Throws where it is not a log.
inline Log open(const std::string& path) {
  std::string error;
  auto log = Log::open(path, error);
  if (!log) throw std::runtime_error(error);
  return std::move(*log);
}

/// Throws where it has no such signal.
inline Signal read(Log& log, const std::string& name) {
  std::string error;
  auto signal = log.signal(name, error);
  if (!signal) throw std::runtime_error(error);
  return std::move(*signal);
}

} // namespace hilda::testing
