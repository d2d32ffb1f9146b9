// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/diagram/suggestion.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::compile {

/// True for an element of this `mode` attribute in a diagram that runs in `chosen`.
inline bool in_mode(const std::string& mode, const std::string& chosen) { return mode.empty() || mode == chosen; }

/// True for ports that exist only in simulation: `truth.wrench`.
bool is_truth(const std::string& port);

/// The modes of a diagram, sorted: those that its own blocks and subsystems name, or, where none of them does, those
/// that the diagrams of its subsystems name. A mode that only a parameter or a wire names is none.
std::vector<std::string> modes_of(const DiagramDecl& top);

/// The mode to run in: the one asked for, else "sim" where there is one or no modes at all, else the only one.
/// Codes: unknown-mode, mode-ambiguous.
std::string choose_mode(const DiagramDecl& top, const std::string& asked, Suggestions& suggestions,
                        Diagnostics& diagnostics);

/// Elements of a mode that no block or subsystem has never exist, unless it is one that everybody uses (sim, hardware).
/// Codes: unknown-mode, mode-slip (a warning: a single block or subsystem in a mode that looks misspelt).
void check_modes(const DiagramDecl& top, Suggestions& suggestions, Diagnostics& diagnostics);

/// Subsystems of one name stand for one another in different modes, so their inputs and outputs must be equal: name,
/// shape, unit, optional or not. Ports under `truth.` and ports of one mode are exempt. Looks at all modes and all
/// nested diagrams. Code: variants-differ.
void check_variants(const DiagramDecl& top, Suggestions& suggestions, Diagnostics& diagnostics);

} // namespace hilda::compile
