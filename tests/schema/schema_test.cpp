// SPDX-License-Identifier: BSD-3-Clause
// hilda schema: both schemas accept what the engine accepts, and refuse what a schema can.
#include "tests/project_folders.h"
#include "xmllint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path project = source_folder();
const fs::path cases = project / "tests/errors/cases";
constexpr std::array<const char*, 2> kinds = {"rng", "xsd"};

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A folder with both schemas.
class Schemas : public ::testing::Test {
protected:
  void SetUp() override {
    const Result rng = place.hilda("schema -o s.rng"), xsd = place.hilda("schema --xsd -o s.xsd");
    ASSERT_EQ(rng.exit, 0) << rng.err;
    ASSERT_EQ(xsd.exit, 0) << xsd.err;
  }
  static std::string file_of(const char* kind) { return std::string("s.") + kind; }

  /// A diagram with these elements, which the schema accepts.
  bool accepts(const char* kind, const std::string& elements) const {
    place.write("one.xml", "<diagram format=\"1\">" + elements + "</diagram>");
    return accepted(place, file_of(kind), {"one.xml"}).count("one.xml") == 1;
  }

  Workplace place;
};

/// Whether all of a diagram's blocks are standard ones: lessons bring their own plugins.
bool of_standard_blocks(const std::string& text) {
  const std::regex type("<block[^>]*\\stype=\"([a-zA-Z0-9_]+)/");
  for (std::sregex_iterator at(text.begin(), text.end(), type), end; at != end; ++at)
    if (!fs::exists(fs::path(build_folder()) / "lib/hilda/plugins" / ((*at)[1].str() + ".so"))) return false;
  return true;
}

/// Diagrams, rigs, libraries, cells and overlays of a folder.
std::vector<std::string> diagrams_below(const fs::path& folder) {
  std::vector<std::string> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    const std::string text = contents(entry.path());
    const bool ours = text.find("<diagram") != std::string::npos || text.find("<overlay") != std::string::npos;
    if (ours && of_standard_blocks(text)) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_F(Schemas, AcceptEveryDiagram) {
  std::vector<std::string> files = diagrams_below(project / "diagrams");
  EXPECT_GT(files.size(), 25u);
  for (const std::string& more : diagrams_below(project / "examples")) files.push_back(more);
  files.push_back((project / "tests/blocks/every_block.xml").string());
  for (const char* kind : kinds) {
    const std::set<std::string> good = accepted(place, file_of(kind), files);
    for (const std::string& file : files)
      // XML Schema cannot say of one type of block alone that it has parameters with any name (docs/schema.md).
      EXPECT_EQ(good.count(file),
                kind == std::string("xsd") && contents(file).find(" x_deviation=") != std::string::npos ? 0U : 1U)
          << kind << ": " << file << "\n"
          << place.read("verdicts.txt");
  }
}

TEST_F(Schemas, RefuseTheErrorsThatASchemaCanSee) {
  std::map<std::string, std::set<std::string>> refused;
  std::istringstream lines(contents(project / "tests/schema/refused.txt"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    if (line.empty() || line[0] == '#' || !(words >> name)) continue;
    refused[name] = {std::istream_iterator<std::string>(words), {}};
    EXPECT_TRUE(fs::exists(cases / (name + ".xml"))) << name << " is no case";
  }
  std::vector<std::string> names, files;
  for (const fs::directory_entry& entry : fs::directory_iterator(cases)) {
    if (entry.path().extension() != ".xml") continue;
    // Options of a case are in a comment with "--", which strict XML does not allow.
    names.push_back(entry.path().stem().string());
    place.write(entry.path().filename().string(),
                std::regex_replace(contents(entry.path()), std::regex("<!-- hilda:.*?-->"), ""));
    files.push_back(entry.path().filename().string());
  }
  EXPECT_GT(names.size(), 90u);
  for (const char* kind : kinds) {
    const std::set<std::string> good = accepted(place, file_of(kind), files);
    for (const std::string& name : names)
      EXPECT_EQ(good.count(name + ".xml") == 0, refused[name].count(kind) == 1)
          << kind << ": tests/schema/refused.txt says the other of " << name;
  }
}

/// Spellings of a number with any unit.
const std::vector<std::string> numbers = {"5",
                                          ".5",
                                          "5.",
                                          "+5 N",
                                          "-1e-3 N/mm",
                                          "5mm",
                                          "5 1/s",
                                          "inf",
                                          "-inf",
                                          " 5 ms ",
                                          "5 °C",
                                          "5 %",
                                          "1 N/Hz^(1/2)",
                                          "1 kg m2",
                                          "1 2 3",
                                          "1;2;3 mm",
                                          "1 0; 0 1",
                                          "1 2; 3 4; N/m",
                                          "${gap}",
                                          "${2 * gap} 0 mm"};
const std::vector<std::string> no_numbers = {"",     "soon",     "5..2",  "1,5 mm", "5 N/(m",
                                             "true", "1 2 5..3", "${gap", "5 mm)"};

std::string constant(const std::string& name, const std::string& value) {
  return "<block name=\"" + name + "\" type=\"sources/Constant\" value=\"" + value + "\"/>\n";
}

TEST_F(Schemas, ReadNumbersAsTheEngineDoes) {
  std::string elements = "<parameter name=\"gap\" value=\"2\"/>";
  for (std::size_t i = 0; i < numbers.size(); ++i) elements += constant("b" + std::to_string(i), numbers[i]);
  place.write("good.xml", "<diagram format=\"1\">" + elements + "</diagram>");
  const Result good = place.hilda("check good.xml");
  EXPECT_EQ(good.exit, 0) << good.err;
  for (const char* kind : kinds) EXPECT_TRUE(accepts(kind, elements)) << kind << place.read("verdicts.txt");

  for (const std::string& value : no_numbers) {
    place.write("bad.xml",
                "<diagram format=\"1\"><parameter name=\"gap\" value=\"2\"/>" + constant("b", value) + "</diagram>");
    EXPECT_EQ(place.hilda("check bad.xml").exit, 2) << value;
    EXPECT_FALSE(accepts("rng", constant("b", value))) << value;
  }
}

TEST_F(Schemas, KnowEachTypesParameters) {
  const auto block = [](const std::string& more) { return "<block name=\"b\" " + more + "/>"; };
  for (const char* kind : kinds) {
    EXPECT_TRUE(accepts(kind, block("type=\"contact/PhaseLead\" time_constant=\"0 s\" enable=\"gate.y\" ui.x=\"3\"")))
        << kind;
    EXPECT_TRUE(accepts(kind, block("type=\"contact/PhaseLead\" ui.row=\"0\" ui.column=\"1\"") +
                                  "<connect from=\"a.y\" to=\"b.u\" ui.draw=\"tag\"/>"))
        << kind;
    EXPECT_FALSE(accepts(kind, block("type=\"contact/PhaseLaed\""))) << kind;
    EXPECT_FALSE(accepts(kind, block("type=\"discrete/Delay\" fractional=\"roudn\""))) << kind;
    EXPECT_FALSE(accepts(kind, block("type=\"contact/PhaseLead\" ui.nobody=\"3\""))) << kind;
  }
  // What depends on the type, XSD 1.0 cannot say.
  EXPECT_FALSE(accepts("rng", block("type=\"contact/PhaseLead\" gain=\"2\"")));
  EXPECT_TRUE(accepts("xsd", block("type=\"contact/PhaseLead\" gain=\"2\"")));
  EXPECT_FALSE(accepts("rng", block("type=\"contact/PhaseLead\" time_constant=\"-1 ms\"")));
  EXPECT_FALSE(accepts("rng", block("type=\"contact/PhaseLead\" outputs=\"reset\""))) << "outputs wants an enable";
}

TEST_F(Schemas, LeaveForwardedParametersOpen) {
  for (const char* kind : kinds) {
    EXPECT_TRUE(accepts(kind, "<subsystem name=\"rig\" src=\"rig.xml\" stiffness=\"${k}\" ui.anything=\"1\"/>"))
        << kind;
    EXPECT_TRUE(accepts(kind, "<subsystem name=\"part\" gap=\"2 mm\"><parameter name=\"gap\"/></subsystem>")) << kind;
    EXPECT_FALSE(accepts(kind, "<subsystem src=\"rig.xml\"/>")) << kind;
  }
  EXPECT_FALSE(accepts("rng", "<subsystem name=\"rig\" src=\"rig.xml\" period=\"1 ms\"/>"));
  EXPECT_FALSE(accepts("rng", "<subsystem name=\"rig\"/>"));
}

TEST_F(Schemas, XsdFindsNamesThatStandTwiceInOneMode) {
  const std::string once = "<block name=\"b\" mode=\"sim\" type=\"sinks/Terminator\"/>";
  EXPECT_TRUE(accepts("xsd", once + "<block name=\"b\" mode=\"hardware\" type=\"sinks/Terminator\"/>"));
  EXPECT_FALSE(accepts("xsd", once + once));
}

TEST_F(Schemas, ManyAttributesAreNoWorkForever) {
  std::string limits = "<limits on=\"robot.command\" stop_time=\"1 s\"";
  for (const char* name :
       {"position", "rotation", "speed", "angular_speed", "acceleration", "angular_acceleration", "step",
        "angular_step", "force", "torque", "magnitude", "rate", "jerk", "angular_jerk", "ui.x", "ui.y", "ui.note"})
    limits += std::string(" ") + name + "=\"1\"";
  EXPECT_TRUE(accepts("rng", limits + " mode=\"hardware\" doc=\"all\"/>"));
}

TEST_F(Schemas, KnowWhatCanBeAskedOfAMeasurement) {
  for (const char* kind : kinds) {
    EXPECT_TRUE(accepts(kind, "<quality on=\"rig.robot.pose\" resolution=\"1 um\" noise=\"inf m\" delay=\"${d}\" "
                              "rate=\"0\" mode=\"hardware\" doc=\"why\"/>"))
        << kind;
    EXPECT_FALSE(accepts(kind, "<quality noise=\"1 um\"/>")) << kind;
    EXPECT_FALSE(accepts(kind, "<quality on=\"robot.pose\" delay=\"-1 ms\"/>")) << kind;
    EXPECT_FALSE(accepts(kind, "<quality on=\"robot.pose\" speed=\"1\"/>")) << kind;
  }
}

TEST_F(Schemas, AreTheSameEachTime) {
  EXPECT_EQ(place.hilda("schema").out, place.read("s.rng"));
  EXPECT_EQ(place.hilda("schema --xsd").out, place.read("s.xsd"));
}

TEST_F(Schemas, SayWhatThingsMean) {
  for (const char* kind : kinds) {
    const std::string text = place.read(file_of(kind));
    EXPECT_THAT(text, HasSubstr("Delay to undo [s, default 0 s, at least 0]")) << kind;
    EXPECT_THAT(text, HasSubstr("Outputs: led (wrench)")) << kind;
  }
}

TEST_F(Schemas, KnowPluginsAndAttributesThatAreNamed) {
  EXPECT_THAT(place.read("s.rng"), Not(HasSubstr("watched/Build")));
  const Result made =
      place.hilda("schema --plugins '" + build_folder() + "/tests/schema/first' --ui mine --ui ui.yours -o s.rng");
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_TRUE(accepts("rng", "<block name=\"b\" type=\"watched/Build\" ui.mine=\"1\" ui.yours=\"2\"/>"));
  EXPECT_FALSE(accepts("rng", "<block name=\"b\" type=\"watched/Build\" gain=\"1\"/>"));
}

TEST(SchemaFile, WhatCannotBeWrittenIsSaid) {
  const Result failed = Workplace().hilda("schema -o no/such/folder.rng");
  EXPECT_EQ(failed.exit, 3);
  EXPECT_THAT(failed.err, HasSubstr("no/such/folder.rng cannot be written"));
  EXPECT_EQ(Workplace().hilda("schema --ui 'a b'").exit, 64);
}

} // namespace
} // namespace hilda::test
