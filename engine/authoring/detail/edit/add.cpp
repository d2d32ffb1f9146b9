// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/named.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"
#include "engine/diagram/names.h"

#include <algorithm>
#include <array>

namespace hilda::authoring {
namespace {

std::optional<NewElement> read_element(EditContext& context, NewElement made, std::span<const std::string> words) {
  for (const std::string& word : words) {
    const auto given = assignment(context, word);
    if (!given) return std::nullopt;
    if (refuse_attribute(context, given->first)) return std::nullopt;
    for (const auto& [name, value] : made.attributes)
      if (name == given->first)
        return misused(context, "the attribute " + hilda::base::in_quotes(name) + " is given twice", "keep one");
    made.attributes.push_back(*given);
  }
  return made;
}

/// "parameter, input or figure"
std::string added_instead_of_a_type() {
  std::vector<std::string> tags;
  for (const ElementKind* each : elements::all)
    if (each != &elements::block && each != &elements::subsystem && each != &elements::connect)
      tags.emplace_back(each->tag);
  const std::string last = tags.back();
  tags.pop_back();
  return listed(tags) + " or " + last;
}

std::string_view value_of(const NewElement& element, std::string_view name) {
  for (const auto& [each, value] : element.attributes)
    if (each == name) return value;
  return {};
}

Change inserted(EditContext& context, const XmlNode& body, const NewElement& element) {
  const InsertionPoint spot = spot_for(body, element.tag);
  Change change;
  const std::string text = context.layout.written(element, model_for(context, body, element.tag));
  context.layout.insert(body, spot.behind, {text}, spot.gap, change.edit);
  return change;
}

} // namespace

std::optional<Change> add_element(EditContext& context, const Words& words) {
  const auto wrong = [&context](const std::string& what) {
    return misused(context, what,
                   "write add math/Gain NAME gain=2, add subsystem NAME src=FILE, or " + added_instead_of_a_type() +
                       " instead of the type");
  };
  if (words.empty()) return wrong("'add' needs a block type or the name of an element");
  const std::string& what = words[0];
  const bool has_name = nameless_kind(what + ":") == nullptr;
  if (!has_name) {
    const auto element = read_element(context, {what, {}}, std::span(words).subspan(1));
    if (!element) return std::nullopt;
    return inserted(context, context.spans.root(), *element);
  }
  const ElementKind* const kind = elements::find(what);
  const bool is_tag = kind != nullptr && kind != &elements::block && kind->has_name();
  if (!is_tag && what.find('/') == std::string::npos) {
    std::vector<std::string> known;
    for (const ElementKind* each : elements::all)
      if (each != &elements::block && each != &elements::connect) known.emplace_back(each->tag);
    const std::string near = context.suggestions.near(what, known);
    if (near.empty()) return wrong(hilda::base::in_quotes(what) + " is not a type of a block");
    return misused(context, hilda::base::in_quotes(what) + " is not a type of a block",
                   "did you mean " + hilda::base::in_quotes(near) + "?");
  }
  if (words.size() < 2 || words[1].find('=') != std::string::npos)
    return wrong("the new element of type " + hilda::base::in_quotes(what) + " has no name");
  const auto place = place_for(context, words[1]);
  if (!place) return std::nullopt;
  NewElement made{is_tag ? what : std::string(elements::block.tag), {{"name", place->second}}};
  if (!is_tag) made.attributes.emplace_back("type", what);
  const auto element = read_element(context, std::move(made), std::span(words).subspan(2));
  if (!element) return std::nullopt;
  XmlNode as;
  as.tag = element->tag;
  const XmlNode& body = *place->first.back();
  if (refuse_name(context, body, *kind_of(as), place->second, value_of(*element, "mode"))) return std::nullopt;
  return inserted(context, body, *element);
}

} // namespace hilda::authoring
