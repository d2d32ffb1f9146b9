// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/named.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"
#include "engine/diagram/names.h"

#include <algorithm>
#include <array>

namespace hilda::authoring {
namespace {

constexpr std::string_view wire_kind = "connect:";

/// The elements and the attribute that a path means: "lead.time_constant", "gap", "period".
struct Target {
  std::vector<const XmlNode*> elements;
  std::string attribute;
};

std::optional<Target> parameter_value(const std::vector<Named>& found) {
  if (found.size() != 1) return std::nullopt;
  return Target{found.front().twins, "value"};
}

std::optional<Target> of_diagram(EditContext& context, const std::string& name) {
  const XmlNode& root = context.spans.root();
  static constexpr std::array<std::string_view, 3> own = {"period", "name", "doc"};
  if (name.starts_with("ui.") || std::find(own.begin(), own.end(), name) != own.end()) return Target{{&root}, name};
  std::vector<const XmlNode*> inputs = called(root, NameKind::input, name);
  std::erase_if(inputs, [](const XmlNode* each) { return each->find("default") == nullptr; });
  if (!inputs.empty()) return Target{inputs, "default"};
  std::vector<std::string> candidates(own.begin(), own.end());
  for (const XmlNode* each : all_of(root, NameKind::parameter)) candidates.emplace_back(each->value("name"));
  if (name == "format") return misused(context, "the format of a file is not changed", "it is that of its hilda");
  context.diagnostics.error("edit-unknown", context.at(root), "there is no parameter " + hilda::base::in_quotes(name),
                            context.suggestions.help(name, candidates, "there are"));
  return std::nullopt;
}

/// Of a subsystem with a body: the forwarded parameter, or else the declared one.
std::optional<Target> of_element(EditContext& context, const std::string& path, const Named& owner,
                                 const std::string& attribute) {
  Target target{owner.twins, attribute};
  const auto has = [&](const XmlNode* each) { return each->find(attribute) != nullptr; };
  if (std::any_of(owner.twins.begin(), owner.twins.end(), has)) {
    std::erase_if(target.elements, [&](const XmlNode* each) { return !has(each); });
    return target;
  }
  if (std::optional<Target> inner = parameter_value(look_up(context.spans, path, {NameKind::parameter}))) return inner;
  if (target.elements.size() == 1) return target;
  std::string ways;
  std::vector<Note> notes;
  for (const XmlNode* each : owner.twins) {
    ways += (ways.empty() ? "" : " or ") + owner.name + "@" + std::string(each->value("mode")) + "." + attribute;
    notes.push_back({context.at(*each), "one of them is here"});
  }
  context.diagnostics.error("edit-ambiguous", context.at(*owner.twins.front()),
                            hilda::base::in_quotes(owner.name) + " exists in several modes, and none of them has " +
                                hilda::base::in_quotes(attribute),
                            "write " + ways, std::move(notes));
  return std::nullopt;
}

/// "limits:robot.command_pose.speed", "log:rig.*.every", "realtime:priority".
std::optional<Target> of_nameless(EditContext& context, const ElementKind& kind, const std::string& path) {
  const std::size_t cut = kind.key.empty() ? kind.tag.size() : path.rfind('.');
  if (cut == std::string::npos || cut + 1 == path.size())
    return misused(context, hilda::base::in_quotes(path) + " names no attribute",
                   kind.key.empty() ? "write realtime:priority"
                                    : "write " + std::string(kind.tag) + ":KEY.ATTRIBUTE, where KEY is what its " +
                                          std::string(kind.key) + " says");
  const std::string attribute = path.substr(cut + 1);
  const XmlNode* const element =
      find_nameless(context, kind.key.empty() ? std::string(kind.tag) + ":" : path.substr(0, cut));
  if (element == nullptr || refuse_attribute(context, attribute)) return std::nullopt;
  return Target{{element}, attribute};
}

/// "connect:lead.u.ui.bend": of the wires to an input. Their ends are not set: that would be another wire.
std::optional<Target> of_wires(EditContext& context, const std::string& path) {
  const std::size_t editors = path.find(".ui."), cut = editors != std::string::npos ? editors : path.rfind('.');
  if (cut == std::string::npos || cut + 1 == path.size())
    return misused(context, hilda::base::in_quotes(path) + " names no attribute of a wire",
                   "write connect:lead.u.ui.draw");
  const std::string attribute = path.substr(cut + 1);
  if (attribute == "from" || attribute == "to" || attribute == "mode")
    return misused(context, "the " + attribute + " of a wire is not set",
                   "disconnect it, and connect what is to be joined");
  if (refuse_attribute(context, attribute)) return std::nullopt;
  std::vector<const XmlNode*> wires = find_wires(context, path.substr(wire_kind.size(), cut - wire_kind.size()));
  if (wires.empty()) return std::nullopt;
  return Target{std::move(wires), attribute};
}

std::optional<Target> target_of(EditContext& context, const std::string& path) {
  if (path.starts_with(wire_kind)) return of_wires(context, path);
  if (const ElementKind* kind = nameless_kind(path)) return of_nameless(context, *kind, path);
  const std::size_t editors = path.find(".ui.");
  const std::size_t dot = editors != std::string::npos || path.starts_with("ui.") ? editors : path.rfind('.');
  if (auto exact = parameter_value(look_up(context.spans, path, {NameKind::parameter}));
      exact && dot == std::string::npos)
    return exact;
  if (dot == std::string::npos) return of_diagram(context, path);
  const std::string owner = path.substr(0, dot), attribute = path.substr(dot + 1);
  if (attribute == "name")
    return misused(context, "the name of " + hilda::base::in_quotes(owner) + " is not set",
                   "rename " + owner + " NEW changes it with all that refers to it");
  if (refuse_attribute(context, attribute)) return std::nullopt;
  const std::vector<Named> elements = look_up(context.spans, owner, {NameKind::element});
  if (elements.size() == 1) return of_element(context, path, elements.front(), attribute);
  const std::vector<NameKind> kinds = elements.empty()
                                          ? std::vector<NameKind>(all_name_kinds.begin(), all_name_kinds.end())
                                          : std::vector<NameKind>{NameKind::element};
  const std::optional<Named> other = find_named(context, owner, kinds);
  if (!other) return std::nullopt;
  return of_element(context, path, *other, attribute);
}

} // namespace

std::optional<Change> set_value(EditContext& context, const Words& words) {
  if (words.size() != 1) return misused(context, "'set' needs NAME=VALUE", "write set lead.time_constant=4ms");
  const auto given = assignment(context, words[0]);
  if (!given) return std::nullopt;
  const std::optional<Target> target = target_of(context, given->first);
  if (!target) return std::nullopt;
  Change change;
  for (const XmlNode* element : target->elements)
    context.layout.set(*element, target->attribute, given->second, change.edit);
  return change;
}

std::optional<Change> unset_value(EditContext& context, const Words& words) {
  if (words.size() != 1) return misused(context, "'unset' needs one attribute", "write unset lead.time_constant");
  const std::optional<Target> target = target_of(context, words[0]);
  if (!target) return std::nullopt;
  Change change;
  for (const XmlNode* element : target->elements)
    if (const XmlAttribute* attribute = element->find(target->attribute))
      context.layout.unset(*element, *attribute, change.edit);
  if (!change.edit.empty()) return change;
  std::vector<std::string> there;
  for (const auto& [name, attribute] : target->elements.front()->attributes) there.push_back(name);
  context.diagnostics.error("edit-unknown", context.at(*target->elements.front()),
                            hilda::base::in_quotes(words[0]) + " is not given",
                            context.suggestions.help(target->attribute, there, "given are"));
  return std::nullopt;
}

} // namespace hilda::authoring
