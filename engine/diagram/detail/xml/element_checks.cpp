// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/error.h"
#include "engine/diagram/detail/xml/elements.h"
#include "engine/diagram/names.h"

#include <map>
#include <utility>

// What an element may not hold, and what its name and its mode must be like.

namespace hilda::diagram {

void ElementReader::refuse_children(const ParsedNode& element) {
  for (const ParsedNode* at = element.first_child; at != nullptr; at = at->next) {
    if (const ParsedNode* inner = at->as_element())
      refuse_child(*inner, element);
    else
      refuse_content(*at, element);
  }
}

void ElementReader::refuse_child(const ParsedNode& inner, const ParsedNode& element) {
  context_.diagnostics->error("misplaced-element", context_.at(inner.line),
                              "<" + std::string(inner.name) + "> is inside " + element_label(element),
                              "close " + element_label(element) + " before it with '/>'",
                              {{context_.at(element.line), element_label(element) + " begins here"}});
}

void ElementReader::refuse_content(const ParsedNode& node, const ParsedNode& parent) {
  if (node.kind == ParsedNode::Kind::comment || node.kind == ParsedNode::Kind::declaration) return;
  context_.diagnostics->error("stray-text", context_.at(node.line),
                              "text " + hilda::base::in_quotes(node.name) + " is inside " + element_label(parent),
                              "values are attributes; write remarks as <!-- ... --> or doc=\"...\"");
}

bool ElementReader::check_name(std::string_view name, Location where, bool dotted) {
  if (is_element_name(name, dotted)) return true;
  context_.diagnostics->error("bad-name", where, hilda::base::in_quotes(name) + " is not a name",
                              name_help(name, dotted));
  return false;
}

/// Notes and areas share their names with blocks, subsystems and inputs: edits name them by the same paths.
void ElementReader::check_annotation_names(const ParsedNode& body, const DiagramDecl& read) {
  std::map<std::string_view, std::pair<std::string_view, Location>> taken;
  const auto note = [&taken](const auto& list, std::string_view kind) {
    for (const auto& each : list)
      taken.try_emplace(std::string_view(each.name).substr(0, each.name.find('.')), kind, each.where);
  };
  for (const ParsedNode* at = body.first_element(); at != nullptr; at = at->next_element()) {
    const ParsedAttribute* name = at->name == "note" || at->name == "area" ? at->attribute("name") : nullptr;
    if (name == nullptr || name->value.empty()) continue;
    if (taken.empty()) note(read.blocks, "block"), note(read.subsystems, "subsystem"), note(read.inputs, "input");
    const auto [other, fresh] = taken.try_emplace(name->value, at->name, context_.at(at->line));
    if (fresh) continue;
    const std::string kind(other->second.first);
    context_.diagnostics->error("duplicate-name", context_.at(at->line),
                                "the " + std::string(at->name) + " " + hilda::base::in_quotes(name->value) +
                                    " has the name of another " + kind,
                                "rename one", {{other->second.second, "the other " + kind + " is here"}});
  }
}

void ElementReader::check_mode(const AttributeReader& read, std::size_t index) {
  if (!read.given(index)) return;
  if (is_element_name(read.view(index), false) && read.view(index) != "replay") return;
  context_.diagnostics->error("bad-mode", read.where(index),
                              hilda::base::in_quotes(read.view(index)) + " is not a name of a mode",
                              "modes are names such as sim or hardware; replay repeats a log of any of them");
}

} // namespace hilda::diagram
