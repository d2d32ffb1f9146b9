// SPDX-License-Identifier: BSD-3-Clause
// The reading end against a box of the test's own, byte by byte.
#include "drivers/ati_netft/rdt_client.h"
#include "drivers/ati_netft/rdt_server.h"
#include "tests/drivers_ati/golden_packet.h"

#include <gmock/gmock.h>

namespace hilda::netft {
namespace {

using test::golden_packet;
using ::testing::ElementsAreArray;
using Packets = net::Datagrams<4, 64>;

const sockaddr_in loopback = *net::ipv4("127.0.0.1", 0);

/// A client that has just asked for the stream, and what it asked.
struct Asked {
  Asked() {
    EXPECT_EQ(box.bind(loopback), "");
    EXPECT_EQ(client.open(box.local()), "");
    client.request(Command::start_real_time);
    EXPECT_EQ(packets.take(box), 1u);
    from = packets.sender(0);
  }
  net::DatagramSocket box;
  RdtClient client;
  Packets packets;
  sockaddr_in from{};
};

TEST(RdtClient, AsksAsInTheProtocol) {
  Asked asked;
  EXPECT_THAT(asked.packets[0], ElementsAreArray(golden_packet("request_start.hex")));
  asked.client.request(Command::stop);
  ASSERT_EQ(asked.packets.take(asked.box), 1u);
  EXPECT_THAT(asked.packets[0], ElementsAreArray(golden_packet("request_stop.hex")));
}

TEST(RdtClient, TakesRecordsOfTheBoxAlone) {
  Asked asked;
  net::DatagramSocket stranger;
  ASSERT_EQ(stranger.bind(loopback), "");
  ASSERT_TRUE(stranger.send_to(asked.from, golden_packet("record_out_of_range.hex")));
  asked.client.drain();
  EXPECT_FALSE(asked.client.stream().fresh());
  EXPECT_EQ(asked.client.stream().counts().malformed, 0) << "it never came so far";
  ASSERT_TRUE(asked.box.send_to(asked.from, golden_packet("record.hex")));
  asked.client.drain();
  ASSERT_TRUE(asked.client.stream().fresh());
  EXPECT_EQ(asked.client.stream().newest().rdt_sequence, 258u);
}

TEST(RdtClient, CountsPacketsOfAnotherLength) {
  Asked asked;
  std::vector<std::uint8_t> packet = golden_packet("record.hex");
  packet.push_back(0);
  asked.box.send_to(asked.from, packet);
  packet.resize(1400);
  asked.box.send_to(asked.from, packet);
  packet.resize(35);
  asked.box.send_to(asked.from, packet);
  asked.box.send_to(asked.from, {});
  asked.client.drain();
  EXPECT_FALSE(asked.client.stream().known());
  EXPECT_EQ(asked.client.stream().counts().malformed, 4);
}

TEST(RdtClient, ReadsABoundedNumberAtOnce) {
  Asked asked;
  const std::vector<std::uint8_t> record = golden_packet("record.hex");
  int sent = 0;
  while (sent < 520 && asked.box.send_to(asked.from, record)) ++sent;
  asked.client.drain();
  const RecordStream::Counts& counts = asked.client.stream().counts();
  EXPECT_GT(counts.disordered + counts.received, 100);
  EXPECT_LE(counts.disordered + counts.received, 512);
}

TEST(RdtClient, SurvivesABoxThatIsNotThere) {
  RdtClient client;
  net::DatagramSocket box;
  ASSERT_EQ(box.bind(loopback), "");
  const sockaddr_in gone = box.local();
  box.close();
  ASSERT_EQ(client.open(gone), "");
  EXPECT_FALSE(client.start(std::chrono::steady_clock::now() + std::chrono::milliseconds(250)));
  client.drain();
  EXPECT_FALSE(client.stream().fresh());
}

TEST(RdtClient, AgeIsTheTimeSinceTheRecordCame) {
  Asked asked;
  asked.client.drain();
  asked.box.send_to(asked.from, golden_packet("record.hex"));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  asked.client.drain();
  const double first = asked.client.age();
  EXPECT_GE(first, 0.019);
  EXPECT_LT(first, 5);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  asked.client.drain();
  EXPECT_FALSE(asked.client.stream().fresh());
  EXPECT_GE(asked.client.age(), first + 0.019);
}

struct Served {
  Served() {
    EXPECT_EQ(server.open(loopback, {}, 1), "");
    EXPECT_EQ(one.connect(*net::ipv4("127.0.0.1", server.port())), "");
    EXPECT_EQ(two.connect(*net::ipv4("127.0.0.1", server.port())), "");
  }
  std::size_t records_for(net::DatagramSocket& client) {
    std::size_t all = 0;
    while (const std::size_t count = packets.take(client)) all += count;
    return all;
  }
  RdtServer server;
  net::DatagramSocket one, two;
  Packets packets;
};

TEST(RdtServer, HearsOnlyThePeerThatItIsTold) {
  for (const auto& [only, heard] : {std::pair("127.0.0.1", true), std::pair("127.0.0.2", false)}) {
    RdtServer server;
    ASSERT_EQ(server.open(loopback, {}, 1, net::ipv4(only, 0)->sin_addr), "");
    net::DatagramSocket client;
    ASSERT_EQ(client.connect(*net::ipv4("127.0.0.1", server.port())), "");
    EXPECT_TRUE(client.send(encode(Command::start_real_time, 0)));
    server.read_requests();
    EXPECT_EQ(server.streaming(), heard) << only;
    EXPECT_EQ(server.counts().foreign, heard ? 0 : 1);
  }
}

TEST(RdtServer, SendsToTheLastThatAsked) {
  Served s;
  s.server.send({}, 5, 0);
  EXPECT_EQ(s.records_for(s.one), 0u) << "nobody asked";
  s.one.send(golden_packet("request_start.hex"));
  s.server.read_requests();
  s.server.send({}, 5, 0);
  EXPECT_EQ(s.records_for(s.one), 5u);
  s.two.send(golden_packet("request_start.hex"));
  s.server.read_requests();
  s.server.send({}, 3, 0);
  EXPECT_EQ(s.records_for(s.one), 0u);
  EXPECT_EQ(s.records_for(s.two), 3u);
  s.two.send(golden_packet("request_stop.hex"));
  s.server.read_requests();
  s.server.send({}, 3, 0);
  EXPECT_EQ(s.records_for(s.two), 0u);
}

TEST(RdtServer, SendsAsManyAsWereAskedFor) {
  Served s;
  s.one.send(golden_packet("request_ten.hex"));
  s.server.read_requests();
  s.server.send({}, 7, 0);
  s.server.send({}, 7, 0);
  EXPECT_EQ(s.records_for(s.one), 10u);
  EXPECT_FALSE(s.server.streaming());
}

TEST(RdtServer, NumbersRecordsAnewAndSamplesOn) {
  Served s;
  for (const std::uint32_t first_sample : {4u, 7u}) {
    s.server.send({}, first_sample == 4 ? 3 : 0, 0);
    s.one.send(golden_packet("request_start.hex"));
    s.server.read_requests();
    s.server.send({}, 1, 0);
    ASSERT_EQ(s.packets.take(s.one), 1u);
    const auto record = parse_record(s.packets[0]);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->rdt_sequence, 1u);
    EXPECT_EQ(record->ft_sequence, first_sample);
    s.server.send({}, 2, 0);
    s.records_for(s.one);
  }
}

TEST(RdtServer, IgnoresWhatIsNoRequest) {
  Served s;
  s.one.send(golden_packet("record.hex"));
  s.one.send({});
  std::vector<std::uint8_t> other = golden_packet("request_start.hex");
  other[1] = 0x35;
  s.one.send(other);
  s.server.read_requests();
  EXPECT_FALSE(s.server.streaming());
  EXPECT_EQ(s.server.counts().requests, 0);
}

} // namespace
} // namespace hilda::netft
