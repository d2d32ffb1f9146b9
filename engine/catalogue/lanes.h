// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <hilda/lanes.h>
#include <string>
#include <vector>

namespace hilda::catalogue {

/// How a type computes several blocks whose records lie in one another, or null; calls its plugin. Each fault is added
/// to `problems` as a sentence, and the answer is then null.
const hilda_lanes_1* lanes_of(const BlockType& type, std::vector<std::string>& problems);
const hilda_lanes_1* lanes_of(const BlockType& type);
/// Are the numbers of a record of this type apart, whether it can still be used for a group or, as one that wires drive
/// (driven_type.h), cannot?
bool has_lanes(const BlockType& type);

} // namespace hilda::catalogue
