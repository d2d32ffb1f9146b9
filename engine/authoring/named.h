// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/detail/edit/edit_context.h"
#include "engine/diagram/element_kinds.h"
#include "engine/modules.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::authoring {

/// What of a diagram has a name. Blocks, subsystems, notes and areas share theirs.
enum class NameKind : unsigned char { element, input, output, parameter, power_port, note, area };
inline constexpr std::array<NameKind, 7> all_name_kinds = {NameKind::element, NameKind::parameter,  NameKind::input,
                                                           NameKind::output,  NameKind::power_port, NameKind::note,
                                                           NameKind::area};

/// The diagram or an inline subsystem, with those around it: outermost first.
using Body = std::vector<const XmlNode*>;

/// What an operation names, in all the modes that have it.
struct Named {
  NameKind kind = NameKind::element;
  std::string name = {};
  Body body = {}; ///< that contains it
  std::vector<const XmlNode*> twins = {};
  bool all = true; ///< false: others of this name have a mode that was not meant
};

/// "rig@sim": its name and its mode.
std::pair<std::string, std::string> without_mode(const std::string& text);
/// "block or subsystem", "input", ...
std::string_view kind_name(NameKind kind);
/// Of an element of a diagram; none where such have no name.
std::optional<NameKind> kind_of(const XmlNode& node);
bool is_element(const XmlNode& node);
/// A subsystem whose elements are in this file.
bool is_inline(const XmlNode& node);
/// Names of one kind in a body, in its order.
std::vector<const XmlNode*> all_of(const XmlNode& body, NameKind kind);
std::vector<const XmlNode*> called(const XmlNode& body, NameKind kind, std::string_view name);
/// May two things exist in one mode?
bool modes_meet(std::string_view one, std::string_view other);

/// Finds what a path names: "lead", "rig.sensor" in an inline subsystem, "rig@sim" for the one of a mode,
/// "parameter:clamp" where a block has the same name. Codes: edit-unknown, edit-ambiguous, edit-elsewhere.
std::optional<Named> find_named(EditContext& context, const std::string& path, const std::vector<NameKind>& kinds);
/// The same without a report.
std::vector<Named> look_up(const XmlSpans& spans, const std::string& path, const std::vector<NameKind>& kinds);

/// Of "limits:robot.command_pose" its kind; null if the word before the colon is not the tag of an element without a
/// name.
const ElementKind* nameless_kind(std::string_view path);
/// "limits:robot.command_pose", "log:rig.*", "figure:Contact", "realtime:"; "limits:robot.command_pose@sim" for the one
/// of a mode. Null after a report. Codes: edit-unknown, edit-ambiguous.
const XmlNode* find_nameless(EditContext& context, const std::string& path);

/// "connect:rig.b.u": the wires to an input of this name, in the body that has them; "connect:b.u@sim" for those of a
/// mode. Empty after a report. Codes: edit-not-connected.
std::vector<const XmlNode*> find_wires(EditContext& context, const std::string& path);

/// The body for something new called "rig.sensor", and its bare name. Codes as above.
std::optional<std::pair<Body, std::string>> place_for(EditContext& context, const std::string& path);

/// True, and reported, where a name cannot be given in a body. Codes: edit-bad-name, edit-name-taken.
bool refuse_name(EditContext& context, const XmlNode& body, NameKind kind, const std::string& name,
                 std::string_view mode);

} // namespace hilda::authoring
