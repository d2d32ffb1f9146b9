// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::diagram {

/// An element of an XML file that is none of ours: a vendor's, of which we want to know a few values.
struct PlainElement {
  std::string name, text; ///< text: of the element itself, blanks cut off
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<PlainElement> children;
  int line = 0;

  /// Names are compared without regard to capitals, which vendors change between versions. Empty where there is none.
  std::string_view attribute(std::string_view name) const;
  /// Every element of that name below this one, at any depth, in the file's order.
  std::vector<const PlainElement*> below(std::string_view name) const;
};

/// The file's outermost element; none, and a sentence in `problem`, where the file cannot be read or is not XML.
std::optional<PlainElement> read_plain_xml(const std::string& path, std::string& problem);
/// The same of a text in memory; `name` is what a problem calls it.
std::optional<PlainElement> plain_xml(const std::string& text, const std::string& name, std::string& problem);

} // namespace hilda::diagram
