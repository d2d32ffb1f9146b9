// SPDX-License-Identifier: BSD-3-Clause
// What goes to a socket, through the safety stage where it moves something.
#include "drivers/udp/packet.h"
#include "engine/base/own_descriptors.h"
#include "tests/closed_sockets.h"
#include "tests/drivers_udp/udp_wire.h"

#include <gmock/gmock.h>
#include <memory>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

/// `block` under a constant, sending to a socket of the test.
struct Sending {
  explicit Sending(const std::string& block, const std::string& more = "") {
    EXPECT_EQ(receiver.bind(*net::ipv4("127.0.0.1", 0)), "");
    diagram = std::make_unique<WiredDiagram>(
        "<block name=\"c\" type=\"sources/Constant\" value=\"1 2 N\"/>\n<block name=\"out\" type=\"udp/" + block +
        "\" port=\"" + std::to_string(ntohs(receiver.local().sin_port)) + "\" " + more +
        "/>\n<connect from=\"c.y\" to=\"out.values\"/>\n");
    EXPECT_TRUE(diagram->start()) << diagram->errors();
  }
  net::DatagramSocket receiver;
  net::Datagrams<16, udp::most_bytes> packets;
  std::unique_ptr<WiredDiagram> diagram;
};

void expect_numbered_packets(Sending& s) {
  ASSERT_TRUE(s.diagram->step(3));
  ASSERT_EQ(s.packets.take(s.receiver), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const udp::PacketView view(s.packets[i]);
    ASSERT_EQ(view.fault(), udp::PacketView::Fault::none);
    EXPECT_EQ(view.sequence(), i + 1);
    EXPECT_DOUBLE_EQ(view.time(), 1e-3 * static_cast<double>(i));
    ASSERT_EQ(view.count(), 2u);
    EXPECT_EQ(view[0], 1);
    EXPECT_EQ(view[1], 2);
  }
  EXPECT_EQ(s.diagram->figures()["out.packets"], 3);
  EXPECT_EQ(s.diagram->figures()["out.unsent"], 0);
}

TEST(UdpSink, SendsAtEachTick) {
  Sending s("UdpSink");
  expect_numbered_packets(s);
}

TEST(UdpSink, GoesOnWhereNobodyListens) {
  Sending s("UdpSink");
  s.receiver.close();
  EXPECT_TRUE(s.diagram->step(100));
  EXPECT_GT(s.diagram->figures()["out.unsent"], 0);
}

TEST(UdpActuator, SendsWhatPassedTheSafetyStage) {
  Sending s("UdpActuator", "rest=\"0 N\"");
  expect_numbered_packets(s);
  EXPECT_EQ(s.diagram->value("out.sent", 1), 2);
}

TEST(UdpActuator, KeepsItsLimitsAndRampsToRest) {
  Sending s("UdpActuator", "rest=\"0 N\"/><limits on=\"out.values\" magnitude=\"1.5 N\"");
  EXPECT_FALSE(s.diagram->step(5000)) << "2 N are asked for";
  EXPECT_EQ(s.diagram->ending().kind, Ending::Kind::failed);
  while (const std::size_t count = s.packets.take(s.receiver))
    for (std::size_t i = 0; i < count; ++i) EXPECT_LE(udp::PacketView(s.packets[i])[1], 1.5);
}

TEST(UdpActuator, StopsWhereItIs) {
  net::DatagramSocket receiver;
  ASSERT_EQ(receiver.bind(*net::ipv4("127.0.0.1", 0)), "");
  const std::string port = std::to_string(ntohs(receiver.local().sin_port));
  WiredDiagram diagram("<block name=\"c\" type=\"sources/Ramp\" slope=\"1 m/s\"/>\n<block name=\"out\" "
                       "type=\"udp/UdpActuator\" rest=\"0 m\" port=\"" +
                       port +
                       "\"/>\n<limits on=\"out.values\" magnitude=\"0.3\" rate=\"2\"/>\n"
                       "<connect from=\"c.y\" to=\"out.values\"/>\n");
  ASSERT_TRUE(diagram.start()) << diagram.errors();
  net::Datagrams<16, udp::most_bytes> packets;
  double last = 0, before = 0;
  for (bool going = true; going;) {
    going = diagram.step();
    while (const std::size_t count = packets.take(receiver))
      for (std::size_t i = 0; i < count; ++i) before = last, last = udp::PacketView(packets[i])[0];
    EXPECT_LE(last, 0.3);
  }
  EXPECT_EQ(diagram.ending().kind, Ending::Kind::failed);
  EXPECT_GT(last, 0.01);
  EXPECT_NEAR(last, before, 1e-5) << "it stood still at the end";
}

TEST(UdpTwistActuator, StopsAtZero) {
  net::DatagramSocket receiver;
  ASSERT_EQ(receiver.bind(*net::ipv4("127.0.0.1", 0)), "");
  const std::string port = std::to_string(ntohs(receiver.local().sin_port));
  WiredDiagram diagram(R"(<block name="v" type="sources/Ramp" slope="0.1 0 0 m/s2"/>
<block name="w" type="sources/Constant" value="0 0 0 rad/s"/>
<block name="make" type="kinematics/MakeTwist"/>
<connect from="v.y" to="make.linear"/>
<connect from="w.y" to="make.angular"/>
<block name="out" type="udp/UdpTwistActuator" port=")" +
                       port + R"("/>
<limits on="out.twist" speed="0.02 m/s" stop_time="50 ms"/>
<connect from="make.twist" to="out.twist"/>
)");
  ASSERT_TRUE(diagram.start()) << diagram.errors();
  net::Datagrams<16, udp::most_bytes> packets;
  double last = 1, most = 0;
  for (bool going = true; going;) {
    going = diagram.step();
    while (const std::size_t count = packets.take(receiver))
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(udp::PacketView(packets[i]).count(), 6u);
        last = udp::PacketView(packets[i])[0], most = std::max(most, last);
      }
  }
  EXPECT_EQ(diagram.ending().kind, Ending::Kind::failed);
  EXPECT_GT(most, 0.015);
  EXPECT_LE(most, 0.02 + 1e-12);
  EXPECT_EQ(last, 0);
}

TEST(UdpActuator, KnowsItsRest) {
  Sending s("UdpActuator", "rest=\"0.5 -1.5 N\"");
  const System& system = s.diagram->runtime().system();
  for (const BlockIndex b : system.blocks.indices()) {
    if (system.blocks[b].path != "out") continue;
    const auto* table =
        static_cast<const hilda_actuation_1*>(system.blocks[b].type->abi->extension("hilda.actuation/1"));
    ASSERT_NE(table, nullptr);
    double rest[2] = {0, 0};
    ASSERT_EQ(table->rest(s.diagram->runtime().memory().record(b), "values", rest), 0);
    EXPECT_EQ(rest[0], 0.5);
    EXPECT_EQ(rest[1], -1.5);
  }
}

TEST(UdpSink, SaysWhatIsWrong) {
  const auto sink = [](const std::string& value, const std::string& attributes) {
    return "<block name=\"c\" type=\"sources/Constant\" value=\"" + value +
           "\"/>\n<block name=\"out\" type=\"udp/UdpSink\" port=\"9\" " + attributes +
           "/>\n<connect from=\"c.y\" to=\"out.values\"/>\n";
  };
  EXPECT_THAT(start_errors(sink("1", "address=\"256.0.0.1\"")), HasSubstr("\"256.0.0.1\" is not an IPv4 address"));
  EXPECT_THAT(start_errors(sink("1", "address=\"255.255.255.255\"")), HasSubstr("a broadcast is not a peer"));
  std::string many;
  for (int i = 0; i < 181; ++i) many += "1 ";
  EXPECT_THAT(start_errors(sink(many, "")), HasSubstr("a packet holds 180 numbers, not 181"));
}

TEST(UdpSink, ASocketThatOtherCodeClosesIsRestoredAndNamed) {
  Sending s("UdpSink");
  const int port = ntohs(s.receiver.local().sin_port);
  const auto ours = [port](int, int there) { return there == port; };
  ASSERT_EQ(close_sockets(ours), 1);
  EXPECT_THAT(
      base::put_back_descriptors(),
      ::testing::ElementsAre(HasSubstr(", the UDP socket to 127.0.0.1:" + std::to_string(port) + ": open -> closed")));
  expect_numbered_packets(s);
  s.diagram->stop();
  EXPECT_EQ(close_sockets(ours), 0) << "no copy keeps it open";
}

} // namespace
} // namespace hilda::test
