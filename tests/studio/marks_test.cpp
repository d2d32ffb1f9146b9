// SPDX-License-Identifier: BSD-3-Clause
// What a page sees of blocks that hold, are at a limit or fail, and of a run that is paced.
#include "tests/cli/program.h"
#include "tests/project_folders.h"
#include "tests/studio/served.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace hilda::test {
namespace {

using MarkJson = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A wave of 1 Hz and 3 mm that is limited to 2 mm above, and is followed while it is above 0; at 0.6 s it is too low.
constexpr const char* marked = R"(<diagram format="1" name="marked" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="3 mm" frequency="1 Hz"/>
  <parameter name="most" value="2 mm"/>
  <block name="limit" type="math/Saturation" lower="-1 m" upper="${most}"/>
  <block name="high" type="math/Compare" operation="greater" with="0 mm"/>
  <block name="zone" type="math/DeadZone" lower="-2 mm" upper="2 mm"/>
  <block name="follow" type="math/Gain" gain="2" enable="high.y"/>
  <block name="range" type="sinks/AssertRange" lower="-2 mm"/>
  <connect from="wave.y" to="limit.u"/>
  <connect from="wave.y" to="high.a"/>
  <connect from="wave.y" to="zone.u"/>
  <connect from="limit.y" to="follow.u"/>
  <connect from="wave.y" to="range.u"/>
</diagram>)";

using Seen = std::set<std::pair<std::string, std::string>>; ///< path and kind

/// The next message about marks.
MarkJson next_marks(const WebClient& page) {
  const std::string text = page.text_with("\"op\":\"marks\"");
  return text.empty() ? MarkJson::array() : MarkJson::parse(text)["blocks"];
}
Seen kinds(const MarkJson& blocks) {
  Seen seen;
  for (const MarkJson& each : blocks) seen.emplace(each["path"], each["kind"]);
  return seen;
}
void run_until(const WebClient& page, const std::string& time) {
  page.send(R"({"op":"run","speed":0,"until":)" + time + "}");
}
/// Marks, until they are these.
MarkJson come_to(const WebClient& page, const Seen& wanted) {
  for (int i = 0; i < 50; ++i) {
    MarkJson blocks = next_marks(page);
    if (kinds(blocks) == wanted) return blocks;
  }
  return MarkJson::array();
}

TEST(Marks, TellWhatHoldsWhatIsAtItsLimitAndWhatHasFailed) {
  const Workplace here;
  here.write("marked.xml", marked);
  const Served studio(here, "studio", {"studio", here.path("marked.xml"), "--no-open"});
  ASSERT_NE(studio.port, 0) << studio.said();
  const WebClient page = studio.connect("hilda.v1");
  EXPECT_THAT(next_marks(page), IsEmpty()) << "before the first tick";
  run_until(page, "0.25");
  const MarkJson limited = come_to(page, {{"limit", "saturated"}});
  ASSERT_EQ(limited.size(), 1U) << "neither the dead zone, nor what runs";
  EXPECT_EQ(limited[0]["text"], "limit.y is at its limit, 0.002 m");
  run_until(page, "0.48");
  EXPECT_EQ(come_to(page, {}), MarkJson::array());
  run_until(page, "0.55");
  const MarkJson held = come_to(page, {{"follow", "hold"}});
  ASSERT_EQ(held.size(), 1U);
  EXPECT_THAT(std::string(held[0]["text"]), HasSubstr("high.y is false"));
  // what a person sets counts at once
  page.send(R"({"op":"back","to":0.1})");
  EXPECT_EQ(come_to(page, {}), MarkJson::array()) << "1.7 mm";
  page.send(R"({"op":"set","settings":[{"path":"most","text":"1 mm"}]})");
  page.send(R"({"op":"step"})");
  const MarkJson lower = come_to(page, {{"limit", "saturated"}});
  ASSERT_EQ(lower.size(), 1U);
  EXPECT_THAT(std::string(lower[0]["text"]), HasSubstr("0.001 m"));
  run_until(page, "2");
  const MarkJson failed = come_to(page, {{"range", "failed"}, {"follow", "hold"}});
  ASSERT_EQ(failed.size(), 2U);
  EXPECT_EQ(failed[0]["path"], "range");
  const WebClient late = studio.connect("hilda.v1");
  EXPECT_THAT(kinds(next_marks(late)), UnorderedElementsAre(std::pair{"range", "failed"}, std::pair{"follow", "hold"}));
}

/// Limits under other names, in plugins unknown here: one by the C++ headers, one in plain C.
TEST(Marks, FollowFromWhatABlockTypeSaysOfItsLimits) {
  const Workplace here;
  here.write("strange.xml", R"(<diagram format="1" name="strange" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="3 A" frequency="1 Hz"/>
  <block name="motor" type="motor/Motor" constant="2 N m/A" torque_limit="4 N m"/>
  <block name="lift" type="sources/Ramp" slope="10 mm/s"/>
  <block name="valve" type="valve/Valve" fully_open="9 mm"/>
  <block name="again" type="continuous/ResetIntegrator" upper="1 mm s"/>
  <block name="never" type="sources/Constant" value="-1"/>
  <connect from="wave.y" to="motor.current"/>
  <connect from="lift.y" to="valve.demand"/>
  <connect from="valve.opening" to="again.u"/>
  <connect from="never.y" to="again.trigger"/>
</diagram>)");
  const Served studio(
      here, "studio",
      {"studio", here.path("strange.xml"), "--plugins", build_folder() + "/tests/studio/plugins", "--no-open"});
  ASSERT_NE(studio.port, 0) << studio.said();
  const WebClient page = studio.connect("hilda.v1");
  EXPECT_THAT(next_marks(page), IsEmpty()) << studio.said();
  run_until(page, "0.25");
  const MarkJson above = come_to(page, {{"motor", "saturated"}});
  ASSERT_EQ(above.size(), 1U);
  EXPECT_THAT(std::string(above[0]["text"]), HasSubstr("motor.torque is at its limit, 4 "));
  run_until(page, "0.5");
  EXPECT_EQ(come_to(page, {{"again", "saturated"}}).size(), 1U) << "an integral of ours";
  run_until(page, "0.75");
  const MarkJson below = come_to(page, {{"motor", "saturated"}, {"again", "saturated"}});
  ASSERT_EQ(below.size(), 2U);
  EXPECT_THAT(std::string(below[0]["text"]), HasSubstr("motor.torque is at its limit, -4 "));
  run_until(page, "1");
  const MarkJson open = come_to(page, {{"valve", "saturated"}, {"again", "saturated"}});
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(open[0]["text"], "valve.opening is at its limit, 0.009 m");
}

TEST(Marks, AreThoseOfARunThatIsPacedAndItsSummaryComes) {
  const Workplace here;
  here.write("marked.xml", marked);
  Served run(
      here, "run",
      {"run", here.path("marked.xml"), "--realtime", "--for", "3s", "--serve", "0", "--log", here.path("x.mcap")});
  ASSERT_NE(run.port, 0) << run.said();
  const WebClient page = run.connect("hilda.v1");
  bool limited = false, held = false, failed = false, progress = false, whole = false;
  MarkJson ending;
  while (const auto message = page.receive()) {
    if (message->opcode != 1) continue;
    const MarkJson said = MarkJson::parse(message->payload);
    if (said["op"] == "marks")
      for (const MarkJson& each : said["blocks"]) {
        limited = limited || each["kind"] == "saturated";
        held = held || each["kind"] == "hold";
        failed = failed || each["kind"] == "failed";
      }
    if (said["op"] == "state" && !said["ending"].is_null()) ending = said["ending"];
    if (said["op"] != "summary") continue;
    for (const MarkJson& each : said["figures"]) {
      if (each["block"] != "realtime") continue;
      progress = progress || (each["key"] == "ticks" && each["value"] > 10 && each["value"] < 700);
      whole = whole || (each["key"] == "compute.max" && each["value"] > 0 && each["unit"] == "s");
    }
  }
  EXPECT_TRUE(limited);
  EXPECT_TRUE(held);
  EXPECT_TRUE(failed);
  EXPECT_TRUE(progress) << "while it runs";
  EXPECT_TRUE(whole) << "when it is over";
  EXPECT_EQ(ending["reason"], "failed");
  EXPECT_EQ(ending["block"], "range");
  EXPECT_NE(run.process.wait(), 0);
}

} // namespace
} // namespace hilda::test
