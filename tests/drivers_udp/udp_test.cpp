// The blocks over loopback, and against the peer that docs/udp.md prints.
#include "drivers/net/datagram_socket.h"
#include "drivers/udp/packet.h"
#include "tests/drivers_ati/golden_packet.h"
#include "tests/drivers_ati/wired_diagram.h"
#include "tests/realtime/watched_run.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <zlib.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string source(const std::string& attributes, const std::string& size = "3") {
  return "<block name=\"in\" type=\"udp/UdpSource\" port=\"0\" size=\"" + size + "\" " + attributes + "/>\n";
}

/// A packet by the layout's table, written once more for the tests.
std::vector<std::uint8_t> packet(std::uint64_t sequence, const std::vector<double>& values) {
  std::vector<std::uint8_t> bytes{'h', 'U', 'D', 'P', 1, 0, static_cast<std::uint8_t>(values.size()), 0};
  const auto add = [&](auto value) {
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof value);
  };
  add(sequence), add(12.5);
  for (const double value : values) add(value);
  add(static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<uInt>(bytes.size()))));
  return bytes;
}

/// A source that runs, and a socket that talks to it.
struct Listening {
  explicit Listening(const std::string& attributes = "", const std::string& size = "3")
      : diagram(source(attributes, size)) {
    EXPECT_TRUE(diagram.start()) << diagram.errors();
    EXPECT_TRUE(diagram.step());
    at = *net::ipv4("127.0.0.1", static_cast<int>(diagram.value("in.local_port")));
    EXPECT_EQ(sender.connect(at), "");
  }
  double in(const std::string& port, std::size_t element = 0) const { return diagram.value("in." + port, element); }
  WiredDiagram diagram;
  sockaddr_in at{};
  net::DatagramSocket sender;
};

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

std::string start_errors(const std::string& body) {
  WiredDiagram diagram(body);
  EXPECT_FALSE(diagram.start());
  return diagram.errors();
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

TEST(Udp, BothEndsUnderstandEachOther) {
  Listening l("", "2");
  WiredDiagram sink("<block name=\"c\" type=\"sources/Constant\" value=\"4 -5\"/>\n<block name=\"out\" "
                    "type=\"udp/UdpSink\" port=\"" +
                    std::to_string(ntohs(l.at.sin_port)) + "\"/>\n<connect from=\"c.y\" to=\"out.values\"/>\n");
  ASSERT_TRUE(sink.start()) << sink.errors();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(sink.step());
    ASSERT_TRUE(l.diagram.step());
    ASSERT_EQ(l.in("stale"), 0);
    EXPECT_EQ(l.in("values", 1), -5);
    EXPECT_EQ(l.in("sequence"), i + 1);
  }
  EXPECT_EQ(l.in("lost"), 0);
}

/// The text between ```LANGUAGE and ``` in docs/udp.md.
std::string printed(const std::string& language) {
  std::ifstream file(HILDA_SOURCE_DIR "/docs/udp.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string mark = "```" + language + "\n";
  const std::size_t begin = page.find(mark) + mark.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(UdpDocs, PrintedPeerSpeaksTheLayout) {
  Listening l("timeout=\"0 s\"");
  std::string program = printed("python");
  ASSERT_NE(program.find("47001"), std::string::npos);
  program.replace(program.find("47001"), 5, std::to_string(ntohs(l.at.sin_port)));
  ASSERT_NE(program.find("1001"), std::string::npos);
  program.replace(program.find("1001"), 4, "21");
  const fs::path file = fs::temp_directory_path() / ("hilda_udp_peer_" + std::to_string(getpid()) + ".py");
  std::ofstream(file) << program;
  const int status = std::system(("python3 '" + file.string() + "'").c_str());
  fs::remove(file);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(l.diagram.step());
  EXPECT_EQ(l.in("received"), 20);
  EXPECT_EQ(l.in("refused"), 0);
  EXPECT_EQ(l.in("sequence"), 20);
  EXPECT_EQ(l.in("values", 2), -3);
}

TEST(UdpDocs, PrintedStopButtonStopsTheRun) {
  std::string body = printed("xml");
  body.replace(body.find("port=\"47001\""), 12, "port=\"0\"");
  body.replace(body.find("connect_timeout=\"10 s\""), 22, "initial=\"1\"");
  WiredDiagram diagram(body);
  ASSERT_TRUE(diagram.start()) << diagram.errors();
  ASSERT_TRUE(diagram.step());
  net::DatagramSocket sender;
  sender.connect(*net::ipv4("127.0.0.1", static_cast<int>(diagram.value("operator.local_port"))));
  sender.send(packet(1, {1}));
  EXPECT_TRUE(diagram.step());
  sender.send(packet(2, {0}));
  EXPECT_FALSE(diagram.step());
  EXPECT_EQ(diagram.ending().block, "stop");
}

TEST(UdpLoopFunctions, KeepTheRules) {
  const fs::path folder = fs::temp_directory_path() / ("hilda_udp_loop_" + std::to_string(getpid()));
  fs::create_directories(folder);
  Listening l("timeout=\"0 s\"", "2");
  std::ofstream(folder / "test.xml") << R"(<diagram format="1" name="test" period="1 ms">
<block name="c" type="sources/Constant" value="0 0"/>
<block name="sink" type="udp/UdpSink" port=")"
                                     << ntohs(l.at.sin_port) << R"("/>
<block name="actuator" type="udp/UdpActuator" rest="0" port=")"
                                     << ntohs(l.at.sin_port) << R"("/>
<limits on="actuator.values" magnitude="1" rate="1 1/s" acceleration="1 1/s2"/>
<block name="in" type="udp/UdpSource" size="2" port="0" timeout="0 s"/>
<connect from="c.y" to="sink.values"/>
<connect from="c.y" to="actuator.values"/>
</diagram>
)";
  const auto run =
      run_watched("HILDA_PLUGIN_PATH='" HILDA_BINARY_DIR "/lib/hilda/plugins' '" HILDA_BINARY_DIR "/bin/hilda' run '" +
                  (folder / "test.xml").string() + "' --arm --no-log --for 1s");
  fs::remove_all(folder);
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  ASSERT_GE(run->loops, 1) << run->report;
  EXPECT_TRUE(run->offences.empty()) << run->report;
  ASSERT_TRUE(l.diagram.step());
  EXPECT_GT(l.in("received"), 0);
}

} // namespace
} // namespace hilda::test
