// SPDX-License-Identifier: BSD-3-Clause
// Logs of runs that are killed, whose disk is full, whose memory ends, and names that cannot be written.

#include "engine/log/log.h"
#include "engine/log/sparse_log.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <csignal>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;
using testing::open;
using testing::read;
using testing::SampleSignals;
using testing::TemporaryFile;

TEST(LogFile, SurvivesTheDeathOfTheProcess) {
  const TemporaryFile file("killed.mcap");
  const pid_t child = ::fork();
  if (child == 0) {
    const LogSchema schema = testing::sample_schema();
    std::string error;
    const auto writer = LogWriter::create(file.path(), schema, {.flush_every = std::chrono::milliseconds(1)}, error);
    SampleSignals signals;
    auto recorder = Recorder::create(schema, testing::sample_sources(signals), writer->ring(), WhenFull::wait, error);
    for (std::int64_t tick = 0;; ++tick) {
      signals.set(tick);
      recorder->record(tick);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::size_t samples = 0;
  for (int i = 0; i < 2000 && samples < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::string error;
    if (auto log = Log::open(file.path(), error)) {
      const auto count = log->signal("rig.sensor.count", error);
      samples = count ? count->samples() : 0;
    }
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  Log log = open(file.path());
  EXPECT_FALSE(log.complete());
  ASSERT_EQ(log.problems().size(), 1U);
  EXPECT_THAT(log.problems()[0], HasSubstr("the log ends here without its summary"));
  const Signal count = read(log, "rig.sensor.count");
  EXPECT_GE(count.samples(), 50U);
  for (std::size_t i = 0; i < count.samples(); ++i) EXPECT_EQ(count.ticks()[i], static_cast<std::int64_t>(i));
}

TEST(LogFile, SaysWhyItCannotBeMade) {
  std::string error;
  EXPECT_EQ(LogWriter::create("/no/such/folder/x.mcap", testing::sample_schema(), {}, error), nullptr);
  EXPECT_EQ(
      error,
      "/no/such/folder/x.mcap cannot be written: there is no folder /no/such/folder\nhelp: mkdir -p /no/such/folder");
  EXPECT_EQ(LogWriter::create("/dev/full", testing::sample_schema(), {}, error), nullptr);
  EXPECT_EQ(error, "/dev/full cannot be written: it is a pipe or a device, and this output must be a file");
  LogSchema schema = testing::sample_schema();
  schema.channels.resize(65001, {"x", "", RecordClass::observed, 1, {}});
  EXPECT_EQ(LogWriter::create("/dev/null", schema, {}, error), nullptr);
  EXPECT_THAT(error, HasSubstr("65001 channels"));
}

TEST(LogFile, IsPutInPlaceOnlyWhenItIsWhole) {
  const TemporaryFile file("in_place.mcap"), part("in_place.mcap.part"), cut("in_place.cut.mcap");
  const std::string before = "\x89MCAP0\r\nthe old good file";
  std::ofstream(file.path()) << before;
  std::string error;
  {
    const auto writer = LogWriter::create(file.path(), testing::sample_schema(), {}, error);
    ASSERT_NE(writer, nullptr) << error;
    EXPECT_TRUE(std::filesystem::exists(part.path()));
    EXPECT_EQ(LogWriter::create(file.path(), testing::sample_schema(), {}, error), nullptr) << "one writer a name";
    EXPECT_THAT(error, HasSubstr("is being written by process " + std::to_string(::getpid())));
  }
  EXPECT_FALSE(std::filesystem::exists(part.path())) << "nothing was recorded";
  std::ifstream old(file.path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), before);
  std::ofstream(part.path()) << "what a killed run left";
  const auto writer = LogWriter::create(file.path(), testing::sample_schema(), {}, error);
  ASSERT_NE(writer, nullptr) << error;
  EXPECT_TRUE(std::filesystem::exists(cut.path())) << "it is kept under a name of its own";
  EXPECT_TRUE(writer->close());
  EXPECT_TRUE(open(file.path()).complete());
}

/// The process may not write files of more than a given size: a disk that fills up in the middle of a run.
class SmallDisk {
public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(LogFile, EndsWithTheLastWholeChunkWhenTheDiskIsFullAndNeverBlocksTheLoop) {
  const TemporaryFile file("full.mcap");
  const LogSchema schema = testing::sample_schema();
  {
    const SmallDisk disk(100'000);
    std::string error;
    const auto writer = LogWriter::create(file.path(), schema, {.ring_bytes = 1 << 15, .chunk_bytes = 8192}, error);
    ASSERT_NE(writer, nullptr) << error;
    SampleSignals signals;
    auto recorder = Recorder::create(schema, testing::sample_sources(signals), writer->ring(), WhenFull::wait, error);
    for (std::int64_t tick = 0; tick < 5000; ++tick) {
      recorder->wait_for_room();
      signals.set(tick);
      ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
    }
    EXPECT_FALSE(writer->close());
    EXPECT_TRUE(writer->failed());
    EXPECT_THAT(writer->error(), HasSubstr("the log ends here, it cannot be written: File too large"));
    EXPECT_LE(std::filesystem::file_size(file.path() + ".part"), 100'000U);
  }
  Log log = open(file.path());
  EXPECT_FALSE(log.complete());
  EXPECT_GT(read(log, "rig.robot.packet").samples(), 50U);
  EXPECT_EQ(log.problems().size(), 1U);
}

TEST(LogFile, EndsInWordsWhereATickIsLaterThanItsTimesCount) {
  const TemporaryFile file("late.mcap");
  LogSchema schema = testing::sample_schema();
  schema.period = Rational(1'000'000'000, 1); // s
  {
    std::string error;
    const auto writer = LogWriter::create(file.path(), schema, {}, error);
    ASSERT_NE(writer, nullptr) << error;
    SampleSignals signals;
    auto recorder = Recorder::create(schema, testing::sample_sources(signals), writer->ring(), WhenFull::wait, error);
    for (std::int64_t tick = 0; tick < 30; ++tick) {
      recorder->wait_for_room();
      signals.set(tick);
      ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
    }
    EXPECT_FALSE(writer->close());
    EXPECT_THAT(writer->error(),
                HasSubstr("the log ends here: its times are ns in 64 bits, which end after 584 years"));
  }
  Log log = open(file.path());
  EXPECT_EQ(read(log, "rig.robot.packet").samples(), 19U) << "ticks 0 to 18";
}

TEST(LogFile, OfInputsIsRefusedWhereATickIsLaterThanItsTimesCount) {
  const TemporaryFile file("inputs.mcap");
  SparseSignal signal;
  signal.channel.path = "push", signal.channel.type = "live";
  signal.channel.fields.emplace_back();
  signal.channel.fields.back().name = "y";
  signal.numbers = {1, 2};
  const auto written = [&](std::int64_t last) {
    signal.ticks = {0, last};
    OutputFiles files;
    std::string error;
    auto made = files.open(file.path(), OutputKind::file, FileContent::log);
    const bool done = write_sparse_log(std::move(made), Rational(1'000'000'000, 1), {signal}, error);
    EXPECT_EQ(done, error.empty());
    return error;
  };
  EXPECT_EQ(written(19),
            file.path() + " cannot be written: the times of a log are ns in 64 bits, which end after 584 years");
  EXPECT_EQ(written(18), "");
}

TEST(LogFile, EndsInWordsWhereAnotherProgramHasCutIt) {
  for (const std::uintmax_t cut_to : {0U, 3000U}) {
    const TemporaryFile file("cut.mcap");
    const LogSchema schema = testing::sample_schema();
    std::string error;
    const auto writer = LogWriter::create(file.path(), schema, {.chunk_bytes = 8192}, error);
    ASSERT_NE(writer, nullptr) << error;
    SampleSignals signals;
    auto recorder = Recorder::create(schema, testing::sample_sources(signals), writer->ring(), WhenFull::wait, error);
    for (std::int64_t tick = 0; tick < 5000; ++tick) {
      recorder->wait_for_room();
      signals.set(tick);
      recorder->record(tick);
      if (tick == 2500) std::filesystem::resize_file(file.path() + ".part", cut_to);
    }
    EXPECT_FALSE(writer->close());
    EXPECT_THAT(writer->error(), HasSubstr("the log ends here: another program has changed it, it has "));
  }
}

#if defined(__has_feature)
constexpr bool addresses_may_be_scarce = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool addresses_may_be_scarce = false;
#else
constexpr bool addresses_may_be_scarce = true;
#endif

/// There is no memory in addition to what the process has.
class ScarceMemory {
public:
  ScarceMemory() {
    ::getrlimit(RLIMIT_AS, &before_);
    const rlimit scarce{std::size_t{1} << 30, before_.rlim_max}; // a request for more fails whatever is in use
    ::setrlimit(RLIMIT_AS, &scarce);
  }
  ~ScarceMemory() { ::setrlimit(RLIMIT_AS, &before_); }
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;

private:
  rlimit before_{};
};

/// Where the log's thread finds no memory for a message, the log ends for good: what comes later and could be written
/// would be behind a gap that no reader sees.
TEST(LogFile, EndsForGoodWhereThereIsNoMemory) {
  if (!addresses_may_be_scarce) GTEST_SKIP() << "the sanitizers need more addresses than this leaves them";
  const TemporaryFile file("scarce.mcap");
  const LogSchema schema = testing::sample_schema();
  {
    std::string error;
    const auto writer = LogWriter::create(file.path(), schema, {.chunk_bytes = 1024}, error);
    ASSERT_NE(writer, nullptr) << error;
    SampleSignals signals;
    auto recorder = Recorder::create(schema, testing::sample_sources(signals), writer->ring(), WhenFull::wait, error);
    const auto record = [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t tick = from; tick < to; ++tick) {
        recorder->wait_for_room();
        signals.set(tick);
        ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
      }
    };
    record(0, 500);
    {
      const ScarceMemory scarce;
      const FrameHeader header{.tick = 500, .kind = FrameHeader::Kind::event};
      const std::uint32_t sizes[2] = {0xfffffff0, 0}; // an event that claims to have a text of 4 GB
      std::byte* frame = nullptr;
      while (frame == nullptr) frame = writer->ring().reserve(sizeof header + sizeof sizes);
      std::memcpy(frame, &header, sizeof header);
      std::memcpy(frame + sizeof header, sizes, sizeof sizes);
      writer->ring().commit();
      for (int i = 0; i < 20'000 && !writer->failed(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ASSERT_TRUE(writer->failed());
    }
    record(501, 1000);
    EXPECT_FALSE(writer->close());
    EXPECT_EQ(writer->error(), "the log ends here: there is no more memory\nhelp: allow the program more");
  }
  Log log = open(file.path());
  EXPECT_FALSE(log.complete());
  const Signal packet = read(log, "rig.robot.packet");
  EXPECT_GT(packet.samples(), 0U);
  EXPECT_LE(packet.samples(), 500U);
}

} // namespace
} // namespace hilda::test
