// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/operations.h"

#include "engine/authoring/named.h"
#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/diagram/names.h"

#include <array>

namespace hilda::authoring {
namespace {

struct Verb {
  std::string_view name;
  std::optional<Change> (*make)(EditContext&, const Words&);
};

constexpr std::array<Verb, 10> operations = {{{"set", set_value},
                                              {"unset", unset_value},
                                              {"add", add_element},
                                              {"remove", remove_named},
                                              {"connect", connect_ports},
                                              {"disconnect", disconnect_ports},
                                              {"rename", rename_named},
                                              {"duplicate", duplicate_element},
                                              {"group", group_elements},
                                              {"extract", extract_subsystem}}};

constexpr std::array<std::string_view, operations.size()> names = [] {
  std::array<std::string_view, operations.size()> made;
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = operations[i].name;
  return made;
}();

/// Where a person writes such elements among the others; those that no diagram has are next to blocks.
int rank(std::string_view tag) {
  const ElementKind* const kind = elements::find(tag);
  return (kind != nullptr ? *kind : elements::block).rank;
}

} // namespace

std::span<const std::string_view> verbs() { return names; }

std::optional<Change> change_of(EditContext& context, const Words& operation) {
  const std::string verb = operation.empty() ? std::string() : operation.front();
  for (const Verb& each : operations)
    if (each.name == verb) return each.make(context, Words(operation.begin() + 1, operation.end()));
  const std::vector<std::string> known(names.begin(), names.end());
  return misused(context, "there is no operation " + hilda::base::in_quotes(verb),
                 context.suggestions.help(verb, known, "there are"));
}

std::vector<Words> single_operations(const Words& operation) {
  const bool each =
      !operation.empty() && (operation[0] == "set" || operation[0] == "unset" || operation[0] == "remove");
  if (!each || operation.size() < 3) return {operation};
  std::vector<Words> all;
  for (std::size_t i = 1; i < operation.size(); ++i) all.push_back({operation[0], operation[i]});
  return all;
}

std::nullopt_t misused(EditContext& context, const std::string& what, const std::string& help) {
  context.diagnostics.error("edit-usage", {&context.asker, 0}, what, help);
  return std::nullopt;
}

std::optional<std::pair<std::string, std::string>> assignment(EditContext& context, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    return misused(context, hilda::base::in_quotes(word) + " is not an assignment", "write NAME=VALUE, such as gain=2");
  std::pair made(word.substr(0, equals), word.substr(equals + 1));
  if (first_bad_byte(made.second) != std::string_view::npos) {
    context.diagnostics.error("edit-bad-value", {&context.asker, 0},
                              "the value of " + hilda::base::in_quotes(made.first) + " is not text",
                              "values are UTF-8 without control characters");
    return std::nullopt;
  }
  return made;
}

bool refuse_attribute(EditContext& context, const std::string& name) {
  if (is_element_name(name.starts_with("ui.") ? name.substr(3) : name, true)) return false;
  context.diagnostics.error("edit-bad-name", context.at(context.spans.root()),
                            hilda::base::in_quotes(name) + " is not a name of an attribute",
                            "it is letters, digits and '_', and does not begin with a digit");
  return true;
}

InsertionPoint spot_for(const XmlNode& body, std::string_view tag) {
  const XmlNode *same = nullptr, *before = nullptr;
  for (const XmlNode& child : body.children) {
    if (child.kind != XmlNode::Kind::element) continue;
    if (rank(child.tag) == rank(tag)) same = &child;
    if (rank(child.tag) < rank(tag)) before = &child;
  }
  if (same != nullptr) return {same, false};
  return {before, before != nullptr};
}

const XmlNode* model_for(const EditContext& context, const XmlNode& body, std::string_view tag) {
  const XmlNode *same = nullptr, *other = nullptr;
  for (const XmlNode* in : {&body, &context.spans.root()}) {
    for (const XmlNode& child : in->children) {
      if (child.kind != XmlNode::Kind::element || child.attributes.empty()) continue;
      if (child.tag == tag && child.close.begin == child.close.end) same = &child;
      other = &child;
    }
    if (same != nullptr) return same;
  }
  return other != nullptr ? other : &context.spans.root();
}

} // namespace hilda::authoring
