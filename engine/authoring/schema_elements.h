// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/detail/schema/schema_values.h"
#include "engine/diagram/element_kinds.h"
#include "engine/modules.h"

#include <span>
#include <string>
#include <vector>

namespace hilda::authoring::schema {

struct AttributeRule {
  std::string name;
  ValueRule value;
  bool required = false;
  std::string doc;
};

/// An element whose attributes do not depend on one another, and which is empty.
struct ElementRule {
  std::string name;
  std::string doc;
  std::vector<AttributeRule> attributes;
};

AttributeRule rule_of(const AttributeKind& kind);
std::vector<AttributeRule> rules_of(std::span<const AttributeKind> attributes);
ElementRule rule_of(const ElementKind& kind);

/// The elements of a diagram other than block and subsystem.
std::vector<ElementRule> plain_elements();

/// The parameters of a block type, each with unit, default and range in its documentation.
std::vector<AttributeRule> parameters_of(const BlockType& type);
/// What a block does and which ports it has.
std::string documentation_of(const BlockType& type);

} // namespace hilda::authoring::schema
