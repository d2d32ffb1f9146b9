// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/edit/references.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"

#include <algorithm>

namespace hilda::authoring {
namespace {

/// A parameter's new name must not take the place of one that the same expressions mean already.
bool refuse_capture(EditContext& context, const Named& parameter, const std::string& name) {
  Named other = parameter;
  other.name = name;
  std::vector<Reference> taken = uses_of(other);
  for (const Reference& each : uses_of(parameter)) {
    // An inline subsystem that declares the new name and uses the old one of the diagram around it.
    const auto hides = [&](const auto& self, const XmlNode& in, bool declared) -> bool {
      for (const XmlNode& child : in.children) {
        if (&child == each.element) return declared;
        if (is_inline(child) && self(self, child, declared || !called(child, NameKind::parameter, name).empty()))
          return true;
      }
      return false;
    };
    if (hides(hides, *parameter.body.back(), false)) taken.push_back(each);
  }
  if (taken.empty()) return false;
  context.diagnostics.error("edit-name-taken", context.at(*taken.front().element, *taken.front().attribute),
                            "the name " + hilda::base::in_quotes(name) + " means another parameter here",
                            "choose another name",
                            {{context.at(*parameter.twins.front()), "to be renamed is the <parameter> here"}});
  return true;
}

/// A value forwarded to an inline subsystem is given by the parameter's name.
void rename_forwarded(EditContext&, const Named& parameter, const std::string& name, TextEdit& edit) {
  if (parameter.body.size() < 2) return;
  if (const XmlAttribute* forwarded = parameter.body.back()->find(parameter.name)) edit.replace(forwarded->name, name);
}

/// A subsystem of several modes has the same ports in all; those in other files are not reached from here.
bool refuse_variants(EditContext& context, const Named& named) {
  if (named.body.size() < 2 || (named.kind != NameKind::input && named.kind != NameKind::output)) return false;
  const XmlNode& own = *named.body.back();
  const auto variants = called(*named.body[named.body.size() - 2], NameKind::element, own.value("name"));
  if (variants.size() < 2) return false;
  std::vector<Note> notes;
  for (const XmlNode* each : variants)
    if (each != &own) notes.push_back({context.at(*each), "another variant is here"});
  context.diagnostics.error("edit-elsewhere", context.at(own),
                            hilda::base::in_quotes(own.value("name")) + " has variants, which must keep equal ports",
                            "rename the port in each of them by hand, and the wires to it", std::move(notes));
  return true;
}

} // namespace

std::optional<Change> rename_named(EditContext& context, const Words& words) {
  if (words.size() != 2) return misused(context, "'rename' needs an old and a new name", "write rename lead filter");
  const std::string& name = words[1];
  const std::optional<Named> named = find_named(context, words[0], {all_name_kinds.begin(), all_name_kinds.end()});
  if (!named) return std::nullopt;
  if (!named->all)
    return misused(context, "all that is called " + hilda::base::in_quotes(named->name) + " is renamed together",
                   "leave out the mode");
  Change change;
  if (name == named->name) return change;
  for (const XmlNode* twin : named->twins)
    if (refuse_name(context, *named->body.back(), named->kind, name, twin->value("mode"))) return std::nullopt;
  const bool parameter = named->kind == NameKind::parameter;
  if (parameter ? refuse_capture(context, *named, name) : refuse_variants(context, *named)) return std::nullopt;
  for (const XmlNode* twin : named->twins) change.edit.replace(twin->find("name")->text, name);
  std::vector<Reference> references = parameter ? uses_of(*named) : references_to(context.spans, *named);
  const bool has_default = std::any_of(named->twins.begin(), named->twins.end(),
                                       [](const XmlNode* twin) { return twin->find("default") != nullptr; });
  if (named->kind == NameKind::input && named->body.size() == 1 && has_default) // it is a parameter, too
    for (const Reference& each : uses_of(*named))
      if (!each.element->is("live")) references.push_back(each);
  for (const Reference& each : references)
    change.edit.replace(span_in_value(context.text, *each.attribute, each.at, each.length), name);
  if (parameter) rename_forwarded(context, *named, name, change.edit);
  for (const Reference& each : patterns_near(context.spans, *named))
    context.remarks.push_back("line " + std::to_string(each.element->line) + ": the pattern " +
                              hilda::base::in_quotes(each.attribute->value) + " may have meant " + named->name +
                              "; it is left as it is");
  return change;
}

} // namespace hilda::authoring
