// SPDX-License-Identifier: BSD-3-Clause
// The robot's end against a PC played by hand: what it sends, which answers it takes, when it stops.
#include "tests/drivers_kuka/allocations.h"
#include "tests/drivers_kuka/block_run.h"
#include "tests/drivers_kuka/golden_files.h"

#include "drivers/kuka_rsi/telegram.h"
#include "drivers/net/datagram_socket.h"

#include <gmock/gmock.h>

namespace hilda::kuka::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A PC that answers what the test says.
class HandPc {
public:
  HandPc() : port(free_port()) { EXPECT_EQ(socket_.bind(*net::ipv4("127.0.0.1", port)), ""); }
  std::string receive() {
    std::array<char, 8192> bytes{};
    net::Datagram datagram;
    if (socket_.receive(bytes, datagram) != net::Received::datagram) return {};
    from_ = datagram.from;
    return {bytes.data(), datagram.size};
  }
  void send(const std::string& bytes) { socket_.send_to(from_, net::bytes(bytes)); }

  int port;

private:
  net::DatagramSocket socket_;
  sockaddr_in from_{};
};

std::string ipoc_of(const std::string& telegram) {
  const std::size_t from = telegram.find("<IPOC>") + 6, to = telegram.find("</IPOC>");
  return from <= to && to != std::string::npos ? telegram.substr(from, to - from) : "";
}

std::string answer(const std::string& ipoc, const std::string& x = "0.0") {
  return "<Sen Type=\"ImFree\"><RKorr X=\"" + x + "\" Y=\"0.0\" Z=\"0.0\" A=\"0.0\" B=\"0.0\" C=\"0.0\"/><IPOC>" +
         ipoc + "</IPOC></Sen>";
}

class Cell {
public:
  explicit Cell(const std::string& attributes = "", const std::string& hold = "1", const std::string& more = "") {
    folder.write("ethernet.xml", with_all(golden("ethernet.xml"), "HOLDON=\"1\"", "HOLDON=\"" + hold + "\""));
    robot = std::make_unique<BlockRun>(
        folder, "<block name=\"robot\" type=\"kuka_rsi/RsiController\" ethernet=\"ethernet.xml\" "
                "start_position=\"0.5 0 0.8 m\" port=\"" +
                    std::to_string(pc.port) + "\" " + attributes + "/>\n" + more);
    EXPECT_EQ(robot->errors(), "");
    EXPECT_TRUE(robot->start()) << robot->errors();
  }
  /// A cycle of the robot; its telegram, "" where it sent none.
  std::string cycle() {
    robot->tick();
    return pc.receive();
  }
  /// A cycle, answered in time by x (mm).
  void answered_by(const std::string& x) { pc.send(answer(ipoc_of(cycle()), x)); }
  double x() const { return robot->value("robot.command_pose"); }

  Folder folder;
  HandPc pc;
  std::unique_ptr<BlockRun> robot;
};

TEST(RsiController, SendsWhatTheFileLists) {
  Cell cell;
  const std::string first = cell.cycle(), second = cell.cycle();
  EXPECT_THAT(
      first,
      AllOf(HasSubstr("<Rob Type=\"KUKA\"><RIst X=\"500.000000\" Y=\"0.000000\" Z=\"800.000000\" A=\"0.000000\""),
            HasSubstr("<RSol X=\"500.000000\""), HasSubstr("<AIPos A1=\"0.000000\""), HasSubstr("<Delay D=\"0\"/>")));
  EXPECT_EQ(std::stoll(ipoc_of(second)) - std::stoll(ipoc_of(first)), 4);
}

TEST(RsiController, CountsAbsoluteCorrectionsFromTheStart) {
  Cell cell;
  cell.answered_by("1.5");
  cell.answered_by("1.5");
  cell.cycle();
  EXPECT_NEAR(cell.x(), 0.5015, 1e-12);
}

TEST(RsiController, AddsUpRelativeCorrections) {
  Cell cell("correction=\"relative\"", "0");
  cell.answered_by("0.5");
  cell.answered_by("0.5");
  cell.cycle();
  EXPECT_NEAR(cell.x(), 0.501, 1e-12);
}

TEST(RsiController, HoldsOrResetsWithoutAnAnswerAsHoldOnSays) {
  const auto after_a_lost_answer = [](const char* attributes, const char* hold) {
    Cell cell(attributes, hold);
    cell.answered_by("0.5");
    for (int k = 0; k < 5; ++k) (void)cell.cycle();
    return cell.x() - 0.5;
  };
  EXPECT_NEAR(after_a_lost_answer("", "1"), 0.5e-3, 1e-12);
  EXPECT_NEAR(after_a_lost_answer("", "0"), 0, 1e-12);
  EXPECT_NEAR(after_a_lost_answer("correction=\"relative\"", "0"), 0.5e-3, 1e-12);
  EXPECT_NEAR(after_a_lost_answer("correction=\"relative\"", "1"), 2.5e-3, 1e-12);
}

TEST(RsiController, TakesTheAnswerOfItsIpocAlone) {
  Cell cell;
  cell.answered_by("0.1");
  const std::string telegram = cell.cycle();
  cell.pc.send(answer(std::to_string(std::stoll(ipoc_of(telegram)) - 4), "1.0"));
  cell.pc.send(answer(std::to_string(std::stoll(ipoc_of(telegram)) + 4), "2.0"));
  cell.pc.send("<Sen");
  cell.pc.send(with(answer(ipoc_of(telegram), "3.0"), "3.0", "NaN"));
  cell.cycle();
  EXPECT_NEAR(cell.x(), 0.5001, 1e-12);
  EXPECT_EQ(cell.robot->value("robot.rejected"), 4);
  EXPECT_EQ(cell.robot->value("robot.delay"), 1);
}

TEST(RsiController, CountsLateAnswersAndStopsAtTheTimeOut) {
  Cell cell("timeout_cycles=\"5\"");
  for (int k = 0; k < 20; ++k) EXPECT_THAT(cell.cycle(), HasSubstr("D=\"0\"")) << "nobody is there yet";
  cell.answered_by("1.0");
  (void)cell.cycle();
  for (int k = 1; k < 5; ++k) EXPECT_THAT(cell.cycle(), HasSubstr("D=\"" + std::to_string(k) + "\""));
  EXPECT_EQ(cell.robot->value("robot.stopped"), 0);
  EXPECT_EQ(cell.cycle(), "") << "RSI is off";
  EXPECT_EQ(cell.robot->value("robot.stopped"), 1);
  EXPECT_EQ(cell.robot->value("robot.reason"), 1);
  EXPECT_NEAR(cell.x(), 0.501, 1e-12);
}

TEST(RsiController, CountsInTotalOrInARow) {
  for (const char* how : {"in_total", "in_a_row"}) {
    Cell cell(std::string("timeout_cycles=\"100\" late_answers=\"") + how + "\"");
    for (int k = 0; k < 10; ++k) {
      cell.answered_by("0.0");
      (void)cell.cycle();
    }
    cell.answered_by("0.0");
    cell.cycle();
    EXPECT_EQ(cell.robot->value("robot.delay"), std::string(how) == "in_total" ? 10 : 0);
  }
}

TEST(RsiController, CountsFromTheFirstTelegramWhereItIsTold) {
  Cell cell("wait_for_pc=\"false\" timeout_cycles=\"3\"");
  for (int k = 0; k < 4; ++k) (void)cell.cycle();
  EXPECT_EQ(cell.robot->value("robot.reason"), 1);
}

TEST(RsiController, StopsAtItsCorrectionMonitors) {
  Cell cell;
  cell.answered_by("4.9");
  cell.answered_by("5.1");
  EXPECT_EQ(cell.cycle(), "");
  EXPECT_EQ(cell.robot->value("robot.reason"), 2);
  EXPECT_NEAR(cell.x(), 0.5049, 1e-12) << "the correction that went too far was not followed";
}

TEST(RsiController, GivesThePlantsPose) {
  Cell cell("", "1",
            "<block name=\"p\" type=\"sources/Constant\" value=\"501 2 803 mm\"/>"
            "<block name=\"r\" type=\"sources/Constant\" value=\"0 0 90 deg\"/>"
            "<block name=\"plant\" type=\"kinematics/MakePose\"/>"
            "<connect from=\"p.y\" to=\"plant.position\"/><connect from=\"r.y\" to=\"plant.rotation\"/>"
            "<connect from=\"plant.pose\" to=\"robot.pose\"/>");
  EXPECT_THAT(cell.cycle(), AllOf(HasSubstr("<RIst X=\"501.000000\" Y=\"2.000000\" Z=\"803.000000\" A=\"90.000000\""),
                                  HasSubstr("<RSol X=\"500.000000\"")));
}

TEST(RsiController, PoseCorrectionAndAxisCorrectionGoTheirOwnWay) {
  Cell cell;
  std::string more;
  for (int i = 1; i <= 6; ++i)
    more += "<ELEMENT TAG=\"AKorr.A" + std::to_string(i) + "\" TYPE=\"DOUBLE\" INDX=\"" + std::to_string(6 + i) +
            "\" HOLDON=\"1\"/>";
  cell.folder.write("both.xml",
                    with(golden("ethernet.xml"), "<ELEMENT TAG=\"RKorr.X\"", more + "<ELEMENT TAG=\"RKorr.X\""));
  BlockRun robot(
      cell.folder,
      "<block name=\"robot\" type=\"kuka_rsi/RsiController\" ethernet=\"both.xml\" start_position=\"0.5 0 0.8 m\" "
      "start_joints=\"0 -90 90 0 0 0 deg\" port=\"" +
          std::to_string(cell.pc.port) + "\"/>");
  ASSERT_EQ(robot.errors(), "");
  ASSERT_TRUE(robot.start());
  robot.tick();
  cell.pc.send(with(answer(ipoc_of(cell.pc.receive()), "1.0"), "<IPOC>",
                    "<AKorr A1=\"0.0\" A2=\"2.0\" A3=\"0.0\" A4=\"0.0\" A5=\"0.0\" A6=\"0.0\"/><IPOC>"));
  robot.tick();
  EXPECT_NEAR(robot.value("robot.command_pose"), 0.501, 1e-12);
  EXPECT_NEAR(robot.value("robot.command_joints", 1), -88 * M_PI / 180, 1e-12);
  EXPECT_NEAR(robot.value("robot.command_joints", 2), 90 * M_PI / 180, 1e-12);
}

// Faults.

/// Telegrams that come in 1000 cycles, each as (cycle, text).
std::vector<std::pair<int, std::string>> stream(const std::string& attributes, int cycles = 1000) {
  Cell cell("fault_seed=\"3\" " + attributes);
  std::vector<std::pair<int, std::string>> came;
  for (int k = 0; k < cycles; ++k)
    for (std::string text = cell.cycle(); !text.empty(); text = cell.pc.receive()) came.emplace_back(k, text);
  return came;
}

int disordered(const std::vector<std::pair<int, std::string>>& came) {
  int count = 0;
  for (std::size_t i = 1; i < came.size(); ++i)
    count += std::stoll(ipoc_of(came[i].second)) < std::stoll(ipoc_of(came[i - 1].second)) ? 1 : 0;
  return count;
}

TEST(RsiControllerFault, DropAndDuplicateChangeHowManyCome) {
  EXPECT_EQ(stream("").size(), 1000U);
  const std::size_t kept = stream("drop=\"0.2\"").size();
  EXPECT_GT(kept, 740U);
  EXPECT_LT(kept, 860U);
  const std::size_t doubled = stream("duplicate=\"0.2\"").size();
  EXPECT_GT(doubled, 1140U);
  EXPECT_LT(doubled, 1260U);
}

TEST(RsiControllerFault, ReorderAndDelayPutOlderBehindNewer) {
  const auto reordered = stream("reorder=\"0.1\"");
  EXPECT_GT(disordered(reordered), 50);
  EXPECT_GT(reordered.size(), 998U);
  const auto delayed = stream("packet_delay=\"18 ms\" delay_probability=\"0.1\"");
  EXPECT_GT(disordered(delayed), 50);
  int furthest = 0;
  for (const auto& [cycle, text] : delayed)
    furthest = std::max(furthest, cycle - static_cast<int>((std::stoll(ipoc_of(text)) - 1'000'000) / 4));
  EXPECT_EQ(furthest, 5) << "18 ms are five cycles";
}

TEST(RsiControllerFault, CorruptTruncateAndNanChangeWhatComes) {
  const EthernetFile file = golden_ethernet();
  const auto sound = [&](const std::string& attributes) {
    int count = 0;
    for (const auto& [cycle, text] : stream(attributes)) {
      RobotTelegram t;
      count += read_robot_telegram(text, file, nullptr, t).verdict == Reading::Verdict::sound ? 1 : 0;
    }
    return count;
  };
  for (const char* fault : {"corrupt", "truncate", "nan"}) {
    const int left = sound(std::string(fault) + "=\"0.5\"");
    EXPECT_GT(left, 400) << fault;
    EXPECT_LT(left, 750) << fault;
  }
}

TEST(RsiControllerFault, IpocJumpsForwardForGood) {
  const auto came = stream("ipoc_jump=\"0.01\"");
  ASSERT_EQ(came.size(), 1000U);
  EXPECT_EQ(disordered(came), 0);
  EXPECT_GT(std::stoll(ipoc_of(came.back().second)), 1'000'000 + 4 * 1050);
}

TEST(RsiControllerFault, LateReplyRaisesDelay) {
  Cell cell("late_reply=\"0.3\" timeout_cycles=\"1000\"");
  for (int k = 0; k < 200; ++k) cell.answered_by("0.0");
  EXPECT_GT(cell.robot->value("robot.delay"), 30);
  EXPECT_LT(cell.robot->value("robot.delay"), 100);
}

TEST(RsiControllerFault, DisconnectStealAndBrakeHappenAtTheirTime) {
  EXPECT_EQ(stream("disconnect_at=\"0.4 s\"", 200).size(), 100U);
  const auto stolen = stream("steal_at=\"0.4 s\"", 200);
  EXPECT_EQ(stolen.size(), 300U);
  EXPECT_THAT(stolen.back().second, HasSubstr("<RIst X=\"600.000000\""));
  Cell cell("brake_at=\"8 ms\"");
  cell.answered_by("1.0");
  cell.answered_by("2.0");
  for (int k = 0; k < 5; ++k) cell.answered_by("3.0");
  EXPECT_NEAR(cell.x(), 0.501, 1e-12);
  EXPECT_EQ(cell.robot->value("robot.reason"), 3);
  EXPECT_NE(cell.cycle(), "") << "RSI goes on while it brakes";
}

TEST(RsiControllerFault, IsTheSameInEveryRun) {
  const std::string all = "drop=\"0.1\" duplicate=\"0.1\" reorder=\"0.1\" corrupt=\"0.1\" truncate=\"0.1\" nan=\"0.1\" "
                          "packet_delay=\"12 ms\" delay_probability=\"0.1\" ipoc_jump=\"0.1\"";
  EXPECT_EQ(stream(all, 300), stream(all, 300));
}

TEST(RsiController, DoesNotAllocateInTheLoop) {
  Cell cell("drop=\"0.1\" duplicate=\"0.1\" reorder=\"0.1\" corrupt=\"0.1\" truncate=\"0.1\" nan=\"0.1\" "
            "packet_delay=\"12 ms\" delay_probability=\"0.1\" steal_at=\"0 s\"");
  std::int64_t found = 0;
  for (int k = 0; k < 200; ++k) {
    {
      const Allocations counted;
      (void)cell.robot->tick();
      found += counted.count();
    }
    const std::string telegram = cell.pc.receive();
    if (!telegram.empty()) cell.pc.send(answer(ipoc_of(telegram)));
  }
  EXPECT_EQ(found, 0);
}

TEST(RsiControllerRefuses, WhatCannotBe) {
  Folder folder;
  folder.write("ethernet.xml", golden("ethernet.xml"));
  folder.write("none.xml", with_all(golden("ethernet.xml"), "RKorr", "Other"));
  const auto errors = [&](const std::string& attributes, const char* period = "4 ms") {
    return BlockRun(folder,
                    "<block name=\"robot\" type=\"kuka_rsi/RsiController\" start_position=\"0 0 0 m\" " + attributes +
                        "/>",
                    period)
        .errors();
  };
  EXPECT_THAT(errors("ethernet=\"none.xml\""), HasSubstr("RECEIVE has neither RKorr.X to RKorr.C nor AKorr.A1"));
  EXPECT_THAT(errors("ethernet=\"ethernet.xml\"", "1 ms"), HasSubstr("robot (kuka_rsi/RsiController), cycle: is 4"));
  EXPECT_EQ(errors("ethernet=\"ethernet.xml\" sample_time=\"4 ms\"", "1 ms"), "");
}

} // namespace
} // namespace hilda::kuka::test
