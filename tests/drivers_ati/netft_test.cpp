// SPDX-License-Identifier: BSD-3-Clause
// Both ends against each other over loopback: a diagram with the device, stepped in a thread while the other connects,
// and by hand from then on, so that every figure is exact.
#include "drivers/ati_netft/rdt_client.h"
#include "engine/base/own_descriptors.h"
#include "tests/closed_sockets.h"
#include "tests/drivers_ati/odd_server.h"
#include "tests/drivers_ati/wired_diagram.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The device under a constant wrench.
std::string device(const std::string& attributes) {
  return R"(<block name="f" type="sources/Constant" value="1 -2 3 N"/>
<block name="m" type="sources/Constant" value="0.1 0.2 -0.3 N m"/>
<block name="box" type="ati_netft/NetFtDevice" port="0" http_port="0" )" +
         attributes + R"(/>
<connect from="f.y" to="box.force"/>
<connect from="m.y" to="box.torque"/>
)";
}

std::string reader_at(const std::string& address, int port, int http_port, const std::string& attributes) {
  return "<block name=\"ft\" type=\"ati_netft/NetFt\" address=\"" + address + "\" port=\"" + std::to_string(port) +
         "\" http_port=\"" + std::to_string(http_port) + "\" " + attributes + "/>\n";
}

/// A device and a reader that has its stream, with nothing under way.
struct Pair {
  explicit Pair(const std::string& of_device = "", const std::string& of_reader = "") : box(device(of_device)) {
    EXPECT_TRUE(box.start()) << box.errors();
    box.step();
    reader = std::make_unique<WiredDiagram>(reader_at("127.0.0.1", static_cast<int>(box.value("box.rdt_port")),
                                                      static_cast<int>(box.value("box.page_port")), of_reader));
    Background ticking(box);
    started = reader->start();
  }
  double ft(const std::string& port, std::size_t element = 0) const { return reader->value("ft." + port, element); }
  /// As many ticks of both, in turn. True: neither has ended.
  bool step(int ticks = 1) {
    for (int i = 0; i < ticks; ++i)
      if (!box.step() || !reader->step()) return false;
    return true;
  }
  WiredDiagram box;
  std::unique_ptr<WiredDiagram> reader;
  bool started = false;
};

void expect_wrench(const Pair& pair, double tolerance = 1e-6) {
  const double force[] = {1, -2, 3}, torque[] = {0.1, 0.2, -0.3};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(pair.ft("force", i), force[i], tolerance);
    EXPECT_NEAR(pair.ft("torque", i), torque[i], tolerance);
  }
}

TEST(NetFt, ReadsWhatTheDeviceSends) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step(10));
  expect_wrench(pair);
  EXPECT_EQ(pair.ft("status"), 0);
  EXPECT_EQ(pair.ft("stale"), 0);
  EXPECT_EQ(pair.ft("gaps"), 0);
  EXPECT_EQ(pair.ft("disordered"), 0);
  EXPECT_EQ(pair.ft("malformed"), 0);
  EXPECT_EQ(pair.ft("tared"), 0);
  EXPECT_DOUBLE_EQ(pair.ft("resolution"), 1e-6);
  EXPECT_GE(pair.ft("age"), 0);
  EXPECT_EQ(pair.box.value("box.streaming"), 1);
  const double sequence = pair.ft("rdt_sequence"), sample = pair.ft("ft_sequence");
  ASSERT_TRUE(pair.step(5));
  EXPECT_EQ(pair.ft("rdt_sequence"), sequence + 5);
  EXPECT_EQ(pair.ft("ft_sequence"), sample + 5);
}

TEST(NetFt, UnderstandsTheBoxesUnits) {
  Pair pair(R"(force_unit="lbf" torque_unit="lbf-in" counts_per_force="10000" counts_per_torque="100000")");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step());
  expect_wrench(pair, 4.5e-4);
}

TEST(NetFt, TakesTheNewestAndCountsTheDropped) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step());
  const double sequence = pair.ft("rdt_sequence"), dropped = pair.ft("dropped");
  ASSERT_TRUE(pair.box.step(100));
  ASSERT_TRUE(pair.reader->step());
  EXPECT_EQ(pair.ft("rdt_sequence"), sequence + 100);
  EXPECT_EQ(pair.ft("dropped"), dropped + 99);
  EXPECT_EQ(pair.ft("gaps"), 0);
}

TEST(NetFt, KeepsUpWithAFasterBox) {
  Pair pair("rate=\"7000\"", "rate=\"7000\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step());
  const double sequence = pair.ft("rdt_sequence"), dropped = pair.ft("dropped");
  ASSERT_TRUE(pair.step(100));
  EXPECT_EQ(pair.ft("rdt_sequence"), sequence + 700);
  EXPECT_EQ(pair.ft("dropped"), dropped + 600);
}

TEST(NetFt, HoldsAndSaysStaleWithoutARecord) {
  Pair pair("rate=\"250\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  int fresh = 0;
  double oldest = 0;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(pair.step());
    if (i == 0) continue; // it has what came before
    fresh += pair.ft("stale") == 0 ? 1 : 0;
    oldest = std::max(oldest, pair.ft("silence"));
    expect_wrench(pair);
  }
  EXPECT_GE(fresh, 9);
  EXPECT_LE(fresh, 10);
  EXPECT_NEAR(oldest, 3e-3, 1e-9) << "one record in four ticks";
}

TEST(NetFt, FailsAfterSilence) {
  Pair pair("", "timeout=\"20 ms\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step(5));
  int ticks = 0;
  while (ticks < 100 && pair.reader->step()) ++ticks;
  EXPECT_EQ(ticks, 20);
  EXPECT_EQ(pair.reader->ending().kind, Ending::Kind::failed);
  EXPECT_EQ(pair.reader->ending().block, "ft");
  EXPECT_THAT(pair.reader->ending().text, HasSubstr("no record from the sensor for longer than `timeout`"));
  expect_wrench(pair);
}

/// As gauges are: never still to the last count.
TEST(NetFt, FailsWhereItsNumbersStayTheSameThoughRecordsCome) {
  Pair pair("", "stuck_after=\"30 ms\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  int ticks = 0;
  while (ticks < 200 && pair.step(1)) ++ticks;
  EXPECT_NEAR(ticks, 31, 3);
  EXPECT_EQ(pair.reader->ending().kind, Ending::Kind::failed);
  EXPECT_EQ(pair.reader->ending().block, "ft");
  EXPECT_THAT(pair.reader->ending().text, HasSubstr("stay the same to the last count for longer than `stuck_after`"));
}

TEST(NetFt, TakesFewEqualRecordsForChance) {
  Pair pair("rate=\"125\"", "stuck_after=\"30 ms\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  EXPECT_TRUE(pair.step(100));
}

TEST(NetFt, DoesNotWatchUnasked) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  EXPECT_TRUE(pair.step(500));
}

TEST(NetFt, FailsWhereTheBoxGoesAway) {
  Pair pair("disconnect_at=\"3 s\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_LT(pair.box.runtime().time(), 3) << "connecting took too long for this test";
  EXPECT_FALSE(pair.step(4000));
  EXPECT_NEAR(pair.box.runtime().time(), 3.05, 0.002);
  EXPECT_THAT(pair.reader->ending().text, HasSubstr("cut off"));
}

TEST(NetFt, FailsWhereAnotherClientTakesTheStream) {
  Pair pair("steal_at=\"3 s\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  EXPECT_FALSE(pair.step(4000));
  EXPECT_NEAR(pair.box.runtime().time(), 3.05, 0.002);
  EXPECT_THAT(pair.reader->ending().text, HasSubstr("another client took its stream"));
  EXPECT_EQ(pair.box.value("box.streaming"), 1) << "to the other one";
}

TEST(NetFt, LosesTheStreamToAReaderElsewhere) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  netft::RdtClient elsewhere;
  ASSERT_EQ(elsewhere.open(*net::ipv4("127.0.0.1", static_cast<int>(pair.box.value("box.rdt_port")))), "");
  ASSERT_TRUE(elsewhere.request(netft::Command::start_real_time));
  EXPECT_FALSE(pair.step(200));
  EXPECT_EQ(pair.reader->ending().kind, Ending::Kind::failed);
  EXPECT_THAT(pair.reader->ending().text, HasSubstr("another client took its stream"));
  elsewhere.drain();
  EXPECT_TRUE(elsewhere.stream().fresh());
}

TEST(NetFt, FailsByTheStatusBit) {
  Pair pair("error_bit=\"30\" error_at=\"3 s\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  EXPECT_FALSE(pair.step(4000));
  EXPECT_NEAR(pair.box.runtime().time(), 3.0, 0.002);
  EXPECT_EQ(pair.reader->ending().kind, Ending::Kind::failed);
  EXPECT_EQ(pair.reader->ending().text, "the sensor reports an error: force or torque out of range (status bit 30)");
  EXPECT_EQ(pair.ft("status"), 3221225472.0);
  pair.reader->stop();
  EXPECT_EQ(pair.reader->texts()["ft.status"], "force or torque out of range (bit 30), any error (bit 31)");
}

TEST(NetFt, DoesNotMindALatchedMonitorCondition) {
  Pair pair("error_bit=\"16\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  EXPECT_TRUE(pair.step(10));
  EXPECT_EQ(pair.ft("status"), 65536);
}

TEST(NetFt, DoesNotStartOnAnError) {
  Pair pair("error_bit=\"2\"");
  EXPECT_FALSE(pair.started);
  EXPECT_THAT(pair.reader->errors(),
              AllOf(HasSubstr("before the start: broken strain gage (bit 2), any error (bit 31)"),
                    HasSubstr("test.xml:2"), HasSubstr("[block-start]")));
}

TEST(NetFt, DoesNotTareUnasked) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step());
  EXPECT_EQ(pair.box.value("box.tares"), 0);
  EXPECT_EQ(pair.reader->texts()["ft.tare"], "none");
}

TEST(NetFt, TaresOnceAndSaysSo) {
  Pair pair("", "tare=\"on\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step(50));
  EXPECT_EQ(pair.box.value("box.tares"), 1);
  EXPECT_EQ(pair.ft("tared"), 1);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(pair.ft("force", i), 0, 1e-9);
  pair.reader->stop();
  EXPECT_EQ(pair.reader->texts()["ft.tare"], "the box took the wrench at the start as zero");
  EXPECT_NEAR(pair.reader->figures()["ft.before_tare.force.z"], 3, 1e-6);
  EXPECT_NEAR(pair.reader->figures()["ft.before_tare.torque.y"], 0.2, 1e-6);
}

TEST(NetFt, LeavesTheStreamToWhoHasItOnThisMachine) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  const std::string same = reader_at("127.0.0.1", static_cast<int>(pair.box.value("box.rdt_port")),
                                     static_cast<int>(pair.box.value("box.page_port")), "");
  const auto starts = [&pair](WiredDiagram& diagram) {
    Background ticking(pair.box);
    return diagram.start();
  };
  {
    WiredDiagram second(same);
    EXPECT_FALSE(starts(second));
    EXPECT_THAT(second.errors(), AllOf(HasSubstr("another run on this machine"), HasSubstr("end that run first")));
  }
  EXPECT_TRUE(pair.step(100)) << "the first goes on";
  pair.reader.reset();
  WiredDiagram third(same);
  EXPECT_TRUE(starts(third)) << third.errors();
}

TEST(NetFt, StopEndsTheStream) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step());
  EXPECT_EQ(pair.box.value("box.streaming"), 1);
  pair.reader->stop();
  ASSERT_TRUE(pair.box.step());
  EXPECT_EQ(pair.box.value("box.streaming"), 0);
}

TEST(NetFt, SurvivesABadNetwork) {
  Pair pair(R"(fault_seed="3" drop="0.05" duplicate="0.05" reorder="0.05" truncate="0.05" delay="7 ms"
            delay_probability="0.05")",
            "timeout=\"30 ms\"");
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(pair.step()) << pair.reader->ending().text;
    expect_wrench(pair);
  }
  EXPECT_GT(pair.ft("gaps"), 50);
  EXPECT_GT(pair.ft("disordered"), 50);
  EXPECT_GT(pair.ft("malformed"), 50);
}

TEST(NetFt, SurvivesTurnedBitsWithinItsRange) {
  int longest = 0;
  for (const char* seed : {"1", "2", "3"}) {
    Pair pair("corrupt=\"0.005\" fault_seed=\"" + std::string(seed) + "\"",
              "force_range=\"10 N\" torque_range=\"1 N m\" timeout=\"30 ms\"");
    if (!pair.started) continue;
    int ticks = 0;
    while (ticks < 2000 && pair.step()) {
      ++ticks;
      ASSERT_LE(std::abs(pair.ft("force")), 10);
      ASSERT_LE(std::abs(pair.ft("torque", 2)), 1);
    }
    // A turned bit in the status may say that there is an error, and then the run must end.
    if (ticks < 2000) { EXPECT_THAT(pair.reader->ending().text, HasSubstr("reports an error")); }
    longest = std::max(longest, ticks);
  }
  EXPECT_GT(longest, 100);
}

TEST(NetFt, SaysWhatIsWrongWithTheConfiguration) {
  const auto said = [](const std::string& of_device, const std::string& of_reader = "") {
    Pair pair(of_device, of_reader);
    EXPECT_FALSE(pair.started) << of_device;
    return pair.reader->errors();
  };
  EXPECT_THAT(said("counts_per_force=\"0\""),
              AllOf(HasSubstr("cfgcpf = \"0\""), HasSubstr("/netftapi2.xml"), HasSubstr("Configurations")));
  EXPECT_THAT(said("rdt_enabled=\"false\""), HasSubstr("RDT interface is disabled; enable it on its page"));
  EXPECT_THAT(said("", "rate=\"7000\""),
              HasSubstr("the box sends 1000 records a second, the diagram says 7000; set the RDT output rate"));
}

std::string start_errors(const std::string& body) {
  WiredDiagram diagram(body);
  EXPECT_FALSE(diagram.start());
  return diagram.errors();
}

TEST(NetFt, SaysWhatIsWrongWithTheAddress) {
  EXPECT_THAT(start_errors(reader_at("300.1.1.1", 1, 1, "")), HasSubstr("\"300.1.1.1\" is not an IPv4 address"));
  EXPECT_THAT(start_errors(reader_at("netft", 1, 1, "")), HasSubstr("\"netft\" is not an IPv4 address"));
  EXPECT_THAT(start_errors(reader_at("127.0.0.1", 1, 1, "")), HasSubstr("nothing listens there"));
}

TEST(NetFt, SaysWhatIsWrongWithThePage) {
  const OddServer garbage(answering("HTTP/1.0 200 OK\r\n\r\n<html>Welcome</html>"));
  EXPECT_THAT(start_errors(reader_at("127.0.0.1", 1, ntohs(garbage.address().sin_port), "")),
              HasSubstr("its configuration has no cfgcpf"));
  const OddServer lost(answering("HTTP/1.0 404 Not Found\r\n\r\n"));
  EXPECT_THAT(start_errors(reader_at("127.0.0.1", 1, ntohs(lost.address().sin_port), "")),
              HasSubstr("HTTP status 404"));
}

TEST(NetFt, ABoxWithoutAPageIsReadWithWhatIsGiven) {
  EXPECT_THAT(start_errors(reader_at("127.0.0.1", 1, 0, "counts_per_force=\"1000\" force_unit=\"N\"")),
              HasSubstr("no page of the box is asked"));
  const std::string given = "counts_per_force=\"1000\" counts_per_torque=\"10\" force_unit=\"N\" torque_unit=\"Nm\" ";
  // Counts and units are enough: it continues to the stream, which no one sends here.
  EXPECT_THAT(start_errors(reader_at("127.0.0.1", 1, 0, given + "connect_timeout=\"0.1 s\"")),
              HasSubstr("no record from 127.0.0.1:1"));
}

TEST(NetFt, SaysThatNoRecordComes) {
  // The page is there, the box does not tick.
  WiredDiagram box(device(""));
  ASSERT_TRUE(box.start()) << box.errors();
  ASSERT_TRUE(box.step());
  EXPECT_THAT(start_errors(reader_at("127.0.0.1", static_cast<int>(box.value("box.rdt_port")),
                                     static_cast<int>(box.value("box.page_port")), "connect_timeout=\"150 ms\"")),
              AllOf(HasSubstr("no record from 127.0.0.1:"), HasSubstr("within `connect_timeout`")));
}

TEST(NetFtDevice, SaysThatItsAddressIsInUse) {
  WiredDiagram box(device(""));
  ASSERT_TRUE(box.start()) << box.errors();
  ASSERT_TRUE(box.step());
  const std::string rdt = std::to_string(static_cast<int>(box.value("box.rdt_port"))),
                    page = std::to_string(static_cast<int>(box.value("box.page_port")));
  const auto again = [](const std::string& port, const std::string& http_port) {
    std::string body = device("");
    body.replace(body.find("port=\"0\" http_port=\"0\""), 22, "port=\"" + port + "\" http_port=\"" + http_port + "\"");
    return start_errors(body);
  };
  EXPECT_THAT(again(rdt, "0"), AllOf(HasSubstr("in use by another program"), HasSubstr("choose another `port`")));
  EXPECT_THAT(again("0", page), AllOf(HasSubstr("in use by another program"), HasSubstr("another `http_port`")));
}

TEST(NetFtDevice, SaysWhatIsWrongWithItsParameters) {
  EXPECT_THAT(start_errors(device("force_unit=\"dyn\"")), HasSubstr("no unit of force"));
  EXPECT_THAT(start_errors(device("torque_unit=\"N\"")), HasSubstr("no unit of torque"));
  EXPECT_THAT(start_errors(device("rate=\"100000\"")), HasSubstr("more than 64 records"));
  EXPECT_THAT(start_errors(device("address=\"here\"")), HasSubstr("\"here\" is not an IPv4 address"));
  EXPECT_THAT(start_errors(device("address=\"192.0.2.1\"")),
              HasSubstr("no network interface of this machine has the address"));
}

TEST(NetFtDevice, SaturatesAndSaysSo) {
  Pair pair("counts_per_force=\"1000000000\"");
  EXPECT_FALSE(pair.started) << "3 N are more counts than a record holds";
  EXPECT_THAT(pair.reader->errors(), HasSubstr("force or torque out of range (bit 30)"));
}

/// The ends of the stream and the page, each by its own name.
TEST(NetFt, SocketsThatOtherCodeClosesAreRestoredAndNamed) {
  Pair pair;
  ASSERT_TRUE(pair.started) << pair.reader->errors();
  ASSERT_TRUE(pair.step(10));
  const int port = static_cast<int>(pair.box.value("box.rdt_port"));
  const int page = static_cast<int>(pair.box.value("box.page_port"));
  const auto ours = [&](int here, int there) { return here == port || here == page || there == port; };
  ASSERT_EQ(close_sockets(ours), 3);
  const auto at = [](int of) { return "127.0.0.1:" + std::to_string(of) + ": open -> closed"; };
  EXPECT_THAT(base::put_back_descriptors(),
              ::testing::UnorderedElementsAre(HasSubstr(", the UDP socket to " + at(port)),
                                              HasSubstr(", the UDP socket at " + at(port)),
                                              HasSubstr(", the socket of the page at " + at(page))));
  EXPECT_EQ(base::put_back_descriptors().size(), 0u);
  const double gaps = pair.ft("gaps");
  ASSERT_TRUE(pair.step(10));
  expect_wrench(pair);
  EXPECT_EQ(pair.ft("stale"), 0);
  EXPECT_EQ(pair.ft("gaps"), gaps);
  pair.reader->stop(), pair.box.stop();
  EXPECT_EQ(close_sockets(ours), 0) << "no copy keeps them open";
}

} // namespace
} // namespace hilda::test
