// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/edit/references.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"

#include <algorithm>
#include <map>
#include <set>

namespace hilda::authoring {
namespace {

/// What must be removed in addition to the thing itself.
struct Following {
  std::set<const XmlNode*> elements;
  std::vector<const Reference*> words;      ///< of lists of signals
  std::vector<const Reference*> attributes; ///< the sides of a power port
  std::vector<const Reference*> in_the_way; ///< what would mean something else without it
};

Following following(const std::vector<Reference>& references, const std::vector<const XmlNode*>& going) {
  Following all;
  for (const Reference& each : references) {
    const bool goes_too = std::find(going.begin(), going.end(), each.element) != going.end();
    if (goes_too) continue;
    const std::string& attribute = *each.attribute_name;
    if (attribute == "enable" || attribute == "reset" || attribute == "trigger" || attribute == "when" ||
        attribute == "atol")
      all.in_the_way.push_back(&each);
    else if (each.in_list())
      all.words.push_back(&each);
    else if (each.names == Names::side)
      all.attributes.push_back(&each);
    else
      all.elements.insert(each.element);
  }
  std::erase_if(all.attributes, [&](const Reference* each) { return all.elements.contains(each->element); });
  return all;
}

std::string label(const XmlNode& node) {
  if (node.is(elements::connect.tag))
    return "the wire " + std::string(node.value("from")) + " -> " + std::string(node.value("to"));
  for (const char* attribute : {"name", "on", "path", "title"})
    if (node.find(attribute) != nullptr) return "<" + node.tag + "> " + hilda::base::in_quotes(node.value(attribute));
  return "<" + node.tag + ">";
}

bool refuse_use(EditContext& context, const Named& named, const std::vector<const Reference*>& uses) {
  if (uses.empty()) return false;
  std::vector<Note> notes;
  for (const Reference* each : uses)
    notes.push_back({context.at(*each->element, *each->attribute), *each->attribute_name + "=" +
                                                                       hilda::base::in_quotes(each->attribute->value) +
                                                                       " of " + label(*each->element)});
  context.diagnostics.error("edit-in-use", context.at(*named.twins.front()),
                            hilda::base::in_quotes(named.name) +
                                " is used by what would mean something else without it",
                            "set or unset that first", std::move(notes));
  return true;
}

/// Words out of lists of signals; a list of which none is left goes with its element.
void remove_words(EditContext& context, Following& all, TextEdit& edit) {
  std::map<const XmlAttribute*, std::vector<const Reference*>> lists;
  for (const Reference* each : all.words) lists[each->attribute].push_back(each);
  for (const auto& [attribute, gone] : lists) {
    std::vector<TextSpan> words = words_in(attribute->value);
    const std::size_t all_words = words.size();
    if (gone.size() >= all_words) {
      all.elements.insert(gone.front()->element);
      continue;
    }
    for (const Reference* each : gone) {
      const auto at = std::find_if(words.begin(), words.end(), [&](TextSpan s) { return s.begin == each->word.begin; });
      const auto index = static_cast<std::size_t>(at - words.begin());
      // With the blanks up to the next word, and of the last one those before it.
      const bool last = index + 1 == words.size();
      std::size_t begin = words[index].begin, end = last ? words[index].end : words[index + 1].begin;
      if (last) {
        for (std::size_t i = index; i-- > 0;) { // behind the last one that stays
          begin = words[i].end;
          if (std::none_of(gone.begin(), gone.end(),
                           [&](const Reference* g) { return g->word.begin == words[i].begin; }))
            break;
        }
      }
      edit.remove(span_in_value(context.text, *attribute, begin, end - begin));
    }
    context.remarks.push_back(label(*gone.front()->element) + " no longer names it");
  }
}

} // namespace

std::optional<Change> remove_named(EditContext& context, const Words& words) {
  if (words.size() != 1) return misused(context, "'remove' needs one name", "write remove lead");
  if (nameless_kind(words[0]) != nullptr) {
    const XmlNode* const element = find_nameless(context, words[0]);
    if (element == nullptr) return std::nullopt;
    Change change;
    context.layout.remove(*element, change.edit);
    return change;
  }
  const std::optional<Named> named = find_named(context, words[0], {all_name_kinds.begin(), all_name_kinds.end()});
  if (!named) return std::nullopt;
  const bool parameter = named->kind == NameKind::parameter;
  std::vector<Reference> references = parameter ? uses_of(*named) : references_to(context.spans, *named);
  if (!named->all) { // another mode's stays, and so do the wires that it has too
    const std::string_view mode = named->twins.front()->value("mode");
    std::erase_if(references, [&](const Reference& each) { return each.element->value("mode") != mode; });
    if (parameter) references.clear();
  }
  Following all = following(references, named->twins);
  if (parameter) {
    std::vector<const Reference*> uses;
    for (const Reference& each : references) uses.push_back(&each);
    if (refuse_use(context, *named, uses)) return std::nullopt;
  } else if (refuse_use(context, *named, all.in_the_way)) {
    return std::nullopt;
  }
  Change change;
  for (const XmlNode* twin : named->twins) context.layout.remove(*twin, change.edit);
  remove_words(context, all, change.edit);
  for (const Reference* each : all.attributes) {
    context.layout.unset(*each->element, *each->attribute, change.edit);
    context.remarks.push_back(label(*each->element) + " is without " + *each->attribute_name);
  }
  std::vector<const XmlNode*> gone(all.elements.begin(), all.elements.end());
  std::sort(gone.begin(), gone.end(),
            [](const XmlNode* a, const XmlNode* b) { return a->whole.begin < b->whole.begin; });
  for (const XmlNode* each : gone) {
    context.layout.remove(*each, change.edit);
    context.remarks.push_back("line " + std::to_string(each->line) + ": " + label(*each) + " is removed too");
  }
  for (const Reference& each : patterns_near(context.spans, *named))
    context.remarks.push_back("line " + std::to_string(each.element->line) + ": the pattern " +
                              hilda::base::in_quotes(each.attribute->value) + " may have meant " + named->name);
  return change;
}

} // namespace hilda::authoring
