// SPDX-License-Identifier: BSD-3-Clause
// The loop functions of both ends allocate, lock and throw nothing, and ask the kernel for nothing but their packets.
#include "drivers/ati_netft/rdt_client.h"
#include "tests/drivers_ati/wired_diagram.h"
#include "tests/project_folders.h"
#include "tests/realtime/watched_run.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

/// Runs a diagram for a second in the program, with the trap.
std::optional<WatchedRun> watch(const std::string& body) {
  const fs::path folder = fs::temp_directory_path() / ("hilda_netft_loop_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "test.xml") << "<diagram format=\"1\" name=\"test\" period=\"1 ms\">\n"
                                     << body << "</diagram>\n";
  auto run = run_watched("HILDA_PLUGIN_PATH='" + build_folder() + "/lib/hilda/plugins' '" + build_folder() +
                         "/bin/hilda' run '" + (folder / "test.xml").string() + "' --no-log --for 1s");
  fs::remove_all(folder);
  return run;
}

void expect_clean(const WatchedRun& run) {
  ASSERT_EQ(run.exit_code, 0) << run.output;
  ASSERT_GE(run.loops, 1) << run.report;
  EXPECT_TRUE(run.offences.empty()) << run.report;
}

const std::string sources = R"(<block name="f" type="sources/Constant" value="1 -2 3 N"/>
<block name="m" type="sources/Constant" value="0.1 0.2 -0.3 N m"/>
<connect from="f.y" to="box.force"/>
<connect from="m.y" to="box.torque"/>
)";

TEST(LoopFunctions, OfTheReaderKeepTheRules) {
  WiredDiagram box(sources + "<block name=\"box\" type=\"ati_netft/NetFtDevice\" port=\"0\" http_port=\"0\"/>\n");
  ASSERT_TRUE(box.start()) << box.errors();
  box.step();
  const std::string port = std::to_string(static_cast<int>(box.value("box.rdt_port"))),
                    page = std::to_string(static_cast<int>(box.value("box.page_port")));
  const Background ticking(box);
  const auto run = watch("<block name=\"ft\" type=\"ati_netft/NetFt\" address=\"127.0.0.1\" timeout=\"1 s\" port=\"" +
                         port + "\" http_port=\"" + page + "\"/>\n");
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  expect_clean(*run);
}

TEST(LoopFunctions, OfTheDeviceKeepTheRules) {
  // A port that was free a moment ago.
  net::DatagramSocket probe;
  ASSERT_EQ(probe.bind(*net::ipv4("127.0.0.1", 0)), "");
  const sockaddr_in place = probe.local();
  probe.close();
  std::atomic<bool> over{false};
  std::int64_t received = 0;
  std::thread client([&] {
    netft::RdtClient reader;
    reader.open(place);
    while (!over) reader.start(std::chrono::steady_clock::now() + std::chrono::milliseconds(50));
    received = reader.stream().counts().received;
  });
  const auto run =
      watch(sources + "<block name=\"box\" type=\"ati_netft/NetFtDevice\" http_port=\"0\" drop=\"0.1\" " +
            "delay=\"3 ms\" delay_probability=\"0.1\" port=\"" + std::to_string(ntohs(place.sin_port)) + "\"/>\n");
  over = true;
  client.join();
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  expect_clean(*run);
  EXPECT_GT(received, 0) << "nothing was sent while the trap watched";
}

} // namespace
} // namespace hilda::test
