// SPDX-License-Identifier: BSD-3-Clause
// hilda run --watch: what changes on the disk is run again.
#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

/// hilda run --watch next to the test.
class Watching {
public:
  Watching(const Workplace& place, const std::string& arguments) : place_(place) {
    const std::string line = "cd '" + place.path().string() + "' && ( '" + build_folder() + "/bin/hilda' run " +
                             arguments +
                             " --watch --no-log >out.txt 2>err.txt & echo $! >pid.txt; wait $!; echo $? >exit.txt ) &";
    EXPECT_EQ(std::system(line.c_str()), 0);
    EXPECT_TRUE(until([&] { return place.read("pid.txt").ends_with("\n"); }));
    process_ = static_cast<pid_t>(std::strtol(place.read("pid.txt").c_str(), nullptr, 10));
  }
  ~Watching() {
    if (process_ > 1 && !place_.has("exit.txt")) kill(process_, SIGKILL);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  /// Half a minute is patience with a loaded machine and no claim.
  static bool until(const std::function<bool()>& done) {
    for (const auto began = Clock::now(); Clock::now() - began < std::chrono::seconds(30);) {
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return done();
  }
  bool says(const std::string& text) const {
    return until([&] { return place_.read("err.txt").find(text) != std::string::npos; });
  }
  /// How often the program has printed it.
  std::size_t count(const std::string& text) const {
    const std::string all = place_.read("err.txt");
    std::size_t found = 0;
    for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++found;
    return found;
  }
  bool rests(std::size_t times) const {
    return until([&] { return count("waiting for a change") == times; });
  }
  /// The files are watched, and a run is under way.
  bool runs() const {
    const std::string process = std::to_string(process_);
    return until([&] {
      std::ifstream children("/proc/" + process + "/task/" + process + "/children");
      return !std::string(std::istreambuf_iterator<char>(children), {}).empty();
    });
  }
  /// The exit code after Ctrl-C.
  int interrupt() const {
    kill(process_, SIGINT);
    EXPECT_TRUE(until([&] { return place_.read("exit.txt").ends_with("\n"); }));
    return std::atoi(place_.read("exit.txt").c_str());
  }

private:
  const Workplace& place_;
  pid_t process_ = -1;
};

std::string diagram(const std::string& value, const std::string& type = "sinks/Record") {
  return "<diagram format=\"1\" name=\"w\" period=\"1 ms\"><parameter name=\"duration\" value=\"20 ms\"/>\n"
         "<block name=\"source\" type=\"sources/Constant\" value=\"" +
         value +
         "\"/>\n"
         "<block name=\"record\" type=\"" +
         type +
         "\" key=\"seen\"/>\n"
         "<connect from=\"source.y\" to=\"record.u\"/></diagram>\n";
}

/// The last run's largest recorded number becomes this one.
bool recorded(const Workplace& place, int number) {
  return Watching::until([&] {
    const std::string summary = place.has("s.json") ? place.read("s.json") : "";
    const auto seen = summary.find("\"seen\": {");
    const auto most = seen == std::string::npos ? seen : summary.find("\"max\": ", seen);
    return most != std::string::npos && std::atoi(summary.c_str() + most + 7) == number;
  });
}

TEST(Watch, AChangedDiagramIsRunAgain) {
  const Workplace place;
  place.write("w.xml", diagram("7"));
  const Watching run(place, "w.xml --summary s.json");
  ASSERT_TRUE(recorded(place, 7)) << place.read("err.txt");
  ASSERT_TRUE(run.rests(1));
  place.write("w.xml", diagram("8"));
  EXPECT_TRUE(recorded(place, 8)) << place.read("err.txt");
  EXPECT_EQ(run.interrupt(), 130);
}

TEST(Watch, ErrorsAreShownAndTheNextChangeIsTaken) {
  const Workplace place;
  place.write("w.xml", diagram("7", "sinks/Recrod"));
  const Watching run(place, "w.xml --summary s.json");
  EXPECT_TRUE(run.says("did you mean 'sinks/Record'?"));
  EXPECT_TRUE(run.says("exit code 2; waiting for a change"));
  place.write("w.xml", "<diagram format=\"1\""); // as an editor may leave it
  EXPECT_TRUE(run.says("xml-syntax"));
  ASSERT_TRUE(run.rests(2)) << place.read("err.txt");
  // Editors write next to the file and rename.
  place.write("w.xml.new", diagram("9"));
  fs::rename(place.path() / "w.xml.new", place.path() / "w.xml");
  EXPECT_TRUE(recorded(place, 9)) << place.read("err.txt");
  EXPECT_EQ(run.interrupt(), 130);
}

TEST(Watch, AllFilesThatMakeTheDiagramCount) {
  const Workplace place;
  fs::create_directory(place.path() / "parts");
  const std::string part =
      "<diagram format=\"1\"><output name=\"y\"/><block name=\"source\" type=\"sources/Constant\" value=\"";
  const std::string rest = "\"/><connect from=\"source.y\" to=\"y\"/></diagram>";
  place.write("parts/part.xml", part + "1" + rest);
  place.write("w.xml", "<diagram format=\"1\" name=\"w\"><parameter name=\"duration\" value=\"20 ms\"/>"
                       "<subsystem name=\"part\" src=\"parts/part.xml\"/>"
                       "<block name=\"record\" type=\"sinks/Record\" key=\"seen\"/>"
                       "<connect from=\"part.y\" to=\"record.u\"/></diagram>");
  place.write("o.xml", "<overlay format=\"1\"><set path=\"duration\" value=\"30 ms\"/></overlay>");
  const Watching run(place, "w.xml --overlay o.xml --summary s.json");
  ASSERT_TRUE(recorded(place, 1)) << place.read("err.txt");
  ASSERT_TRUE(run.rests(1));
  place.write("parts/part.xml", part + "4" + rest);
  EXPECT_TRUE(recorded(place, 4)) << place.read("err.txt");
  ASSERT_TRUE(run.rests(2));
  place.write("o.xml", "<overlay format=\"1\"><set path=\"part.source.value\" value=\"6\"/></overlay>");
  EXPECT_TRUE(recorded(place, 6)) << place.read("err.txt");
  ASSERT_TRUE(run.rests(3));
  // A change of another file does not start a run: the next run follows the change after it.
  place.write("other.xml", "nothing");
  place.write("o.xml", "<overlay format=\"1\"><set path=\"part.source.value\" value=\"8\"/></overlay>");
  EXPECT_TRUE(recorded(place, 8)) << place.read("err.txt");
  ASSERT_TRUE(run.rests(4));
  EXPECT_EQ(run.count("changed"), 3u) << place.read("err.txt");
  EXPECT_EQ(run.count("other.xml"), 0u) << place.read("err.txt");
  EXPECT_EQ(run.interrupt(), 130);
}

TEST(Watch, ANewBuildOfAPluginIsTaken) {
  const Workplace place;
  fs::create_directory(place.path() / "plugins");
  const auto copy = [&](const char* build) {
    fs::copy_file(fs::path(build_folder() + "/tests/schema") / build / "watched.so", place.path() / "new.so",
                  fs::copy_options::overwrite_existing);
    fs::rename(place.path() / "new.so", place.path() / "plugins/watched.so"); // a linker writes a new file too
  };
  copy("first");
  place.write("w.xml", "<diagram format=\"1\" name=\"w\"><parameter name=\"duration\" value=\"20 ms\"/>"
                       "<block name=\"build\" type=\"watched/Build\"/>"
                       "<block name=\"record\" type=\"sinks/Record\" key=\"seen\"/>"
                       "<connect from=\"build.y\" to=\"record.u\"/></diagram>");
  const Watching run(place, "w.xml --plugins plugins --summary s.json");
  ASSERT_TRUE(recorded(place, 1)) << place.read("err.txt");
  ASSERT_TRUE(run.rests(1));
  copy("second");
  EXPECT_TRUE(recorded(place, 2)) << place.read("err.txt");
  EXPECT_TRUE(run.says("plugins/watched.so changed"));
  EXPECT_EQ(run.interrupt(), 130);
}

TEST(Watch, ARunUnderWayGivesWayToTheNextAndToCtrlC) {
  const Workplace place;
  place.write("w.xml", diagram("7"));
  const Watching run(place, "w.xml --for 1e6s --summary s.json"); // longer than anyone waits
  ASSERT_TRUE(run.runs());
  place.write("w.xml", diagram("8"));
  EXPECT_TRUE(run.says("w.xml changed"));
  EXPECT_TRUE(run.runs());
  EXPECT_EQ(run.interrupt(), 130);
}

TEST(Watch, IsForSimulationAlone) {
  const Workplace place;
  place.write("w.xml", diagram("7"));
  EXPECT_EQ(place.hilda("run w.xml --watch --arm").exit, 64);
  EXPECT_EQ(place.hilda("run w.xml --watch --realtime").exit, 64);
  const std::string diagrams = source_folder() + "/diagrams/";
  const Result hardware = place.hilda("run " + diagrams + "pida.xml --watch --mode hardware --no-log --overlay " +
                                      diagrams + "rigs/kuka_ati_loopback.xml");
  EXPECT_EQ(hardware.exit, 64);
  EXPECT_THAT(hardware.err, HasSubstr("--watch is for simulation"));
}

} // namespace
} // namespace hilda::test
