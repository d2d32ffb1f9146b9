// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/rdt.h"
#include "tests/drivers_ati/golden_packet.h"

#include <gmock/gmock.h>

namespace hilda::netft {
namespace {

using test::golden_packet;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::vector<std::uint8_t> numbered(std::uint32_t sequence, std::int32_t fx = 0, std::uint32_t status = 0) {
  std::vector<std::uint8_t> packet(record_bytes, 0);
  const auto put = [&](std::size_t at, std::uint32_t v) {
    for (std::size_t i = 0; i < 4; ++i) packet[at + i] = static_cast<std::uint8_t>(v >> (24 - 8 * i) & 0xFFu);
  };
  put(0, sequence), put(8, status), put(12, static_cast<std::uint32_t>(fx));
  return packet;
}

TEST(Rdt, RequestsAreAsInTheProtocol) {
  EXPECT_THAT(encode(Command::start_real_time, 0), ElementsAreArray(golden_packet("request_start.hex")));
  EXPECT_THAT(encode(Command::stop, 0), ElementsAreArray(golden_packet("request_stop.hex")));
  EXPECT_THAT(encode(Command::set_software_bias, 0), ElementsAreArray(golden_packet("request_bias.hex")));
  EXPECT_THAT(encode(Command::start_buffered, 10), ElementsAreArray(golden_packet("request_ten.hex")));
}

TEST(Rdt, RequestsAreRead) {
  const auto ten = parse_request(golden_packet("request_ten.hex"));
  ASSERT_TRUE(ten);
  EXPECT_EQ(ten->command, 3);
  EXPECT_EQ(ten->count, 10u);
  std::vector<std::uint8_t> bad = golden_packet("request_ten.hex");
  bad[0] = 0x13;
  EXPECT_FALSE(parse_request(bad)) << "another mark";
  bad[0] = 0x12, bad.push_back(0);
  EXPECT_FALSE(parse_request(bad)) << "a byte too many";
  EXPECT_FALSE(parse_request({}));
}

TEST(Rdt, RecordsAreRead) {
  const auto record = parse_record(golden_packet("record.hex"));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->rdt_sequence, 258u);
  EXPECT_EQ(record->ft_sequence, 65536u);
  EXPECT_EQ(record->status, 0u);
  EXPECT_THAT(record->force, ::testing::ElementsAre(1'000'000, -1'000'000, 1));
  EXPECT_THAT(record->torque, ::testing::ElementsAre(-1, 2147483647, -2147483647 - 1));
  EXPECT_THAT(encode(*record), ElementsAreArray(golden_packet("record.hex")));
}

TEST(Rdt, RecordsOfAnotherLengthAreNone) {
  const std::vector<std::uint8_t> whole = golden_packet("record.hex");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(parse_record(std::span(whole).first(length))) << length;
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(parse_record(longer));
}

TEST(Rdt, StatusBitsHaveNames) {
  const std::uint32_t status = parse_record(golden_packet("record_out_of_range.hex"))->status;
  EXPECT_EQ(status_text(status), "force or torque out of range (bit 30), any error (bit 31)");
  ASSERT_NE(worst_error(status), nullptr);
  EXPECT_EQ(worst_error(status)->bit, 30) << "says more than bit 31";
  EXPECT_THAT(worst_error(status)->failure, HasSubstr("force or torque out of range (status bit 30)"));
  EXPECT_EQ(worst_error(0x80000000u)->bit, 31);
  EXPECT_EQ(worst_error(0x80000004u)->bit, 2);
  EXPECT_EQ(status_text(0), "none");
  EXPECT_EQ(status_text(1u << 20), "unknown (bit 20)");
}

TEST(Rdt, OnlyErrorsEndARun) {
  for (const int bit : {0, 1, 2, 3, 27, 28, 29, 30, 31}) EXPECT_NE(worst_error(1u << bit), nullptr) << bit;
  EXPECT_EQ(worst_error(1u << 16), nullptr) << "a latched monitor condition is the user's own";
  EXPECT_EQ(worst_error(1u << 20), nullptr);
}

TEST(Rdt, CountersWrap) {
  EXPECT_EQ(ahead(0, 0xFFFFFFFFu), 1);
  EXPECT_EQ(ahead(5, 0xFFFFFFFEu), 7);
  EXPECT_EQ(ahead(0xFFFFFFFFu, 0), -1);
}

TEST(RecordStream, CountsGapsOverTheWrap) {
  RecordStream stream;
  EXPECT_TRUE(stream.take(golden_packet("record_out_of_range.hex"))); // 0xFFFFFFFF
  EXPECT_TRUE(stream.take(numbered(0)));
  EXPECT_EQ(stream.counts().gaps, 0);
  EXPECT_TRUE(stream.take(numbered(4)));
  EXPECT_EQ(stream.counts().gaps, 3);
  EXPECT_EQ(stream.counts().received, 3);
}

TEST(RecordStream, KeepsTheNewestAndCountsTheDropped) {
  RecordStream stream;
  stream.begin();
  for (std::uint32_t i = 1; i <= 7; ++i) stream.take(numbered(i, static_cast<std::int32_t>(10 * i)));
  EXPECT_EQ(stream.newest().force[0], 70);
  EXPECT_EQ(stream.counts().dropped, 6);
  EXPECT_TRUE(stream.fresh());
  stream.begin();
  EXPECT_FALSE(stream.fresh());
  EXPECT_EQ(stream.newest().force[0], 70) << "held";
  stream.take(numbered(8));
  EXPECT_EQ(stream.counts().dropped, 6) << "the first of a tick replaces none of that tick";
}

TEST(RecordStream, PassesOverWhatCameTwiceOrLate) {
  RecordStream stream;
  stream.take(numbered(10, 1));
  EXPECT_FALSE(stream.take(numbered(10, 2)));
  EXPECT_FALSE(stream.take(numbered(9, 3)));
  EXPECT_EQ(stream.newest().force[0], 1);
  EXPECT_EQ(stream.counts().disordered, 2);
  EXPECT_EQ(stream.counts().gaps, 0);
}

TEST(RecordStream, SurvivesAWrongNumber) {
  for (const std::uint32_t wrong : {1000u + 300u, 1000u + 65536u, 1000u + 65537u, 0x80000000u}) {
    RecordStream stream;
    stream.take(numbered(1000));
    stream.take(numbered(wrong));
    int blind = 0;
    for (std::uint32_t i = 1001; i < 1050; ++i) blind += stream.take(numbered(i)) ? 0 : 1;
    EXPECT_LE(blind, 8) << wrong;
    EXPECT_EQ(stream.newest().rdt_sequence, 1049u) << wrong;
    EXPECT_LE(stream.counts().resumed, 1);
  }
}

TEST(RecordStream, GoesOnAfterAStreamThatWasStartedAnew) {
  RecordStream stream;
  for (std::uint32_t i = 500; i < 600; ++i) stream.take(numbered(i));
  for (std::uint32_t i = 1; i <= 20; ++i) stream.take(numbered(i));
  EXPECT_EQ(stream.newest().rdt_sequence, 20u);
  EXPECT_EQ(stream.counts().resumed, 1);
}

TEST(RecordStream, DoesNotGoBackToStragglers) {
  RecordStream stream;
  for (std::uint32_t i = 100; i < 200; ++i) {
    stream.take(numbered(i));
    stream.take(numbered(i - 50)); // each record comes again, 50 later
    EXPECT_EQ(stream.newest().rdt_sequence, i);
  }
  EXPECT_EQ(stream.counts().resumed, 0);
}

TEST(RecordStream, RefusesWhatNoSensorOfThatRangeMeasures) {
  RecordStream stream;
  stream.set_limits({1000, 500});
  EXPECT_TRUE(stream.take(numbered(1, 1000)));
  EXPECT_FALSE(stream.take(numbered(2, -1001)));
  EXPECT_EQ(stream.counts().implausible, 1);
  EXPECT_EQ(stream.newest().force[0], 1000);
  EXPECT_TRUE(stream.take(numbered(3, 5000, 1u << 30))) << "an error comes through whatever stands beside it";
}

TEST(RecordStream, CountsWhatIsNoRecord) {
  RecordStream stream;
  EXPECT_FALSE(stream.take({}));
  EXPECT_FALSE(stream.take(golden_packet("request_start.hex")));
  EXPECT_EQ(stream.counts().malformed, 2);
  EXPECT_FALSE(stream.known());
}

} // namespace
} // namespace hilda::netft
