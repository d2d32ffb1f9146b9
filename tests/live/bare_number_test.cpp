// SPDX-License-Identifier: BSD-3-Clause
// A bare number instead of one with a unit: it may be read otherwise than it was meant.
#include "tests/live/live_diagram.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& stiffness, const std::string& cutoff) {
  return "<diagram format=\"1\" name=\"bare\" period=\"1 ms\"><parameter name=\"stiffness\" value=\"" + stiffness +
         "\"/><block name=\"travel\" type=\"sources/Constant\" value=\"2 mm\"/>"
         "<block name=\"spring\" type=\"math/Gain\" gain=\"${stiffness}\"/>"
         "<block name=\"lag\" type=\"discrete/LowPass\" cutoff=\"" +
         cutoff + "\"/><connect from=\"travel.y\" to=\"spring.u\"/><connect from=\"spring.y\" to=\"lag.u\"/></diagram>";
}

std::string said(const std::string& stiffness, const std::string& cutoff, const std::vector<std::string>& settings) {
  LoadedDiagram diagram(all_plugins().catalogue());
  LoadOptions options;
  options.settings = settings;
  diagram.load(DiagramText{"bare.xml", text_of(stiffness, cutoff)}, options);
  return diagram.diagnostics().text();
}

TEST(BareNumber, BothReadingsAreToldWhereTheyDiffer) {
  for (const std::string number : {"3", "176.275", "-2e3", "0.5"}) {
    for (const std::string unit : {"N/mm", "kN/m", "N/cm", "mN/um"}) {
      const std::string text = said("20 " + unit, "5 Hz", {"stiffness=" + number});
      EXPECT_THAT(text, HasSubstr("warning[setting-bare]"));
      EXPECT_THAT(text, HasSubstr(number + " N/m where a unit is expected, and not as " + number + " " + unit)) << text;
    }
    const std::string cutoff = said("20 N/m", "5 Hz", {"lag.cutoff=" + number});
    if (number[0] != '-') {
      EXPECT_THAT(cutoff, HasSubstr("it is read as " + number + " rad/s, and not as " + number + " Hz"));
    }
  }
}

TEST(BareNumber, WhereBothReadingsAreOneNothingIsSaid) {
  for (const char* setting :
       {"stiffness=3 N/mm", "stiffness=3N/m", "stiffness=0", "lag.cutoff=7 Hz", "lag.cutoff=7 rad/s"})
    EXPECT_EQ(said("20 N/mm", "5 Hz", {setting}), "") << setting;
  EXPECT_EQ(said("20 N/m", "5 rad/s", {"stiffness=3", "lag.cutoff=3"}), "");
  EXPECT_EQ(said("20", "5", {"stiffness=3", "lag.cutoff=3"}), "");
}

TEST(BareNumber, ALiveSetIsToldToo) {
  Live live{DiagramText{"bare.xml", text_of("20 N/mm", "5 Hz")}};
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(3);
  Diagnostics heard;
  EXPECT_TRUE(live.tuning->look({{"lag.cutoff", "20"}}, heard));
  EXPECT_THAT(heard.text(), HasSubstr("it is read as 20 rad/s, and not as 20 Hz"));
  Diagnostics quiet;
  EXPECT_TRUE(live.tuning->look({{"lag.cutoff", "20 Hz"}}, quiet));
  EXPECT_EQ(quiet.text(), "");
}

} // namespace
} // namespace hilda::test
