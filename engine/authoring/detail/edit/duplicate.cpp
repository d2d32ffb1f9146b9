// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/named.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"

#include <string_view>

namespace hilda::authoring {
namespace {

/// The element's text with another name, without `ui.x` and `ui.y`.
std::string copy_of(const EditContext& context, const XmlNode& node, const std::string& name) {
  TextEdit edit;
  edit.replace(node.find("name")->text, name);
  for (const std::string_view place : {"ui.x", "ui.y"})
    if (const XmlAttribute* attribute = node.find(place)) context.layout.unset(node, *attribute, edit);
  edit.settle();
  std::string text;
  std::size_t at = node.whole.begin;
  for (const TextEdit::Replacement& each : edit.replacements()) {
    text += context.text.substr(at, each.where.begin - at) + each.text;
    at = each.where.end;
  }
  return text + context.text.substr(at, node.whole.end - at);
}

} // namespace

std::optional<Change> duplicate_element(EditContext& context, const Words& words) {
  if (words.size() != 3 || words[1] != "as")
    return misused(context, "'duplicate' needs a block or subsystem and the copy's name",
                   "write duplicate lead as other");
  const std::optional<Named> named = find_named(context, words[0], {NameKind::element});
  if (!named) return std::nullopt;
  const XmlNode& body = *named->body.back();
  std::vector<std::string> copies;
  for (const XmlNode* twin : named->twins) {
    if (refuse_name(context, body, NameKind::element, words[2], twin->value("mode"))) return std::nullopt;
    copies.push_back(copy_of(context, *twin, words[2]));
  }
  Change change;
  context.layout.insert(body, named->twins.back(), copies, false, change.edit);
  return change;
}

} // namespace hilda::authoring
