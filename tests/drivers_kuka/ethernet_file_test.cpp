// SPDX-License-Identifier: BSD-3-Clause
// The vendor's ethernet file: the values read from it, and the errors of one that is refused.
#include "drivers/kuka_rsi/correction.h"
#include "tests/drivers_kuka/golden_files.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>

namespace hilda::kuka::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> problems;
  (void)read_ethernet_text(text, problems);
  return problems;
}

/// All of `text` within ELEMENTS of SEND.
std::string sending(const std::string& elements) {
  return with(golden("ethernet.xml"), "<ELEMENT TAG=\"DEF_RSol\" TYPE=\"DOUBLE\" INDX=\"INTERNAL\" />", elements);
}

TEST(EthernetFile, GivesBothDirections) {
  const EthernetFile file = golden_ethernet();
  EXPECT_EQ(file.address, "127.0.0.1");
  EXPECT_EQ(file.port, 49152);
  EXPECT_EQ(file.sensor_type, "ImFree");
  EXPECT_FALSE(file.only_send);
  ASSERT_EQ(file.send.size(), 5U);
  EXPECT_EQ(file.send[0].element, "RIst");
  EXPECT_TRUE(file.send[0].internal);
  EXPECT_EQ(file.send[4].type, ChannelType::integer);
  ASSERT_EQ(file.receive.size(), 6U);
  EXPECT_EQ(file.receive[5].element, "RKorr");
  EXPECT_EQ(file.receive[5].attribute, "C");
  EXPECT_EQ(file.receive[5].index, 6);
  EXPECT_TRUE(file.receive[5].hold);
  ASSERT_EQ(file.receive_groups.size(), 1U);
  EXPECT_EQ(file.received("RKorr.Z"), 2);
  EXPECT_EQ(file.received("RKorr.Q"), -1);
}

TEST(EthernetFile, LetsPassWhatItDoesNotKnow) {
  const std::string text = with(golden("ethernet.xml"), "TAG=\"RKorr.X\"", "UNIT=\"mm\" TAG=\"RKorr.X\"");
  EXPECT_THAT(problems_of(text), IsEmpty());
  EXPECT_THAT(problems_of(sending("<!-- none --><ELEMENT TAG=\"DEF_MACur\" TYPE=\"DOUBLE\" INDX=\"INTERNAL\"/>"
                                  "<ELEMENT TAG=\"Out.01\" TYPE=\"BOOL\" INDX=\"7\" HOLDON=\"1\"/>")),
              IsEmpty());
}

TEST(EthernetFile, OfTheProjectIsSound) {
  std::vector<std::string> problems;
  const EthernetFile file =
      read_ethernet_file((hilda::test::source_folder() + "/diagrams/rigs/kuka_rsi_ethernet.xml").c_str(), problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_THAT(refusals(file, Space::cartesian, CorrectionKind::absolute), IsEmpty());
}

struct Fault {
  const char* name;
  const char* from;
  const char* to;
  const char* says;
};

class EthernetFault : public testing::TestWithParam<Fault> {};

TEST_P(EthernetFault, IsNamedWithItsLine) {
  const Fault& fault = GetParam();
  EXPECT_THAT(problems_of(with(golden("ethernet.xml"), fault.from, fault.to)), ElementsAre(HasSubstr(fault.says)));
}

INSTANTIATE_TEST_SUITE_P(
    Each, EthernetFault,
    testing::Values(
        Fault{"broken", "</SEND>", "</SENT>", "is not XML"},
        Fault{"root", "<ROOT>", "<!-- --><ROOTS/><ROOT>", "outermost element is not ROOT"},
        Fault{"no_config", "<CONFIG>", "<KONFIG>", "is not XML"},
        Fault{"address", "127.0.0.1", "127.0.0.256", "line 3: IP_NUMBER \"127.0.0.256\" is not an address"},
        Fault{"short_address", "127.0.0.1", "127.0.0", "line 3: IP_NUMBER \"127.0.0\" is not an address"},
        Fault{"port", "49152", "70000", "line 4: PORT \"70000\" is not a number from 1 to 65535"},
        Fault{"port_word", "49152", "49152 ms", "line 4: PORT"},
        Fault{"sentype", "<SENTYPE>ImFree</SENTYPE>", "", "line 2: CONFIG has no SENTYPE"},
        Fault{"sentype_markup", "ImFree", "Im&lt;Free", "cannot be in a telegram"},
        Fault{"twice", "<PORT>", "<PORT>1</PORT><PORT>", "gives PORT twice"},
        Fault{"onlysend", "FALSE", "MAYBE", "ONLYSEND \"MAYBE\" is neither TRUE nor FALSE"},
        Fault{"tag", "TAG=\"RKorr.Y\"", "", "TAG \"\" is neither X nor X.Y"},
        Fault{"tag_twice", "RKorr.Y", "RKorr.X", "line 20: TAG RKorr.X was given already on line 19"},
        Fault{"tag_of_the_protocol", "RKorr.Y", "IPOC", "the protocol itself uses this name"},
        Fault{"tag_dots", "RKorr.Y", "RKorr.Y.Z", "is neither X nor X.Y"},
        Fault{"type", "TYPE=\"DOUBLE\" INDX=\"2\"", "TYPE=\"FLOAT\" INDX=\"2\"",
              "TYPE \"FLOAT\"; it is BOOL, STRING, LONG or DOUBLE"},
        Fault{"no_type", "TYPE=\"DOUBLE\" INDX=\"2\"", "INDX=\"2\"", "TYPE is missing"},
        Fault{"internal_type", "TAG=\"DEF_RIst\" TYPE=\"DOUBLE\"", "TAG=\"DEF_RIst\" TYPE=\"LONG\"",
              "DEF_RIst: TYPE must be DOUBLE"},
        Fault{"delay_type", "TYPE=\"LONG\"", "TYPE=\"DOUBLE\"", "DEF_Delay: TYPE must be LONG"},
        Fault{"index", "INDX=\"2\"", "INDX=\"65\"", "INDX \"65\"; it is INTERNAL or a number from 1 to 64"},
        Fault{"no_index", "INDX=\"2\"", "", "INDX is missing"},
        Fault{"index_twice", "INDX=\"2\"", "INDX=\"1\"", "INDX 1 of RECEIVE is RKorr.X's already, on line 19"},
        Fault{"not_internal", "TAG=\"DEF_RIst\" TYPE=\"DOUBLE\" INDX=\"INTERNAL\"",
              "TAG=\"DEF_RIst\" TYPE=\"DOUBLE\" INDX=\"1\"", "INDX=\"INTERNAL\" goes with tags that begin with DEF_"},
        Fault{"internal", "INDX=\"2\"", "INDX=\"INTERNAL\"", "INDX=\"INTERNAL\" goes with tags that begin with DEF_"},
        Fault{"holdon", "HOLDON=\"1\"", "HOLDON=\"yes\"", "line 19: RKorr.X: HOLDON \"yes\" is neither 0 nor 1"},
        Fault{"element", "<ELEMENT TAG=\"RKorr.X\"", "<ELEMENTS TAG=\"RKorr.X\"",
              "<ELEMENTS> is where ELEMENT is expected"}),
    [](const testing::TestParamInfo<Fault>& each) { return std::string(each.param.name); });

TEST(EthernetFile, HoldsAtMost64Elements) {
  std::string elements;
  for (int i = 1; i <= 61; ++i)
    elements += "<ELEMENT TAG=\"V" + std::to_string(i) + "\" TYPE=\"DOUBLE\" INDX=\"" + std::to_string(i) + "\"/>\n";
  EXPECT_THAT(problems_of(sending(elements.substr(0, elements.rfind("<ELEMENT")))), IsEmpty());
  EXPECT_THAT(problems_of(sending(elements)), ElementsAre(HasSubstr("SEND has more than 64 elements")));
}

TEST(EthernetFile, WithoutASectionIsNamed) {
  const std::string text = golden("ethernet.xml");
  const std::size_t from = text.find("<RECEIVE>"), to = text.find("</ROOT>");
  EXPECT_THAT(problems_of(text.substr(0, from) + text.substr(to)), ElementsAre(HasSubstr("ROOT has no RECEIVE")));
}

TEST(EthernetFile, ThatCannotBeReadOrIsHugeIsNamed) {
  std::vector<std::string> problems;
  (void)read_ethernet_file("/nowhere/ethernet.xml", problems);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("cannot be read")));
  EXPECT_THAT(problems_of(std::string(2u << 20, ' ')), ElementsAre(HasSubstr("longer than 1 MiB")));
}

// Which corrections go with which HOLDON, and what else a file must hold to correct by.

struct Row {
  const char* name;
  const char* hold;
  CorrectionKind kind;
  const char* says; ///< empty: taken
};

class HoldOn : public testing::TestWithParam<Row> {};

TEST_P(HoldOn, GoesWithTheKindOfCorrection) {
  std::vector<std::string> problems;
  const EthernetFile file =
      read_ethernet_text(with_all(golden("ethernet.xml"), "HOLDON=\"1\"", GetParam().hold), problems);
  ASSERT_THAT(problems, IsEmpty());
  const auto found = refusals(file, Space::cartesian, GetParam().kind);
  if (std::string(GetParam().says).empty())
    EXPECT_THAT(found, IsEmpty());
  else
    EXPECT_THAT(found, ElementsAre(HasSubstr(GetParam().says)));
}

INSTANTIATE_TEST_SUITE_P(
    Table, HoldOn,
    testing::Values(Row{"absolute_held", "HOLDON=\"1\"", CorrectionKind::absolute, ""},
                    Row{"absolute_not_held", "HOLDON=\"0\"", CorrectionKind::absolute,
                        "HOLDON=\"0\" at RKorr.X (line 19), RKorr.Y (line 20), RKorr.Z (line 21), RKorr.A (line 22), "
                        "RKorr.B (line 23), RKorr.C (line 24): with absolute corrections one lost packet"},
                    Row{"absolute_unsaid", "", CorrectionKind::absolute, "HOLDON=\"0\" at RKorr.X"},
                    Row{"relative_held", "HOLDON=\"1\"", CorrectionKind::relative, "HOLDON=\"1\" at RKorr.X (line 19)"},
                    Row{"relative_not_held", "HOLDON=\"0\"", CorrectionKind::relative, ""}),
    [](const testing::TestParamInfo<Row>& each) { return std::string(each.param.name); });

TEST(HoldOn, OfOneElementIsEnoughToRefuse) {
  std::vector<std::string> problems;
  const EthernetFile file =
      read_ethernet_text(with(golden("ethernet.xml"), "INDX=\"3\" HOLDON=\"1\"", "INDX=\"3\" HOLDON=\"0\""), problems);
  EXPECT_THAT(refusals(file, Space::cartesian, CorrectionKind::absolute),
              ElementsAre(HasSubstr("HOLDON=\"0\" at RKorr.Z (line 21): ")));
}

std::vector<std::string> refusals_with(const std::string& from, const std::string& to, Space space = Space::cartesian,
                                       CorrectionKind kind = CorrectionKind::absolute) {
  std::vector<std::string> problems;
  const EthernetFile file = read_ethernet_text(with_all(golden("ethernet.xml"), from, to), problems);
  EXPECT_THAT(problems, IsEmpty());
  return refusals(file, space, kind);
}

TEST(Refusal, NamesWhatIsMissing) {
  EXPECT_THAT(refusals_with("DEF_RIst", "DEF_Other"), ElementsAre(HasSubstr("SEND has no DEF_RIst")));
  EXPECT_THAT(refusals_with("RKorr.B", "Other.B"), ElementsAre(HasSubstr("RECEIVE has no RKorr.B")));
  EXPECT_THAT(refusals_with("FALSE", "TRUE"), ElementsAre(HasSubstr("ONLYSEND is TRUE")));
  EXPECT_THAT(refusals_with("TYPE=\"DOUBLE\" INDX=\"4\"", "TYPE=\"LONG\" INDX=\"4\""),
              ElementsAre(HasSubstr("line 22: RKorr.A: TYPE of a correction must be DOUBLE")));
  EXPECT_THAT(refusals_with("RKorr", "Force", Space::axis),
              ElementsAre(HasSubstr("RECEIVE has no AKorr.A1, AKorr.A2, AKorr.A3, AKorr.A4, AKorr.A5, AKorr.A6")));
  EXPECT_THAT(refusals_with("DEF_Delay", "DEF_Other", Space::cartesian, CorrectionKind::relative),
              testing::Contains(HasSubstr("SEND has no DEF_Delay")));
}

TEST(Refusal, AxisCorrectionsGoByEitherName) {
  for (const char* name : {"AKorr", "AK"}) {
    std::string text = golden("ethernet.xml");
    const char* const cartesian[] = {"RKorr.X", "RKorr.Y", "RKorr.Z", "RKorr.A", "RKorr.B", "RKorr.C"};
    for (int i = 0; i < 6; ++i) text = with(text, cartesian[i], std::string(name) + ".A" + std::to_string(i + 1));
    std::vector<std::string> problems;
    const EthernetFile file = read_ethernet_text(text, problems);
    EXPECT_THAT(refusals(file, Space::axis, CorrectionKind::absolute), IsEmpty()) << name;
    EXPECT_EQ(find_corrections(file, Space::axis).at[5], 5);
  }
}

} // namespace
} // namespace hilda::kuka::test
