// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace hilda::diagram {

/// What the text of an attribute names in a diagram; operations such as rename follow it.
enum class Names : unsigned char {
  nothing,
  source,      ///< one signal: rig.wrench
  destination, ///< one input, or an output of the diagram
  side,        ///< a block or a subsystem
  list,        ///< signals, with * and ?
  setting      ///< a parameter, or that of a block
};

/// An attribute that an element may have.
struct AttributeKind {
  enum class Needed : unsigned char { no, yes, said_apart }; ///< said_apart: the reader has a separate message
  std::string_view name;
  std::string_view value = {}; ///< name of the schema's rule for its text; empty: any text
  std::string_view doc = {};
  std::string_view unit = {}; ///< of its number, for the schema's text
  Needed needed = Needed::no;
  Names names = Names::nothing;
  bool may_be_empty = false; ///< free text; elsewhere nothing between the quotes is a mistake

  constexpr AttributeKind required() const { return with(Needed::yes); }
  constexpr AttributeKind with(Needed is) const {
    AttributeKind made = *this;
    made.needed = is;
    return made;
  }
  constexpr AttributeKind empty_too() const {
    AttributeKind made = *this;
    made.may_be_empty = true;
    return made;
  }
  constexpr AttributeKind naming(Names what) const {
    AttributeKind made = *this;
    made.names = what;
    return made;
  }
};

struct ElementKind {
  enum class Read : unsigned char { by_runs, by_drawings };
  std::string_view tag;
  std::string_view doc;
  std::span<const AttributeKind> attributes;
  int rank = 0;              ///< its place among the others in a file that a person writes
  std::string_view key = {}; ///< the attribute by which edits distinguish those of a body; empty: there is one
  Read read = Read::by_runs;

  constexpr bool has_name() const { return key == "name"; }
  const AttributeKind* find(std::string_view attribute) const {
    const auto at = std::find_if(attributes.begin(), attributes.end(),
                                 [attribute](const AttributeKind& each) { return each.name == attribute; });
    return at == attributes.end() ? nullptr : &*at;
  }
  /// Index of an attribute of this name, for constants: a name that is not there does not compile.
  constexpr std::size_t index(std::string_view attribute) const {
    std::size_t i = 0;
    while (attributes[i].name != attribute) ++i; // beyond the last one it is not a constant expression
    return i;
  }
};

namespace attributes {

template <std::size_t... Counts> constexpr auto joined(const std::array<AttributeKind, Counts>&... parts) {
  std::array<AttributeKind, (Counts + ...)> all{};
  std::size_t at = 0;
  ((std::copy(parts.begin(), parts.end(), all.begin() + at), at += Counts), ...);
  return all;
}

inline constexpr AttributeKind doc = AttributeKind{"doc", "", "What it is, for people"}.empty_too();
inline constexpr AttributeKind mode{"mode", "mode", "The mode in which this exists, such as sim or hardware"};
inline constexpr AttributeKind format{"format", "format", "Version of the format", "",
                                      AttributeKind::Needed::said_apart};

} // namespace attributes

} // namespace hilda::diagram
