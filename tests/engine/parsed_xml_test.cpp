// SPDX-License-Identifier: BSD-3-Clause
// A plain text is read without the parser of the whole language: it must mean what that parser says.

#include "engine/diagram/detail/xml/text/parsed_xml.h"
#include "engine/diagram/document.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <tinyxml2.h>
#include <vector>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

void dump(const ParsedNode& node, std::string& into) {
  into += std::to_string(static_cast<int>(node.kind)) + " " + std::to_string(node.line) + " " + std::string(node.name);
  for (const ParsedAttribute& each : node.attributes)
    into += " " + std::to_string(each.line) + ":" + std::string(each.name) + "=[" + std::string(each.value) + "]";
  into += "(";
  for (const ParsedNode* at = node.first_child; at != nullptr; at = at->next) dump(*at, into);
  into += ")";
}

/// From the first element on; empty where there is none.
std::string dump(const ParsedXml& document) {
  std::string text;
  for (const ParsedNode* at = document.root(); at != nullptr; at = at->next) dump(*at, text);
  return text;
}

/// What the parser says; nothing where it refuses the text, or the checks next to it do.
std::optional<std::string> parsed(const std::string& text) {
  Sources sources;
  Diagnostics unheard;
  auto document = std::make_unique<tinyxml2::XMLDocument>();
  if (!parse_xml(sources.add("test.xml", "", text), *document, unheard)) return std::nullopt;
  ParsedXml taken;
  taken.take(std::move(document));
  return dump(taken);
}

/// The text as it is read where it is plain.
std::optional<std::string> plain(const std::string& text) {
  ParsedXml document;
  if (!document.read_plain(text)) return std::nullopt;
  return dump(document);
}

std::vector<std::string> shipped() {
  std::vector<std::string> texts;
  for (const char* folder : {"diagrams", "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_folder()) / folder)) {
      if (entry.path().extension() != ".xml") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  return texts;
}

TEST(ParsedXml, ShippedDiagramsMeanWhatTheParserSays) {
  std::size_t read_at_once = 0;
  const std::vector<std::string> texts = shipped();
  ASSERT_GT(texts.size(), 50u);
  for (const std::string& text : texts) {
    const std::optional<std::string> at_once = plain(text);
    if (!at_once) continue;
    ++read_at_once;
    EXPECT_EQ(*at_once, parsed(text)) << text.substr(0, 200);
  }
  EXPECT_GT(read_at_once, texts.size() / 2) << "most diagrams are plain";
}

TEST(ParsedXml, WhatIsDoubtfulIsLeftToTheParser) {
  for (const char* text : {"",
                           " ",
                           "<a>",
                           "<a></b>",
                           "</a>",
                           "<a/",
                           "<a b/>",
                           "<a b=/>",
                           "<a b='1' b='2'/>",
                           "<a b='1'c='2'/>",
                           "<a b='&lt;'/>",
                           "<a b='<'/>",
                           "<a>x</a>",
                           "x<a/>",
                           "<a/>x",
                           "<a><![CDATA[x]]></a>",
                           "<!DOCTYPE a><a/>",
                           "<a><?x?></a>",
                           "<a b='\r\n'/>",
                           "<1/>",
                           "<a 1='2'/>",
                           "<\xc3\xa4/>",
                           "<a b='1/>",
                           "<a b=1/>",
                           "<!-- x",
                           "<?xml version='1.0'",
                           "<a / >",
                           "<a>< /a>"})
    EXPECT_EQ(plain(text), std::nullopt) << text;
}

TEST(ParsedXml, PlainTextsAreReadAtOnce) {
  for (const char* text :
       {"<a/>",
        "<?xml version='1.0'?>\n<a\n b = '1\n2'\n\n c=\"x'y\" ><b/><!-- -\n- --><c-d.e:f _g=''></c-d.e:f\n></a >\n",
        "<a/><b/>", "<!-- x --><a b='>'/>"}) {
    ASSERT_NE(plain(text), std::nullopt) << text;
    EXPECT_EQ(plain(text), parsed(text)) << text;
  }
}

/// Texts with bytes changed, taken out and put in: whatever is read at once, the parser reads likewise.
TEST(ParsedXml, ChangedTextsMeanWhatTheParserSays) {
  const std::string letters = "<>/='\" \n&!?-ab1.:[]";
  std::mt19937 draw(20261123);
  const auto below = [&draw](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(draw);
  };
  const std::vector<std::string> texts = shipped();
  std::size_t read_at_once = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = texts[below(texts.size())];
    if (text.size() > 6000) continue;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      switch (below(3)) {
      case 0: text[at] = letters[below(letters.size())]; break;
      case 1: text.erase(at, 1 + below(4)); break;
      default: text.insert(at, 1, letters[below(letters.size())]);
      }
    }
    const std::optional<std::string> at_once = plain(text);
    if (!at_once) continue;
    ++read_at_once;
    ASSERT_EQ(*at_once, parsed(text)) << text;
  }
  EXPECT_GT(read_at_once, 200u);
}

} // namespace
} // namespace hilda::test
