// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/budget.h"
#include "engine/log/detail/mcap/mcap_reader.h"
#include "engine/log/detail/mcap/mcap_writer.h"
#include "engine/log/log.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

using testing::TemporaryFile;

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// CRC-32 bit by bit, as the standard defines it: an independent check of the writer's checksums.
std::uint32_t crc32_by_definition(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0xEDB88320 : crc >> 1;
  }
  return ~crc;
}

template <typename Number> Number number_at(std::string_view bytes, std::size_t offset) {
  Number value{};
  std::memcpy(&value, bytes.substr(offset, sizeof value).data(), sizeof value);
  return value;
}

struct RecordAt {
  std::uint8_t opcode;
  std::size_t start, content, end;
};

std::vector<RecordAt> records_of(std::string_view file) {
  std::vector<RecordAt> records;
  for (std::size_t at = 8; at + 9 <= file.size() - 8;) {
    const auto length = static_cast<std::size_t>(number_at<std::uint64_t>(file, at + 1));
    records.push_back({static_cast<std::uint8_t>(file[at]), at, at + 9, at + 9 + length});
    at = records.back().end;
  }
  return records;
}

TEST(Mcap, ChecksumsCoverChunksFilesDataAndSummary) {
  const TemporaryFile file("crc.mcap");
  testing::write_sample_log(file.path(), 60, {.chunk_bytes = 2048, .packed = false});
  const std::string bytes = bytes_of(file.path());
  EXPECT_EQ(bytes.substr(0, 8), "\x89MCAP0\r\n");
  EXPECT_EQ(bytes.substr(bytes.size() - 8), "\x89MCAP0\r\n");
  std::size_t chunks = 0, attachments = 0, summary = 0;
  for (const RecordAt& record : records_of(bytes)) {
    const std::string_view content = std::string_view(bytes).substr(record.content, record.end - record.content);
    if (record.opcode == 0x06) {
      ++chunks;
      EXPECT_EQ(number_at<std::uint64_t>(content, 16), content.size() - 40);
      EXPECT_EQ(number_at<std::uint32_t>(content, 24), crc32_by_definition(content.substr(40)));
    } else if (record.opcode == 0x09) {
      ++attachments;
      const std::size_t covered = content.size() - 4;
      EXPECT_EQ(number_at<std::uint32_t>(content, covered), crc32_by_definition(content.substr(0, covered)));
    } else if (record.opcode == 0x0F) {
      summary = record.end;
      EXPECT_EQ(number_at<std::uint32_t>(content, 0),
                crc32_by_definition(std::string_view(bytes).substr(0, record.start)));
    } else if (record.opcode == 0x02) {
      EXPECT_EQ(number_at<std::uint64_t>(content, 0), summary);
      EXPECT_EQ(number_at<std::uint32_t>(content, 16),
                crc32_by_definition(std::string_view(bytes).substr(summary, record.content + 16 - summary)));
      EXPECT_EQ(record.end, bytes.size() - 8);
    }
  }
  EXPECT_GT(chunks, 3U);
  EXPECT_EQ(attachments, 2U);
  EXPECT_GT(summary, 0U);
}

/// Everything that can be read of a log, read.
std::size_t read_all(const std::string& path) {
  std::string error;
  auto log = Log::open(path, error);
  if (!log) {
    EXPECT_FALSE(error.empty());
    return 0;
  }
  auto signals = log->signals(log->signal_names(), error);
  EXPECT_TRUE(signals.has_value()) << error;
  std::size_t samples = 0;
  for (const Signal& signal : *signals)
    for (std::size_t i = 0; i < signal.samples(); ++i) {
      volatile double value = 0;
      for (std::size_t e = 0; e < signal.field.elements(); ++e) value = signal.value(i, e);
      static_cast<void>(value);
      ++samples;
    }
  log->events();
  log->lost_ticks();
  return samples;
}

TEST(Mcap, ALogCutAtAnyByteGivesItsWholeChunks) {
  const TemporaryFile file("whole.mcap"), cut("cut.mcap");
  testing::write_sample_log(file.path(), 12, {.chunk_bytes = 600});
  const std::string bytes = bytes_of(file.path());
  const std::size_t all = read_all(file.path());
  ASSERT_EQ(all, 12U * 8 + 3);
  write_bytes(cut.path(), bytes);
  std::size_t longer = all, steps = 0;
  for (std::size_t size = bytes.size(); size-- > 0;) {
    std::filesystem::resize_file(cut.path(), size);
    const std::size_t samples = read_all(cut.path());
    ASSERT_LE(samples, longer) << "cut at " << size;
    if (size > bytes.size() - 30) { ASSERT_EQ(samples, all) << "only the end mark is cut"; }
    steps += samples < longer;
    longer = samples;
    std::string error;
    if (const auto log = Log::open(cut.path(), error)) {
      ASSERT_FALSE(log->complete());
      ASSERT_FALSE(log->problems().empty());
      const std::string said = log->problems().back();
      const std::size_t at = said.find("at byte ");
      ASSERT_NE(at, std::string::npos) << said;
      ASSERT_LE(std::stoul(said.substr(at + 8)), size) << said;
      ASSERT_EQ(said.find("cannot be read"), std::string::npos) << "what is not there is not tried: " << said;
    }
  }
  EXPECT_EQ(longer, 0U);
  EXPECT_GT(steps, 3U);
}

TEST(Mcap, DamagedLogsAreRefusedOrGiveLessButNeverMore) {
  for (const bool packed : {false, true}) {
    const TemporaryFile file("sound.mcap"), damaged("damaged.mcap");
    testing::write_sample_log(file.path(), packed ? 100 : 12, {.chunk_bytes = packed ? 5000u : 600u, .packed = packed});
    const std::string bytes = bytes_of(file.path());
    const std::size_t all = read_all(file.path());
    std::mt19937_64 random(20240601);
    std::size_t fewer = 0;
    for (int i = 0; i < 1000; ++i) {
      std::string mutant = bytes;
      const std::size_t at = random() % mutant.size();
      switch (random() % 5) {
      case 0: mutant[at] = static_cast<char>(random()); break;
      case 1: mutant[at] = static_cast<char>(mutant[at] ^ (1 << random() % 8)); break;
      case 2: mutant.erase(at, 1 + random() % 40); break;
      case 3: mutant.insert(at, mutant.substr(random() % mutant.size(), 1 + random() % 40)); break;
      default: mutant.replace(at, std::min<std::size_t>(8, mutant.size() - at), "\xff\xff\xff\xff\xff\xff\xff\x7f");
      }
      write_bytes(damaged.path(), mutant);
      const std::size_t samples = read_all(damaged.path());
      EXPECT_LE(samples, all) << "mutation " << i;
      fewer += samples < all;
    }
    EXPECT_GT(fewer, packed ? 350U : 400U);
  }
}

class ADamagedChunk : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Mcap, ADamagedChunk, ::testing::Bool());

TEST_P(ADamagedChunk, IsLeftOutAndNamed) {
  const TemporaryFile file("flip.mcap");
  testing::write_sample_log(file.path(), 60, {.chunk_bytes = 2048, .packed = GetParam()});
  std::string bytes = bytes_of(file.path());
  const std::size_t all = read_all(file.path());
  for (const RecordAt& record : records_of(bytes))
    if (record.opcode == 0x06) {
      bytes[record.end - 1] = static_cast<char>(bytes[record.end - 1] ^ 1);
      break;
    }
  write_bytes(file.path(), bytes);
  std::string error;
  auto log = Log::open(file.path(), error);
  ASSERT_TRUE(log.has_value()) << error;
  const auto signals = log->signals(log->signal_names(), error);
  ASSERT_TRUE(log->signals(log->signal_names(), error).has_value()) << "a second pass does not list it twice";
  std::size_t samples = 0;
  for (const Signal& signal : *signals) samples += signal.samples();
  EXPECT_LT(samples, all);
  EXPECT_GT(samples, all / 2);
  ASSERT_EQ(log->problems().size(), 1U);
  const char* const why = GetParam() ? "its compression" : "checksum";
  EXPECT_NE(log->problems()[0].find(std::string("a damaged part of the log (") + why + ") is left out"),
            std::string::npos);
  EXPECT_NE(log->problems()[0].find(file.path()), std::string::npos);
}

TEST(Mcap, ADamagedFileInsideIsLeftOutAndNamed) {
  const TemporaryFile file("attached.mcap");
  testing::write_sample_log(file.path(), 5, {});
  std::string bytes = bytes_of(file.path());
  const std::size_t at = bytes.find("<diagram format");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 3] = 'X';
  write_bytes(file.path(), bytes);
  std::string error;
  const auto log = Log::open(file.path(), error);
  ASSERT_TRUE(log.has_value()) << error;
  ASSERT_EQ(log->problems().size(), 1U);
  EXPECT_NE(log->problems()[0].find("the file \"sample.xml\" inside the log is damaged"), std::string::npos)
      << log->problems()[0];
}

/// Writers of other programs may leave chunks, checksums and the summary out.
TEST(Mcap, SamplesOutsideOfChunksAreReadAlike) {
  const TemporaryFile file("chunks.mcap"), bare("bare.mcap");
  testing::write_sample_log(file.path(), 60, {.chunk_bytes = 2048, .packed = false});
  const std::string bytes = bytes_of(file.path());
  std::string unpacked = bytes.substr(0, 8);
  for (const RecordAt& record : records_of(bytes))
    unpacked += record.opcode == 0x06 ? bytes.substr(record.content + 40, record.end - record.content - 40)
                                      : bytes.substr(record.start, record.end - record.start);
  for (const RecordAt& record : records_of(unpacked + "12345678"))
    if (record.opcode == 0x0F || record.opcode == 0x02)
      std::fill(unpacked.begin() + static_cast<std::ptrdiff_t>(record.content),
                unpacked.begin() + static_cast<std::ptrdiff_t>(record.end), '\0');
  unpacked += bytes.substr(bytes.size() - 8);
  write_bytes(bare.path(), unpacked);
  std::string error;
  auto packed = Log::open(file.path(), error), open = Log::open(bare.path(), error);
  ASSERT_TRUE(packed && open) << error;
  EXPECT_TRUE(open->complete());
  EXPECT_EQ(read_all(bare.path()), read_all(file.path()));
  const auto first = packed->signals(packed->signal_names(), error),
             second = open->signals(packed->signal_names(), error);
  ASSERT_TRUE(first && second) << error;
  for (std::size_t s = 0; s < first->size(); ++s) {
    ASSERT_EQ((*first)[s].samples(), (*second)[s].samples());
    for (std::size_t i = 0; i < (*first)[s].samples(); ++i)
      for (std::size_t e = 0; e < (*first)[s].field.elements(); ++e) {
        const double a = (*first)[s].value(i, e), b = (*second)[s].value(i, e);
        ASSERT_EQ(std::memcmp(&a, &b, sizeof a), 0) << s << " sample " << i;
      }
  }
  EXPECT_TRUE(open->problems().empty()) << open->problems()[0];
}

/// A quarter of the budget: what says that it is larger than memory allows is not made room for.
TEST(Mcap, ARecordLargerThanMemoryAllowsIsLeftOutAndNamed) {
  const TemporaryFile file("large.mcap");
  testing::write_sample_log(file.path(), 2000, {.chunk_bytes = 100'000, .packed = false});
  const std::size_t all = read_all(file.path());
  std::size_t largest = 0;
  for (const RecordAt& record : records_of(bytes_of(file.path())))
    if (record.opcode == 0x06) largest = std::max(largest, record.end - record.content);
  const std::uint64_t memory = budget().memory;
  const auto with = [&](std::uint64_t bytes) {
    budget().memory = bytes;
    const std::size_t samples = read_all(file.path());
    std::string error;
    auto log = Log::open(file.path(), error);
    EXPECT_TRUE(log && log->signals(log->signal_names(), error)) << error;
    budget().memory = memory;
    return std::pair(samples, log ? log->problems() : std::vector<std::string>{});
  };
  const auto enough = with(4 * largest), small = with(4 * largest - 4);
  EXPECT_EQ(enough.first, all);
  EXPECT_TRUE(enough.second.empty());
  EXPECT_LT(small.first, all);
  ASSERT_FALSE(small.second.empty());
  EXPECT_NE(small.second[0].find("a part cannot be read"), std::string::npos) << small.second[0];
}

/// What a part claims to hold when it is unpacked is believed as far as memory allows and its bytes can give.
TEST(Mcap, APartThatUnpacksToLessOrMoreThanItSaysIsLeftOut) {
  const TemporaryFile file("bomb.mcap");
  testing::write_sample_log(file.path(), 60, {.chunk_bytes = 2048});
  const std::string sound = bytes_of(file.path());
  const std::size_t all = read_all(file.path());
  const auto records = records_of(sound);
  const auto chunk = std::find_if(records.begin(), records.end(), [](const RecordAt& r) { return r.opcode == 0x06; });
  ASSERT_NE(chunk, records.end());
  const auto size = number_at<std::uint64_t>(sound, chunk->content + 16);
  for (const std::uint64_t said : {std::uint64_t{0}, size - 1, size + 1, std::uint64_t{1} << 30, ~std::uint64_t{0}}) {
    std::string bytes = sound;
    std::memcpy(bytes.data() + chunk->content + 16, &said, sizeof said);
    write_bytes(file.path(), bytes);
    EXPECT_LT(read_all(file.path()), all) << said;
    std::string error;
    auto log = Log::open(file.path(), error);
    ASSERT_TRUE(log && log->signals(log->signal_names(), error)) << error;
    ASSERT_EQ(log->problems().size(), 1U) << said;
  }
}

/// Each block of a frame, whatever the bytes: short, long, without any order, all alike.
TEST(Mcap, WhatIsPackedIsUnpackedToTheSameBytes) {
  std::mt19937_64 random(7);
  mcap::Lz4Packer packer;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::byte> bytes;
    packer.clear();
    for (std::size_t piece = 0; piece < 1 + random() % 5; ++piece) {
      const std::size_t begin = bytes.size(), count = random() % 150'000;
      const std::uint64_t alphabet = std::uint64_t{1} << random() % 9;
      for (std::size_t k = 0; k < count; ++k) bytes.push_back(static_cast<std::byte>(random() % alphabet));
      packer.add(std::span(bytes).subspan(begin));
    }
    std::vector<std::byte> again;
    const auto frame = packer.finish();
    ASSERT_TRUE(mcap::unpack_lz4(frame, bytes.size(), again));
    ASSERT_EQ(again, bytes);
    ASSERT_FALSE(mcap::unpack_lz4(frame, bytes.size() + 1, again));
    if (bytes.empty()) continue;
    ASSERT_FALSE(mcap::unpack_lz4(frame, bytes.size() - 1, again));
    ASSERT_FALSE(mcap::unpack_lz4(frame.first(random() % frame.size()), bytes.size(), again));
    ASSERT_LE(again.size(), bytes.size());
    ASSERT_TRUE(std::equal(again.begin(), again.end(), bytes.begin())) << "what precedes the cut is right";
  }
}

/// The hint about repeats may be right, nearly right or wrong; it changes how well a piece packs, and not what
/// comes out.
TEST(Mcap, WhatIsPackedByRepeatsIsUnpackedToTheSameBytes) {
  std::mt19937_64 random(11);
  mcap::Lz4Packer packer;
  std::size_t bytes_in = 0, bytes_out = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::size_t message = 1 + random() % (random() % 10 == 0 ? 20'000 : 300), head = random() % 20;
    std::vector<std::byte> one(message), bytes;
    for (std::byte& each : one) each = static_cast<std::byte>(random());
    std::vector<mcap::Lz4Repeat> repeats;
    while (bytes.size() + head + message <= mcap::Lz4Packer::block_bytes && random() % 100 != 0) {
      for (std::size_t k = 0; k < head; ++k) bytes.push_back(static_cast<std::byte>(random()));
      for (std::size_t k = random() % 3; k > 0; --k) one[random() % message] = static_cast<std::byte>(random());
      const std::size_t begin = bytes.size();
      bytes.insert(bytes.end(), one.begin(), one.end());
      if (begin == head) continue;
      const std::size_t wrong = random() % 20 == 0 ? 1 + random() % begin : head + message;
      repeats.push_back({begin, bytes.size(), wrong});
    }
    packer.clear();
    packer.add(bytes, repeats);
    const auto frame = packer.finish();
    std::vector<std::byte> again;
    ASSERT_TRUE(mcap::unpack_lz4(frame, bytes.size(), again)) << i;
    ASSERT_EQ(again, bytes) << i;
    if (message < 100 || repeats.size() < 10) continue;
    bytes_in += bytes.size();
    bytes_out += frame.size();
  }
  EXPECT_LT(3 * bytes_out, bytes_in) << "repeats are found";
}

TEST(Mcap, FilesThatAreNoLogsAreRefused) {
  const TemporaryFile file("other.mcap");
  const auto error_for = [&](const std::string& path) {
    std::string error;
    EXPECT_FALSE(Log::open(path, error).has_value());
    return error;
  };
  write_bytes(file.path(), "");
  EXPECT_EQ(error_for(file.path()),
            file.path() + ": this is not a log of hilda: it does not begin as an MCAP file does");
  write_bytes(file.path(), "\x89MCAP0\r\n");
  EXPECT_EQ(error_for(file.path()), file.path() + ": this log says nothing about itself: it is cut before its first "
                                                  "sample, or is not one of hilda's");
  EXPECT_EQ(error_for("/no/such/log.mcap"), "/no/such/log.mcap: the log cannot be read: No such file or directory");
  EXPECT_EQ(error_for("/tmp"), "/tmp: the log cannot be read: it is not a regular file");
  EXPECT_EQ(error_for("/dev/zero"), "/dev/zero: the log cannot be read: it is not a regular file");
}

TEST(Mcap, ALogOfANewerFormatIsRefused) {
  const TemporaryFile file("format.mcap");
  mcap::Writer writer;
  ASSERT_TRUE(writer.open(file.path(), "test"));
  writer.metadata("hilda.log", {{"format", "3"}, {"period", "1/1000"}});
  ASSERT_TRUE(writer.close());
  std::string error;
  EXPECT_FALSE(Log::open(file.path(), error).has_value());
  EXPECT_EQ(error, file.path() + ": this log has format 3, this program reads formats 1 and 2");
}

TEST(Mcap, AWriterThatWasNeverOpenedIsHarmless) {
  mcap::Writer writer;
  writer.metadata("x", {});
  writer.flush();
  EXPECT_TRUE(writer.close());
}

} // namespace
} // namespace hilda::test
