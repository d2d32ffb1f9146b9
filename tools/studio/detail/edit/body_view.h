// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"
#include "tools/studio/detail/edit/checked_diagram.h"
#include "tools/studio/detail/edit/open_files.h"

#include <string>

namespace hilda::studio {

/// The subject of editing at one place of a diagram: its elements with their ports, as docs/studio.md has them.
/// @param inside  path of that place
Json elements_json(const OpenBody& body, const std::string& inside, const CheckedDiagram& checked, OpenFiles& files,
                   const Catalogue& catalogue);
/// Its wires.
Json wires_json(const OpenBody& body);

} // namespace hilda::studio
