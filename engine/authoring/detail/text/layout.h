// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/detail/text/text_edit.h"
#include "engine/authoring/spans.h"
#include "engine/modules.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::authoring {

/// An element that is not in the file yet.
struct NewElement {
  std::string tag;
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// How a file is laid out: a new element is written like its neighbours.
class Layout {
public:
  Layout(const std::string& text, const XmlSpans& spans) : text_(text), spans_(spans) {}

  /// The line end that is used near a place.
  std::string line_end(std::size_t at) const;
  /// What indents an element where it is the first on its line, else nothing.
  std::string indent(const XmlNode& node) const;
  bool begins_line(const XmlNode& node) const;
  /// By how much a child is indented against its parent.
  std::string step() const;
  /// What would indent a child of this element.
  std::string child_indent(const XmlNode& parent) const;

  /// A new element, written as `like` is (null: as hilda's own diagrams are).
  std::string written(const NewElement& element, const XmlNode* like) const;
  /// Puts finished elements behind a child of `parent`, each on a separate line where those are; null: as its first.
  /// @param gap  an empty line before them
  void insert(const XmlNode& parent, const XmlNode* behind, const std::vector<std::string>& elements, bool gap,
              TextEdit& edit) const;
  /// Behind an element and the remarks behind it on its line.
  std::size_t behind_remarks(const XmlNode& parent, const XmlNode& child) const;
  /// Takes an element out, with its line where that holds nothing else.
  void remove(const XmlNode& node, TextEdit& edit) const;

  /// Gives an element's attribute another value, or a further attribute.
  void set(const XmlNode& node, const std::string& attribute, const std::string& value, TextEdit& edit) const;
  /// Takes an attribute out, with the blanks before it.
  void unset(const XmlNode& node, const XmlAttribute& attribute, TextEdit& edit) const;

  /// The text of an attribute's value between quotes of this kind.
  static std::string escaped(std::string_view value, char quote);

private:
  std::size_t line_begin(std::size_t at) const;
  void insert_first(const XmlNode& parent, const std::vector<std::string>& elements, TextEdit& edit) const;
  /// Between the attribute before and this one.
  std::string_view before(const XmlNode& node, std::size_t attribute) const;
  std::string separator(const XmlNode& node, std::size_t added) const;

  const std::string& text_;
  const XmlSpans& spans_;
};

} // namespace hilda::authoring
