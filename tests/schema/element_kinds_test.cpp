// SPDX-License-Identifier: BSD-3-Clause
// The one table of elements and attributes (engine/diagram/element_kinds.h) is what the manual, the page and Python's
// stub say.
#include "engine/diagram/element_kinds.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

const std::filesystem::path project = test::source_folder();
using Strings = std::set<std::string>;

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(project / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The words between backticks or quotes in a text.
Strings quoted(const std::string& text, const std::string& pattern) {
  Strings found;
  const std::regex each(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), each), end; at != end; ++at) found.insert((*at)[1].str());
  return found;
}

Strings names_of(const ElementKind& kind, bool required) {
  Strings names;
  for (const AttributeKind& each : kind.attributes)
    if ((each.needed != AttributeKind::Needed::no) == required) names.insert(std::string(each.name));
  return names;
}

std::string row_of(const std::string& page, const ElementKind& kind) {
  const std::string begin = "\n| `" + std::string(kind.tag) + "` |";
  const std::size_t at = page.find(begin);
  return at == std::string::npos ? "" : page.substr(at + begin.size(), page.find('\n', at + 1) - at - begin.size());
}

TEST(ElementKinds, TheManualListsTheAttributesOfEachElement) {
  const std::string page = contents("docs/diagram.md");
  std::vector<const ElementKind*> kinds(elements::all.begin(), elements::all.end());
  kinds.push_back(&elements::diagram);
  for (const ElementKind* kind : kinds) {
    const std::string row = row_of(page, *kind);
    ASSERT_FALSE(row.empty()) << "docs/diagram.md has no row for <" << kind->tag << ">";
    const std::size_t middle = row.find('|');
    Strings required = quoted(row.substr(0, middle), "`([a-z_]+)`"),
            optional = quoted(row.substr(middle), "`([a-z_]+)`");
    if (kind == &elements::subsystem) required.erase("src"), optional.insert("src"); // or a body
    if (kind == &elements::limits) // "those of its input": the limits of motion, in a separate table
      for (const char* each : MotionLimits::names) optional.insert(each);
    EXPECT_EQ(required, names_of(*kind, true)) << kind->tag;
    EXPECT_EQ(optional, names_of(*kind, false)) << kind->tag;
  }
}

TEST(ElementKinds, ThePageKnowsTheElementsWithNames) {
  const std::string protocol = contents("tools/studio/page/edit/protocol.ts");
  const std::size_t begin = protocol.find("export interface EditElement"), kind = protocol.find("kind:", begin);
  const std::string line = protocol.substr(kind, protocol.find(';', kind) - kind);
  Strings named;
  for (const ElementKind* each : elements::all)
    if (each->has_name()) named.insert(std::string(each->tag));
  EXPECT_EQ(quoted(line, "\"([a-z_]+)\""), named);
}

TEST(ElementKinds, PythonsStubListsWhatCanBeAdded) {
  const std::string stub = contents("python/hilda/_engine.pyi");
  const std::size_t begin = stub.find("def add(self, type: str"), text = stub.find("\"\"\"", begin);
  const std::string doc = stub.substr(text, stub.find("\"\"\"", text + 3) - text);
  Strings added;
  for (const ElementKind* each : elements::all)
    if (each != &elements::block && each != &elements::connect) added.insert(std::string(each->tag));
  EXPECT_EQ(quoted(doc, "'([a-z_]+)'"), added);
}

/// A tag that occurs nowhere else in the tree: whatever file contains it has a second list of elements.
TEST(ElementKinds, NoOtherSourceSpellsAPowerPort) {
  Strings found;
  for (const char* folder : {"engine", "tools", "python"})
    for (const auto& each : std::filesystem::recursive_directory_iterator(project / folder)) {
      const std::string end = each.path().extension();
      if (end != ".h" && end != ".cpp" && end != ".ts" && end != ".py" && end != ".pyi") continue;
      const std::filesystem::path file = std::filesystem::relative(each.path(), project);
      const std::string text = contents(file);
      if (text.find("\"power_port\"") != std::string::npos || text.find("'power_port'") != std::string::npos)
        found.insert(file.generic_string());
    }
  EXPECT_EQ(found, (Strings{"engine/diagram/element_kinds.h", "python/hilda/_engine.pyi",
                            "tools/studio/page/edit/protocol.ts"}));
}

/// The keys that edits use are attributes of their elements, and a name is always required.
TEST(ElementKinds, KeysAreAttributes) {
  for (const ElementKind* each : elements::all) {
    EXPECT_EQ(elements::find(each->tag), each);
    if (each->key.empty()) continue;
    ASSERT_NE(each->find(each->key), nullptr) << each->tag;
    EXPECT_EQ(each->find(each->key)->needed, AttributeKind::Needed::yes) << each->tag;
  }
  EXPECT_EQ(elements::find("blocks"), nullptr);
}

} // namespace
} // namespace hilda::test
