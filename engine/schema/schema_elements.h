#pragma once

#include "engine/schema/schema_values.h"

#include <string>
#include <vector>

namespace hilda::schema {

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

/// The elements of a diagram other than block and subsystem.
std::vector<ElementRule> plain_elements();
/// What may be inside a block that has its own slots.
std::vector<ElementRule> inner_elements();
/// What every block and every subsystem may have next to its name.
std::vector<AttributeRule> shared_attributes();
/// And every subsystem.
std::vector<AttributeRule> repeating_attributes();
std::vector<AttributeRule> diagram_attributes();
std::vector<AttributeRule> overlay_attributes();
std::vector<AttributeRule> play_attributes();
std::vector<AttributeRule> set_attributes();

/// Names that a subsystem does not forward as parameters.
std::vector<std::string> reserved_names();

/// The parameters of a block type, each with unit, default and range in its documentation.
std::vector<AttributeRule> parameters_of(const BlockType& type);
/// What a block does and which ports it has.
std::string documentation_of(const BlockType& type);

} // namespace hilda::schema
