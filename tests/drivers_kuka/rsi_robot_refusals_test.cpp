// SPDX-License-Identifier: BSD-3-Clause
// What the driver refuses before anything moves: files, wires, addresses, and robots that are not as they must be.
#include "tests/drivers_kuka/session.h"

#include <thread>
#include <vector>

namespace hilda::kuka::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string configured(const std::string& attributes, const std::string& ethernet, const std::string& more = "") {
  Folder folder;
  folder.write("ethernet.xml", ethernet);
  const BlockRun run(folder, Session::body(49152, attributes) + more);
  return run.errors();
}

TEST(RsiRobotRefuses, AFileThatDoesNotFit) {
  EXPECT_THAT(configured("", with_all(golden("ethernet.xml"), "HOLDON=\"1\"", "HOLDON=\"0\"")),
              AllOf(HasSubstr("trial.xml:2: error[block-configure]"),
                    HasSubstr("robot (kuka_rsi/RsiRobot), ethernet: "),
                    HasSubstr("ethernet.xml: HOLDON=\"0\" at RKorr.X (line 19)")));
  EXPECT_THAT(configured("correction=\"relative\"", golden("ethernet.xml")), HasSubstr("HOLDON=\"1\" at RKorr.X"));
  EXPECT_THAT(configured("", "<ROOT/>"), HasSubstr("ROOT has no CONFIG"));
  EXPECT_THAT(configured("status=\"Stop\"", golden("ethernet.xml")),
              HasSubstr("SEND of ethernet.xml has no element \"Stop\""));
  EXPECT_THAT(configured("space=\"axis\"", golden("ethernet.xml")), HasSubstr("RECEIVE has no AKorr.A1"));
}

TEST(RsiRobotRefuses, AWireToTheOtherSpace) {
  const std::string axes = with_all(golden("ethernet.xml"), "RKorr.", "AKorr.A");
  std::string text = axes;
  const char* const letters = "XYZABC";
  for (int i = 0; i < 6; ++i)
    text = with(text, std::string("AKorr.A") + letters[i] + "\"", "AKorr.A" + std::to_string(i + 1) + "\"");
  EXPECT_THAT(configured("space=\"axis\"", text, mover), HasSubstr("is wired, but space is axis"));
}

/// What `start` says when these packets come, again and again.
std::string started(const std::string& attributes, int port, const std::vector<std::string>& packets) {
  Folder folder;
  folder.write("ethernet.xml", golden("ethernet.xml"));
  BlockRun pc(folder, Session::body(port, attributes));
  EXPECT_EQ(pc.errors(), "");
  HandRobot robot(port);
  auto done = std::async(std::launch::async, [&] { return pc.start(); });
  while (done.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
    for (const std::string& packet : packets) {
      robot.send(packet);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  EXPECT_FALSE(done.get());
  return pc.errors();
}

TEST(RsiRobotRefuses, AnAddressThatIsTakenOrNotItsOwn) {
  const int port = free_port();
  net::DatagramSocket other;
  ASSERT_EQ(other.bind(*net::ipv4("127.0.0.1", port)), "");
  EXPECT_THAT(started("", port, {}), AllOf(HasSubstr("error[block-start]"), HasSubstr("is in use by another program")));
  EXPECT_THAT(started("address=\"192.0.2.7\"", port, {}),
              AllOf(HasSubstr("192.0.2.7"), HasSubstr("no network interface of this machine has the address")));
  EXPECT_THAT(started("address=\"here\"", port, {}), HasSubstr("\"here\" is not an IPv4 address"));
}

TEST(RsiRobotRefuses, ARobotThatIsSilentOrSpeaksOtherwise) {
  EXPECT_THAT(started("connect_timeout=\"50 ms\"", free_port(), {}),
              AllOf(HasSubstr("no packet came to 127.0.0.1:"), HasSubstr("RSI_ON"), HasSubstr("firewall")));
  EXPECT_THAT(started("connect_timeout=\"100 ms\"", free_port(), {with(telegram(4), "<IPOC>4</IPOC>", "")}),
              AllOf(HasSubstr("the last: it has no IPOC"), HasSubstr("this very ethernet file")));
  EXPECT_THAT(started("connect_timeout=\"100 ms\"", free_port(), {with(telegram(4), "RIst", "RIxt")}),
              HasSubstr("the last: RIst is not complete"));
}

TEST(RsiRobotRefuses, ARobotAtAnotherAddressThanItsPeer) {
  const std::string brief = "connect_timeout=\"100 ms\" peer=\"";
  EXPECT_THAT(started(brief + "127.0.0.9\"", free_port(), {telegram(1000), telegram(1004)}),
              HasSubstr("it comes from another address than `peer`"));
  EXPECT_THAT(started(brief + "robot\"", free_port(), {}), HasSubstr("\"robot\" is not an address"));
}

TEST(RsiRobotRefuses, AStartThatMightBeAStep) {
  EXPECT_THAT(started("", free_port(), {telegram(1000, 520, 12), telegram(1004, 520, 12)}),
              AllOf(HasSubstr("without an answer for 12 cycles"), HasSubstr("start this run first, then the robot")));
  EXPECT_THAT(started("", free_port(), {telegram(1000, 540), telegram(1004, 540)}),
              HasSubstr("RSol and RIst are 20.000000 mm apart"));
}

TEST(RsiRobotRefuses, PosesInLargerStepsThanTheCoarsest) {
  const std::vector<std::string> tenths{with_decimals(1000, 1), with_decimals(1004, 1)};
  EXPECT_THAT(started("coarsest=\"0.01 mm\"", free_port(), tenths),
              AllOf(HasSubstr("steps of 0.100000 mm (1 decimals)"), HasSubstr("`coarsest` allows 0.010000 mm"),
                    HasSubstr("set Precision of the ETHERNET object in the RSI context to 4 or more")));
  EXPECT_THAT(started("coarsest=\"0.099 mm\"", free_port(), tenths), HasSubstr("`coarsest` allows 0.099000 mm"));
  for (const char* const allowed : {"coarsest=\"0.1 mm\"", "coarsest=\"0 m\""}) {
    Session s(allowed);
    EXPECT_TRUE(s.connect(with_decimals(996, 1))) << s.pc->errors();
  }
}

/// s: by how much the sender was late at most, which another robot would be too.
struct Pace {
  double late = 0;
};

/// What `start` says of a robot that is at rest and sends every `spacing` ms, IPOC growing by `step`.
std::string started_at_pace(double spacing, std::int64_t step, const std::string& attributes = "",
                            Pace* pace = nullptr) {
  const int port = free_port();
  Folder folder;
  folder.write("ethernet.xml", golden("ethernet.xml"));
  const std::string check = attributes.find("cycle_check") == std::string::npos ? "cycle_check=\"0.1 s\" " : "";
  BlockRun pc(folder, Session::body(port, check + attributes, ""));
  EXPECT_EQ(pc.errors(), "");
  HandRobot robot(port);
  auto done = std::async(std::launch::async, [&] { return pc.start(); });
  const std::int64_t begun = net::monotonic_now();
  for (std::int64_t k = 1; done.wait_for(std::chrono::nanoseconds(0)) != std::future_status::ready; ++k) {
    const auto was_due = begun + static_cast<std::int64_t>(static_cast<double>(k - 1) * spacing * 1e6);
    robot.send(telegram(1000 + k * step));
    if (pace != nullptr) pace->late = std::max(pace->late, static_cast<double>(net::monotonic_now() - was_due) * 1e-9);
    const auto due = begun + static_cast<std::int64_t>(static_cast<double>(k) * spacing * 1e6);
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<std::int64_t>(due - net::monotonic_now(), 0)));
  }
  EXPECT_EQ(done.get(), pc.errors().empty());
  pc.stop();
  return pc.errors();
}

TEST(RsiRobotRefuses, ARobotOfAnotherCycle) {
  EXPECT_THAT(started_at_pace(12, 12), AllOf(HasSubstr("come every "), HasSubstr("IPOC grows by 12"),
                                             HasSubstr("`cycle` is 4.0 ms and IPOC should grow by 4")));
  EXPECT_THAT(started_at_pace(12, 4), AllOf(HasSubstr("come every "), HasSubstr("IPOC grows by 4,")));
  EXPECT_THAT(started_at_pace(4, 4, "cycle=\"12 ms\""), HasSubstr("`cycle` is 12.0 ms and IPOC should grow by 12"));
  EXPECT_THAT(started_at_pace(4, 4, "ipoc_step=\"1\""), HasSubstr("IPOC should grow by 1"));
}

TEST(RsiRobot, TakesAnIpocThatCountsMillisecondsOrCycles) {
  for (const std::int64_t step : {4, 1}) {
    // Measured over 0.3 s, the cycle may be wrong by a fifth: a sender that was late by less is this robot.
    constexpr double allowed = 0.05;
    std::string problem = "never";
    for (int attempt = 0; attempt < 50 && !problem.empty(); ++attempt) {
      Pace pace;
      problem = started_at_pace(4, step, "cycle_check=\"0.3 s\" connect_timeout=\"10 s\"", &pace);
      if (pace.late < allowed) break;
    }
    EXPECT_EQ(problem, "") << step;
  }
}

TEST(RsiRobotRefuses, TelegramsThatDoNotAgree) {
  const std::string brief = "connect_timeout=\"100 ms\"";
  EXPECT_THAT(started(brief, free_port(), {telegram(1000)}), HasSubstr("IPOC does not continue"));
  EXPECT_THAT(started(brief, free_port(), {telegram(1000), telegram(900'000)}), HasSubstr("IPOC does not continue"));
  const auto at = [](std::int64_t ipoc, const char* x) {
    return with(telegram(ipoc), "RSol X=\"520.0\"", std::string("RSol X=\"") + x + "\"");
  };
  EXPECT_THAT(started(brief, free_port(), {at(1000, "520.0"), at(1004, "521.0")}),
              HasSubstr("no two telegrams to begin with"));
}

} // namespace
} // namespace hilda::kuka::test
