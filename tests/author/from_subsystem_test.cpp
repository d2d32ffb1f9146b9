// SPDX-License-Identifier: BSD-3-Clause
// `hilda new-plugin --from DIAGRAM:SUBSYSTEM`: a skeleton that compiles, and a test that only the right body passes.
#include "tests/folder.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A subsystem with a lag and a gain: one output follows from a state alone, the other from the input at once.
constexpr const char* lagged = R"(<diagram format="1" name="lagged" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="2 N" frequency="3 Hz" phase="1 rad"/>
  <subsystem name="inner">
    <parameter name="gain" value="4 m/N" doc="Of the direct way"/>
    <input name="force" shape="1" unit="N"/>
    <output name="late" shape="1" unit="N"/>
    <output name="way" shape="1" unit="m"/>
    <block name="delay" type="discrete/UnitDelay" initial="0.5 N"/>
    <block name="direct" type="math/Gain" gain="${gain}"/>
    <connect from="force" to="delay.u"/>
    <connect from="force" to="direct.u"/>
    <connect from="delay.y" to="late"/>
    <connect from="direct.y" to="way"/>
  </subsystem>
  <subsystem name="silent">
    <output name="y" shape="1" unit="1"/>
    <block name="zero" type="sources/Constant" value="0"/>
    <connect from="zero.y" to="y"/>
  </subsystem>
  <block name="end" type="sinks/Terminator"/>
  <connect from="wave.y" to="inner.force"/>
  <connect from="inner.way" to="end.u"/>
</diagram>)";

std::string written(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class FromSubsystem : public ::testing::Test {
protected:
  void SetUp() override { std::ofstream(folder.path() / "lagged.xml") << lagged; }

  Output here(const std::string& command) const {
    return run_with_errors("cd '" + folder.path().string() + "' && " + command);
  }
  Output hilda(const std::string& arguments) const {
    return here("env -u HILDA_PLUGIN_PATH '" + build_folder() + "/bin/hilda' " + arguments);
  }

  const Folder folder;
};

TEST_F(FromSubsystem, TheTestFailsUntilTheBodyIsWrittenRight) {
  const Output installed =
      here("cmake --install '" + build_folder() + "' --prefix installed > install.log && mv installed prefix");
  ASSERT_EQ(installed.status, 0) << installed.text;
  const Output made =
      here("env -i PATH=/usr/bin:/bin prefix/bin/hilda new-plugin my_lag --from lagged.xml:inner --for 0.3s");
  ASSERT_EQ(made.status, 0) << made.text;
  const fs::path source = folder.path() / "my_lag" / "my_lag.cpp";
  const std::string text = written(source);
  EXPECT_THAT(
      text,
      AllOf(
          HasSubstr("Input<double> force{*this, \"force\", \"N\""),
          HasSubstr("Output<double> late{*this, \"late\", \"N\", \"Output late of the subsystem\", from_state}"),
          HasSubstr("Output<double> way{*this, \"way\", \"m\", \"Output way of the subsystem\"}"),
          HasSubstr("Parameter<double> gain{*this, \"gain\", \"m/N\", \"Of the direct way\", by_default(\"4 m/N\")}")));
  EXPECT_THAT(written(folder.path() / "my_lag" / "recorded.csv"), HasSubstr("force[0],late[0],way[0]\n"));
  const std::string build =
      "cmake -S my_lag -B my_lag/build -Dhilda_DIR=$PWD/prefix/lib/cmake/hilda > cmake.log 2>&1 && "
      "cmake --build my_lag/build -j 1 2>&1";
  const Output compiled = here(build);
  ASSERT_EQ(compiled.status, 0) << compiled.text;
  EXPECT_THAT(compiled.text, ::testing::Not(HasSubstr("warning")));
  const Output unwritten = here("my_lag/build/my_lag_test");
  EXPECT_NE(unwritten.status, 0);
  EXPECT_THAT(unwritten.text,
              AllOf(HasSubstr("late[0] at tick 0"), HasSubstr("[  FAILED  ] Inner.GivesWhatTheSubsystemGave"),
                    HasSubstr("[       OK ] EveryBlock.KeepsWhatItPromises")));

  std::string body = text;
  const auto put = [&body](const std::string& what, const std::string& with) {
    ASSERT_NE(body.find(what), std::string::npos) << what;
    body.replace(body.find(what), what.size(), with);
  };
  put("  // what it remembers",
      "  State<double> last{*this, \"last\", \"N\", \"The force of the tick before\"};\n"
      "  Parameter<double> initial{*this, \"initial\", \"N\", \"Of late\", by_default(\"0.5 N\")};\n"
      "  void initialize(const Instance&) override { last = *initial; }\n  // what it remembers");
  put("late = 0.0;", "late = *last;");
  put("way = 0.0;", "way = *gain * *force;");
  put("void update(const Tick&) override {}", "void update(const Tick&) override { last = *force; }");
  std::ofstream(source) << body;
  const Output again = here("cmake --build my_lag/build -j 1 2>&1 && my_lag/build/my_lag_test");
  EXPECT_EQ(again.status, 0) << again.text;

  std::string wrong = body;
  wrong.replace(wrong.find("*gain * *force"), 14, "*gain * *force * (1 + 1e-6)");
  std::ofstream(source) << wrong;
  const Output nearly = here("cmake --build my_lag/build -j 1 2>&1 && my_lag/build/my_lag_test");
  EXPECT_NE(nearly.status, 0) << "a millionth off";
  EXPECT_THAT(nearly.text, HasSubstr("way[0] at tick 0"));
}

TEST_F(FromSubsystem, TakesPortsThatWiresReachInsideOfIt) {
  const Output made = hilda("new-plugin my_rig --from '" + source_folder() + "/diagrams/pida.xml:rig' --for 20ms");
  ASSERT_EQ(made.status, 0) << made.text;
  const std::string text = written(folder.path() / "my_rig" / "my_rig.cpp");
  EXPECT_THAT(text, AllOf(HasSubstr("Input<Pose> command_pose"), HasSubstr("Input<Twist> command_twist"),
                          HasSubstr("Output<Wrench> wrench"), HasSubstr("truth_wall")));
}

/// Names that diagrams allow and C++, the SDK or a header has: each member has a different name, and the whole
/// compiles.
TEST_F(FromSubsystem, CompilesWhateverThePortsAreCalled) {
  const std::vector<std::string> inputs{"class", "Tick", "NAN", "patience", "not", "Wrench", "TheOutput", "__linux__"};
  const std::vector<std::string> outputs{"class_", "class_2", "Output", "from_state", "EOF", "std", "Input_"};
  std::ostringstream text;
  text << "<diagram format=\"1\" name=\"odd\" period=\"1 ms\">\n"
          "  <block name=\"wave\" type=\"sources/Sine\" amplitude=\"2\" frequency=\"3 Hz\" phase=\"1 rad\"/>\n"
          "  <subsystem name=\"the_output\">\n    <parameter name=\"Input\" value=\"2\"/>\n"
          "    <parameter name=\"by_default\" value=\"3\"/>\n    <parameter name=\"tail\" value=\"" +
              std::string(58, 'a') + "\\\\\"/>\n";
  for (const std::string& each : inputs) text << "    <input name=\"" << each << "\" shape=\"1\" unit=\"1\"/>\n";
  for (const std::string& each : outputs) text << "    <output name=\"" << each << "\" shape=\"1\" unit=\"1\"/>\n";
  for (std::size_t i = 0; i < inputs.size(); ++i)
    text << "    <block name=\"b" << i << "\" type=\"math/Gain\" gain=\"${Input * by_default}\"/>\n    <connect from=\""
         << inputs[i] << "\" to=\"b" << i << ".u\"/>\n";
  for (std::size_t i = 0; i < outputs.size(); ++i)
    text << "    <connect from=\"b" << i << ".y\" to=\"" << outputs[i] << "\"/>\n";
  text << "  </subsystem>\n";
  for (const std::string& each : inputs) text << "  <connect from=\"wave.y\" to=\"the_output." << each << "\"/>\n";
  text << "</diagram>\n";
  std::ofstream(folder.path() / "odd.xml") << text.str();
  const Output made = hilda("new-plugin my_odd --from odd.xml:the_output --for 20ms");
  ASSERT_EQ(made.status, 0) << made.text;
  const Output compiled =
      here("'" HILDA_CXX "' -std=c++20 -Wall -Wextra -Werror -fsyntax-only -DHILDA_PLUGIN_NAME='\"my_odd\"' -I '" +
           source_folder() + "/plugins/sdk' -I '" + source_folder() +
           "/plugins/abi' -isystem '" HILDA_EIGEN "' my_odd/my_odd.cpp");
  EXPECT_EQ(compiled.status, 0) << compiled.text << written(folder.path() / "my_odd" / "my_odd.cpp");
}

/// An input that only a state takes is read behind the outputs: a skeleton without that word would feed through.
TEST_F(FromSubsystem, SaysOfAnInputThatOnlyAStateTakesIt) {
  std::string text = lagged;
  const auto cut = [&text](const std::string& what) { text.erase(text.find(what), what.size()); };
  cut("    <connect from=\"force\" to=\"direct.u\"/>\n");
  text.insert(text.find("    <connect from=\"delay.y\" to=\"late\"/>"),
              "    <connect from=\"delay.y\" to=\"direct.u\"/>\n");
  std::ofstream(folder.path() / "late.xml") << text;
  const Output made = hilda("new-plugin my_late --from late.xml:inner --for 20ms");
  ASSERT_EQ(made.status, 0) << made.text;
  EXPECT_THAT(
      written(folder.path() / "my_late" / "my_late.cpp"),
      AllOf(HasSubstr("Input<double> force{*this, \"force\", \"N\", \"Input force of the subsystem\", in_update};"),
            HasSubstr("Output<double> way{*this, \"way\", \"m\", \"Output way of the subsystem\", from_state};")));
}

TEST_F(FromSubsystem, SaysWhatItCannotTake) {
  const std::tuple<const char*, int, const char*> wrong[] = {
      {"--from lagged.xml", 64, "names no subsystem"},
      {"--from lagged.xml:", 64, "names no subsystem"},
      {"--from lagged.xml:iner", 64, "did you mean 'inner'?"},
      {"--from nowhere.xml:inner", 2, "nowhere.xml"},
      {"--from lagged.xml:silent", 3, "all outputs of silent were 0"},
      {"--from lagged.xml:inner --language c", 64, "--from writes C++"},
      {"--for 2s", 64, "name one by --from DIAGRAM:SUBSYSTEM"},
      {"--from lagged.xml:inner --for soon", 64, "'soon' is not a time"}};
  for (const auto& [arguments, status, text] : wrong) {
    const Output done = hilda(std::string("new-plugin mine ") + arguments);
    EXPECT_EQ(done.status, status) << arguments << done.text;
    EXPECT_THAT(done.text, HasSubstr(text)) << arguments;
    EXPECT_FALSE(fs::exists(folder.path() / "mine"));
  }
}

} // namespace
} // namespace hilda::test
