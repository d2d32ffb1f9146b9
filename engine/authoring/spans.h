// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/diagram.h"
#include "engine/modules.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::authoring {

/// Bytes of a text, the end not included.
struct TextSpan {
  std::size_t begin = 0, end = 0;
};

/// `name="value"` in a start tag.
struct XmlAttribute {
  TextSpan name;     ///< of its name
  TextSpan whole;    ///< from its name to its closing quote
  TextSpan text;     ///< between its quotes
  std::string value; ///< as it is meant: references resolved
  char quote = '"';
};

/// An element, or other content between tags, with its place in the text.
struct XmlNode {
  enum class Kind { element, comment, text, declaration };
  Kind kind = Kind::element;
  std::string tag = {};
  TextSpan whole = {};
  TextSpan open = {};  ///< its start tag
  TextSpan close = {}; ///< its end tag; empty where it is closed by "/>"
  int line = 1;
  std::vector<std::pair<std::string, XmlAttribute>> attributes = {};
  std::vector<XmlNode> children = {};

  bool is(std::string_view of) const { return kind == Kind::element && tag == of; }
  const XmlAttribute* find(std::string_view attribute) const;
  /// Of an attribute; empty where it has none of that name.
  std::string_view value(std::string_view attribute) const;
};

/// The places of all elements in the text of a file.
struct XmlSpans {
  std::vector<XmlNode> nodes; ///< the outermost element, and comments and declarations next to it

  const XmlNode& root() const;
};

/// Finds the spans of a file that parses as XML. tinyxml2 says what the file means; the scanner says where it is,
/// and a file on which the two disagree is refused. Codes: edit-not-understood, and those of parse_xml.
std::optional<XmlSpans> scan_spans(const Sources::File& file, Diagnostics& diagnostics);

/// The value of an attribute as tinyxml2 reads it; `from` has for each of its bytes, and for its end, the place in the
/// raw text.
std::string meant_value(std::string_view raw, std::vector<std::size_t>* from = nullptr);

/// The bytes of the file in which `length` bytes of an attribute's value from `at` on are written.
TextSpan span_in_value(std::string_view text, const XmlAttribute& attribute, std::size_t at, std::size_t length);

} // namespace hilda::authoring
