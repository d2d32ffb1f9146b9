// SPDX-License-Identifier: BSD-3-Clause
// What edits do to a run of `hilda studio`, and who may ask for them.
#include "tests/cli/program.h"
#include "tests/studio/served.h"

#include <gmock/gmock.h>
#include <memory>

namespace hilda::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Answer = nlohmann::json;

class EditedRun : public ::testing::Test {
protected:
  EditedRun() { here.write("loop.xml", tuned_loop); }
  std::unique_ptr<Served> open(const std::string& name = "studio") {
    return std::make_unique<Served>(here, name,
                                    std::vector<std::string>{"studio", here.path("loop.xml"), "--no-open", "--port",
                                                             "0", "--for", "2s", "--log", here.path("run.mcap")});
  }
  Workplace here;
};

const Answer slower = Answer::array({Answer::array({"remove", "slow"}), Answer::array({"set", "period=3 ms"})});

/// At 4 ms a diagram of 3 ms has no tick; at 6 ms it has.
TEST_F(EditedRun, AnotherTickIsTakenWhereBothDiagramsHaveOne) {
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  ASSERT_EQ(ask(page, {{"op", "step"}, {"n", 4}})["ok"], true);
  const Answer edited = ask(page, {{"op", "edit"}, {"revision", 1}, {"operations", slower}});
  ASSERT_EQ(edited["ok"], true) << edited;
  EXPECT_THAT(page.text_with("live-tick"), HasSubstr("no tick"));
  ASSERT_EQ(ask(page, {{"op", "step"}, {"n", 2}})["ok"], true);
  ASSERT_EQ(ask(page, {{"op", "step"}, {"n", 1}})["ok"], true);
  const Answer changed = ask(page, {{"op", "set"}, {"settings", {{{"path", "push"}, {"text", "3 N"}}}}});
  EXPECT_EQ(changed["tick"], 3) << "of 3 ms: " << changed;
}

TEST_F(EditedRun, AReloadNamesTheStatesThatItResets) {
  const auto delayed = [&](int ticks) {
    here.write("loop.xml", R"(<diagram format="1" name="loop" period="1 ms">
  <block name="one" type="sources/Constant" value="1"/> <block name="line" type="discrete/Delay" samples=")" +
                               std::to_string(ticks) + R"("/>
  <connect from="one.y" to="line.u"/> <connect from="one.y" to="line.fill"/>
</diagram>
)");
  };
  delayed(6);
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  ASSERT_EQ(ask(page, {{"op", "step"}, {"n", 4}})["ok"], true);
  Answer reply = Answer::object();
  for (int ticks = 7; ticks < 20 && reply.value("reset", Answer::array()).empty(); ++ticks) {
    delayed(ticks); // again if the studio itself has taken the file first
    reply = ask(page, {{"op", "reload"}});
    ASSERT_EQ(reply["ok"], true) << reply;
  }
  EXPECT_EQ(reply["reset"], Answer::array({"line.line: another shape"})) << reply;
  EXPECT_EQ(reply["anew"], reply["reset"]) << "the field's name in 0.1.0";
}

TEST_F(EditedRun, AnotherTickIsTakenByARunThatGoesOn) {
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const WebClient page = studio->connect("hilda.v1");
  ASSERT_EQ(ask(page, {{"op", "step"}, {"n", 4}})["ok"], true);
  ASSERT_EQ(ask(page, {{"op", "edit"}, {"revision", 1}, {"operations", slower}})["ok"], true);
  EXPECT_NE(page.text_with("live-tick"), "");
  ASSERT_EQ(ask(page, {{"op", "run"}, {"speed", 0}})["ok"], true);
  const std::string ended = page.text_with("\"state\":\"ended\"");
  EXPECT_EQ(Answer::parse(ended)["tick"], 667) << ended;
}

TEST_F(EditedRun, APluginIsWrittenForThoseWhoMayEdit) {
  const auto studio = open();
  ASSERT_NE(studio->port, 0) << studio->said();
  const Answer state = Answer::parse(studio->connect("hilda.v1").text_with("\"op\":\"state\""));
  EXPECT_THAT(state["may"], Contains("new_plugin"));

  Served looked_at(here, "looked_at",
                   {"run", here.path("loop.xml"), "--for", "60s", "--no-log", "--realtime", "--serve", "0"});
  ASSERT_NE(looked_at.port, 0) << looked_at.said();
  const WebClient page = looked_at.connect("hilda.v1");
  EXPECT_THAT(Answer::parse(page.text_with("\"op\":\"state\""))["may"], Not(Contains("new_plugin")));
  const Answer reply = ask(page, {{"op", "new_plugin"}, {"subsystem", "sum"}, {"name", "mine"}});
  EXPECT_EQ(reply["ok"], false);
  EXPECT_THAT(reply["error"].get<std::string>(), Not(HasSubstr("subsystem"))) << "it is refused before it is looked up";
  looked_at.process.interrupt();
  looked_at.process.wait();
}

TEST_F(EditedRun, NoAddressIsToldOfADiagramWhoseLogIsBeingWritten) {
  const auto first = open("first");
  ASSERT_NE(first->port, 0) << first->said();
  const Result second = here.hilda("studio loop.xml --no-open --port 0 --log run.mcap");
  EXPECT_EQ(second.exit, 3) << second.err;
  EXPECT_THAT(second.out, Not(HasSubstr("http://"))) << "no server would answer there";
}

} // namespace
} // namespace hilda::test
