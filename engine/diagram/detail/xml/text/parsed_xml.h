// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>

namespace tinyxml2 {
class XMLDocument;
}

namespace hilda::diagram {

/// An attribute as parsed: `period="1 ms"`.
struct ParsedAttribute {
  std::string_view name, value;
  int line = 0;
};

/// A piece of a parsed file.
struct ParsedNode {
  enum class Kind : std::uint8_t { element, comment, declaration, text, other };
  Kind kind = Kind::element;
  int line = 0;
  std::string_view name; ///< of an element; else its text
  std::span<const ParsedAttribute> attributes;
  const ParsedNode* first_child = nullptr;
  const ParsedNode* next = nullptr; ///< within the same element

  bool is_element() const { return kind == Kind::element; }
  /// Null where it is none.
  const ParsedNode* as_element() const { return is_element() ? this : nullptr; }
  /// The first element within, or the next sibling; null where there is none.
  const ParsedNode* first_element() const { return element_from(first_child); }
  const ParsedNode* next_element() const { return element_from(next); }
  const ParsedAttribute* attribute(std::string_view wanted) const {
    for (const ParsedAttribute& each : attributes)
      if (each.name == wanted) return &each;
    return nullptr;
  }

private:
  static const ParsedNode* element_from(const ParsedNode* node) {
    while (node != nullptr && !node->is_element()) node = node->next;
    return node;
  }
};

/// What the text of a file says, which must live as long: names and values lie in it.
class ParsedXml {
public:
  ParsedXml();
  ~ParsedXml();
  ParsedXml(const ParsedXml&) = delete;
  ParsedXml& operator=(const ParsedXml&) = delete;

  /// The first element of the file, or null.
  const ParsedNode* root() const { return top_.first_element(); }

  /// Reads a text of which nothing is doubtful: elements with attributes and comments, without references, other
  /// markup or text between. False, and nothing is read, where a parser of the whole language is required.
  bool read_plain(std::string_view text);
  /// Takes over what another parser has found.
  void take(std::unique_ptr<tinyxml2::XMLDocument> document);

private:
  friend class PlainXmlParser;

  ParsedNode& add(ParsedNode*& last, ParsedNode& parent, ParsedNode::Kind kind, int line, std::string_view name);
  std::span<const ParsedAttribute> keep(std::span<const ParsedAttribute> attributes);
  void clear();

  std::pmr::monotonic_buffer_resource memory_;
  std::unique_ptr<tinyxml2::XMLDocument> document_; ///< what was taken over lies in it
  ParsedNode top_;
};

} // namespace hilda::diagram
