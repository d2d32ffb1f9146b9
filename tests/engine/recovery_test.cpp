// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log.h"
#include "engine/log/log_recovery.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFile;

std::string all_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

struct Recovered {
  bool done = false;
  Recovery recovery;
  std::string error;
};

Recovered recover(const TemporaryFile& from, const TemporaryFile& to) {
  OutputFiles files;
  files.reads(from.path());
  auto file = files.open(to.path(), OutputKind::file, FileContent::log);
  Recovered result;
  result.done = file && recover_log(from.path(), std::move(file), result.recovery, result.error);
  return result;
}

/// Samples of a signal that have one in every tick, each checked against what was recorded.
std::size_t samples_of(const std::string& path) {
  std::string error;
  auto log = Log::open(path, error);
  if (!log) return 0;
  EXPECT_TRUE(log->complete());
  if (!log->find("rig.sensor.count")) return 0; // the cut is in the log's head
  const auto count = log->signal("rig.sensor.count", error);
  EXPECT_TRUE(count) << error;
  testing::SampleSignals expected;
  for (std::size_t i = 0; count && i < count->samples(); ++i) {
    expected.set(count->ticks()[i]);
    EXPECT_EQ(count->value(i), static_cast<double>(expected.count));
  }
  EXPECT_TRUE(log->problems().empty());
  return count ? count->samples() : 0;
}

TEST(Recovery, GivesAWholeLogBack) {
  const TemporaryFile file("recovery_whole.mcap"), again("recovery_again.mcap");
  testing::write_sample_log(file.path(), 60, {.chunk_bytes = 2048});
  const Recovered result = recover(file, again);
  ASSERT_TRUE(result.done) << result.error;
  EXPECT_EQ(samples_of(again.path()), 60U);
  EXPECT_EQ(result.recovery.bytes_left_out, 0U);
  EXPECT_FALSE(result.recovery.cut);
}

TEST(Recovery, OfALogCutAnywhereGivesEverySampleThatIsWhole) {
  const TemporaryFile file("recovery_cut.mcap"), cut("recovery_part.mcap"), again("recovery_made.mcap");
  testing::write_sample_log(file.path(), 60, {.chunk_bytes = 2048});
  const std::string whole = all_bytes(file.path());
  std::size_t before = 0, recovered = 0;
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    write_bytes(cut.path(), whole.substr(0, size));
    const Recovered result = recover(cut, again);
    if (!result.done) {
      EXPECT_EQ(recovered, 0U) << size;
      EXPECT_THAT(result.error, HasSubstr(cut.path()));
      continue;
    }
    const std::size_t samples = samples_of(again.path());
    EXPECT_GE(samples, before) << size;
    before = samples;
    ++recovered;
  }
  EXPECT_EQ(before, 60U);
  EXPECT_GT(recovered, 20U);
}

TEST(Recovery, FindsItsWayBehindWhatIsDamaged) {
  const TemporaryFile file("recovery_good.mcap"), bad("recovery_bad.mcap"), again("recovery_found.mcap");
  testing::write_sample_log(file.path(), 400, {.chunk_bytes = 2048});
  const std::string whole = all_bytes(file.path());
  std::mt19937 chance(1);
  for (int i = 0; i < 60; ++i) {
    std::string damaged = whole;
    // a hole in the samples: the head and the summary are whole
    const std::size_t at = whole.size() / 2 + chance() % (whole.size() / 6);
    const std::size_t count = 1 + chance() % 500;
    for (std::size_t k = 0; k < count; ++k) damaged[at + k] = static_cast<char>(chance());
    write_bytes(bad.path(), damaged);
    const Recovered result = recover(bad, again);
    ASSERT_TRUE(result.done) << result.error;
    EXPECT_GT(samples_of(again.path()), 340U) << "all but a chunk or two of about 30";
    const bool nothing_lost = damaged == whole || samples_of(again.path()) == 400;
    EXPECT_TRUE(nothing_lost || result.recovery.bytes_left_out > 0);
  }
}

TEST(Recovery, OfWhatIsNoLogSaysSoAndLeavesNothing) {
  const TemporaryFile file("recovery_no.mcap"), again("recovery_none.mcap");
  write_bytes(file.path(), "this is not a log");
  const Recovered result = recover(file, again);
  EXPECT_FALSE(result.done);
  EXPECT_THAT(result.error, HasSubstr("nothing can be had"));
  EXPECT_FALSE(std::filesystem::exists(again.path()));
  EXPECT_FALSE(std::filesystem::exists(again.path() + ".part"));
}

} // namespace
} // namespace hilda::test
