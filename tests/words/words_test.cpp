// SPDX-License-Identifier: BSD-3-Clause
// What the program says of mistakes that people make: each in a sound diagram, one at a time. The answer names the line
// of the mistake, says what to do, and is word by word in the golden file. With HILDA_UPDATE_GOLDEN=1 that file is
// written instead of compared; read it as a reader who has never seen the program.
#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <sstream>

namespace hilda::test {
namespace {

const std::string said = source_folder() + "/tests/words/said.txt";

constexpr const char* sound = R"(<diagram format="1" name="bench" period="1 ms" doc="A wave through a filter">
  <parameter name="corner" value="5 Hz" doc="Of the filter"/>
  <block name="wave" type="sources/Sine" amplitude="2 N" frequency="1 Hz"/>
  <block name="smooth" type="discrete/LowPass" cutoff="${corner}"/>
  <block name="error" type="math/Sum" signs="+-"/>
  <block name="twice" type="math/Gain" gain="2"/>
  <block name="above" type="math/Compare" operation="greater" with="0.5 N"/>
  <block name="late" type="discrete/Delay" delay="20 ms"/>
  <subsystem name="part">
    <input name="u"/>
    <output name="y"/>
    <block name="gain" type="math/Gain" gain="3"/>
    <connect from="u" to="gain.u"/>
    <connect from="gain.y" to="y"/>
  </subsystem>
  <block name="end" type="sinks/Record"/>
  <connect from="wave.y" to="smooth.u"/>
  <connect from="wave.y" to="error.u[0]"/>
  <connect from="smooth.y" to="error.u[1]"/>
  <connect from="error.y" to="twice.u"/>
  <connect from="smooth.y" to="above.a"/>
  <connect from="twice.y" to="late.u"/>
  <connect from="late.y" to="part.u"/>
  <connect from="part.y" to="end.u"/>
</diagram>
)";

/// `right` in the sound diagram becomes `wrong`; or, where `right` is empty, `wrong` is what follows "hilda".
struct Mistake {
  const char* name;
  const char* right;
  const char* wrong;
  int line = 0; ///< that the answer must name, where it is not that of the change
};
void PrintTo(const Mistake& each, std::ostream* out) { *out << each.name; }

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"type_misspelt", "math/Gain\" gain=\"2\"", "math/Gian\" gain=\"2\""},
      {"type_without_its_subject", "math/Gain\" gain=\"2\"", "Gain\" gain=\"2\""},
      {"type_in_another_subject", "discrete/LowPass", "math/LowPass"},
      {"type_as_elsewhere", "sources/Sine", "sources/SineWave"},
      {"type_left_out", "type=\"math/Gain\" gain=\"2\"", "gain=\"2\""},
      {"name_left_out", "name=\"twice\" ", ""},
      {"name_with_a_dash", "name=\"twice\"", "name=\"two-fold\""},
      {"name_given_twice", "name=\"twice\"", "name=\"wave\""},
      {"attribute_misspelt", "frequency=", "freqency="},
      {"attribute_of_another_block", "gain=\"2\"", "factor=\"2\""},
      {"attribute_given_twice", "gain=\"2\"", "gain=\"2\" gain=\"3\""},
      {"parameter_left_out", " cutoff=\"${corner}\"", ""},
      {"unit_of_another_kind", "frequency=\"1 Hz\"", "frequency=\"1 s\""},
      {"unit_unknown", "frequency=\"1 Hz\"", "frequency=\"1 Herz\""},
      {"unit_without_blank_misspelt", "delay=\"20 ms\"", "delay=\"20 msec.\""},
      {"comma_for_point", "with=\"0.5 N\"", "with=\"0,5 N\""},
      {"number_is_a_word", "gain=\"2\"", "gain=\"two\""},
      {"number_below_its_range", "delay=\"20 ms\"", "delay=\"-20 ms\""},
      {"delay_between_ticks", "delay=\"20 ms\"", "delay=\"20.5 ms\""},
      {"choice_unknown", "operation=\"greater\"", "operation=\"bigger\""},
      {"signs_too_many", "signs=\"+-\"", "signs=\"+-+\""},
      {"sign_unknown", "signs=\"+-\"", "signs=\"+*\""},
      {"block_of_a_wire_misspelt", "to=\"smooth.u\"", "to=\"smoth.u\""},
      {"port_of_a_wire_misspelt", "to=\"smooth.u\"", "to=\"smooth.input\""},
      {"port_left_out", "from=\"wave.y\" to=\"smooth.u\"", "from=\"wave\" to=\"smooth.u\""},
      {"wire_the_wrong_way_round", "from=\"wave.y\" to=\"smooth.u\"", "from=\"smooth.u\" to=\"wave.y\""},
      {"wire_left_out", "  <connect from=\"error.y\" to=\"twice.u\"/>\n", "", 6},
      {"wire_given_twice", "<connect from=\"part.y\"",
       "<connect from=\"wave.y\" to=\"twice.u\"/> <connect from=\"part.y\""},
      {"wire_without_an_end", "from=\"part.y\" to=\"end.u\"", "from=\"part.y\""},
      {"wire_attribute_misspelt", "from=\"part.y\"", "form=\"part.y\""},
      {"wire_into_a_subsystem", "to=\"part.u\"", "to=\"part.gain.u\""},
      {"port_of_a_subsystem_misspelt", "from=\"part.y\"", "from=\"part.out\""},
      {"index_left_out", "to=\"error.u[0]\"", "to=\"error.u\""},
      {"index_too_high", "to=\"error.u[1]\"", "to=\"error.u[2]\""},
      {"part_of_a_number", "from=\"part.y\"", "from=\"part.y.x\""},
      {"part_of_an_input", "to=\"end.u\"", "to=\"end.u.x\""},
      {"path_with_a_slash", "from=\"part.y\"", "from=\"part/y\""},
      {"output_of_a_subsystem_undriven", "    <connect from=\"gain.y\" to=\"y\"/>\n", "", 11},
      {"units_that_do_not_add", "from=\"smooth.y\" to=\"error.u[1]\"",
       "from=\"metre.y\" to=\"error.u[1]\"/> <block name=\"metre\" type=\"sources/Constant\" value=\"1 m\""},
      {"shapes_that_do_not_add", "from=\"smooth.y\" to=\"error.u[1]\"",
       "from=\"three.y\" to=\"error.u[1]\"/> <block name=\"three\" type=\"sources/Constant\" value=\"1 2 3 N\""},
      {"loop_without_a_delay", "from=\"wave.y\" to=\"error.u[0]\"", "from=\"twice.y\" to=\"error.u[0]\"", 5},
      {"number_where_a_condition_is_wanted", "name=\"twice\"", "name=\"twice\" enable=\"wave.y\""},
      {"condition_unknown", "name=\"twice\"", "name=\"twice\" enable=\"abov.y\""},
      {"outputs_without_enable", "name=\"twice\"", "name=\"twice\" outputs=\"reset\""},
      {"sample_time_is_a_word", "name=\"smooth\"", "name=\"smooth\" sample_time=\"fast\""},
      {"sample_time_of_nothing", "name=\"smooth\"", "name=\"smooth\" sample_time=\"0 ms\""},
      {"period_of_nothing", "period=\"1 ms\"", "period=\"0 ms\""},
      {"period_is_a_length", "period=\"1 ms\"", "period=\"1 mm\""},
      {"expression_with_an_unknown_name", "${corner}", "${corners}"},
      {"expression_cut_off", "${corner}", "${corner"},
      {"expression_with_a_hanging_sign", "${corner}", "${corner*}"},
      {"expression_that_adds_unlike_units", "${corner}", "${corner + 1 s}"},
      {"format_left_out", "format=\"1\" ", ""},
      {"format_of_tomorrow", "format=\"1\"", "format=\"2\""},
      {"tag_not_closed", "type=\"math/Sum\" signs=\"+-\"/>", "type=\"math/Sum\" signs=\"+-\">"},
      {"tag_closed_by_another", "</subsystem>", "</subsytem>"},
      {"quotes_left_out", "gain=\"2\"", "gain=2"},
      {"less_than_in_an_attribute", "greater", "<"},
      {"ampersands_in_an_attribute", "doc=\"Of the filter\"", "doc=\"high && low\""},
      {"text_between_elements", "  <block name=\"end\"", "  // the end\n  <block name=\"end\"", 16},
      {"element_misspelt", "<block name=\"twice\"", "<blok name=\"twice\""},
      {"element_of_another_tool", "<block name=\"twice\" type=\"math/Gain\" gain=\"2\"/>",
       "<gain name=\"twice\" value=\"2\"/>"},
      {"mode_misspelt", "name=\"end\"", "name=\"end\" mode=\"hardwar\""},
      {"file_of_a_subsystem_not_there", "<block name=\"twice\" type=\"math/Gain\" gain=\"2\"/>",
       "<subsystem name=\"twice\" src=\"parts/twice.xml\"/>"},
      {"limits_where_nothing_moves", "  <block name=\"end\"",
       "  <limits on=\"end.u\" magnitude=\"1 N\"/>\n  <block name=\"end\""},
      {"power_port_without_power", "  <block name=\"end\"",
       "  <power_port name=\"p\" effort=\"wave.y\" flow=\"smooth.y\"/>\n  <block name=\"end\""},
      {"log_of_an_unknown_signal", "  <block name=\"end\"", "  <log signals=\"smoth.y\"/>\n  <block name=\"end\""},
      {"figure_without_a_title", "  <block name=\"end\"", "  <figure signals=\"smooth.y\"/>\n  <block name=\"end\""},

      {"set_forgotten", "", "run it.xml corner=2Hz"},
      {"set_without_a_value", "", "run it.xml --set corner"},
      {"set_of_an_unknown_parameter", "", "run it.xml --set cornr=2Hz"},
      {"set_of_another_unit", "", "run it.xml --set corner=2s"},
      {"file_misspelt", "", "run ti.xml"},
      {"file_not_there", "", "check nothing_like_it.xml"},
      {"folder_for_a_file", "", "run ."},
      {"mode_that_is_not_there", "", "run it.xml --mode hardware"},
      {"duration_with_a_wrong_unit", "", "run it.xml --for 3m"},
      {"rig_where_there_is_none", "", "run it.xml --rig it.xml"},
      {"log_over_the_diagram", "", "run it.xml --for 1s --log it.xml"},
      {"describe_misspelt", "", "describe math/Gian"},
      {"describe_what_is_not_there", "", "describe math/Convert"},
      {"blocks_misspelt", "", "blocks integratr"},
      {"draw_the_inside_of_nothing", "", "draw it.xml --inside prt"},
      {"plot_a_diagram", "", "plot it.xml --signals wave.y"},
      {"report_of_nothing", "", "report out/bench.mcap"},
  };
  return all;
}

/// Sections "## NAME" of the file.
std::map<std::string, std::string> golden() {
  std::ifstream file(said, std::ios::binary);
  std::map<std::string, std::string> sections;
  std::string name;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("## "))
      name = line.substr(3);
    else
      sections[name] += line + "\n";
  return sections;
}

std::string answer(const Mistake& mistake, int& line) {
  const Workplace here;
  std::string text = sound;
  std::string command = "check it.xml";
  line = mistake.line;
  if (*mistake.right != '\0') {
    const std::size_t at = text.find(mistake.right);
    EXPECT_NE(at, std::string::npos) << "the sound diagram has no " << mistake.right;
    if (line == 0)
      line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    text.replace(at, std::string(mistake.right).size(), mistake.wrong);
  } else {
    command = mistake.wrong;
  }
  here.write("it.xml", text);
  const Result outcome = here.hilda(command);
  const bool warned = outcome.exit == 0 && outcome.err.find("warning[") != std::string::npos;
  EXPECT_TRUE(outcome.exit == 2 || outcome.exit == 64 || warned) << "exit " << outcome.exit;
  std::string told = "$ hilda " + command + "\n" + outcome.out + outcome.err;
  if (command == "check it.xml")
    told = std::string(mistake.right) + "  ->  " + mistake.wrong + "\n" + outcome.out + outcome.err;
  const std::string folder = here.path().string() + "/";
  for (std::size_t at = told.find(folder); at != std::string::npos; at = told.find(folder))
    told.erase(at, folder.size());
  if (!told.ends_with('\n')) told += '\n';
  return told + "\n";
}

class Words : public testing::TestWithParam<Mistake> {};

TEST_P(Words, NameTheLineAndSayHowToMendIt) {
  int line = 0;
  const std::string told = answer(GetParam(), line);
  if (line > 0) { EXPECT_THAT(told, testing::HasSubstr("it.xml:" + std::to_string(line) + ": ")) << told; }
  const bool mends = told.find("help: ") != std::string::npos || told.find("did you mean") != std::string::npos ||
                     told.find("such as") != std::string::npos;
  EXPECT_TRUE(mends) << told;
  if (std::getenv("HILDA_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(said, std::ios::binary | std::ios::app) << "## " << GetParam().name << "\n" << told;
    return;
  }
  EXPECT_EQ(told, golden()[GetParam().name]);
}

INSTANTIATE_TEST_SUITE_P(Of, Words, testing::ValuesIn(mistakes()),
                         [](const testing::TestParamInfo<Mistake>& each) { return std::string(each.param.name); });

TEST(SoundDiagram, IsSound) {
  const Workplace here;
  here.write("it.xml", sound);
  EXPECT_EQ(here.hilda("check it.xml").exit, 0);
}

} // namespace
} // namespace hilda::test
