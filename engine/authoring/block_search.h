// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::authoring {

/// Block types that fit all words, best first: a word counts most in the type's name, less in its documentation (which
/// holds its equation), least in those of ports and parameters. A word also finds what the field calls otherwise:
/// "saturate" and "limiter" are one, "dead time" is a delay. What Simulink calls a block finds hilda's for it first.
std::vector<const BlockType*> search_blocks(const Catalogue& catalogue, const std::vector<std::string>& words);

} // namespace hilda::authoring
