// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/modules.h"

#include <string>
#include <string_view>

namespace hilda::diagram {

/// Letters, digits and '_', not beginning with a digit; at most 200 bytes. `dotted`: several of these, joined by dots.
bool is_element_name(std::string_view name, bool dotted);
/// What a name is made of, for one that is none: with the first letter that no name has.
std::string name_help(std::string_view name, bool dotted);

/// Names that mean something on a subsystem or a diagram and so cannot name a parameter.
bool is_reserved(const std::string& name);

/// Blocks, subsystems and inputs of one diagram share their names, since a wire begins with them; outputs, parameters
/// and power ports each have a separate set of names. Elements of different modes may share one. An element that
/// repeats an earlier name is reported and dropped. Code: duplicate-name.
void check_unique_names(DiagramDecl& diagram, Diagnostics& diagnostics);

} // namespace hilda::diagram
