// SPDX-License-Identifier: BSD-3-Clause
// Every diagnostic that hilda can give has a golden text here.
//
// A case is a diagram cases/CODE.xml, or cases/CODE.WHAT.xml where a code has several, and next to it the exact text of
// its diagnostics in a file .txt. A first line `<!-- hilda: --mode hardware --set a=b -->` in the diagram gives
// options. With HILDA_UPDATE_GOLDEN=1 the texts are written instead of compared; read the difference before you commit
// it.
#include "engine/plugin/library.h"
#include "engine/run/detail/solve/cvode/cvode.h"
#include "engine/run/runtime.h"
#include "engine/run/start.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

const fs::path project = test::source_folder();
const fs::path plugins = fs::path(test::build_folder()) / "lib/hilda/plugins";
const fs::path cases = project / "tests/errors/cases";

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const Catalogue& standard_blocks() {
  return test::standard_plugins({"math", "sources", "routing", "discrete", "continuous", "sinks", "contact", "dynamics",
                                 "kinematics", "kuka_rsi"})
      .catalogue();
}

/// The words of `<!-- hilda: ... -->`.
std::vector<std::string> words_of(const std::string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("<!-- hilda: (.*?) -->"))) return {};
  std::istringstream words(found[1].str());
  return {std::istream_iterator<std::string>(words), {}};
}

/// The options that a case asks for.
LoadOptions options_of(const std::string& name) {
  LoadOptions options;
  const std::vector<std::string> words = words_of(contents(cases / (name + ".xml")));
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    if (words[i] == "--mode")
      options.mode = words[i + 1];
    else if (words[i] == "--rig")
      options.rig = words[i + 1];
    else if (words[i] == "--overlay")
      options.overlays.push_back(words[i + 1]);
    else if (words[i] == "--set")
      options.settings.push_back(words[i + 1]);
    else if (words[i] == "--most-elements")
      options.most_elements = std::stoul(words[i + 1]);
    else
      ADD_FAILURE() << name << ": unknown option " << words[i];
  }
  return options;
}

/// What `hilda` says of a case before its first step.
std::string report(const std::string& name) {
  LoadedDiagram diagram(standard_blocks(), name + ".xml", options_of(name));
  make_runtime(diagram);
  return diagram.diagnostics().text();
}

/// The same of a text in its place.
std::string report(const std::string& name, const std::string& text) {
  LoadedDiagram diagram(standard_blocks(), DiagramText{name + ".xml", text}, options_of(name));
  make_runtime(diagram);
  return diagram.diagnostics().text();
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(cases))
    if (entry.path().extension() == ".xml" && entry.is_regular_file()) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string code_of(const std::string& name) { return name.substr(0, name.find('.')); }

/// The cases whose diagram has a root that names no solver; a variable-step one is what `tolerance-ignored` lacks.
std::vector<std::string> cases_without_solver() {
  std::vector<std::string> names;
  for (const std::string& name : case_names()) {
    const std::string text = contents(cases / (name + ".xml"));
    if (name != "tolerance-ignored" && text.find("<diagram ") != std::string::npos &&
        text.find("solver=") == std::string::npos)
      names.push_back(name);
  }
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& one) {
  std::string name = one.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

class Golden : public ::testing::TestWithParam<std::string> {};
class WithoutSolver : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, IsExact) {
  fs::current_path(cases);
  const std::string said = report(GetParam());
  const fs::path golden = cases / (GetParam() + ".txt");
  if (const char* update = std::getenv("HILDA_UPDATE_GOLDEN"); update != nullptr && *update == '1')
    std::ofstream(golden, std::ios::binary) << said;
  EXPECT_EQ(said, contents(golden));
  EXPECT_NE(said.find("[" + code_of(GetParam()) + "]"), std::string::npos) << said;
}

/// A mistake stays what it is where the diagram asks for another solver, too.
TEST_P(WithoutSolver, HasItsCodeWithVariableSteps) {
  fs::current_path(cases);
  std::string text = contents(cases / (GetParam() + ".xml"));
  const std::size_t root = text.find("<diagram ");
  std::vector<const char*> solvers{"dopri5", "rosenbrock"};
  if (has_cvode()) solvers.insert(solvers.end(), {"cvode", "adams"});
  for (const char* solver : solvers) {
    std::string with = text;
    with.insert(root + 9, std::string("solver=\"") + solver + "\" ");
    const std::string said = report(GetParam(), with);
    EXPECT_NE(said.find("[" + code_of(GetParam()) + "]"), std::string::npos) << solver << "\n" << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, ::testing::ValuesIn(case_names()), test_name);
INSTANTIATE_TEST_SUITE_P(Cases, WithoutSolver, ::testing::ValuesIn(cases_without_solver()), test_name);

/// Codes by the file where they first occur: literals in calls of error, warning, make_error and report.
std::map<std::string, std::string> codes_in_sources() {
  std::map<std::string, std::string> codes;
  const std::regex call(
      R"re(\b(?:error|make_error|warning|report|refuse|fail)\(\s*(?:[a-z_.]+(?:\[[a-z]+\])?,\s*){0,2}"([a-z][a-z0-9]*(?:-[a-z0-9]+)+)")re");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(project / "engine")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    const std::string text = contents(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at)
      codes.emplace((*at)[1].str(), fs::relative(entry.path(), project).string());
  }
  return codes;
}

/// Codes that no file alone provokes, each with the test source that does.
std::map<std::string, std::string> tested_elsewhere() {
  std::map<std::string, std::string> files;
  std::istringstream lines(contents(project / "tests/errors/elsewhere.txt"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string code, file;
    if (line.empty() || line[0] == '#' || !(words >> code >> file)) continue;
    files[code] = file;
  }
  return files;
}

TEST(Errors, EveryCodeHasAGolden) {
  std::set<std::string> golden;
  for (const std::string& name : case_names()) golden.insert(code_of(name));
  const std::map<std::string, std::string> elsewhere = tested_elsewhere();
  const std::map<std::string, std::string> codes = codes_in_sources();
  EXPECT_GT(codes.size(), 50u) << "the sources are no longer read";
  for (const auto& [code, file] : codes) {
    if (golden.count(code) != 0) continue;
    const auto other = elsewhere.find(code);
    if (other == elsewhere.end()) {
      ADD_FAILURE() << code << " of " << file << " has no golden text in tests/errors/cases";
      continue;
    }
    EXPECT_NE(contents(project / other->second).find(code), std::string::npos)
        << "tests/errors/elsewhere.txt says that " << other->second << " tests " << code << ", which it does not name";
  }
}

TEST(Errors, NoGoldenIsLeftOver) {
  const std::map<std::string, std::string> codes = codes_in_sources();
  for (const std::string& name : case_names()) EXPECT_EQ(codes.count(code_of(name)), 1u) << name;
  for (const auto& [code, file] : tested_elsewhere()) EXPECT_EQ(codes.count(code), 1u) << code;
}

TEST(Errors, EveryDiagnosticSaysWhereAndWhatToDo) {
  fs::current_path(cases);
  for (const std::string& name : case_names()) {
    const std::string said = contents(cases / (name + ".txt"));
    EXPECT_NE(said.find("\n  help: "), std::string::npos) << name;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("  ", 0) != 0) {
        EXPECT_TRUE(std::regex_search(
            line, std::regex(R"(^[a-z0-9./_-]+:[0-9]+: (error|warning)\[|^command line: |^(error|warning)\[)")))
            << name << ": " << line;
      }
  }
}

} // namespace
} // namespace hilda::test
