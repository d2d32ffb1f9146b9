// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a paced run that moves something, over loopback: they pass the safety stage as all else does.
#include "engine/log/log.h"
#include "tests/hardware/process.h"
#include "tests/modules.h"

#include <fstream>
#include <gmock/gmock.h>
#include <thread>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* peer = R"(<diagram format="1" name="peer" period="4 ms">
  <parameter name="place" value="0"/>
  <block name="wanted" type="sources/Constant" value="${place}"/>
  <block name="peer" type="udp/UdpActuator" mode="hardware" port="47190" rest="0"/>
  <limits on="peer.values" mode="hardware" magnitude="2" rate="0.5" acceleration="1000"/>
  <connect from="wanted.y" to="peer.values"/>
  MORE
</diagram>
)";

/// A run with a console.
struct Session {
  explicit Session(const std::vector<std::string>& more, const std::string& elements = "", std::string diagram = peer)
      : run(folder, "run", arguments(more, elements, std::move(diagram)), Process::Input::typed) {}

  std::vector<std::string> arguments(const std::vector<std::string>& more, const std::string& elements,
                                     std::string text) const {
    if (const std::size_t at = text.find("MORE"); at != std::string::npos) text.replace(at, 4, elements);
    std::ofstream(folder.path("peer.xml")) << text;
    std::vector<std::string> all{"run", "peer.xml", "--mode", "hardware", "--console", "--log", "run.mcap"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string said() const { return folder.read("run.out") + folder.read("run.err"); }
  /// Until it has printed this or has ended; 20 s at most.
  bool waits_for(const std::string& text) {
    for (int tries = 0; tries < 1000 && said().find(text) == std::string::npos && run.running(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return said().find(text) != std::string::npos;
  }
  /// Until its log has so many seconds of motion or it has ended; 60 s at most.
  bool has_moved(double seconds) {
    const auto logged = [this] {
      std::string problem;
      std::optional<Log> log = Log::open(folder.path("run.mcap.part"), problem);
      const std::optional<Signal> sent = log ? log->signal("wanted.y", problem) : std::nullopt;
      return sent && sent->samples() > 0 ? static_cast<double>(sent->ticks().back()) * 4e-3 : 0.0;
    };
    for (int tries = 0; tries < 600 && logged() < seconds && run.running(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return logged() >= seconds;
  }
  void expect_replay() {
    Process replay(folder, "replay", {"run", "--mode", "replay", "run.mcap"});
    EXPECT_EQ(replay.wait(), 0) << folder.read("replay.out") << folder.read("replay.err");
    EXPECT_THAT(folder.read("replay.out"), HasSubstr("every bit is as recorded"));
  }

  Folder folder;
  Process run;
};

TEST(LiveHardware, AChangePassesTheSafetyStageWhichEndsTheRunWhereItAsksTooMuch) {
  Session session({"--arm", "--for", "30s"});
  session.run.type("set place=0.001");
  ASSERT_TRUE(session.waits_for(" s  place=0.001")) << session.said();
  session.run.type("set place=1.5");
  EXPECT_EQ(session.run.wait(), 3);
  EXPECT_THAT(session.said(), HasSubstr(" s  place=1.5")) << "it was taken, and what it makes of the command is not";
  EXPECT_THAT(session.folder.read("run.err"), HasSubstr("the safety stage refuses what would be sent: rate"));
  session.expect_replay();
}

/// Swings slowly, so that it takes a second to come to rest.
constexpr const char* swinging = R"(<diagram format="1" name="peer" period="4 ms">
  <parameter name="place" value="0"/>
  <block name="swing" type="sources/Sine" amplitude="0.2" frequency="0.5 rad/s" phase="-90 deg" bias="0.2"/>
  <block name="shift" type="sources/Constant" value="${place}"/>
  <block name="wanted" type="math/Sum" signs="++"/>
  <block name="peer" type="udp/UdpActuator" mode="hardware" port="47191" rest="0"/>
  <limits on="peer.values" mode="hardware" magnitude="2" rate="0.5" acceleration="0.06"/>
  <connect from="swing.y" to="wanted.u[0]"/>
  <connect from="shift.y" to="wanted.u[1]"/>
  <connect from="wanted.y" to="peer.values"/>
</diagram>
)";

TEST(LiveHardware, OnTheWayToRestNothingIsTaken) {
  Session session({"--arm", "--for", "30s"}, "", swinging);
  ASSERT_TRUE(session.has_moved(2)) << session.said(); // by then it has a speed to come down from
  session.run.type("get place");
  ASSERT_TRUE(session.waits_for("place = 0")) << session.said();
  session.run.type("quit");
  const std::string refused = "on its way to rest: nothing is taken any more";
  for (int tries = 0; tries < 500 && session.said().find(refused) == std::string::npos && session.run.running();
       ++tries) {
    session.run.type("set place=nonsense");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_THAT(session.said(), HasSubstr(refused));
  EXPECT_EQ(session.run.wait(), 130) << session.said();
  session.expect_replay();
}

TEST(LiveHardware, WhatIsNotArmedTakesNothing) {
  Session session({"--for", "30s"});
  session.run.type("set place=0.001");
  EXPECT_TRUE(session.waits_for("not armed: the diagram does not run")) << session.said();
  session.run.type("quit");
  session.run.wait();
  EXPECT_THAT(session.said(), Not(HasSubstr("s  place=0.001")));
}

TEST(LiveHardware, WhatIsFixedOrWrongIsRefusedAndTheRunGoesOn) {
  Session session({"--arm", "--for", "30s"});
  session.run.type("set peer.port=47191");
  EXPECT_TRUE(session.waits_for("error[live-fixed]")) << session.said();
  session.run.type("set place=nonsense");
  EXPECT_TRUE(session.waits_for("error[value-kind]")) << session.said();
  for (const char* each : {"back 3", "step", "to 3", "reload", "run"}) session.run.type(each);
  EXPECT_TRUE(session.waits_for("there is no command 'run' in a paced run")) << session.said();
  session.run.type("set place=0.0015");
  EXPECT_TRUE(session.waits_for(" s  place=0.0015")) << session.said();
  session.run.type("quit");
  EXPECT_EQ(session.run.wait(), 130) << session.said();
  session.expect_replay();
}

/// What watches a force is a limit as those of motion are: no one raises it while devices move.
TEST(LiveHardware, WhatWatchesWhatMovesStaysAsItIs) {
  constexpr const char* watched = R"(<parameter name="force_limit" value="20 N"/>
  <parameter name="press" value="10 N"/>
  <parameter name="soft" value="1"/>
  <block name="force" type="sources/Constant" value="${press}"/>
  <block name="scaled" type="math/Gain" gain="1"/>
  <block name="overload" type="sinks/AssertRange" upper="${force_limit}"/>
  <block name="hard" type="math/Compare" operation="greater" with="15 N"/>
  <block name="stop" type="sinks/Stop"/>
  <block name="shown" type="math/Gain" gain="${soft}"/>
  <connect from="force.y" to="scaled.u"/>
  <connect from="scaled.y" to="overload.u"/>
  <connect from="force.y" to="hard.a"/>
  <connect from="hard.y" to="stop.condition"/>
  <connect from="force.y" to="shown.u"/>)";
  Session session({"--arm", "--for", "30s"}, watched);
  const std::string refused = "watches what moves, and is fixed while devices move, as limits are";
  const auto refusals = [&] {
    const std::string said = session.said();
    int count = 0;
    for (std::size_t at = said.find(refused); at != std::string::npos; at = said.find(refused, at + 1)) ++count;
    return count;
  };
  int tried = 0;
  for (const char* each :
       {"force_limit=1MN", "force_limit=19N", "overload.upper=1MN", "hard.with=1MN", "scaled.gain=0"}) {
    session.run.type(std::string("set ") + each);
    ++tried;
    for (int tries = 0; tries < 1000 && refusals() < tried && session.run.running(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_EQ(refusals(), tried) << each << "\n" << session.said();
  }
  EXPECT_THAT(session.said(), HasSubstr("error[live-watch]: 'overload.upper' " + refused));
  for (const char* each : {"soft=3", "force_limit=20N"}) {
    session.run.type(std::string("set ") + each);
    EXPECT_TRUE(session.waits_for(std::string(" s  ") + each)) << session.said();
  }
  session.run.type("set press=30N");
  EXPECT_EQ(session.run.wait(), 3) << "and it watches: " << session.said();
  session.expect_replay();
}

TEST(LiveHardware, ARateOfTheDiagramKeepsAHandFromAskingTooMuch) {
  Session session({"--arm", "--for", "30s"}, R"(<live path="place" rate="0.01 1/s"/>)");
  session.run.type("set place=1.5");
  EXPECT_TRUE(session.waits_for("error[live-rate]: 'place' would move by 1.5 at once, and may by 0.001"))
      << session.said();
  session.run.type("set place=0.001");
  EXPECT_TRUE(session.waits_for(" s  place=0.001")) << session.said();
  session.run.type("quit");
  EXPECT_EQ(session.run.wait(), 130) << session.said();
  session.expect_replay();
}

} // namespace
} // namespace hilda::test
