// SPDX-License-Identifier: BSD-3-Clause
// Events with numbers: from a frame to a message and back, and of bytes that were cut or changed.
#include "engine/log/event_message.h"

#include "engine/log/log.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFile;

const std::vector<WrittenNumbers> sample{
    {"push", {-0.0, 5e-324, 0x1.921fb54442d18p+1}}, {"rig.very.long.path.of.gain", {1e300}}, {"eight.ch", {1, -2}}};

/// As the loop leaves it in the ring.
std::vector<std::byte> frame_of(const std::vector<WrittenNumbers>& inputs) {
  std::vector<std::byte> frame;
  const auto append = [&frame](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    frame.insert(frame.end(), bytes.begin(), bytes.end());
  };
  for (const WrittenNumbers& each : inputs) {
    append(input_head(each.path, each.numbers.size()));
    append(each.numbers);
  }
  return frame;
}

std::vector<std::byte> message_of(const EventParts& parts) {
  std::vector<std::byte> body(event_bytes(parts));
  put_event(parts, body.data());
  return body;
}

const FrameHeader header{.tick = 7, .kind = FrameHeader::Kind::numbers};

TEST(EventMessage, HasTheBitsThatWereWritten) {
  const std::vector<std::byte> frame = frame_of(sample);
  const EventParts parts = event_parts(header, frame);
  EXPECT_EQ(parts.kind, numbers_kind);
  EXPECT_EQ(written_numbers(parts), sample);
  const std::optional<EventRead> read = read_event(message_of(parts));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, "numbers");
  EXPECT_EQ(read->inputs, sample);
  EXPECT_TRUE(std::signbit(read->inputs[0].numbers[0]));
  EXPECT_EQ(text_of_numbers(read->inputs),
            "push=-0,5e-324,3.141592653589793 rig.very.long.path.of.gain=1e+300 eight.ch=1,-2");
}

TEST(EventMessage, OfTextsIsAsItWas) {
  const EventParts parts{"set", "lead.gain=4", {}};
  const std::vector<std::byte> body = message_of(parts);
  const std::string earlier("\4\0\0\0set\0\14\0\0\0lead.gain=4", 8 + 4 + 11); // and a zero
  ASSERT_GT(body.size(), earlier.size());
  EXPECT_EQ(std::memcmp(body.data(), earlier.data(), earlier.size()), 0);
  const std::optional<EventRead> read = read_event(body);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text, "lead.gain=4");
  EXPECT_TRUE(read->inputs.empty());
  const std::optional<EventRead> of_earlier = read_event(std::span(body).first(earlier.size() + 1));
  ASSERT_TRUE(of_earlier) << "earlier logs end there";
  EXPECT_EQ(of_earlier->text, "lead.gain=4");
}

TEST(EventMessage, CutAnywhereIsNoEvent) {
  const std::vector<std::byte> body = message_of(event_parts(header, frame_of(sample)));
  const std::size_t texts = 4 + 8 + 4 + numbers_note.size() + 1;
  for (std::size_t bytes = 0; bytes < body.size(); ++bytes) {
    const std::optional<EventRead> read = read_event(std::span(body).first(bytes));
    EXPECT_EQ(read.has_value(), bytes == texts) << bytes;
    if (read) { EXPECT_TRUE(read->inputs.empty()); }
  }
}

TEST(EventMessage, WithAbsurdSizesIsNoEvent) {
  const std::vector<std::byte> body = message_of(event_parts(header, frame_of(sample)));
  for (std::size_t at = 0; at + 4 <= body.size(); at += 4)
    for (const std::uint32_t size : {0xffffffffU, 0xfffffff8U, 0x20000000U, 1000000U}) {
      std::vector<std::byte> changed = body;
      std::memcpy(changed.data() + at, &size, sizeof size);
      const std::optional<EventRead> read = read_event(changed);
      std::size_t numbers = 0;
      if (read)
        for (const WrittenNumbers& each : read->inputs) numbers += each.numbers.size();
      EXPECT_LE(numbers, 6U) << at;
    }
}

/// Every reader of ROS 2 messages has to find them there: a round trip alone would not notice another alignment.
TEST(EventMessage, IsCdrByteByByte) {
  const std::vector<std::byte> body = message_of(event_parts(header, frame_of({{"a", {1}}, {"bcd", {}}, {"e", {-2}}})));
  const std::string expected("\10\0\0\0numbers\0"    // kind, with its zero
                             "\13\0\0\0see inputs\0" // text
                             "\0"                    // to a multiple of 4
                             "\3\0\0\0"              // inputs
                             "\2\0\0\0a\0\0\0"       // path
                             "\1\0\0\0\0\0\0\0"      // one number, at a multiple of 8
                             "\0\0\0\0\0\0\360\77"   // 1
                             "\4\0\0\0bcd\0"         // no padding
                             "\0\0\0\0"              // no number, and no padding for it
                             "\2\0\0\0e\0\0\0"       //
                             "\1\0\0\0"              // one number, at a multiple of 8 already
                             "\0\0\0\0\0\0\0\300",   // -2
                             88);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(body.data()), body.size()), expected);
}

TEST(EventMessage, WithMoreBehindItIsNoEvent) {
  std::vector<std::byte> body = message_of(event_parts(header, frame_of(sample)));
  body.resize(body.size() + 4);
  EXPECT_FALSE(read_event(body));
}

TEST(EventMessage, WithATextWithoutItsZeroIsNoEvent) {
  const std::vector<std::byte> body = message_of(event_parts(header, frame_of({{"a", {1}}})));
  for (const std::size_t at : {0, 12, 32}) { // the lengths of kind, text and path
    std::vector<std::byte> changed = body;
    std::memset(changed.data() + at, 0, 4);
    EXPECT_FALSE(read_event(changed)) << at;
  }
}

/// A log whose chunk is not compressed, with three events of numbers.
void write_log(const std::string& path) {
  const LogSchema schema = testing::sample_schema();
  std::string error;
  const auto log = LogWriter::create(path, schema, {.packed = false}, error);
  ASSERT_NE(log, nullptr) << error;
  testing::SampleSignals signals;
  auto recorder = Recorder::create(schema, testing::sample_sources(signals), log->ring(), WhenFull::wait, error);
  ASSERT_TRUE(recorder) << error;
  const std::vector<std::byte> frame = frame_of(sample);
  for (std::int64_t tick = 0; tick < 3; ++tick) {
    std::byte* const to = recorder->begin_numbers(tick, frame.size());
    ASSERT_NE(to, nullptr);
    std::memcpy(to, frame.data(), frame.size());
    recorder->end_numbers();
    signals.set(tick);
    ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
  }
  ASSERT_TRUE(log->close()) << log->error();
}

TEST(EventMessage, BrokenInALogIsSaidAndTheOthersAreRead) {
  const TemporaryFile file("events.mcap");
  write_log(file.path());
  Log whole = testing::open(file.path());
  const std::vector<LogEvent> events = whole.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[2].tick, 2);
  EXPECT_EQ(events[2].inputs, sample);
  EXPECT_EQ(events[2].text, text_of_numbers(sample));
  EXPECT_FALSE(whole.damaged());
  std::ifstream stream(file.path(), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(stream), {});
  const std::size_t at = bytes.find("rig.very.long");
  ASSERT_NE(at, std::string::npos);
  bytes[at - 1] = '\x7f'; // the length of the path
  std::ofstream(file.path(), std::ios::binary) << bytes;
  Log log = testing::open(file.path());
  log.keep_damaged(); // as a replay does
  EXPECT_EQ(log.events().size(), 2U);
  EXPECT_TRUE(log.damaged());
  EXPECT_THAT(log.problems(), ::testing::Contains(HasSubstr("1 event cannot be read: it is left out")));
}

} // namespace
} // namespace hilda::test
