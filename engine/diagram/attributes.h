// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/detail/model/element_kind.h"
#include "engine/diagram/detail/xml/text/parsed_xml.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/suggestion.h"
#include "engine/modules.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::diagram {

/// What the readers of a file share.
struct XmlContext {
  const Sources::File* file = nullptr;
  Diagnostics* diagnostics = nullptr;
  Suggestions* suggestions = nullptr;

  Location at(int line) const { return {&file->name, line}; }
};

/// An attribute that an element may have.
struct Known {
  std::string_view name;
  bool required = false;
  bool may_be_empty = false; ///< free text; elsewhere nothing between the quotes is a mistake
};

/// What people write for one another.
inline constexpr Known doc_attribute{"doc", false, true};

/// The attributes of a kind of element as the reader needs them.
template <const ElementKind& Kind>
inline constexpr std::array<Known, Kind.attributes.size()> known_of = [] {
  std::array<Known, Kind.attributes.size()> made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    const AttributeKind& each = Kind.attributes[i];
    made[i] = {each.name, each.needed == AttributeKind::Needed::yes, each.may_be_empty};
  }
  return made;
}();

/// The attributes of one element: those of `known` by index, the others kept as they are. Attributes that begin with
/// `ui.` belong to editors and are skipped.
///
/// Codes: missing-attribute, empty-attribute, unknown-attribute, too-many-attributes. A misspelt attribute counts
/// as the one that was meant, so that it is reported once; an empty one counts as not given.
class AttributeReader {
public:
  static constexpr std::size_t most = 19;
  enum class Others { refused, kept };

  /// Of `known` the first `used`.
  template <std::size_t Count>
  AttributeReader(const XmlContext& context, const ParsedNode& element, const std::array<Known, Count>& known,
                  Others others, std::size_t used = Count)
      : AttributeReader(context, element, others, std::span(known).first(used)) {
    static_assert(Count <= most, "raise AttributeReader::most");
  }

  bool given(std::size_t index) const { return values_[index].data() != nullptr; }
  std::string text(std::size_t index) const { return std::string(values_[index]); }
  std::string_view view(std::size_t index) const { return values_[index]; }
  Location where(std::size_t index) const { return context_.at(lines_[index]); }
  std::vector<Attribute> take_others() { return std::move(others_); }

private:
  AttributeReader(const XmlContext& context, const ParsedNode& element, Others others, std::span<const Known> known);
  void place(const ParsedAttribute& attribute, Others others);
  void keep(std::size_t index, const ParsedAttribute& attribute);
  bool refused_as_empty(std::size_t index) const { return !given(index) && lines_[index] != 0; }
  void adopt_slip(std::size_t index);

  const XmlContext& context_;
  const ParsedNode& element_;
  std::span<const Known> known_;
  std::array<std::string_view, most> values_{}; ///< without data: not given
  std::array<int, most> lines_{};
  std::vector<Attribute> others_;
};

/// "<block> 'lead'", or "<connect>" where the element has no name.
std::string element_label(const ParsedNode& element);

} // namespace hilda::diagram
