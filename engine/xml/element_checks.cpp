#include "engine/diagnostics/complaint.h"
#include "engine/xml/elements.h"
#include "engine/xml/names.h"

// What an element may not hold, and what its name and its mode must be like.

namespace hilda {

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
                              "text " + hilda::in_quotes(node.name) + " is inside " + element_label(parent),
                              "values are attributes; write remarks as <!-- ... --> or doc=\"...\"");
}

bool ElementReader::check_name(std::string_view name, Location where, bool dotted) {
  if (is_element_name(name, dotted)) return true;
  context_.diagnostics->error("bad-name", where, hilda::in_quotes(name) + " is not a name", name_help(name, dotted));
  return false;
}

void ElementReader::check_mode(const AttributeReader& read, std::size_t index) {
  if (!read.given(index)) return;
  if (is_element_name(read.view(index), false) && read.view(index) != "replay") return;
  context_.diagnostics->error("bad-mode", read.where(index),
                              hilda::in_quotes(read.view(index)) + " is not a name of a mode",
                              "modes are names such as sim or hardware; replay repeats a log of any of them");
}

} // namespace hilda
