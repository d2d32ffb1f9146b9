// SPDX-License-Identifier: BSD-3-Clause
// `<realtime>`: how the thread of a paced loop runs.
#include "engine/compile/loaded_diagram.h"
#include "tests/modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RealtimeElement : public testing::Test {
protected:
  /// Null after errors.
  const System* read(const std::string& elements, const std::string& mode = "") {
    LoadOptions options;
    options.mode = mode;
    const std::string text = "<diagram format=\"1\" name=\"d\" period=\"1 ms\">\n" + elements + "\n</diagram>\n";
    return diagram_.load(DiagramText{"d.xml", text}, options) ? &diagram_.system() : nullptr;
  }
  Catalogue catalogue_;
  LoadedDiagram diagram_{catalogue_};
  Diagnostics& diagnostics_ = diagram_.diagnostics();
};

TEST_F(RealtimeElement, GivesPriorityAndProcessors) {
  const auto system = read("<parameter name=\"p\" value=\"42\"/><realtime priority=\"${p}\" processors=\"3 1 3\"/>");
  ASSERT_TRUE(system) << diagnostics_.text();
  EXPECT_EQ(system->realtime.priority, 42);
  EXPECT_THAT(system->realtime.processors, ElementsAre(1, 3));
}

TEST_F(RealtimeElement, SaysHowManyCyclesMayBeLost) {
  const auto system = read("<realtime lost_in_a_row=\"12\"/>");
  ASSERT_TRUE(system) << diagnostics_.text();
  EXPECT_EQ(system->realtime.lost_in_a_row, 12);
  for (const char* const wrong : {"-1", "1001", "1 2", "few", "2.5"}) {
    diagnostics_ = {};
    EXPECT_FALSE(read(std::string("<realtime lost_in_a_row=\"") + wrong + "\"/>")) << wrong;
    EXPECT_THAT(diagnostics_.text(), HasSubstr("d.xml:2: error[realtime-value]: 'lost_in_a_row'"));
  }
}

TEST_F(RealtimeElement, MayBeLeftOut) {
  const auto system = read("");
  ASSERT_TRUE(system) << diagnostics_.text();
  EXPECT_EQ(system->realtime.priority, 80);
  EXPECT_EQ(system->realtime.lost_in_a_row, 5);
  EXPECT_THAT(system->realtime.processors, testing::IsEmpty());
}

TEST_F(RealtimeElement, StandsInASubsystemToo) {
  const auto system = read("<subsystem name=\"rig\"><realtime processors=\"2\"/></subsystem>");
  ASSERT_TRUE(system) << diagnostics_.text();
  EXPECT_THAT(system->realtime.processors, ElementsAre(2));
}

TEST_F(RealtimeElement, OfAnotherModeDoesNotCount) {
  const auto system = read("<realtime mode=\"hardware\" priority=\"7\"/><realtime mode=\"sim\" priority=\"8\"/>");
  ASSERT_TRUE(system) << diagnostics_.text();
  EXPECT_EQ(system->realtime.priority, 8);
}

TEST_F(RealtimeElement, RefusesPrioritiesThatSchedFifoDoesNotHave) {
  for (const char* const wrong : {"0", "100", "-3", "1 2", "high", "2.5"}) {
    diagnostics_ = {};
    EXPECT_FALSE(read(std::string("<realtime priority=\"") + wrong + "\"/>")) << wrong;
    EXPECT_THAT(diagnostics_.text(), HasSubstr("d.xml:2: error[realtime-value]: 'priority'"));
  }
}

} // namespace
} // namespace hilda::test
