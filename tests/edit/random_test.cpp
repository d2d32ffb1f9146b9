// SPDX-License-Identifier: BSD-3-Clause
// Ten thousand edits drawn by a generator, over every diagram of the tree and every bad file of tests/errors: what the
// file declares afterwards is what the operation means, worked out here on what the reader read and not on its text;
// undone, the file has its first bytes again.
#include "engine/authoring/diagram_editor.h"
#include "tests/edit/declared.h"
#include "tests/edit/drawn_operations.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

const fs::path project = source_folder();

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> files() {
  std::vector<fs::path> all;
  for (const char* folder : {"diagrams", "examples", "tests/errors/cases"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(project / folder))
      if (entry.is_regular_file() && entry.path().extension() == ".xml") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

/// The bytes that are neither in an element's tags nor blank: remarks, declarations.
std::string remarks(const std::string& text) {
  std::string all;
  for (std::size_t at = text.find("<!--"); at != std::string::npos; at = text.find("<!--", at + 4))
    all += text.substr(at, text.find("-->", at) - at) + "\n";
  return all;
}

TEST(RandomEdits, MeanWhatTheySayAndAreUndoneToTheByte) {
  constexpr int wanted = 10'000;
  int made = 0, judged = 0, refused = 0;
  const std::vector<fs::path> all = files();
  ASSERT_GT(all.size(), 150U);
  for (unsigned round = 0; made < wanted; ++round) {
    ASSERT_LT(round, 40U) << "too few edits can be made";
    for (std::size_t f = 0; f < all.size() && made < wanted; ++f) {
      const std::string first = contents(all[f]), file = all[f].filename().string();
      fs::current_path(all[f].parent_path());
      Declared before = declared(file, first);
      if (before.diagram == nullptr) continue;
      DiagramEditor editor(file, all[f].string(), first);
      Draws draws(1000 * round + static_cast<unsigned>(f));
      std::vector<std::string> texts{first};
      for (int i = 0; i < 6; ++i) {
        const Drawn drawn = draws.draw(*before.diagram);
        if (drawn.words.empty()) continue;
        Diagnostics diagnostics;
        if (!editor.apply({drawn.words}, diagnostics)) {
          ASSERT_FALSE(diagnostics.ok());
          ASSERT_EQ(editor.text(), texts.back()) << "a refused edit changed the text";
          ASSERT_FALSE(before.sound) << file << ": " << testing::PrintToString(drawn.words) << "\n"
                                     << diagnostics.text();
          ++refused;
          continue;
        }
        texts.push_back(editor.text());
        ++made;
        const bool was_sound = before.sound;
        DiagramDecl expected = *before.diagram;
        before = declared(file, editor.text());
        ASSERT_NE(before.diagram, nullptr) << file << ": " << testing::PrintToString(drawn.words);
        if (drawn.words[0] != "remove") { ASSERT_EQ(remarks(editor.text()), remarks(texts[texts.size() - 2])) << file; }
        if (!was_sound) break; // how a slip is read is the reader's matter
        ++judged;
        drawn.meaning(expected);
        ASSERT_EQ(facts(*before.diagram), facts(expected))
            << file << " seed " << 1000 * round + f << ": " << testing::PrintToString(drawn.words);
        if (!before.sound) break; // such as a name that an overlay reads
      }
      for (std::size_t i = texts.size(); i-- > 1;) {
        ASSERT_TRUE(editor.undo());
        ASSERT_EQ(editor.text(), texts[i - 1]) << file;
      }
      ASSERT_EQ(editor.text(), first);
      for (std::size_t i = 1; i < texts.size(); ++i) {
        ASSERT_TRUE(editor.redo());
        ASSERT_EQ(editor.text(), texts[i]) << file;
      }
    }
  }
  RecordProperty("edits", made);
  RecordProperty("judged", judged);
  RecordProperty("refused", refused);
  EXPECT_GT(judged, wanted / 2);
}

/// One place of a text changed by a generator.
std::string damaged(std::string text, std::mt19937& engine) {
  static const std::vector<std::string> bits = {
      "<",    ">",  "/>", "\"", "'", "<!--", "-->",      "<![CDATA[", "]]>",  "&",       "&#10;", "&lt;",
      "\r\n", "\r", "\t", "${", "}", "=",    "</block>", "<block/>",  "\xC3", "<?a b?>", " ",     "mode=\"sim\" "};
  const auto below = [&engine](std::size_t count) { return engine() % count; };
  const std::size_t at = below(text.size() + 1);
  switch (below(3)) {
  case 0: return text.insert(at, bits[below(bits.size())]);
  case 1: return text.erase(at, below(6));
  default: {
    const std::size_t other = below(text.size() + 1);
    return text.insert(at, text.substr(other, below(80)));
  }
  }
}

TEST(RandomEdits, OfDamagedFilesAreRefusedOrUndone) {
  std::mt19937 engine(7);
  int made = 0, refused = 0;
  for (const fs::path& path : files()) {
    const std::string whole = contents(path), file = path.filename().string();
    fs::current_path(path.parent_path());
    const Declared known = declared(file, whole);
    if (known.diagram == nullptr || known.diagram->blocks.empty()) continue;
    for (int i = 0; i < 40; ++i) {
      std::string text = whole;
      for (auto count = 1 + engine() % 3; count > 0; --count) text = damaged(text, engine);
      const auto name = [&] { return "block:" + known.diagram->blocks[engine() % known.diagram->blocks.size()].name; };
      const std::vector<Words> operations = {{"add", "math/Gain", "zz", "gain=1"},
                                             {"set", "doc=x"},
                                             {"rename", name(), "zz"},
                                             {"remove", name()},
                                             {"group", name(), name(), "as", "zz"}};
      DiagramEditor editor(file, path.string(), text);
      Diagnostics diagnostics;
      const Words& operation = operations[engine() % operations.size()];
      if (editor.apply({operation}, diagnostics)) {
        ++made;
        ASSERT_TRUE(editor.undo());
      } else {
        ++refused;
        ASSERT_FALSE(diagnostics.ok());
      }
      ASSERT_EQ(editor.text(), text) << file << testing::PrintToString(operation);
    }
  }
  EXPECT_GT(made, 1000);
  EXPECT_GT(refused, 1000);
}

} // namespace
} // namespace hilda::test
