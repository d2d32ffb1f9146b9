// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/detail/xml/elements.h"

#include "engine/base/error.h"
#include "engine/diagram/inner_element_kinds.h"
#include "engine/diagram/reader.h"

#include <algorithm>

namespace hilda::diagram {

/// What a block that has its own slots may contain. Whether this one takes it is known with its type. A state may hold
/// states.
void ElementReader::block_children(const ParsedNode& element, std::vector<ChildDecl>& into, std::size_t within) {
  static const std::vector<std::string> inside = [] {
    std::vector<std::string> tags;
    for (const ElementKind& each : inner_elements::all) tags.emplace_back(each.tag);
    return tags;
  }();
  static constexpr std::array<Known, 0> known = {};
  for (const ParsedNode* at = element.first_child; at != nullptr; at = at->next) {
    const ParsedNode* inner = at->as_element();
    if (inner == nullptr) {
      refuse_content(*at, element);
      continue;
    }
    std::string tag(inner->name);
    if (std::find(inside.begin(), inside.end(), tag) == inside.end()) {
      const std::string near = context_.suggestions->near(tag, inside);
      if (near.empty()) {
        refuse_child(*inner, element);
        continue;
      }
      context_.diagnostics->error("unknown-element", context_.at(inner->line), "a block has no element <" + tag + ">",
                                  "did you mean <" + near + ">?",
                                  {{context_.at(element.line), element_label(element) + " begins here"}});
      tag = near; // read as what was probably meant
    }
    AttributeReader read(context_, *inner, known, AttributeReader::Others::kept);
    into.push_back({tag, read.take_others(), context_.at(inner->line), within});
    if (tag == inner_elements::state.tag && within == ChildDecl::in_block)
      block_children(*inner, into, into.size() - 1);
    else
      refuse_children(*inner);
  }
}

} // namespace hilda::diagram
