// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/detail/xml/text/parsed_xml.h"

#include <algorithm>
#include <new>
#include <tinyxml2.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace hilda::diagram {
namespace {

// Its memory is given back without destructors.
static_assert(std::is_trivially_destructible_v<ParsedNode> && std::is_trivially_destructible_v<ParsedAttribute>);

ParsedNode::Kind kind_of(const tinyxml2::XMLNode& node) {
  if (node.ToElement() != nullptr) return ParsedNode::Kind::element;
  if (node.ToComment() != nullptr) return ParsedNode::Kind::comment;
  if (node.ToDeclaration() != nullptr) return ParsedNode::Kind::declaration;
  return node.ToText() != nullptr ? ParsedNode::Kind::text : ParsedNode::Kind::other;
}

std::vector<ParsedAttribute> attributes_of(const tinyxml2::XMLElement& element) {
  std::vector<ParsedAttribute> all;
  for (const tinyxml2::XMLAttribute* at = element.FirstAttribute(); at != nullptr; at = at->Next())
    all.push_back({at->Name(), at->Value(), at->GetLineNum()});
  return all;
}

} // namespace

ParsedXml::ParsedXml() : memory_(std::size_t{1} << 14) {}
ParsedXml::~ParsedXml() = default;

ParsedNode& ParsedXml::add(ParsedNode*& last, ParsedNode& parent, ParsedNode::Kind kind, int line,
                           std::string_view name) {
  auto* node = new (memory_.allocate(sizeof(ParsedNode), alignof(ParsedNode))) ParsedNode;
  node->kind = kind, node->line = line, node->name = name;
  (last != nullptr ? last->next : parent.first_child) = node;
  last = node;
  return *node;
}

std::span<const ParsedAttribute> ParsedXml::keep(std::span<const ParsedAttribute> attributes) {
  if (attributes.empty()) return {};
  void* room = memory_.allocate(attributes.size_bytes(), alignof(ParsedAttribute));
  auto* first = static_cast<ParsedAttribute*>(room);
  std::uninitialized_copy(attributes.begin(), attributes.end(), first);
  return {first, attributes.size()};
}

void ParsedXml::clear() {
  top_ = {};
  memory_.release();
}

void ParsedXml::take(std::unique_ptr<tinyxml2::XMLDocument> document) {
  clear();
  document_ = std::move(document);
  struct Level {
    const tinyxml2::XMLNode* next;
    ParsedNode* parent;
    ParsedNode* last;
  };
  std::vector<Level> open{{document_->FirstChild(), &top_, nullptr}};
  while (!open.empty()) {
    Level& level = open.back();
    const tinyxml2::XMLNode* node = level.next;
    if (node == nullptr) {
      open.pop_back();
      continue;
    }
    level.next = node->NextSibling();
    ParsedNode& made = add(level.last, *level.parent, kind_of(*node), node->GetLineNum(), node->Value());
    if (const tinyxml2::XMLElement* element = node->ToElement()) {
      made.attributes = keep(attributes_of(*element));
      open.push_back({element->FirstChild(), &made, nullptr});
    }
  }
}

} // namespace hilda::diagram
