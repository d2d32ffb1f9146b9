// SPDX-License-Identifier: BSD-3-Clause
// Both ends over loopback, the peer that docs/udp.md prints, and what the loop's calls may do.
#include "tests/drivers_udp/udp_wire.h"
#include "tests/project_folders.h"
#include "tests/realtime/watched_run.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

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
  std::ifstream file(source_folder() + "/docs/udp.md");
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
<realtime lost_in_a_row="1000"/>
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
  const auto run = run_watched("HILDA_PLUGIN_PATH='" + build_folder() + "/lib/hilda/plugins' '" + build_folder() +
                               "/bin/hilda' run '" + (folder / "test.xml").string() + "' --arm --no-log --for 1s");
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
