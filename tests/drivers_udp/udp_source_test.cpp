// SPDX-License-Identifier: BSD-3-Clause
// What comes from a socket.
#include "engine/base/own_descriptors.h"
#include "tests/closed_sockets.h"
#include "tests/drivers_udp/udp_wire.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(UdpSource, GivesTheNewestNumbers) {
  Listening l("initial=\"7\"");
  EXPECT_EQ(l.in("values", 1), 7);
  EXPECT_EQ(l.in("stale"), 1);
  ASSERT_TRUE(l.sender.send(golden_packet("three.hex")));
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("values", 0), 1);
  EXPECT_EQ(l.in("values", 1), 0.25);
  EXPECT_EQ(l.in("values", 2), -3);
  EXPECT_EQ(l.in("stale"), 0);
  EXPECT_EQ(l.in("sequence"), 258);
  EXPECT_EQ(l.in("sender_time"), 1.5);
  for (std::uint64_t n = 260; n < 270; ++n) l.sender.send(packet(n, {1.0 * static_cast<double>(n), 0, 0}));
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("values"), 269);
  EXPECT_EQ(l.in("received"), 11);
  EXPECT_EQ(l.in("lost"), 1);
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("values"), 269) << "held";
  EXPECT_EQ(l.in("stale"), 1);
  EXPECT_GT(l.in("age"), 0);
}

TEST(UdpSource, RefusesWhatIsNoPacket) {
  Listening l;
  std::vector<std::uint8_t> bytes = golden_packet("three.hex");
  bytes[30] ^= 1u;
  l.sender.send(bytes);
  l.sender.send(packet(1, {1, 2}));
  l.sender.send({});
  l.sender.send(std::vector<std::uint8_t>(9000, 0x55));
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("stale"), 1);
  EXPECT_EQ(l.in("refused"), 4);
}

TEST(UdpSource, HasOneSenderAtATime) {
  Listening l;
  net::DatagramSocket other;
  ASSERT_EQ(other.connect(l.at), "");
  l.sender.send(packet(1, {1, 1, 1}));
  other.send(packet(2, {2, 2, 2}));
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("values"), 1);
  EXPECT_EQ(l.in("refused"), 1);
}

TEST(UdpSource, TakesPacketsOfThePeerAlone) {
  Listening l("peer=\"127.0.0.9\"");
  l.sender.send(packet(1, {1, 1, 1}));
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("stale"), 1);
  EXPECT_EQ(l.in("refused"), 1);
  net::DatagramSocket peer;
  ASSERT_EQ(peer.bind(*net::ipv4("127.0.0.9", 0)), "");
  peer.send_to(l.at, packet(1, {2, 2, 2}));
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("values"), 2);
}

TEST(UdpSource, FailsAfterSilence) {
  Listening l("timeout=\"20 ms\"");
  l.sender.send(packet(1, {1, 1, 1}));
  int ticks = 0;
  while (ticks < 100 && l.diagram.step()) ++ticks;
  EXPECT_EQ(ticks, 21);
  EXPECT_EQ(l.diagram.ending().kind, Ending::Kind::failed);
  EXPECT_EQ(l.diagram.ending().text, "no packet came for longer than `timeout`");
  EXPECT_EQ(l.diagram.ending().block, "in");
}

TEST(UdpSource, MayBeSilentForeverIfAsked) {
  Listening l("timeout=\"0 s\"");
  EXPECT_TRUE(l.diagram.step(2000));
}

TEST(UdpSource, NumbersThatAreNotFiniteEndTheRun) {
  Listening l;
  l.sender.send(packet(1, {1, NAN, 1}));
  EXPECT_FALSE(l.diagram.step());
  EXPECT_EQ(l.diagram.ending().signal, "in.values");
}

TEST(UdpSource, WaitsForTheFirstPacketIfAsked) {
  net::DatagramSocket probe;
  ASSERT_EQ(probe.bind(*net::ipv4("127.0.0.1", 0)), "");
  const sockaddr_in at = probe.local();
  probe.close();
  std::atomic<bool> over{false};
  std::thread sending([&] {
    net::DatagramSocket sender;
    sender.connect(at);
    for (std::uint64_t n = 1; !over; ++n) {
      sender.send(packet(n, {5, 5, 5}));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  std::string body = source("connect_timeout=\"5 s\"");
  body.replace(body.find("port=\"0\""), 8, "port=\"" + std::to_string(ntohs(at.sin_port)) + "\"");
  WiredDiagram diagram(body);
  EXPECT_TRUE(diagram.start()) << diagram.errors();
  over = true;
  sending.join();
  EXPECT_TRUE(diagram.step());
  EXPECT_EQ(diagram.value("in.values"), 5);
}

TEST(UdpSource, SaysWhatIsWrong) {
  EXPECT_THAT(start_errors(source("address=\"localhost\"")), HasSubstr("\"localhost\" is not an IPv4 address"));
  EXPECT_THAT(start_errors(source("address=\"192.0.2.1\"")), HasSubstr("no network interface of this machine"));
  EXPECT_THAT(start_errors(source("peer=\"1.2.3\"")), HasSubstr("\"1.2.3\" is not an IPv4 address"));
  EXPECT_THAT(start_errors(source("connect_timeout=\"20 ms\"")),
              AllOf(HasSubstr("no packet of 3 numbers came to 127.0.0.1:"), HasSubstr("test.xml:2")));
  Listening l;
  std::string body = source("");
  body.replace(body.find("port=\"0\""), 8, "port=\"" + std::to_string(ntohs(l.at.sin_port)) + "\"");
  EXPECT_THAT(start_errors(body), HasSubstr("the address is in use by another program"));
}

TEST(UdpSource, ASocketThatOtherCodeClosesIsRestoredAndNamed) {
  Listening l;
  const int port = ntohs(l.at.sin_port);
  const auto ours = [port](int here, int) { return here == port; };
  ASSERT_EQ(close_sockets(ours), 1);
  EXPECT_THAT(
      base::put_back_descriptors(),
      ::testing::ElementsAre(HasSubstr(", the UDP socket at 127.0.0.1:" + std::to_string(port) + ": open -> closed")));
  ASSERT_TRUE(l.sender.send(golden_packet("three.hex")));
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("values", 1), 0.25);
  l.diagram.stop();
  EXPECT_EQ(close_sockets(ours), 0) << "no copy keeps it open";
}

} // namespace
} // namespace hilda::test
