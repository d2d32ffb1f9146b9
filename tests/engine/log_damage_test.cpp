// SPDX-License-Identifier: BSD-3-Clause
// A flipped bit is noticed wherever it is, and data that are in the log twice are not lost.

#include "engine/log/log.h"
#include "engine/log/log_recovery.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::TemporaryFile;

/// A log of few bytes, and copies of it with something changed.
class DamagedLog : public ::testing::Test {
protected:
  void SetUp() override {
    testing::write_sample_log(file_.path(), 12, {.chunk_bytes = 600});
    std::ifstream stream(file_.path(), std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
    sound_ = testing::open(file_.path()).signal_names();
  }
  /// Where the record begins that is the `number`th of its kind.
  std::size_t record(char opcode, int number) const {
    for (std::size_t at = 8; at + 9 <= bytes_.size();) {
      if (bytes_[at] == opcode && number-- == 0) return at;
      std::uint64_t length = 0;
      std::memcpy(&length, bytes_.data() + at + 1, sizeof length);
      at += 9 + static_cast<std::size_t>(length);
    }
    ADD_FAILURE() << "no such record";
    return 0;
  }
  std::string flipped(std::size_t at, unsigned bit = 0) const {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ (1U << bit));
    return changed;
  }
  void write(const std::string& bytes) const { std::ofstream(file_.path(), std::ios::binary) << bytes; }

  Recovery recover() {
    OutputFiles files;
    files.reads(file_.path());
    auto target = files.open(again_.path(), OutputKind::log, FileContent::log);
    Recovery recovery;
    std::string error;
    EXPECT_TRUE(target && recover_log(file_.path(), std::move(target), recovery, error)) << error << files.error();
    return recovery;
  }

  const TemporaryFile file_{"damage.mcap"}, again_{"damage_again.mcap"};
  std::string bytes_;
  std::vector<std::string> sound_;
};

/// Of all signals; fails where a value is not the recorded one.
std::size_t checked_samples(Log& log) {
  std::string error;
  const auto signals = log.signals(log.signal_names(), error);
  EXPECT_TRUE(signals) << error;
  testing::SampleSignals expected;
  std::size_t samples = 0;
  for (const Signal& signal : *signals) {
    samples += signal.samples();
    if (signal.name != "rig.sensor.count") continue;
    for (std::size_t i = 0; i < signal.samples(); ++i) {
      expected.set(signal.ticks()[i]);
      EXPECT_EQ(signal.value(i), static_cast<double>(expected.count));
    }
  }
  return samples;
}

TEST_F(DamagedLog, IsNoticedWhateverBitIsFlipped) {
  constexpr std::size_t all = 12 * 8 + 3;
  Log whole = testing::open(file_.path());
  whole.verify();
  ASSERT_FALSE(whole.damaged()) << whole.problems()[0];
  for (std::size_t at = 0; at < bytes_.size(); at += 3) { // each record's head has bytes of each kind
    write(flipped(at, static_cast<unsigned>(at % 8)));
    std::string error;
    auto unread = Log::open(file_.path(), error), log = Log::open(file_.path(), error);
    if (!log) continue; // the message says that it is none, too
    const std::size_t samples = checked_samples(*log);
    ASSERT_LE(samples, all) << "byte " << at;
    log->events();
    ASSERT_TRUE(log->damaged()) << "byte " << at;
    ASSERT_FALSE(log->problems().empty()) << "byte " << at;
    unread->verify();
    ASSERT_TRUE(unread->damaged()) << "byte " << at << ", unread";
  }
}

TEST_F(DamagedLog, HasItsChannelsFromTheSummary) {
  const std::size_t opcode = record('\x04', 1);
  for (const std::size_t at : {opcode, opcode + 9, opcode + 20, opcode + 80, opcode + 200}) {
    write(flipped(at));
    Log log = testing::open(file_.path());
    EXPECT_TRUE(log.damaged());
    EXPECT_EQ(log.signal_names(), sound_) << at;
    EXPECT_EQ(checked_samples(log), 12U * 8 + 3) << at;
    EXPECT_THAT(log.problems(), Contains(HasSubstr("is damaged; its copy in the summary is used"))) << at;
  }
}

TEST_F(DamagedLog, DoesNotHaveThemFromADamagedSummary) {
  const std::size_t end = record('\x0F', 0);
  int channels = 0;
  while (record('\x04', channels) < end) ++channels;
  const std::size_t copy = record('\x04', channels + 1);
  for (const std::size_t at : {copy, copy + 9, copy + 20, copy + 80, copy + 200}) {
    write(flipped(at));
    Log log = testing::open(file_.path());
    EXPECT_EQ(log.signal_names(), sound_) << at;
    EXPECT_EQ(checked_samples(log), 12U * 8 + 3) << at;
    EXPECT_TRUE(log.damaged()) << at;
    EXPECT_THAT(log.problems(), Contains(HasSubstr("summary is damaged; it is not needed"))) << at;
  }
}

TEST_F(DamagedLog, HasItsPartsFromTheSummary) {
  for (const char opcode : {'\x06', '\x09', '\x0C'}) {
    write(flipped(record(opcode, 0)));
    Log log = testing::open(file_.path());
    EXPECT_THAT(log.problems(), Contains(HasSubstr("the head of this part is damaged"))) << int{opcode};
    EXPECT_EQ(checked_samples(log), 12U * 8 + 3) << int{opcode};
    EXPECT_EQ(log.schema().files.size(), 2U);
    EXPECT_EQ(log.schema().metadata, testing::sample_schema().metadata);
  }
}

TEST_F(DamagedLog, IsRecoveredWithTheSummarysChannels) {
  write(flipped(record('\x04', 1)));
  const Recovery recovery = recover();
  EXPECT_THAT(recovery.remarks, Contains(HasSubstr("its copy in the log's summary is taken")));
  EXPECT_TRUE(recovery.whole());
  Log again = testing::open(again_.path());
  again.verify();
  EXPECT_FALSE(again.damaged());
  EXPECT_EQ(again.signal_names(), sound_);
  EXPECT_EQ(checked_samples(again), 12U * 8 + 3);
}

TEST_F(DamagedLog, IsRecoveredWithoutWhatOnlyLooksLikeAMessage) {
  std::string bytes = flipped(record('\x04', 1));
  bytes.resize(bytes.size() - 8); // so that nothing vouches for the summary
  write(bytes);
  const Recovery recovery = recover();
  EXPECT_EQ(recovery.strange, 1U);
  EXPECT_FALSE(recovery.whole());
  Log again = testing::open(again_.path());
  EXPECT_EQ(again.signal_names().size(), sound_.size());
  EXPECT_EQ(checked_samples(again), 12U * 8 + 3);
  Log log = testing::open(file_.path());
  EXPECT_LT(checked_samples(log), 12U * 8 + 3) << "nor is it read as one: the channel's samples are lost";
  EXPECT_TRUE(log.damaged());
}

TEST_F(DamagedLog, IsDoubtfulAfterRecoveryWhereNothingTellsWhatIsDamaged) {
  const std::size_t seed = bytes_.find("seed");
  ASSERT_NE(seed, std::string::npos);
  write(flipped(seed + 8)); // "7", behind its length
  const Recovery recovery = recover();
  EXPECT_TRUE(recovery.doubtful);
  EXPECT_FALSE(recovery.whole());
  EXPECT_THAT(recovery.remarks, Contains(HasSubstr("the log's checksum is wrong")));
}

TEST_F(DamagedLog, ThatWasCutIsNotCalledDamaged) {
  write(bytes_.substr(0, record('\x06', 1) + 5)); // in the head of a part
  Log log = testing::open(file_.path());
  log.verify();
  EXPECT_FALSE(log.damaged());
  const Recovery recovery = recover();
  EXPECT_TRUE(recovery.cut);
  EXPECT_TRUE(recovery.whole());
}

} // namespace
} // namespace hilda::test
