// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

#include <string>
#include <vector>

namespace hilda::studio {

/// What can be put into a diagram: every block type with its ports and parameters, as docs/studio.md has them.
Json palette_json(const Catalogue& catalogue);
/// Names of those that fit all words, best first; what Simulink and the field call a block finds it, too.
Json palette_names(const Catalogue& catalogue, const std::string& words);

} // namespace hilda::studio
