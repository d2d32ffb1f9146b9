// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/detail/model/element_kind.h"
#include "engine/modules.h"

namespace hilda::diagram {

// The elements of an overlay, a file that sets parameters of a diagram.

namespace attributes {

inline constexpr auto overlay = std::to_array<AttributeKind>({format, doc});

inline constexpr auto set = std::to_array<AttributeKind>(
    {AttributeKind{"path", "setting_path", "Parameter: response_delay, rig.stiffness, lead.time_constant"}.required(),
     AttributeKind{"value", "text", "What it is set to, before expressions"}.required().empty_too(),
     doc,
     {"at", "text", "When, while the diagram runs: 2.5 s; before the first tick if not given"}});

inline constexpr auto play = std::to_array<AttributeKind>(
    {AttributeKind{"path", "setting_path", "Parameter or input of the diagram that gets the numbers"}.required(),
     AttributeKind{"file", "file", "Log, or MAT file, next to the overlay"}.required(),
     AttributeKind{"signal", "text", "Its signal: push.y"}.required(),
     {"time", "text", "Of a MAT file: the variable with the times in s"},
     {"unit", "text", "Of the values, where the file does not say it"},
     doc});

} // namespace attributes

namespace overlay_elements {

inline constexpr ElementKind overlay{"overlay", "Values for parameters of a diagram", attributes::overlay};
inline constexpr ElementKind set{"set", "One value", attributes::set};
inline constexpr ElementKind play{"play", "Numbers from a file", attributes::play};
inline constexpr std::array<const ElementKind*, 2> all{&set, &play};

} // namespace overlay_elements

} // namespace hilda::diagram
