// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// The reference of these blocks as one self-contained page: an index by subject and, for each block, what it does
/// with equations and sources as its documentation gives them, its ports, parameters and states with shape, unit and
/// range, and what they are. It is whole without scripts; with them it can be searched. On paper it has no index bar.
std::string reference_page(const std::vector<const BlockType*>& types);

} // namespace hilda::cli
