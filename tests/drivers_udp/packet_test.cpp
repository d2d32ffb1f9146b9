// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/udp/packet.h"
#include "tests/drivers_ati/golden_packet.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <zlib.h>

namespace hilda::udp {
namespace {

using ::testing::ElementsAreArray;
using Fault = PacketView::Fault;
using test::golden_packet;
using Bytes = std::vector<std::uint8_t>;

Bytes encoded(std::uint64_t sequence, double time, const std::vector<double>& values) {
  std::array<std::uint8_t, most_bytes> buffer{};
  const std::size_t bytes = encode(sequence, time, values, buffer);
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

TEST(UdpPacket, IsWrittenAsInTheLayout) {
  EXPECT_THAT(encoded(258, 1.5, {1, 0.25, -3}), ElementsAreArray(golden_packet("three.hex")));
  EXPECT_THAT(encoded(std::numeric_limits<std::uint64_t>::max(), -0.0, {}),
              ElementsAreArray(golden_packet("none.hex")));
}

TEST(UdpPacket, IsRead) {
  const Bytes bytes = golden_packet("three.hex");
  const PacketView packet(bytes);
  ASSERT_EQ(packet.fault(), Fault::none);
  EXPECT_EQ(packet.sequence(), 258u);
  EXPECT_EQ(packet.time(), 1.5);
  ASSERT_EQ(packet.count(), 3u);
  EXPECT_EQ(packet[0], 1);
  EXPECT_EQ(packet[1], 0.25);
  EXPECT_EQ(packet[2], -3);
  const Bytes none = golden_packet("none.hex");
  EXPECT_EQ(PacketView(none).fault(), Fault::none);
  EXPECT_EQ(PacketView(none).count(), 0u);
}

TEST(UdpPacket, EveryTurnedBitIsNoticed) {
  const Bytes whole = golden_packet("three.hex");
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    Bytes bytes = whole;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1u << bit % 8));
    EXPECT_NE(PacketView(bytes).fault(), Fault::none) << bit;
  }
}

TEST(UdpPacket, EveryOtherLengthIsNoticed) {
  Bytes bytes = golden_packet("three.hex");
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(PacketView(std::span(bytes).first(length)).fault(), Fault::none) << length;
  bytes.resize(3000);
  for (std::size_t length = 53; length <= bytes.size(); ++length)
    EXPECT_NE(PacketView(std::span(bytes).first(length)).fault(), Fault::none) << length;
}

TEST(UdpPacket, FaultsAreTold) {
  const auto with = [](std::size_t at, std::uint8_t byte) {
    Bytes bytes = golden_packet("three.hex");
    bytes[at] = byte;
    return PacketView(bytes).fault();
  };
  EXPECT_EQ(with(0, 'H'), Fault::magic);
  EXPECT_EQ(with(4, 2), Fault::version);
  EXPECT_EQ(with(6, 4), Fault::length);
  EXPECT_EQ(with(7, 0xFF), Fault::length);
  EXPECT_EQ(with(24, 1), Fault::checksum);
  EXPECT_EQ(PacketView().fault(), Fault::length);
}

TEST(UdpPacket, NumbersThatAreNotFiniteGoThrough) {
  const Bytes bytes = encoded(1, 0, {NAN, INFINITY});
  const PacketView packet(bytes);
  ASSERT_EQ(packet.fault(), Fault::none);
  EXPECT_TRUE(std::isnan(packet[0]));
  EXPECT_EQ(packet[1], INFINITY);
}

TEST(UdpPacket, MostNumbersFitIntoAFrame) {
  const Bytes bytes = encoded(1, 0, std::vector<double>(most_values, 2.5));
  EXPECT_EQ(bytes.size(), most_bytes);
  EXPECT_LE(bytes.size(), 1472u);
  EXPECT_EQ(PacketView(bytes)[most_values - 1], 2.5);
}

/// One number, sequence `n`.
struct One {
  explicit One(std::uint64_t n, std::size_t count = 1)
      : bytes(encoded(n, 0, std::vector<double>(count, 1.0))), view(bytes) {}
  Bytes bytes;
  PacketView view;
};
constexpr std::int64_t ms = 1'000'000;

TEST(PacketStream, CountsWhatIsLostAndLate) {
  PacketStream stream(1);
  EXPECT_TRUE(stream.take(One(10).view, 1, 0));
  EXPECT_TRUE(stream.take(One(11).view, 1, ms));
  EXPECT_TRUE(stream.take(One(15).view, 1, 2 * ms));
  EXPECT_FALSE(stream.take(One(15).view, 1, 3 * ms));
  EXPECT_FALSE(stream.take(One(14).view, 1, 3 * ms));
  EXPECT_EQ(stream.counts().received, 3);
  EXPECT_EQ(stream.counts().lost, 3);
  EXPECT_EQ(stream.counts().late, 2);
  EXPECT_EQ(stream.sequence(), 15u);
}

TEST(PacketStream, OneSenderAtATime) {
  PacketStream stream(1);
  EXPECT_TRUE(stream.take(One(10).view, 1, 0));
  EXPECT_FALSE(stream.take(One(500).view, 2, 100 * ms));
  EXPECT_EQ(stream.counts().foreign, 1);
  EXPECT_TRUE(stream.take(One(11).view, 1, 400 * ms));
  EXPECT_FALSE(stream.take(One(501).view, 2, 900 * ms)) << "half a second counts from the owner's last";
  EXPECT_TRUE(stream.take(One(502).view, 2, 901 * ms));
  EXPECT_FALSE(stream.take(One(12).view, 1, 902 * ms));
}

TEST(PacketStream, ASenderMayBeginAnewAfterSilence) {
  PacketStream stream(1);
  EXPECT_TRUE(stream.take(One(1000).view, 1, 0));
  EXPECT_FALSE(stream.take(One(1).view, 1, 500 * ms));
  EXPECT_TRUE(stream.take(One(2).view, 1, 501 * ms));
  EXPECT_EQ(stream.counts().lost, 0);
}

TEST(PacketStream, RefusedPacketsDoNotProlongTheSendersTime) {
  PacketStream stream(1);
  EXPECT_TRUE(stream.take(One(10).view, 1, 0));
  for (int i = 1; i <= 5; ++i) EXPECT_FALSE(stream.take(One(3).view, 1, i * 100 * ms));
  EXPECT_TRUE(stream.take(One(4).view, 2, 501 * ms));
}

TEST(PacketStream, AnotherCountOfNumbersIsMalformed) {
  PacketStream stream(1);
  EXPECT_FALSE(stream.take(One(1, 2).view, 1, 0));
  EXPECT_FALSE(stream.take(One(1, 0).view, 1, 0));
  EXPECT_FALSE(stream.take(PacketView(), 1, 0));
  EXPECT_EQ(stream.counts().malformed, 3);
}

TEST(PacketStream, AHugeJumpDoesNotOverflowTheCount) {
  PacketStream stream(1);
  for (int i = 0; i < 3; ++i) {
    stream.take(One(1).view, 1, i * 1000 * ms);
    stream.take(One(std::numeric_limits<std::uint64_t>::max()).view, 1, i * 1000 * ms);
  }
  EXPECT_GT(stream.counts().lost, 0);
}

} // namespace
} // namespace hilda::udp
