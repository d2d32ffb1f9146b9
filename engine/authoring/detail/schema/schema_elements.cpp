// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/schema_elements.h"

#include "engine/base/word_list.h"
#include "engine/catalogue/driven_type.h"
#include "engine/quantity/value.h"

#include <cmath>

namespace hilda::authoring::schema {
namespace {

/// "[s, default 0 s, at least 0]"
std::string traits(const Slot& slot) {
  std::string text;
  const std::string kind = kind_name(slot.kind);
  if (!kind.empty())
    add_word(text, kind);
  else if (!slot.unit_text.empty() && slot.unit_text != "1")
    add_word(text, slot.unit_text);
  if (!slot.initial)
    add_word(text, "must be given");
  else if (!slot.initial->empty())
    add_word(text, "default " + *slot.initial);
  const bool number = slot.element == HILDA_F64 || slot.element == HILDA_I64 || slot.element == HILDA_U64;
  if (number && std::isfinite(slot.minimum))
    add_word(text, (slot.is(HILDA_ABOVE) ? "above " : "at least ") + decimal(slot.minimum));
  if (number && std::isfinite(slot.maximum))
    add_word(text, (slot.is(HILDA_BELOW) ? "below " : "at most ") + decimal(slot.maximum));
  return text.empty() ? "" : " [" + text + "]";
}

std::string ports(const BlockType& type, hilda_role role, const char* title) {
  std::string text;
  for (const Slot& slot : type.slots) {
    if (slot.role != role) continue;
    const std::string kind = slot.kind == HILDA_PLAIN ? slot.unit_text : kind_name(slot.kind);
    add_word(text, slot.name + (slot.is(HILDA_REPEATED) ? "[]" : "") + (kind.empty() ? "" : " (" + kind + ")"));
  }
  return text.empty() ? "" : std::string("\n") + title + text;
}

} // namespace

AttributeRule rule_of(const AttributeKind& kind) {
  std::string doc(kind.doc);
  if (!kind.unit.empty()) doc += " [" + std::string(kind.unit) + "]";
  return {std::string(kind.name), kind.value.empty() ? ValueRule{} : rule(std::string(kind.value)),
          kind.needed != AttributeKind::Needed::no, std::move(doc)};
}

std::vector<AttributeRule> rules_of(std::span<const AttributeKind> attributes) {
  std::vector<AttributeRule> made;
  for (const AttributeKind& each : attributes) made.push_back(rule_of(each));
  return made;
}

ElementRule rule_of(const ElementKind& kind) {
  return {std::string(kind.tag), std::string(kind.doc), rules_of(kind.attributes)};
}

std::vector<ElementRule> plain_elements() {
  std::vector<ElementRule> made;
  for (const ElementKind* each : elements::all)
    if (each != &elements::block && each != &elements::subsystem) made.push_back(rule_of(*each));
  return made;
}

std::vector<AttributeRule> parameters_of(const BlockType& type) {
  std::vector<AttributeRule> made;
  for (const Slot& slot : type.slots)
    if (slot.role == HILDA_PARAMETER)
      made.push_back(
          {slot.name, rule_of(slot), !slot.initial.has_value() && !may_be_driven(type, slot), slot.doc + traits(slot)});
  return made;
}

std::string documentation_of(const BlockType& type) {
  return type.doc + ports(type, HILDA_INPUT, "Inputs: ") + ports(type, HILDA_OUTPUT, "Outputs: ");
}

} // namespace hilda::authoring::schema
