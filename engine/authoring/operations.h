// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/detail/edit/edit_context.h"
#include "engine/modules.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::authoring {

/// An operation as it is written: {"connect", "a.y", "b.u"}.
using Words = std::vector<std::string>;

// Each makes the edit that the words behind its verb mean; none, and at least one error, where they mean none.
// Codes, in addition to those of find_named and refuse_name: edit-usage, edit-bad-value.

/// "lead.time_constant=4ms", "gap=30mm" of a parameter, "period=2ms" of the diagram.
std::optional<Change> set_value(EditContext& context, const Words& words);
/// "lead.time_constant": takes the attribute out.
std::optional<Change> unset_value(EditContext& context, const Words& words);
/// "math/Gain g gain=2", "subsystem rig src=rigs/a.xml", "parameter gap value=3mm", "figure title=... signals=...".
std::optional<Change> add_element(EditContext& context, const Words& words);
/// A block, subsystem, port, parameter or power port, with all that cannot be without it. Codes: edit-in-use.
std::optional<Change> remove_named(EditContext& context, const Words& words);
/// "a.y b.u". Codes: edit-driven.
std::optional<Change> connect_ports(EditContext& context, const Words& words);
/// "a.y b.u", or "b.u" alone. Codes: edit-not-connected.
std::optional<Change> disconnect_ports(EditContext& context, const Words& words);
/// "old new": it, and all that refers to it.
std::optional<Change> rename_named(EditContext& context, const Words& words);
/// "a b c as name": moves blocks and subsystems into a new inline subsystem. Codes: edit-in-use.
std::optional<Change> group_elements(EditContext& context, const Words& words);
/// "lead as other": a copy of a block or subsystem under another name, without wires and without the place that was
/// chosen for it in drawings.
std::optional<Change> duplicate_element(EditContext& context, const Words& words);
/// "name to file": moves the body of an inline subsystem into a file. Codes: edit-place.
std::optional<Change> extract_subsystem(EditContext& context, const Words& words);

/// Any of them, by its verb.
std::optional<Change> change_of(EditContext& context, const Words& operation);
/// The verbs, in the order in which they are listed.
std::span<const std::string_view> verbs();
/// "set a=1 b=2" is two, as is "remove a b"; all others are one.
std::vector<Words> single_operations(const Words& operation);

/// Reports that the words do not fit; gives nothing.
std::nullopt_t misused(EditContext& context, const std::string& what, const std::string& help);
/// True, and reported, where an attribute cannot be called so. Codes: edit-bad-name.
bool refuse_attribute(EditContext& context, const std::string& name);
/// "gain=2" as name and value; none, and a report, where it is not one. Codes: edit-usage, edit-bad-value.
std::optional<std::pair<std::string, std::string>> assignment(EditContext& context, const std::string& word);
/// Behind which child of a body an element of this tag is put (null: it is the first), and whether an empty line
/// is between.
struct InsertionPoint {
  const XmlNode* behind = nullptr;
  bool gap = false;
};
InsertionPoint spot_for(const XmlNode& body, std::string_view tag);
/// The last of the body with this tag, whose layout a new one copies; else any other, else null.
const XmlNode* model_for(const EditContext& context, const XmlNode& body, std::string_view tag);

} // namespace hilda::authoring
