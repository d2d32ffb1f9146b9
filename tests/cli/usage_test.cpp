// SPDX-License-Identifier: BSD-3-Clause
// What the program says about itself, and when it is used wrongly.
#include "program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hilda/abi.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

TEST(Help, NamesEveryCommand) {
  const Result help = Workplace().hilda("--help");
  EXPECT_EQ(help.exit, 0) << help.err;
  for (const char* command : {"run", "check", "plan", "blocks", "describe", "export", "info"})
    EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + command + " "));
}

class HelpOf : public testing::TestWithParam<const char*> {};

TEST_P(HelpOf, HasExamples) {
  const Result help = Workplace().hilda(GetParam() + std::string(" --help"));
  EXPECT_EQ(help.exit, 0) << help.err;
  EXPECT_THAT(help.out, HasSubstr("Examples:\n  hilda " + std::string(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(EveryCommand, HelpOf,
                         testing::Values("run", "check", "plan", "blocks", "describe", "export", "info"),
                         [](const testing::TestParamInfo<const char*>& each) { return std::string(each.param); });

TEST(Version, NamesRevisionAndAbi) {
  const Result told = Workplace().hilda("--version");
  EXPECT_EQ(told.exit, 0);
  EXPECT_THAT(told.out,
              testing::MatchesRegex("hilda [0-9.]+ \\(git [^)]+\\), plugin ABI " + std::to_string(HILDA_ABI_MAJOR) +
                                    "\\." + std::to_string(HILDA_ABI_MINOR) +
                                    "\nmathematics: (musl [0-9.]+ \\(fingerprint [0-9a-f]+\\), the same on every "
                                    "processor|glibc [0-9.]+ \\(fingerprint [0-9a-f]+\\), chosen by the processor)\n"));
}

struct Misuse {
  const char* name;
  const char* arguments;
  const char* answer;
};
void PrintTo(const Misuse& each, std::ostream* out) { *out << each.arguments; }

class WrongUsage : public testing::TestWithParam<Misuse> {};

TEST_P(WrongUsage, ExitsWith64AndSaysWhatToDo) {
  const Result answer = Workplace().hilda(GetParam().arguments);
  EXPECT_EQ(answer.exit, 64) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr(GetParam().answer));
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongUsage,
    testing::Values(Misuse{"no_command", "", "hilda COMMAND --help"},
                    Misuse{"mistyped_command", "rnu pida.xml", "did you mean 'hilda run'?"},
                    Misuse{"strange_command", "frobnicate", "hilda --help lists them"},
                    Misuse{"diagram_as_command", "pida.xml", "hilda run pida.xml"},
                    Misuse{"no_diagram", "run", "DIAGRAM is required"},
                    Misuse{"mistyped_option", "run a.xml --quite", "did you mean '--quiet'?"},
                    Misuse{"strange_option", "plan a.xml --frobnicate=3", "'--frobnicate' was not expected"},
                    Misuse{"two_diagrams", "run a.xml b.xml", "two files are given: a.xml and b.xml"},
                    Misuse{"no_time", "run a.xml --for soon", "'soon' is not a time such as 20s or 3min"},
                    Misuse{"wrong_unit_of_time", "run a.xml --for 20m", "'20m' is not a time"},
                    Misuse{"negative_time", "run a.xml --for -1s", "is not above zero"},
                    Misuse{"log_and_no_log", "run a.xml --log a.mcap --no-log", "--log excludes --no-log"},
                    Misuse{"empty_rig", "run a.xml --rig ''", "--rig: its value is empty; leave it out"},
                    Misuse{"empty_number", "sweep a.xml -j ''", "--jobs: its value is empty"},
                    Misuse{"empty_output", "draw a.xml -o ''", "--out: its value is empty"},
                    Misuse{"empty_setting", "run a.xml --set g.gain=2 --set ''", "--set: its value is empty"},
                    Misuse{"empty_diagram", "run ''", "DIAGRAM: its value is empty\n"},
                    Misuse{"nothing_behind_equals", "run --rig= a.xml", "hilda run: '--rig=' has no value"},
                    Misuse{"unseen_profile", "run a.xml --profile --quiet --no-log", "name a file with --summary"},
                    Misuse{"given_twice", "run a.xml --for 1s --for 2s", "error: --for is given more than once"},
                    Misuse{"negative_budget", "run a.xml --budget-time -1", "'-1' is not a number from 0 on"},
                    Misuse{"negative_run", "sweep show -1 a.sqlite", "'-1' is not a number from 0 on"},
                    Misuse{"strange_letter", "-v", "error: hilda: '-v' was not expected"},
                    Misuse{"unknown_solver", "run a.xml --solver rk5", "rk5"},
                    Misuse{"unknown_block", "describe discrete/UnitDealy", "did you mean 'discrete/UnitDelay'?"},
                    Misuse{"unknown_subject", "blocks mathe", "did you mean 'math'?"},
                    Misuse{"sbom_alone", "--sbom", "no command given"},
                    Misuse{"no_format", "export a.mcap", "add --csv, --mat or --scene"}),
    [](const testing::TestParamInfo<Misuse>& each) { return std::string(each.param.name); });

struct Search {
  const char* words;
  const char* first; ///< listed first
};
void PrintTo(const Search& each, std::ostream* out) { *out << each.words; }

class BlockSearch : public testing::TestWithParam<Search> {};

TEST_P(BlockSearch, ListsWhatIsMeantFirst) {
  const Result found = Workplace().hilda("blocks " + std::string(GetParam().words));
  EXPECT_EQ(found.exit, 0) << found.err;
  EXPECT_TRUE(found.out.starts_with(GetParam().first)) << found.out;
}

INSTANTIATE_TEST_SUITE_P(
    By, BlockSearch,
    testing::Values(Search{"gain", "math/Gain "}, Search{"dead time", "discrete/Delay "},
                    Search{"'dead time'", "discrete/Delay "}, Search{"low pass", "discrete/LowPass "},
                    Search{"limiter rate", "discrete/RateLimiter "}, Search{"saturate", "math/Saturation "},
                    Search{"subtract", "math/Sum "}, Search{"'dy/dt=u'", "continuous/Integrator "},
                    Search{"pid", "discrete/Pid "}, Search{"random", "sources/Noise "}, Search{"absolute", "math/Abs "},
                    Search{"kalman", "estimation/KalmanFilter "}, Search{"'pi controller'", "discrete/Pid "},
                    Search{"zoh", "discrete/ZeroOrderHold "}, Search{"mux", "routing/Mux "},
                    Search{"stiction", "math/Friction "}, Search{"'Transport Delay'", "continuous/TransportDelay "},
                    Search{"Band-Limited White Noise", "sources/Noise "},
                    Search{"Discrete-Time Integrator", "discrete/DiscreteIntegrator "},
                    Search{"'n-D Lookup Table'", "math/LookupTableND "}, Search{"waypoints", "sources/Trajectory "}),
    [](const testing::TestParamInfo<Search>& each) {
      std::string name;
      for (const char* c = each.param.words; *c != '\0'; ++c)
        name += std::isalnum(static_cast<unsigned char>(*c)) != 0 ? *c : '_';
      return name;
    });

TEST(Blocks, AreListedBySubjectWithASentenceEach) {
  const Result list = Workplace().hilda("blocks");
  EXPECT_EQ(list.exit, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("faulty\n  faulty/Breaks     Gives NaN after a given time.\n"));
  EXPECT_THAT(list.out, HasSubstr("\ndiscrete\n"));
  const Result one = Workplace().hilda("blocks faulty");
  EXPECT_EQ(one.out.rfind("faulty\n", 0), 0U);
  EXPECT_EQ(one.out.find("discrete"), std::string::npos);
}

TEST(Describe, TellsAllThatOneNeedsToWireABlock) {
  const Result text = Workplace().hilda("describe contact/PhaseLead");
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_THAT(text.out, testing::ContainsRegex("measured +wrench +feeds through\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("in_contact +boolean +feeds through, optional\n"));
  EXPECT_THAT(text.out,
              testing::ContainsRegex("time_constant +scalar +s +default 0 s, at least 0, may change while it runs\n"));
  EXPECT_THAT(text.out, HasSubstr("The measured wrench one tick ago"));
}

TEST(Describe, TellsWhatARigWantsAndWhatItLimits) {
  const Result text = Workplace().hilda("describe rigs/kuka_ati.xml");
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_THAT(text.out, testing::ContainsRegex("\n  speed_limit +must be given\n +Of the flange; safety stage\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("\n  lost_in_a_row +default 5\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("\n  disturbed +in mode hardware\n"));
  EXPECT_THAT(text.out,
              testing::ContainsRegex("Limits of motion\n  robot.command_pose +stop_time .*, speed .*speed_limit"));
  EXPECT_THAT(text.out, testing::ContainsRegex("Quality of measurements.*\n  robot.pose +noise .*noisiest_pose.*rate"));
  EXPECT_THAT(text.out, HasSubstr("drives that hum and a hand on the tool are noise"));
}

std::string grouped_diagram(const std::string& first, const std::string& second) {
  return "<diagram format=\"1\" name=\"grouped\" period=\"1 ms\">\n  <parameter name=\"duration\" value=\"50 ms\"/>\n"
         "  <parameter name=\"height\" value=\"2 N\"" +
         first + "/>\n  <parameter name=\"pace\" value=\"40 Hz\"" + second +
         "/>\n  <parameter name=\"lift\" value=\"1 N\"" + first +
         "/>\n  <block name=\"wave\" type=\"sources/Sine\" amplitude=\"${height}\" frequency=\"${pace}\"/>\n"
         "  <block name=\"up\" type=\"math/Bias\" bias=\"${lift}\"/>\n"
         "  <connect from=\"wave.y\" to=\"up.u\"/>\n</diagram>\n";
}

TEST(Describe, ListsParametersByTheirGroups) {
  const Workplace here;
  here.write("grouped.xml", grouped_diagram(" group=\"Size\"", " group=\"Time\""));
  const Result text = here.hilda("describe grouped.xml");
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("\nParameters\n  duration  default 50 ms\n\nParameters: Size\n  height  default 2 N\n"
                                  "  lift    default 1 N\n\nParameters: Time\n  pace  default 40 Hz\n"));
}

TEST(Run, GroupsOfParametersChangeNoBit) {
  const Workplace here;
  here.write("plain.xml", grouped_diagram("", ""));
  here.write("grouped.xml", grouped_diagram(" group=\"Size\"", " group=\"Time\""));
  for (const std::string name : {"plain", "grouped"}) {
    ASSERT_EQ(here.hilda("run " + name + ".xml --log " + name + ".mcap").exit, 0);
    ASSERT_EQ(here.hilda("export --csv " + name + ".mcap -o " + name + ".csv").exit, 0);
  }
  EXPECT_THAT(here.read("plain.csv"), HasSubstr("up.y"));
  EXPECT_EQ(here.read("plain.csv"), here.read("grouped.csv"));
}

TEST(Describe, RefusesAFileThatIsNoDiagram) {
  const Workplace here;
  here.write("broken.xml", "<diagram format=\"1\" name=\"broken\"");
  const Result text = here.hilda("describe broken.xml");
  EXPECT_EQ(text.exit, 2);
  EXPECT_EQ(text.out, "");
  EXPECT_THAT(text.err, HasSubstr("broken.xml:1"));
  EXPECT_EQ(here.hilda("describe nowhere.xml").exit, 2);
}

TEST(Describe, FindsABlockWithoutItsSubject) {
  const Result element = Workplace().hilda("describe '<log>'");
  EXPECT_EQ(element.exit, 0) << element.err;
  for (const char* word : {"<log>  an element of a diagram", "signals  required", "every ", "when "})
    EXPECT_THAT(element.out, testing::HasSubstr(word));
  EXPECT_EQ(Workplace().hilda("describe log").out, element.out);
  EXPECT_THAT(Workplace().hilda("describe figure").out, testing::HasSubstr("title"));
  const Result text = Workplace().hilda("describe UnitDelay");
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("discrete/UnitDelay"));
}

TEST(Run, NamesTheDiagramThatComesWithHilda) {
  const Result outcome = Workplace().hilda("run pida.xml --for 10ms");
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.err, testing::HasSubstr("cannot read 'pida.xml': there is no such file"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("that comes with hilda is '"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("/diagrams/pida.xml'"));
}

} // namespace
} // namespace hilda::test
