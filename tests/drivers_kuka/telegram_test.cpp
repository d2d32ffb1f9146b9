// SPDX-License-Identifier: BSD-3-Clause
// Telegrams: those of real controllers are read, whatever their layout; anything else is refused and never harms.
#include "drivers/kuka_rsi/telegram_writer.h"
#include "tests/drivers_kuka/golden_files.h"

#include <clocale>
#include <gmock/gmock.h>
#include <random>
#include <regex>

namespace hilda::kuka::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Verdict = Reading::Verdict;

const EthernetFile& file() {
  static const EthernetFile made = golden_ethernet();
  return made;
}

Reading read(const std::string& bytes, RobotTelegram& telegram) {
  return read_robot_telegram(bytes, file(), nullptr, telegram);
}

Verdict verdict(const std::string& bytes) {
  RobotTelegram telegram;
  return read(bytes, telegram).verdict;
}

class RobotTelegramOf : public testing::TestWithParam<const char*> {};

TEST_P(RobotTelegramOf, TheFactsIsRead) {
  RobotTelegram t;
  const Reading reading = read(golden(GetParam()), t);
  ASSERT_EQ(reading.verdict, Verdict::sound) << reading.why << " at " << reading.at;
  EXPECT_THAT(t.pose.value, ElementsAre(520, -12.5, 810.25, 90, 0, -180));
  EXPECT_THAT(t.setpoint.value, ElementsAre(520, -12.5, 810.25, 90, 0, -180));
  EXPECT_THAT(t.joints.value, ElementsAre(0, -90, 90, 1.5, -2.25, 3.125));
  EXPECT_THAT(t.joint_setpoints.value, ElementsAre(0, -90, 90, 1.5, -2.25, 3));
  EXPECT_EQ(t.delay, 3);
  EXPECT_EQ(t.ipoc, 4208163634);
}

INSTANTIATE_TEST_SUITE_P(Each, RobotTelegramOf, testing::Values("robot.xml", "robot_spread.xml", "robot_written.xml"),
                         [](const testing::TestParamInfo<const char*>& each) {
                           return std::string(each.param).substr(0, std::string(each.param).find('.'));
                         });

TEST(RobotTelegram, IsWrittenInTheOrderOfTheFile) {
  RobotTelegram t;
  ASSERT_EQ(verdict(golden("robot.xml")), Verdict::sound);
  (void)read(golden("robot.xml"), t);
  std::array<char, 2048> bytes{};
  const std::size_t size = write_robot_telegram(file(), nullptr, t, bytes);
  EXPECT_EQ(std::string(bytes.data(), size), golden("robot_written.xml"));
}

TEST(RobotTelegram, TellsHowFinelyItWasWritten) {
  RobotTelegram t;
  std::string bytes = golden("robot_written.xml");
  (void)read(bytes, t);
  EXPECT_EQ(t.pose.decimals, 6);
  // As a controller writes it whose Precision was never set.
  bytes = std::regex_replace(bytes, std::regex(R"((\.\d)\d{5})"), "$1");
  ASSERT_EQ(read(bytes, t).verdict, Verdict::sound);
  EXPECT_EQ(t.pose.decimals, 1);
  bytes = std::regex_replace(bytes, std::regex(R"(<RIst X="[^"]*")"), "<RIst X=\"5.2e2\"");
  ASSERT_EQ(read(bytes, t).verdict, Verdict::sound);
  EXPECT_EQ(t.pose.decimals, 15) << "an exponent tells nothing";
}

TEST(SensorTelegram, OfTheFactsIsRead) {
  SensorTelegram t;
  ASSERT_EQ(read_sensor_telegram(golden("sensor.xml"), file(), t).verdict, Verdict::sound);
  EXPECT_EQ(t.ipoc, 4208163634);
  EXPECT_EQ(t.present, 0x3FU);
  EXPECT_THAT(std::vector<double>(t.value.begin(), t.value.begin() + 6), ElementsAre(0.5, -0.25, 0.125, 1.5, -0.75, 0));
}

TEST(SensorTelegram, MayLackValuesAndHoldOthers) {
  SensorTelegram t;
  ASSERT_EQ(read_sensor_telegram(golden("sensor_partial.xml"), file(), t).verdict, Verdict::sound);
  EXPECT_EQ(t.present, 0x3DU);
  EXPECT_EQ(t.value[2], 0.125);
}

TEST(SensorTelegram, IsWrittenWithTheSensorType) {
  SensorTelegram t;
  t.value[0] = 0.5, t.value[1] = -0.25, t.value[2] = 0.125, t.value[3] = 1.5, t.value[4] = -0.75;
  t.ipoc = 4208163634;
  std::array<char, 512> bytes{};
  EXPECT_EQ(std::string(bytes.data(), write_sensor_telegram(file(), t, bytes)), golden("sensor_written.xml"));
}

TEST(SensorTelegram, OfAnotherTypeIsRefused) {
  SensorTelegram t;
  const Reading reading = read_sensor_telegram(with(golden("sensor.xml"), "ImFree", "Other"), file(), t);
  EXPECT_EQ(reading.verdict, Verdict::malformed);
  EXPECT_THAT(reading.why, HasSubstr("SENTYPE"));
}

TEST(SensorTelegram, IsNotWrittenWhereItDoesNotFitOrIsNoNumber) {
  SensorTelegram t;
  t.ipoc = 1;
  std::array<char, 512> bytes{};
  const std::size_t whole = write_sensor_telegram(file(), t, bytes);
  ASSERT_GT(whole, 0U);
  for (std::size_t room = 0; room < whole; ++room)
    ASSERT_EQ(write_sensor_telegram(file(), t, std::span(bytes).first(room)), 0U) << room;
  for (const double bad : {double(NAN), double(INFINITY), -double(INFINITY), 1e10}) {
    t.value[3] = bad;
    EXPECT_EQ(write_sensor_telegram(file(), t, bytes), 0U) << bad;
  }
}

TEST(SensorTelegram, ValuesAndTextsOfEveryTypeAreGrouped) {
  std::vector<std::string> problems;
  const EthernetFile mixed = read_ethernet_text(
      with(
          golden("ethernet.xml"), "<ELEMENT TAG=\"RKorr.Y\" TYPE=\"DOUBLE\" INDX=\"2\" HOLDON=\"1\" />",
          "<ELEMENT TAG=\"DiO\" TYPE=\"LONG\" INDX=\"7\"/><ELEMENT TAG=\"DEF_EStr\" TYPE=\"STRING\" INDX=\"INTERNAL\"/>"
          "<ELEMENT TAG=\"Out.01\" TYPE=\"BOOL\" INDX=\"8\"/><ELEMENT TAG=\"RKorr.Y\" TYPE=\"DOUBLE\" INDX=\"2\"/>"),
      problems);
  ASSERT_TRUE(problems.empty()) << problems.front();
  SensorTelegram t;
  t.ipoc = 7;
  t.value[0] = -0.0000004, t.value[1] = 125.4, t.value[3] = 2, t.value[4] = -0.0000006;
  std::array<char, 512> bytes{};
  EXPECT_EQ(std::string(bytes.data(), write_sensor_telegram(mixed, t, bytes)),
            "<Sen Type=\"ImFree\"><RKorr X=\"0.000000\" Y=\"-0.000001\" Z=\"0.000000\" A=\"0.000000\" B=\"0.000000\" "
            "C=\"0.000000\"/><DiO>125</DiO><EStr></EStr><Out 01=\"1\"/><IPOC>7</IPOC></Sen>");
}

struct Spoiled {
  const char* name;
  const char* from;
  const char* to;
  Verdict verdict;
  const char* says;
};

class SpoiledTelegram : public testing::TestWithParam<Spoiled> {};

TEST_P(SpoiledTelegram, IsNamed) {
  RobotTelegram t;
  const Reading reading = read(with(golden("robot.xml"), GetParam().from, GetParam().to), t);
  EXPECT_EQ(reading.verdict, GetParam().verdict);
  EXPECT_THAT(reading.why, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Each, SpoiledTelegram,
    testing::Values(Spoiled{"nan", "X=\"520.0\"", "X=\"NaN\"", Verdict::unusable, "not a finite number"},
                    Spoiled{"infinite", "X=\"520.0\"", "X=\"inf\"", Verdict::unusable, "not a finite number"},
                    Spoiled{"overflow", "X=\"520.0\"", "X=\"1e999\"", Verdict::unusable, "not a finite number"},
                    Spoiled{"comma", "X=\"520.0\"", "X=\"520,0\"", Verdict::unusable, "not a finite number"},
                    Spoiled{"empty_value", "X=\"520.0\"", "X=\"\"", Verdict::unusable, "not a finite number"},
                    Spoiled{"hexadecimal", "X=\"520.0\"", "X=\"0x20\"", Verdict::unusable, "not a finite number"},
                    Spoiled{"missing", " X=\"520.0\"", "", Verdict::unusable, "RIst is not complete"},
                    Spoiled{"missing_delay", "<Delay D=\"3\"/>", "", Verdict::unusable, "Delay is missing"},
                    Spoiled{"negative_delay", "D=\"3\"", "D=\"-3\"", Verdict::unusable, "Delay is not a count"},
                    Spoiled{"twice", "X=\"520.0\"", "X=\"520.0\" X=\"521.0\"", Verdict::malformed, "twice"},
                    Spoiled{"element_twice", "<Delay", "<Delay D=\"3\"/><Delay", Verdict::malformed, "twice"},
                    Spoiled{"ipoc_twice", "<IPOC>", "<IPOC>1</IPOC><IPOC>", Verdict::malformed, "IPOC comes twice"},
                    Spoiled{"ipoc_missing", "<IPOC>4208163634</IPOC>", "", Verdict::malformed, "no IPOC"},
                    Spoiled{"ipoc_negative", "4208163634", "-4", Verdict::malformed, "no IPOC"},
                    Spoiled{"ipoc_real", "4208163634", "4.5", Verdict::malformed, "no IPOC"},
                    Spoiled{"ipoc_huge", "4208163634", "99999999999999999999", Verdict::malformed, "no IPOC"},
                    Spoiled{"type_twice", "Type=\"KUKA\"", "Type=\"KUKA\" TYPE=\"KUKA\"", Verdict::malformed, "twice"},
                    Spoiled{"other_root", "<Rob ", "<Sen ", Verdict::malformed, "root"},
                    Spoiled{"unquoted", "D=\"3\"", "D=3", Verdict::malformed, "not quoted"},
                    Spoiled{"not_closed", "</Rob>", "", Verdict::malformed, "ends before"},
                    Spoiled{"crossed", "</IPOC></Rob>", "</Rob></IPOC>", Verdict::malformed, "not open"},
                    Spoiled{"more", "</Rob>", "</Rob><Rob/>", Verdict::malformed, "follow"},
                    Spoiled{"cdata", "4208163634", "<![CDATA[1]]>", Verdict::malformed, "CDATA"},
                    Spoiled{"doctype", "<Rob ", "<!DOCTYPE Rob><Rob ", Verdict::malformed, "DOCTYPE"},
                    Spoiled{"comment", "<IPOC>", "<!-- <IPOC>", Verdict::malformed, "comment"},
                    Spoiled{"nested", "<IPOC>", "<a><b><c><d><e><f><g><h>", Verdict::malformed, "nested"}),
    [](const testing::TestParamInfo<Spoiled>& each) { return std::string(each.param.name); });

TEST(RobotTelegram, MayEndInAZero) {
  EXPECT_EQ(verdict(golden("robot.xml") + std::string(1, '\0')), Verdict::sound);
  EXPECT_EQ(verdict(golden("robot.xml") + "\r\n"), Verdict::sound);
  std::string inside = golden("robot.xml");
  inside[100] = '\0';
  EXPECT_NE(verdict(inside), Verdict::sound);
}

TEST(RobotTelegram, CutShortIsNeverTaken) {
  const std::string whole = golden("robot.xml");
  for (std::size_t size = 0; size < whole.size(); ++size)
    ASSERT_EQ(verdict(whole.substr(0, size)), Verdict::malformed) << size;
}

TEST(RobotTelegram, OfAnyBytesEnds) {
  std::mt19937_64 random(7);
  const std::string whole = golden("robot_spread.xml");
  int sound = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string bytes = whole;
    for (std::uint64_t n = 1 + random() % 6; n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    sound += verdict(bytes) == Verdict::sound ? 1 : 0;
  }
  EXPECT_GT(sound, 0);
  EXPECT_LT(sound, 20'000);
  EXPECT_EQ(verdict(std::string(1u << 20, '<')), Verdict::malformed);
  EXPECT_EQ(verdict(std::string(1u << 20, '\0')), Verdict::malformed);
}

TEST(RobotTelegram, IsReadWithoutRegardToLocale) {
  const char* const german = std::setlocale(LC_ALL, "de_DE.UTF-8");
  RobotTelegram t;
  EXPECT_EQ(read(golden("robot.xml"), t).verdict, Verdict::sound);
  EXPECT_EQ(t.pose.value[1], -12.5);
  std::array<char, 2048> bytes{};
  EXPECT_EQ(std::string(bytes.data(), write_robot_telegram(file(), nullptr, t, bytes)), golden("robot_written.xml"));
  std::setlocale(LC_ALL, "C");
  if (german == nullptr) GTEST_SKIP() << "no locale with a decimal comma is installed";
}

TEST(RobotTelegram, CarriesTheStatusThatTheUserNames) {
  std::vector<std::string> problems;
  const EthernetFile with_status =
      read_ethernet_text(with(golden("ethernet.xml"), "<ELEMENT TAG=\"DEF_Delay\"",
                              "<ELEMENT TAG=\"Status.Stopped\" TYPE=\"LONG\" INDX=\"1\"/><ELEMENT TAG=\"DEF_Delay\""),
                         problems);
  const Channel* status = with_status.sent("Status.Stopped");
  ASSERT_NE(status, nullptr);
  RobotTelegram t;
  EXPECT_EQ(read_robot_telegram(golden("robot.xml"), with_status, status, t).verdict, Verdict::unusable);
  const std::string text = with(golden("robot.xml"), "<Delay", "<Status Stopped='1'/><Delay");
  EXPECT_EQ(read_robot_telegram(text, with_status, status, t).verdict, Verdict::sound);
  EXPECT_EQ(t.status, 1);
}

} // namespace
} // namespace hilda::kuka::test
