// SPDX-License-Identifier: BSD-3-Clause
// A diagram that is grouped, extracted or renamed is the same system: the same blocks with the same parameters, and
// wires between them, but for their paths.
#include "engine/authoring/diagram_editor.h"
#include "engine/compile/loaded_diagram.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <set>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Blocks and wires as text; paths without "made.".
std::multiset<std::string> system_text(const System& system) {
  const auto plain = [](std::string path) {
    if (path.starts_with("made.")) path.erase(0, 5);
    return path;
  };
  const auto port = [&](const PortRef& end) {
    if (!end.block.valid()) return std::string("-");
    const SystemBlock& block = system.blocks[end.block];
    return plain(block.path) + "." + block.type->slots[end.slot].name + "[" + std::to_string(end.item) + "]";
  };
  std::multiset<std::string> all;
  for (const SystemBlock& block : system.blocks) {
    std::string line = plain(block.path) + " " + block.type->name;
    for (const auto& parameter : block.parameters) line += " " + *parameter.text;
    all.insert(line);
  }
  for (const auto& wire : system.wires) all.insert(port(wire.from) + " -> " + port(wire.to));
  return all;
}

class SameSystem : public ::testing::TestWithParam<const char*> {};

TEST_P(SameSystem, AfterGroupingAndExtracting) {
  const test::Folder folder; // a separate library root
  fs::copy(fs::path(test::source_folder()) / "diagrams", folder / "diagrams", fs::copy_options::recursive);
  fs::current_path(folder / "diagrams");
  const std::string file = GetParam(), first = contents(file);
  const Catalogue& catalogue = test::all_plugins().catalogue();
  const LoadedDiagram before(catalogue, DiagramText{file, first});
  ASSERT_TRUE(before.ok()) << before.diagnostics().text();
  std::vector<std::string> names;
  const std::string tag = "\n  <block name=\"";
  for (std::size_t at = first.find(tag); at != std::string::npos; at = first.find(tag, at + 1)) {
    const std::size_t begin = at + tag.size();
    names.push_back(first.substr(begin, first.find('"', begin) - begin));
  }
  ASSERT_GT(names.size(), 2U);
  std::mt19937 draw(5);
  for (int round = 0; round < 6; ++round) {
    std::set<std::string> chosen;
    while (chosen.size() < 3 && chosen.size() < names.size()) chosen.insert(names[draw() % names.size()]);
    Words group{"group"};
    for (const std::string& name : chosen) group.push_back("block:" + name);
    group.insert(group.end(), {"as", "made"});
    DiagramEditor editor(file, (folder / "diagrams").string() + "/" + file, first);
    Diagnostics diagnostics;
    ASSERT_TRUE(editor.apply({group}, diagnostics)) << diagnostics.text();
    const LoadedDiagram grouped(catalogue, DiagramText{file, editor.text()});
    ASSERT_TRUE(grouped.ok()) << ::testing::PrintToString(group) << grouped.diagnostics().text() << editor.text();
    EXPECT_EQ(system_text(grouped.system()), system_text(before.system())) << ::testing::PrintToString(group);
    const std::string part = "made" + std::to_string(round) + ".xml";
    ASSERT_TRUE(editor.apply({{"extract", "made", "to", part}}, diagnostics)) << diagnostics.text();
    folder.write("diagrams/" + part, editor.files()[0].text);
    const LoadedDiagram extracted(catalogue, DiagramText{file, editor.text()});
    ASSERT_TRUE(extracted.ok()) << extracted.diagnostics().text() << editor.text() << editor.files()[0].text;
    const auto blocks = [](const System& system) {
      std::multiset<std::string> lines;
      for (const std::string& line : system_text(system)) lines.insert(line.substr(0, line.find(' ')));
      return lines;
    };
    EXPECT_EQ(blocks(extracted.system()), blocks(before.system()));
    EXPECT_EQ(extracted.system().wires.size(), before.system().wires.size());
    EXPECT_TRUE(editor.undo() && editor.undo());
    EXPECT_EQ(editor.text(), first);
  }
  fs::current_path(test::source_folder());
}

INSTANTIATE_TEST_SUITE_P(Diagrams, SameSystem, ::testing::Values("pida.xml", "dac.xml"), [](const auto& one) {
  return std::string(one.param).substr(0, std::string(one.param).find('.'));
});

} // namespace
} // namespace hilda::test
