// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/plain_document.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <tinyxml2.h>

namespace hilda::diagram {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} << 20;
constexpr int most_nesting = 64;

bool alike(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

std::string trimmed(const char* text) {
  std::string result = text != nullptr ? text : "";
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  result.erase(result.begin(), std::find_if_not(result.begin(), result.end(), blank));
  while (!result.empty() && blank(result.back())) result.pop_back();
  return result;
}

PlainElement plain(const tinyxml2::XMLElement& element, int nesting) {
  PlainElement result{element.Name(), trimmed(element.GetText()), {}, {}, element.GetLineNum()};
  for (const auto* each = element.FirstAttribute(); each != nullptr; each = each->Next())
    result.attributes.emplace_back(each->Name(), each->Value());
  if (nesting < most_nesting)
    for (const auto* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
      result.children.push_back(plain(*child, nesting + 1));
  return result;
}

void collect(const PlainElement& from, std::string_view name, std::vector<const PlainElement*>& found) {
  for (const PlainElement& child : from.children) {
    if (alike(child.name, name)) found.push_back(&child);
    collect(child, name, found);
  }
}

} // namespace

std::string_view PlainElement::attribute(std::string_view wanted) const {
  for (const auto& [attribute_name, value] : attributes)
    if (alike(attribute_name, wanted)) return value;
  return {};
}

std::vector<const PlainElement*> PlainElement::below(std::string_view wanted) const {
  std::vector<const PlainElement*> found;
  collect(*this, wanted, found);
  return found;
}

std::optional<PlainElement> plain_xml(const std::string& text, const std::string& name, std::string& problem) {
  if (text.size() > most_bytes) {
    problem = name + " is larger than 16 MiB";
    return std::nullopt;
  }
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || document.RootElement() == nullptr) {
    problem = name + ":" + std::to_string(document.ErrorLineNum()) + " is not XML";
    return std::nullopt;
  }
  return plain(*document.RootElement(), 0);
}

std::optional<PlainElement> read_plain_xml(const std::string& path, std::string& problem) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.is_open() && !file.bad()) return plain_xml(text, path, problem);
  problem = path + " cannot be read";
  return std::nullopt;
}

} // namespace hilda::diagram
